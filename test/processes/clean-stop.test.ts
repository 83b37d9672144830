import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { organization, staticBot } from '../support/cast.ts'
import { call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { furtherPidsOf } from '../support/further-pids.ts'
import { HAPROXY, type Haproxy, startHaproxy } from '../support/haproxy.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { Nodes } from '../support/nodes.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { signInAs } from '../support/people.ts'
import { type LoadCast, StopLoad } from '../support/stop-load.ts'
import { countOf, itAtNight } from '../support/thorough.ts'

/** Number of stops; docs/operations.md has the figures of ten. */
const STOPS = Number(process.env.CLEAN_STOPS ?? countOf(1, 3))
const DRAIN_MS = '1000'
/** Requests between two stops. */
const BETWEEN = 100

let nodes: Nodes
let haproxy: Haproxy | undefined

beforeAll(async () => {
  const dataDir = await migratedFolder('parley-stops-')
  nodes = await Nodes.start(2, { DRAIN_MS, TRUST_PROXY: 'true' }, { dataDir })
})
afterAll(async () => {
  await haproxy?.close()
  await nodes?.close()
})

async function prepare(running = nodes): Promise<LoadCast> {
  const cast = await running.prepare(async (beside) => {
    const orgId = await organization(beside)
    return {
      writer: await staticBot(beside, orgId, 'Writer'),
      reader: await staticBot(beside, orgId, 'Reader'),
      ada: await signInAs(beside, { orgId, role: 'owner' }),
    }
  })
  const members = [cast.reader.id, cast.ada.profileId]
  const body = { name: 'Under way', members }
  const topic = await call(running.url(0), cast.writer.credentials, 'POST', '/v2/topics', { body })
  return { ...cast, topicId: String(Object(topic.body).id) }
}

const more = async (load: StopLoad) => {
  const goal = load.asked + BETWEEN
  await expect.poll(() => load.asked).toBeGreaterThan(goal)
}

async function metric(url: string, name: string): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length))
}

/** The number of the node that has the reader's live stream. */
const nodeWithStream = () =>
  vi.waitFor(
    async () => {
      const streams = await Promise.all(
        [0, 1].map((number) => metric(nodes.url(number), 'parley_limit_used{limit="streams_of_a_person"}')),
      )
      expect(Math.max(...streams)).toBeGreaterThan(0)
      return streams.indexOf(Math.max(...streams))
    },
    { timeout: PATIENCE_MS, interval: 50 },
  )

function expectNothingLost(load: StopLoad, kind: string): void {
  const { asked, refused, resets, unexpected, sent, polled, streamed, streamEnds } = load
  console.log(
    `${STOPS} stops ${kind}: ${asked} requests, ${total(resets)} reset, ${total(unexpected)} answered otherwise, ` +
      `${refused} connections refused, ${sent.length} messages, ${streamEnds} ends of the stream`,
  )
  expect([resets, unexpected]).toEqual([{}, {}])
  expect(streamEnds).toBeGreaterThan(0)
  expect(sent.filter((text) => !polled.has(text))).toEqual([])
  expect(streamed.toSorted()).toEqual(sent.toSorted())
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

async function expectCleanStops(running: Nodes): Promise<void> {
  const url = running.url(0)
  const load = new StopLoad(url, await prepare(running))
  for (let stop = 0; stop < STOPS; stop++) {
    await more(load)
    const ended = running.stop(0)
    await eventually(async () => (await fetch(`${url}/health/ready`)).status).toBe(503)
    load.isLeaving = true
    expect(await ended).toBe(0)
    load.isLeaving = false
    await running.begin(0)
  }
  await more(load)
  await load.end()
  expectNothingLost(load, 'without a proxy')
  expect(load.leaving.asked).toBeGreaterThan(0)
  expect(load.leaving.keptAlive).toBe(0)
}

describe('a node that is stopped under load', () => {
  it('resets no request and answers none with 5xx', () => expectCleanStops(nodes))

  itAtNight('resets none with several processes either', async () => {
    const several = await Nodes.start(1, { DRAIN_MS, WORKERS: '3' })
    await expectCleanStops(several).finally(() => several.close())
  })

  itAtNight('resets nobody who waits while one of several processes hangs', async () => {
    const several = await Nodes.start(1, { DRAIN_MS, WORKERS: '3' })
    try {
      const cast = await prepare(several)
      await eventually(async () => (await furtherPidsOf(several.pid(0))).length).toBe(2)
      const [hung = 0] = await furtherPidsOf(several.pid(0))
      process.kill(hung, 'SIGSTOP')
      const load = new StopLoad(several.url(0), cast)
      await more(load)
      expect(await several.stop(0)).toBe(0)
      await several.begin(0)
      await more(load)
      await load.end()
      expectNothingLost(load, 'with a process that hangs')
    } finally {
      await several.close()
    }
  })

  if (HAPROXY === undefined) console.log('skipped: stops behind haproxy (apt install haproxy)')
  it.skipIf(HAPROXY === undefined)('is not missed by clients of a proxy in front of two', async () => {
    const cast = await prepare()
    haproxy = await startHaproxy([nodes.url(0), nodes.url(1)])
    const load = new StopLoad(haproxy?.url ?? '', cast)
    for (let stop = 0; stop < STOPS; stop++) {
      const number = await nodeWithStream()
      // The proxy has noticed the other node, which has just started.
      const other = nodes.url(1 - number)
      await eventually(() => metric(other, 'parley_parked_polls')).toBeGreaterThan(0)
      await more(load)
      expect(await nodes.stop(number)).toBe(0)
      await more(load)
      await nodes.begin(number)
    }
    await load.end()
    expectNothingLost(load, 'behind haproxy')
    expect(load.refused).toBe(0)
  })
})
