import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setBot } from '../server/actions/bots/bots.ts'
import { sendTestEvent } from '../server/actions/bots/deliveries.ts'
import { readConfig } from '../server/config.ts'
import { readDelivery } from '../server/queries/bots/deliveries.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'
import {
  isSigned,
  isSignedByStandard,
  ON_LOOPBACK,
  type Received,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
  webhookBot,
} from './support/receiver.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let server: TestParley
let orgId: string
let dispatcher: Dispatcher
let receiver: Receiver
let bot: StaticTestBot
let writer: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  orgId = await organization(server)
  writer = await staticBot(server, orgId, 'Writer')
})
afterAll(() => server.close())

beforeEach(async () => {
  receiver = await startReceiver()
  bot = await webhookBot(server, orgId, receiver.url)
  const topic = await writer.post('/v2/topics', { name: 'News', members: [bot.id] })
  topicId = (topic.body as { id: string }).id
  dispatcher = startDispatcher(server)
  await receiver.has(1) // its own member.added
  receiver.received.length = 0
})
afterEach(async () => {
  await dispatcher.stop()
  await receiver.close()
})

const say = (text: string) => writer.post('/v2/messages', { topicId, text })

async function receive(): Promise<Received> {
  const [received] = await receiver.has(1)
  if (!received) throw new Error('nothing was received')
  return received
}

describe('a webhook', () => {
  it('gets, alone, a person’s answers to its buttons', async () => {
    const ben = await signInAs(server, { orgId, name: 'Ben' })
    await writer.post(`/v2/topics/${topicId}/members`, { memberIds: [ben.profileId] })
    const actions = { elements: [{ id: 'yes', text: 'Yes', value: '1' }] }
    const asked = Object((await bot.post('/v2/messages', { topicId, text: 'Shall I?', actions })).body)
    const question = Object((await bot.get(`/v2/messages/${asked.id}`)).body)
    const answer = { actionsId: question.actions.id, elementId: 'yes' }
    const given = await chatOf(ben).post(`actions/${asked.id}/press`, answer)
    await chatOf(ben).post(`actions/${asked.id}/press`, answer)
    await say('After it.')
    const told = (await receiver.has(4)).map(({ event }) => event)
    expect(told.map(({ type }) => type)).toEqual([
      'member.added',
      'message.created',
      'message.action',
      'message.created',
    ])
    expect(told[2]?.data).toMatchObject({
      actionId: Object(given.body).id,
      userId: ben.profileId,
      userName: 'Ben',
      elementId: 'yes',
      value: '1',
    })
    const { updates } = Object((await writer.get('/v2/updates?offset=oldest&limit=100')).body)
    expect(JSON.stringify(updates)).not.toContain('message.action')
  })

  it('is an event in its envelope, posted to the address with the headers that are promised', async () => {
    const before = Date.now()
    await say('Grüße 👋')
    const { headers, body, event, path } = await receive()
    expect(path).toBe('/events')
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      type: 'message.created',
      eventVersion: 1,
      timestamp: expect.any(Number),
      data: { message: expect.objectContaining({ text: 'Grüße 👋', topicId }), truncated: false },
    })
    expect(Object.keys(event)).toEqual(['id', 'type', 'eventVersion', 'timestamp', 'data'])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': expect.stringContaining('Parley'),
      'x-service-event': 'message.created',
      'x-service-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'x-service-timestamp': expect.stringMatching(/^\d{13}$/),
      'x-service-delivery-id': expect.stringMatching(UUID),
    })
    expect(headers['content-encoding']).toBeUndefined()
    expect(Number(headers['x-service-timestamp'])).toBeGreaterThanOrEqual(before)
  })

  it('is signed with the secret of the bot, over the timestamp and the raw body', async () => {
    await say('Sign here')
    const received = await receive()
    expect(isSigned(received, bot.credentials.apiSecret)).toBe(true)
    expect(isSigned(received, `${bot.credentials.apiSecret}x`)).toBe(false)
    expect(isSigned({ ...received, body: Buffer.from(`${received.body} `) }, bot.credentials.apiSecret)).toBe(
      false,
    )
  })

  it('can be verified by the means of the Standard Webhooks specification', async () => {
    await say('A standard')
    const received = await receive()
    expect(received.headers['webhook-id']).toBe(received.headers['x-service-delivery-id'])
    expect(received.headers['webhook-timestamp']).toBe(
      String(Math.floor(Number(received.headers['x-service-timestamp']) / 1000)),
    )
    expect(isSignedByStandard(received, bot.credentials.apiSecret)).toBe(true)
    expect(isSignedByStandard(received, writer.credentials.apiSecret)).toBe(false)
  })

  it('is the very event that polling bots get', async () => {
    await say('The same')
    const { event } = await receive()
    const { body } = await writer.get('/v2/updates')
    const { updates } = body as {
      updates: { updateId: string; eventType: string; createdAt: number; data: unknown }[]
    }
    const update = updates.at(-1)
    expect(event).toEqual({
      id: update?.updateId,
      type: update?.eventType,
      eventVersion: 1,
      timestamp: update?.createdAt,
      data: update?.data,
    })
  })

  it('is written down with its attempt', async () => {
    receiver.script({ status: 202, body: `thanks\0 ${'x'.repeat(10_000)}` })
    await say('Remember this')
    const { headers } = await receive()
    const id = String(headers['x-service-delivery-id'])
    const read = () => readDelivery({ orgId, botId: bot.id }, server.parley.db, id)
    await until(async () => (await read())?.attempts === 1)
    const found = await read()
    expect(found).toMatchObject({
      id,
      type: 'message.created',
      state: 'delivered',
      attempts: 1,
      topicId,
    })
    expect(found?.history).toEqual([
      {
        number: 1,
        at: Number(headers['x-service-timestamp']),
        outcome: 'ok',
        status: 202,
        durationMs: expect.any(Number),
        answer: `thanks\uFFFD ${'x'.repeat(4088)}`,
        error: null,
      },
    ])
  })

  it('comes over the connection of the one before', async () => {
    await say('one')
    await receiver.has(1)
    await say('two')
    const [one, two] = await receiver.has(2)
    expect(two?.clientPort).toBe(one?.clientPort)
  })
})

