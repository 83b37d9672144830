import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  activateBot,
  type BotSettings,
  deactivateBot,
  rotateSecret,
  setBot,
} from '../server/actions/bots/bots.ts'
import { replayFrom } from '../server/actions/bots/deliveries.ts'
import { sql } from '../server/db/sql.ts'
import { forgetDeliveries } from '../server/events/delivery-retention.ts'
import { listDeliveries } from '../server/queries/bots/deliveries.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  isSigned,
  ON_LOOPBACK,
  type Received,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
} from './support/receiver.ts'

let server: TestParley
let dispatcher: Dispatcher
let receiver: Receiver
let orgId: string
let writer: StaticTestBot
/** A bot that polls until a test gives it a webhook. */
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookAllowedOrganizations: 'all' })
})
afterAll(() => server.close())
beforeEach(async () => {
  receiver = await startReceiver()
  dispatcher = startDispatcher(server)
  orgId = await organization(server)
  writer = await staticBot(server, orgId, 'Writer')
  bot = await staticBot(server, orgId, 'Changing bot')
  const topic = await writer.post('/v2/topics', { name: 'News', members: [bot.id] })
  topicId = (topic.body as { id: string }).id
  offset = undefined
  await poll()
})
afterEach(async () => {
  await dispatcher.stop()
  await receiver.close()
  server.clock.ahead = 0
})

const change = (settings: BotSettings) => server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, settings))
const toWebhook = () => change({ delivery: 'webhook', webhookUrl: receiver.url })
const say = (...texts: string[]) =>
  texts.reduce(
    (before, text) => before.then(() => writer.post('/v2/messages', { topicId, text })),
    Promise.resolve<unknown>(undefined),
  )
const textOf = ({ event }: Received) => (event.data.message as { text: string }).text
const idOf = ({ headers }: Received) => headers['x-service-delivery-id']
const deliveries = () => listDeliveries({ orgId, botId: bot.id }, server.parley.db, { limit: 100 })
const allDelivered = () => until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))

type Updates = { updates: { data: { message?: { text: string } } }[]; nextOffset: string }
let offset: string | undefined

/** Texts that the bot gets by polling from its position; `acknowledge` comes back with the offset, as a bot does. */
async function poll({ from = offset } = {}): Promise<string[]> {
  const { status, text, body } = await bot.get(
    `/v2/updates?limit=100${from ? `&offset=${encodeURIComponent(from)}` : ''}`,
  )
  expect(status, text).toBe(200)
  const { updates, nextOffset } = body as Updates
  offset = nextOffset
  return updates.flatMap(({ data }) => data.message?.text ?? [])
}

async function acknowledge(): Promise<void> {
  await poll()
  await server.parley.acknowledgements.write(server.parley.db)
}

/** Waits until the nodes know of the switch, and the bot may poll. */
const mayPoll = () => until(async () => (await bot.get('/v2/updates')).status === 200)

describe('from polling to a webhook', () => {
  it('goes what was not polled, and nothing else', async () => {
    await say('polled')
    await poll()
    await acknowledge()
    await say('not polled', 'not polled either')
    await toWebhook()
    await say('new')
    expect((await receiver.has(3)).map(textOf)).toEqual(['not polled', 'not polled either', 'new'])
    await allDelivered()
    expect(receiver.received).toHaveLength(3)
  })

  it('goes everything when nothing was ever polled', async () => {
    await say('one')
    await server.parley.db.query(sql`update bots set polled_seq = 0 where id = ${bot.id}`)
    await toWebhook()
    const received = await receiver.has(2)
    expect(received.map(({ event }) => event.type)).toEqual(['member.added', 'message.created'])
  })
})

describe('from a webhook to polling', () => {
  it('what was not delivered can be polled, and is not delivered afterwards', async () => {
    await acknowledge()
    await toWebhook()
    await say('delivered')
    await receiver.has(1)
    await allDelivered()
    receiver.otherwise = 500
    await say('failed')
    await receiver.has(2)
    await change({ delivery: 'polling' })
    await say('later')
    await mayPoll()
    expect(await poll()).toEqual(['delivered', 'failed', 'later'])
    await acknowledge()

    receiver.otherwise = 200
    await toWebhook()
    await say('last')
    await receiver.has(3)
    server.clock.ahead = 10_000
    await sleep(100)
    expect(receiver.received.map(textOf)).toEqual(['delivered', 'failed', 'last'])
    await allDelivered()
  })

  it('and back without polling, nothing is lost and what was delivered does not come again', async () => {
    await acknowledge()
    await toWebhook()
    await say('delivered')
    await receiver.has(1)
    await allDelivered()
    receiver.script(500)
    await say('failed')
    await receiver.has(2)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    await change({ delivery: 'polling' })
    await say('in between')
    await sleep(50)
    expect(receiver.received).toHaveLength(2)
    await toWebhook()
    const received = await receiver.has(4)
    expect(received.slice(2).map(textOf).sort()).toEqual(['failed', 'in between'])
    await allDelivered()
    const repeated = received.filter((each) => textOf(each) === 'failed')
    expect(new Set(repeated.map(idOf)).size).toBe(1)
  })
})

