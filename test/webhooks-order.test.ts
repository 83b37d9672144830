import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Random } from '../fuzz/random.ts'
import { createStaticBot } from '../server/actions/bots/bots.ts'
import type { Database } from '../server/db/database.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { claimAddresses } from '../server/webhooks/claim.ts'
import type { Dispatcher, DispatcherOptions } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  ON_LOOPBACK,
  type Received,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
} from './support/receiver.ts'

let server: TestParley
let writer: StaticTestBot
let orgId: string
const receivers: Receiver[] = []
const dispatchers: Dispatcher[] = []

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookAllowedOrganizations: 'all' })
})
afterAll(() => server.close())
beforeEach(async () => {
  orgId = await organization(server)
  writer = await staticBot(server, orgId, 'Writer')
})
afterEach(async () => {
  for (const dispatcher of dispatchers.splice(0)) await dispatcher.stop()
  for (const receiver of receivers.splice(0)) await receiver.close()
  await server.parley.db.query(sql`update deliveries set state = 'delivered' where state = 'pending'`)
  server.clock.ahead = 0
})

function dispatch(node = server, options: DispatcherOptions = {}): Dispatcher {
  const dispatcher = startDispatcher(node, { stopPatienceMs: 50, ...options })
  dispatchers.push(dispatcher)
  return dispatcher
}

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

async function botsAt(receiver: Receiver, count: number): Promise<string[]> {
  const bot = { permission: 'write', delivery: 'webhook', webhookUrl: receiver.url } as const
  return server.parley.db.write(orgId, async (tx) => {
    const ids: string[] = []
    while (ids.length < count) {
      const { botId } = await createStaticBot(tx, server.parley.secrets, { name: 'Receiving bot', ...bot })
      ids.push(botId)
    }
    return ids
  })
}

async function botAt(receiver: Receiver): Promise<string> {
  const [botId = ''] = await botsAt(receiver, 1)
  return botId
}

/** A topic with these bots, who get no event about it. */
async function topicWith(...botIds: string[]): Promise<string> {
  const topic = await writer.post('/v2/topics', { name: 'News', members: [] })
  const { id } = topic.body as { id: string }
  await server.parley.db.query(sql`
    insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
    select ${orgId}, ${id}, bot_id, 0, 0 from unnest(${botIds}::text[]) as bot_id`)
  return id
}

async function say(topicId: string, text: string): Promise<void> {
  const { status } = await writer.post('/v2/messages', { topicId, text })
  expect(status).toBe(201)
}

const messageOf = ({ event }: Received) => event.data.message as { text: string; topicId: string }
const textOf = (received: Received) => messageOf(received).text
const idOf = ({ headers }: Received) => String(headers['x-service-delivery-id'])
const recorded = async () => {
  const rows = await server.parley.db.query<{ state: string; attempts: number }>(sql`
    select state, attempts from deliveries where org_id = ${orgId} order by bot_id, seq`)
  return rows.map(({ state, attempts }) => `${state} after ${attempts}`)
}
const allDelivered = () => until(async () => (await recorded()).every((each) => each.startsWith('delivered')))

describe('the order of a topic', () => {
  it('is kept for 200 messages in several topics, by a receiver that takes its time', async () => {
    const receiver = await receive()
    const random = new Random(1)
    const busy = new Set<string>()
    const overlaps: string[] = []
    receiver.otherwise = async (received) => {
      const { topicId, text } = messageOf(received)
      if (busy.has(topicId)) overlaps.push(text)
      busy.add(topicId)
      await sleep(random.fraction() * 8)
      busy.delete(topicId)
      return 200
    }
    const bot = await botAt(receiver)
    const topics = await Promise.all(Array.from({ length: 6 }, () => topicWith(bot)))
    const said = new Map(topics.map((topicId) => [topicId, [] as string[]]))
    for (let number = 0; number < 200; number++) {
      const topicId = random.pick(topics)
      said.get(topicId)?.push(`${number}`)
      await say(topicId, `${number}`)
      if (number === 100) dispatch()
    }
    const received = await receiver.has(200)
    for (const [topicId, texts] of said) {
      expect(
        received
          .map(messageOf)
          .filter((message) => message.topicId === topicId)
          .map(({ text }) => text),
      ).toEqual(texts)
    }
    expect(overlaps).toEqual([])
    expect(receiver.mostActive).toBeGreaterThan(1)
    expect(receiver.mostActive).toBeLessThanOrEqual(4)
    await allDelivered()
    expect(received).toHaveLength(200)
  })

  it('is not held up by one that failed: it comes beside the later ones', async () => {
    const receiver = await receive()
    const topicId = await topicWith(await botAt(receiver))
    dispatch()
    receiver.script(500)
    for (const text of ['one', 'two', 'three']) await say(topicId, text)
    await receiver.has(3)
    server.clock.ahead = 7000
    expect((await receiver.has(4)).map(textOf)).toEqual(['one', 'two', 'three', 'one'])
    await allDelivered()
  })

  it('waits for an attempt that is under way', async () => {
    const receiver = await receive()
    const topicId = await topicWith(await botAt(receiver))
    let answer = (_status: number) => {}
    receiver.otherwise = ({ event }) =>
      (event.data.message as { text: string }).text === 'slow'
        ? new Promise((resolve) => {
            answer = resolve
          })
        : 200
    dispatch()
    await say(topicId, 'quick') // from now on it may have several at a time
    await receiver.has(1)
    await allDelivered()
    await say(topicId, 'slow')
    await receiver.has(2)
    await say(topicId, 'next')
    await sleep(100)
    expect(receiver.received.map(textOf)).toEqual(['quick', 'slow'])
    answer(500)
    expect((await receiver.has(3)).map(textOf)).toEqual(['quick', 'slow', 'next'])
  })
})