describe('large bodies', () => {
  const long = 'ä'.repeat(9_000) // 18 kB

  it('are compressed from 16 KiB on, and signed before that', async () => {
    await say(long)
    const received = await receive()
    expect(received.headers['content-encoding']).toBe('gzip')
    expect(received.raw.length).toBeLessThan(1000)
    expect(received.event.data).toMatchObject({ message: { text: long } })
    expect(isSigned(received, bot.credentials.apiSecret)).toBe(true)
    expect(isSignedByStandard(received, bot.credentials.apiSecret)).toBe(true)
  })

  it('are left alone below that, to the byte', async () => {
    await say('x')
    const { body } = await receive()
    const room = 16 * 1024 - (body.length - 1)
    // Escaped, a control character takes six bytes; the rest is filled up with single ones.
    const text = (bytes: number) => '\u0001'.repeat(Math.floor(bytes / 6)) + 'x'.repeat(bytes % 6)
    await say(text(room - 1))
    await say(text(room))
    const [, below, above] = await receiver.has(3)
    expect(below?.body.length).toBe(16 * 1024 - 1)
    expect(below?.headers['content-encoding']).toBeUndefined()
    expect(above?.body.length).toBe(16 * 1024)
    expect(above?.headers['content-encoding']).toBe('gzip')
  })

  it('are not compressed for a bot that does not want it', async () => {
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { webhookGzip: false }))
    await say(long)
    const received = await receive()
    expect(received.headers['content-encoding']).toBeUndefined()
    expect(received.raw.length).toBeGreaterThan(18_000)
    expect(isSigned(received, bot.credentials.apiSecret)).toBe(true)
  })
})