describe('a change of the bot', () => {
  it('of its address counts from the next attempt on, also for what had failed before', async () => {
    await acknowledge()
    await toWebhook()
    receiver.otherwise = 500
    await say('moving')
    await receiver.has(1)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    const elsewhere = await startReceiver()
    await change({ webhookUrl: elsewhere.url })
    await say('moved')
    const received = await elsewhere.has(2)
    expect(received.map(textOf).sort()).toEqual(['moved', 'moving'])
    expect(received.map(idOf)).toContain(idOf(receiver.received[0] as Received))
    await allDelivered()
    await elsewhere.close()
  })

  it('of its secret counts from the next attempt on', async () => {
    await acknowledge()
    await toWebhook()
    receiver.script(500)
    await say('signed twice')
    const [first] = await receiver.has(1)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    const secret = await server.parley.db.write(orgId, (tx) =>
      rotateSecret(tx, server.parley.secrets, bot.id),
    )
    server.clock.ahead = 7000
    const [, second] = await receiver.has(2)
    expect(first && isSigned(first, bot.credentials.apiSecret)).toBe(true)
    expect(second && isSigned(second, bot.credentials.apiSecret)).toBe(false)
    expect(second && isSigned(second, secret)).toBe(true)
    expect(second && idOf(second)).toBe(first && idOf(first))
  })

  it('to inactive makes its deliveries wait until it is active again', async () => {
    await acknowledge()
    await toWebhook()
    await say('before')
    await receiver.has(1)
    await server.parley.db.write(orgId, (tx) => deactivateBot(tx, bot.id))
    await say('meanwhile', 'meanwhile too')
    await sleep(100)
    expect(receiver.received).toHaveLength(1)
    await server.parley.db.write(orgId, (tx) => activateBot(tx, bot.id))
    await say('after')
    expect((await receiver.has(4)).map(textOf)).toEqual(['before', 'meanwhile', 'meanwhile too', 'after'])
    await allDelivered()
    expect(new Set(receiver.received.map(idOf)).size).toBe(4)
  })
})

describe('replaying from a time', () => {
  it('sends everything since then again under the same ids, in order, also what was polled', async () => {
    await say('too old')
    await sleep(5)
    const time = Date.now()
    await say('polled')
    await poll()
    await acknowledge()
    await toWebhook()
    await say('one', 'two')
    await receiver.has(2)
    await allDelivered()
    const firstIds = receiver.received.map(idOf)
    await change({ webhookRate: 1000 })
    expect(await replayFrom(server.parley.db, { orgId, botId: bot.id }, time)).toBe(3)
    const again = (await receiver.has(5)).slice(2)
    expect(again.map(textOf)).toEqual(['polled', 'one', 'two'])
    expect(again.map(idOf).slice(1)).toEqual(firstIds)
    await allDelivered()
    expect(await replayFrom(server.parley.db, { orgId, botId: bot.id }, Date.now() + 1000)).toBe(0)
  })

  it('goes at the pace of the bot', async () => {
    await toWebhook()
    await change({ webhookRate: 10 })
    await say('one', 'two', 'three', 'four')
    await receiver.has(4)
    await allDelivered()
    await dispatcher.stop()
    const before = Date.now()
    await replayFrom(server.parley.db, { orgId, botId: bot.id }, 0)
    const waits = (await deliveries()).map(({ dueAt }) => dueAt - before).reverse()
    for (const [index, wait] of waits.slice(1).entries()) expect(wait - (waits[index] ?? 0)).toBe(100)
    dispatcher = startDispatcher(server)
  })
})

describe('retention', () => {
  it('removes deliveries and attempts up to a number, whatever their state', async () => {
    await acknowledge()
    await toWebhook()
    receiver.script(200, 500, 200)
    await say('one', 'two', 'three')
    await receiver.has(3)
    await until(async () => (await deliveries()).every(({ attempts }) => attempts === 1))
    const [, second] = await deliveries()
    await forgetDeliveries(server.parley.db, orgId, second?.seq ?? 0)
    expect(await deliveries()).toHaveLength(1)
    const attempts = await server.parley.db.query(
      sql`select seq from delivery_attempts where org_id = ${orgId}`,
    )
    expect(attempts).toHaveLength(1)
  })
})