describe('a receiver that hangs', () => {
  it('slows no other bot, whatever their number', async () => {
    const [dead, alive] = [await receive(), await receive()]
    dead.otherwise = 'hang'
    const topicId = await topicWith(...(await botsAt(dead, 120)), await botAt(alive))
    for (let number = 0; number < 20; number++) await say(topicId, `${number}`)
    dispatch()
    expect((await alive.has(20)).map(textOf)).toEqual(Array.from({ length: 20 }, (_, number) => `${number}`))
    // A bot gets several requests at a time only after it has answered one.
    expect(dead.received).toHaveLength(120)
    expect(dead.active).toBe(120)
  })
})

describe('several nodes', () => {
  it('deliver each event exactly once to each bot, in order, while all is well', async () => {
    const receiver = await receive()
    const bots = await botsAt(receiver, 3)
    const topics = [await topicWith(...bots), await topicWith(...bots)]
    const other = await server.secondNode()
    dispatch(server)
    dispatch(other)
    for (let number = 0; number < 60; number++) await say(topics[number % 2] ?? '', `${number}`)
    await receiver.has(180)
    await allDelivered()
    await sleep(100)
    expect(receiver.received).toHaveLength(180)
    expect(new Set(receiver.received.map(idOf)).size).toBe(180)
    expect(await recorded()).toEqual(Array(180).fill('delivered after 1'))
    for (const bot of bots) {
      const own = receiver.received.filter((each) => idOf(each).endsWith(bot.slice(-18)))
      for (const topicId of topics) {
        const numbers = own
          .map(messageOf)
          .filter((message) => message.topicId === topicId)
          .map(({ text }) => Number(text))
        expect(numbers).toEqual(numbers.toSorted((one, two) => one - two))
      }
    }
  })

  it('take over what a dead one had claimed, after its lease', async () => {
    const receiver = await receive()
    const botId = await botAt(receiver)
    const topicId = await topicWith(botId)
    await say(topicId, 'claimed')
    const now = server.parley.clock()
    const lease = { holder: newUuid(), now, until: now + 20_000 }
    expect(
      await claimAddresses(server.parley.db, lease, { held: [], among: [{ orgId, botId }], limit: 10 }),
    ).toHaveLength(1)
    dispatch()
    await say(topicId, 'after it')
    await sleep(100)
    expect(receiver.received).toEqual([])
    server.clock.ahead = 21_000
    expect((await receiver.has(2)).map(textOf)).toEqual(['claimed', 'after it'])
  })

  it('repeat, under the same id, what a dead one had delivered and not written down', async () => {
    const receiver = await receive()
    const topicId = await topicWith(await botAt(receiver))
    let isDead = false
    const query: Database['query'] = (statement) =>
      isDead ? Promise.reject(new Error('this node is dead')) : server.parley.db.query(statement)
    const db: Database = Object.create(server.parley.db, { query: { value: query } })
    const dying = dispatch({ ...server, parley: { ...server.parley, db } })
    let answer = (_status: number) => {}
    receiver.otherwise = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await say(topicId, 'twice')
    await receiver.has(1)
    isDead = true
    answer(200)
    receiver.otherwise = 200
    await dying.stop()
    dispatch()
    await sleep(100)
    expect(receiver.received).toHaveLength(1)
    server.clock.ahead = 21_000
    const [first, second] = await receiver.has(2)
    expect(first && idOf(first)).toBe(second && idOf(second))
    await allDelivered()
    expect(await recorded()).toEqual(['delivered after 1'])
  })

  it('get at once what a stopped one gives back', async () => {
    const receiver = await receive()
    const topicId = await topicWith(await botAt(receiver))
    receiver.script('hang')
    const first = dispatch()
    await say(topicId, 'given back')
    await receiver.has(1)
    await first.stop()
    expect(receiver.active).toBe(0)
    dispatch(await server.secondNode())
    const received = await receiver.has(2)
    expect(new Set(received.map(idOf)).size).toBe(1)
    await allDelivered()
    expect(await recorded()).toEqual(['delivered after 1'])
  })
})

describe('throughput', () => {
  it('of 50 bots with 20 events each', async () => {
    const receiver = await receive()
    const topicId = await topicWith(...(await botsAt(receiver, 50)))
    for (let number = 0; number < 20; number++) await say(topicId, `${number}`)
    const began = performance.now()
    dispatch()
    await receiver.has(1000)
    const seconds = (performance.now() - began) / 1000
    console.log(`${Math.round(1000 / seconds)} deliveries a second, sender and receiver in one process`)
    await allDelivered()
    expect(new Set(receiver.received.map(idOf)).size).toBe(1000)
    expect(receiver.received).toHaveLength(1000)
  })
})
