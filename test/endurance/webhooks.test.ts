import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { setBot } from '../../server/actions/bots/bots.ts'
import { openBeside } from '../support/beside.ts'
import { type StaticTestBot, staticBot } from '../support/cast.ts'
import { call } from '../support/client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { kill, startServerProcess, stopAll } from '../support/server-process.ts'

const WRITERS = 8
const BOTS = 20
const EVENTS = 20_000
const KILLS = 5
/** A bot that was being served by a server that died waits for its lease to end, some 20 s. */
const PATIENCE_MS = 120_000

afterEach(stopAll)

/** Bots in pairs, each with a topic: every message goes to two receivers. */
async function prepare(dataDir: string, url: string, receiver: Receiver) {
  return openBeside(dataDir, url, async (beside, orgId) => {
    const bots: StaticTestBot[] = []
    for (let number = 0; number < BOTS; number++) {
      const bot = await staticBot(beside, orgId, `Bot ${number}`)
      const webhookUrl = `${receiver.url}/${bot.id}`
      await beside.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { delivery: 'webhook', webhookUrl }))
      bots.push(bot)
    }
    const topics = new Map<string, StaticTestBot[]>()
    for (let number = 0; number < BOTS; number += 2) {
      const [one, other] = bots.slice(number, number + 2)
      if (!one || !other) throw new Error('they come in pairs')
      const { body } = await one.post('/v2/topics', { name: `Pair ${number}`, members: [other.id] })
      topics.set((body as { id: string }).id, [one, other])
    }
    return topics
  })
}

it(`delivers each event at least once, and repeats it under the same id, while the server is killed ${KILLS} times`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-endurance-'))
  const receiver = await startReceiver()
  const environment = {
    DATA_DIR: dataDir,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
  }
  try {
    let server = await startServerProcess(environment)
    const topics = await prepare(dataDir, server.url, receiver)
    const topicIds = [...topics.keys()]
    const acknowledged = new Map<string, string>()
    let turn = 0
    const writers = Array.from({ length: WRITERS }, async () => {
      while (acknowledged.size < EVENTS) {
        const topicId = topicIds[turn++ % topicIds.length] ?? ''
        const [sender] = topics.get(topicId) ?? []
        const answer = await call(server.url, sender?.credentials, 'POST', '/v2/messages', {
          body: { topicId, text: 'still here' },
        }).catch(() => undefined)
        if (answer?.status === 201) acknowledged.set((answer.body as { id: string }).id, topicId)
        else await sleep(20)
      }
    })
    for (let killed = 1; killed <= KILLS; killed++) {
      while (acknowledged.size < (EVENTS * killed) / (KILLS + 1)) await sleep(10)
      await kill(server.process)
      server = await startServerProcess(environment)
    }
    await Promise.all(writers)

    /** Delivery ids by bot and message: one each, even after repeats. */
    const deliveries = new Map<string, Set<string>>()
    let read = 0
    const isComplete = () => {
      for (; read < receiver.received.length; read++) {
        const request = receiver.received[read]
        const message = Object(request?.event.data.message)
        const name = `${request?.path.split('/').at(-1)} ${message.id}`
        const ids = deliveries.get(name) ?? new Set()
        deliveries.set(name, ids.add(String(request?.headers['x-service-delivery-id'])))
      }
      return [...acknowledged].every(([id, topicId]) =>
        (topics.get(topicId) ?? []).every((bot) => deliveries.has(`${bot.id} ${id}`)),
      )
    }
    const deadline = Date.now() + PATIENCE_MS
    while (!isComplete()) {
      expect(Date.now(), `${deliveries.size} of ${2 * acknowledged.size} arrived`).toBeLessThan(deadline)
      await sleep(100)
    }
    expect([...deliveries.values()].filter((ids) => ids.size !== 1)).toEqual([])
    console.log(`${receiver.received.length} requests for ${deliveries.size} deliveries`)
  } finally {
    await stopAll()
    await receiver.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