describe('webhook.test', () => {
  it('reaches the one bot that was asked for, and no other', async () => {
    const { deliveryId } = await server.parley.db.write(orgId, (tx) => sendTestEvent(tx, bot.id))
    const received = await receive()
    expect(received.headers).toMatchObject({
      'x-service-event': 'webhook.test',
      'x-service-delivery-id': deliveryId,
    })
    expect(received.event).toMatchObject({ type: 'webhook.test', data: { message: 'Hello from Parley' } })
    expect(isSigned(received, bot.credentials.apiSecret)).toBe(true)
    const { text } = await writer.get('/v2/updates?limit=100')
    expect(text).not.toContain('webhook.test')
  })

  it('is not there for the bot either when it goes on by polling', async () => {
    await server.parley.db.write(orgId, (tx) => sendTestEvent(tx, bot.id))
    await receive()
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { delivery: 'polling' }))
    await until(async () => (await bot.get('/v2/updates')).status === 200)
    expect((await bot.get('/v2/updates')).text).not.toContain('webhook.test')
  })

  it('is refused for a bot that polls', async () => {
    await expect(server.parley.db.write(orgId, (tx) => sendTestEvent(tx, writer.id))).rejects.toThrow(
      'delivery mode is not webhook',
    )
  })
})

describe('the settings', () => {
  it('choose another prefix for the headers', async () => {
    const node = await server.secondNode({ webhookHeaderPrefix: 'X-Acme-' })
    await dispatcher.stop()
    dispatcher = startDispatcher(node)
    await say('Another name')
    const received = await receive()
    expect(received.headers['x-acme-event']).toBe('message.created')
    expect(received.headers['x-service-event']).toBeUndefined()
    expect(isSigned(received, bot.credentials.apiSecret, 'x-acme-')).toBe(true)
  })

  it('are checked at start', () => {
    expect(readConfig({})).toMatchObject({
      webhookRetrySchedule: [5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400],
      webhookAllowedNetworks: [],
      webhookHeaderPrefix: 'X-Service-',
    })
    const good = {
      WEBHOOK_RETRY_SCHEDULE: '1, 2.5,3',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,127.0.0.1',
      WEBHOOK_HEADER_PREFIX: 'X-Acme-',
    }
    expect(readConfig(good)).toMatchObject({
      webhookRetrySchedule: [1, 2.5, 3],
      webhookAllowedNetworks: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'],
      webhookHeaderPrefix: 'X-Acme-',
    })
    for (const [name, value] of [
      ['WEBHOOK_RETRY_SCHEDULE', '5,,30'],
      ['WEBHOOK_RETRY_SCHEDULE', '0'],
      ['WEBHOOK_RETRY_SCHEDULE', '-1'],
      ['WEBHOOK_RETRY_SCHEDULE', '604801'],
      ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
      ['WEBHOOK_ALLOWED_NETWORKS', 'localhost'],
      ['WEBHOOK_HEADER_PREFIX', 'X Service'],
    ] as const) {
      expect(() => readConfig({ [name]: value }), value).toThrow(name)
    }
  })
})

describe('metrics', () => {
  it('show attempts by outcome, those in flight, the lag and the paused', async () => {
    receiver.script(500)
    await say('First it fails')
    await receive()
    const read = async () => (await fetch(`${server.url}/metrics`)).text()
    await until(async () => /parley_webhook_attempts_total\{outcome="status"\} [1-9]/.test(await read()))
    const text = await read()
    expect(text).toMatch(/parley_webhook_attempts_total\{outcome="ok"\} [1-9]/)
    expect(text).toMatch(/parley_webhook_attempts_in_flight 0/)
    expect(text).toMatch(/parley_webhook_lag_seconds [\d.]*[1-9]/)
    expect(text).toMatch(/parley_webhook_paused_bots 0/)
  })
})
