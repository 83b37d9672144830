import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { ConsoleBot, ConsoleDelivery, DeliveryDetail } from '../contract/people/bots.ts'
import type { AuditEntry, Overview } from '../contract/people/organization.ts'
import type { NewSecret, WebhookAddress } from '../contract/people/webhook-addresses.ts'
import { sql } from '../server/db/sql.ts'
import { forgetDeliveries } from '../server/events/delivery-retention.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventually, eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import {
  isSigned,
  ON_LOOPBACK,
  type Received,
  type Receiver,
  startDispatcher,
  startReceiver,
  webhookBot,
} from './support/receiver.ts'

let server: TestParley
let first: Receiver
let second: Receiver
let dispatcher: Dispatcher
let orgId: string
let admin: TestPerson
let writer: StaticTestBot

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookRetrySchedule: [600, 600] })
  first = await startReceiver()
  second = await startReceiver()
  dispatcher = startDispatcher(server)
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin' })
  writer = await staticBot(server, orgId, 'Writer')
})
afterEach(() => {
  for (const receiver of [first, second]) receiver.otherwise = 200
})
afterAll(async () => {
  await dispatcher.stop()
  await first.close()
  await second.close()
  await server.close()
})

const at = (botId: string, path = '') => `/people/organizations/${orgId}/bots/${botId}${path && `/${path}`}`

/** A bot with two addresses, alone with the writer in a topic; both have received that it joined. */
async function newListener(name: string, wanted: object = {}) {
  for (const receiver of [first, second]) receiver.received.length = 0
  const bot = await webhookBot(server, orgId, first.url, name)
  const made = await admin.post(at(bot.id, 'addresses'), { url: second.url, ...wanted })
  expect(made.status, made.text).toBe(201)
  const { address, secret }: NewSecret = Object(made.body)
  const topic = await writer.post('/v2/topics', { name, members: [bot.id] })
  const topicId: string = Object(topic.body).id
  await eventually(async () => pendingAt(bot.id)).toBe(0)
  await eventually(async () => pendingAt(address.id)).toBe(0)
  for (const receiver of [first, second]) receiver.received.length = 0
  return {
    bot,
    address,
    secret,
    topicId,
    say: (text: string) => writer.post('/v2/messages', { topicId, text }),
  }
}

async function pendingAt(addressId: string): Promise<number | undefined> {
  const [row] = await server.parley.db.query<{ count: number }>(
    sql`select count(*) from deliveries where bot_id = ${addressId} and state = 'pending'`,
  )
  return row?.count
}

async function read(botId: string): Promise<ConsoleBot> {
  return Object((await admin.get(at(botId))).body)
}

async function readAddress(botId: string): Promise<WebhookAddress | undefined> {
  return (await read(botId)).addresses[0]
}

const listed = async (botId: string, query = ''): Promise<ConsoleDelivery[]> =>
  Object((await admin.get(`${at(botId, 'deliveries')}${query}`)).body).deliveries

async function newestEntry(): Promise<AuditEntry> {
  const { body } = await admin.get(`/people/organizations/${orgId}/audit?limit=1&only=changes`)
  return Object(body).entries[0]
}

const textsOf = ({ received }: Receiver): string[] =>
  received.map(({ event }) => Object(event.data.message).text)
const idOf = ({ headers }: Received): string => String(headers['x-service-delivery-id'])

describe('a bot with two addresses', () => {
  it('gets each event once at each, in order, signed with the secret of the address', async () => {
    const { bot, secret, topicId, say } = await newListener('Twice')
    const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`)
    for (const text of texts) await say(text)
    await writer.patch(`/v2/topics/${topicId}`, { name: 'Renamed' })
    await first.has(21)
    await second.has(21)
    for (const receiver of [first, second]) {
      const messages = receiver.received.filter(({ event }) => event.type === 'message.created')
      expect(messages.map(({ event }) => Object(event.data.message).text)).toEqual(texts)
      expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(21)
    }
    expect(first.received.every((one) => isSigned(one, bot.credentials.apiSecret))).toBe(true)
    expect(second.received.every((one) => isSigned(one, secret))).toBe(true)
    // An event has two ids, so that each receiver can recognize repeats.
    expect(new Set([...first.received, ...second.received].map(idOf)).size).toBe(42)
  })

  it('does not wait at one for the other, which alone fails, is paused and goes on', async () => {
    const { bot, address, say } = await newListener('One of two')
    second.otherwise = 500
    await say('one')
    await eventuallyHolds(async () => expect(await readAddress(bot.id)).toHaveProperty('failingSince'))
    for (const text of ['two', 'three', 'four']) await say(text)
    await first.has(4)
    await second.has(4)
    expect(textsOf(first)).toEqual(['one', 'two', 'three', 'four'])
    expect((await read(bot.id)).webhook).not.toHaveProperty('failingSince')
    const overview: Overview = Object((await admin.get(`/people/organizations/${orgId}/overview`)).body)
    expect(overview.deliveries.unwell).toEqual([
      { botId: bot.id, name: 'One of two', state: 'failing', since: expect.any(Number) },
    ])
    const failing = Object((await admin.get(`/people/organizations/${orgId}/bots?state=failing`)).body)
    expect(failing.bots.map(({ id }: ConsoleBot) => id)).toEqual([bot.id])

    second.otherwise = 410
    await say('gone')
    await eventuallyHolds(async () =>
      expect(await readAddress(bot.id)).toMatchObject({ pauseReason: 'gone' }),
    )
    const paused = await newestEntry()
    expect(paused).toMatchObject({ action: 'bot.webhook_paused', target: { id: bot.id } })
    expect(paused.changes).toContainEqual({ field: 'webhookUrl', to: second.url })
    await say('after it')
    await first.has(6)
    expect((await read(bot.id)).webhook).not.toHaveProperty('pausedAt')
    second.received.length = 0
    second.otherwise = 200
    const resumed = await admin.post(at(bot.id, `webhook/resume?address=${address.id}`))
    expect(resumed.status).toBe(200)
    await second.has(6)
    expect(textsOf(second)).toEqual(['one', 'two', 'three', 'four', 'gone', 'after it'])
    expect(await readAddress(bot.id)).not.toHaveProperty('pausedAt')
    expect(first.received).toHaveLength(6)
  })

  it('has event types and headers of its own at each', async () => {
    const headers = { 'X-Door': 'open sesame' }
    const { bot, address, topicId, say } = await newListener('Choosy', { events: ['topic.updated'], headers })
    expect(address).toMatchObject({ events: ['topic.updated'], headers: ['X-Door'] })
    await say('for the first')
    await writer.patch(`/v2/topics/${topicId}`, { name: 'For both' })
    await first.has(2)
    const [only] = await second.has(1)
    expect(only?.event.type).toBe('topic.updated')
    expect(only?.headers['x-door']).toBe('open sesame')
    expect(first.received.some((one) => 'x-door' in one.headers)).toBe(false)
    const changed = await admin.patch(at(bot.id, `addresses/${address.id}`), {
      events: null,
      headers: { 'X-Door': null },
    })
    expect(changed.body).toMatchObject({ events: null, headers: [] })
    await say('for both now')
    await second.has(2)
    expect(second.received[1]?.headers).not.toHaveProperty('x-door')
    expect((await newestEntry()).changes).toEqual([
      { field: 'webhookUrl', to: second.url },
      { field: 'webhookEvents', from: 'topic.updated' },
      { field: 'webhookHeaders', from: 'X-Door', to: '' },
    ])
  })

  it('keeps what one missed for it while it polled, and replays to one alone', async () => {
    const { bot, address, say } = await newListener('Replayed')
    await admin.patch(at(bot.id), { delivery: 'polling' })
    await say('while it polled')
    await admin.patch(at(bot.id), { delivery: 'webhook' })
    await first.has(1)
    await second.has(1)
    const from = server.parley.clock()
    await say('again')
    await first.has(2)
    await second.has(2)
    await eventually(async () => pendingAt(address.id)).toBe(0)
    const replayed = await admin.post(at(bot.id, `replay?address=${address.id}`), { from })
    expect(replayed.body).toEqual({ count: 1 })
    await second.has(3)
    expect(textsOf(second)).toEqual(['while it polled', 'again', 'again'])
    expect(first.received).toHaveLength(2)
    second.otherwise = 500
    await say('failed')
    await eventuallyHolds(async () => expect(await readAddress(bot.id)).toHaveProperty('failingSince'))
    second.otherwise = 200
    const none = await admin.post(at(bot.id, 'deliveries/retry'))
    expect(none.body).toEqual({ count: 0 })
    const retried = await admin.post(at(bot.id, `deliveries/retry?address=${address.id}`))
    expect(retried.body).toEqual({ count: 1 })
    await eventually(async () => textsOf(second).filter((text) => text === 'failed').length).toBe(2)
  })

  it('shows deliveries, attempts and tests by address', async () => {
    const { bot, address, say } = await newListener('Shown')
    await say('seen')
    await second.has(1)
    const ofSecond = (await listed(bot.id, `?address=${address.id}`))[0]
    const ofFirst = (await listed(bot.id))[0]
    expect(ofSecond).toMatchObject({ address: address.id, eventId: ofFirst?.eventId })
    expect(ofFirst).not.toHaveProperty('address')
    expect(ofSecond?.id).not.toBe(ofFirst?.id)
    await eventually(async () => pendingAt(address.id)).toBe(0)
    const detail: DeliveryDetail = Object((await admin.get(at(bot.id, `deliveries/${ofSecond?.id}`))).body)
    expect(detail.history[0]?.request.url).toBe(second.url)
    expect((await admin.post(at(bot.id, `deliveries/${ofSecond?.id}/replay`))).status).toBe(204)
    await second.has(2)
    expect(second.received.map(idOf)).toEqual([ofSecond?.id, ofSecond?.id])

    const test = await admin.post(at(bot.id, `webhook/test?address=${address.id}`))
    expect(test.status).toBe(201)
    const tested = (await second.has(3))[2]
    expect(tested?.event.type).toBe('webhook.test')
    expect(tested && idOf(tested)).toBe(Object(test.body).deliveryId)
    expect(first.received).toHaveLength(1)
    expect(await newestEntry()).toMatchObject({
      action: 'bot.webhook_tested',
      changes: [{ field: 'webhookUrl', to: second.url }],
    })
  })

  it('rotates the secret of one, with an overlap that can be ended', async () => {
    const { bot, address, secret, say } = await newListener('Rotated')
    const path = at(bot.id, `addresses/${address.id}/secret`)
    const rotated: NewSecret = Object((await admin.post(path, { overlapHours: 1 })).body)
    expect(rotated.address.formerSecretUntil).toBeGreaterThan(server.parley.clock())
    await say('in between')
    await second.has(1)
    const received = second.received[0]
    expect(received && isSigned(received, secret)).toBe(true)
    expect(received?.headers).toHaveProperty('x-service-signature-next')
    expect((await admin.delete(`${path}/former`)).status).toBe(204)
    await say('after it')
    await second.has(2)
    const after = second.received[1]
    expect(after && isSigned(after, rotated.secret)).toBe(true)
    await first.has(2)
    expect(first.received.every((one) => isSigned(one, bot.credentials.apiSecret))).toBe(true)
    const log = JSON.stringify(await server.parley.db.query(sql`select changes from audit_log`))
    expect(log).not.toContain(secret)
    expect(log).not.toContain(rotated.secret)
  })

  it('loses nothing when one is given another address, and leaves nothing behind when it is removed', async () => {
    const { bot, address, say } = await newListener('Moved')
    second.otherwise = 410
    await say('missed')
    await eventuallyHolds(async () => expect(await readAddress(bot.id)).toHaveProperty('pausedAt'))
    second.otherwise = 200
    second.received.length = 0
    const url = `${second.url}/elsewhere`
    expect((await admin.patch(at(bot.id, `addresses/${address.id}`), { url })).body).toMatchObject({ url })
    await second.has(1)
    expect(second.received[0]?.path).toBe('/events/elsewhere')
    expect((await admin.delete(at(bot.id, `addresses/${address.id}`))).status).toBe(204)
    expect((await newestEntry()).action).toBe('bot.address_removed')
    await say('for the first alone')
    await first.has(2)
    expect(second.received).toHaveLength(1)
    expect((await admin.get(`${at(bot.id, 'deliveries')}?address=${address.id}`)).status).toBe(404)
    const left = async () =>
      server.parley.db.query(sql`select 1 from deliveries where org_id = ${orgId} and bot_id = ${address.id}`)
    expect(await left()).not.toEqual([])
    await forgetDeliveries(server.parley.db, orgId, Number.MAX_SAFE_INTEGER)
    expect(await left()).toEqual([])
  })
})

describe('addresses', () => {
  it('are five at most, each another one, and go with their bot', async () => {
    const bot = await webhookBot(server, orgId, first.url, 'Full')
    const add = (url: string) => admin.post(at(bot.id, 'addresses'), { url })
    const known = await add(first.url)
    expect(known).toMatchObject({ status: 400, body: 'the webhook address is one that the bot has already' })
    for (let number = 2; number <= LIMITS.webhookAddresses; number += 1)
      expect((await add(`${second.url}/${number}`)).status).toBe(201)
    expect(await add(`${second.url}/more`)).toMatchObject({
      status: 400,
      body: 'a bot can have 5 addresses at most',
    })
    expect((await add(`${second.url}/2`)).status).toBe(400)
    const { addresses } = await read(bot.id)
    expect(addresses.map(({ url }) => url)).toEqual([2, 3, 4, 5].map((number) => `${second.url}/${number}`))
    const move = (body: object) => admin.patch(at(bot.id), body)
    expect((await move({ webhookUrl: `${second.url}/3` })).status).toBe(400)
    expect((await admin.delete(at(bot.id))).status).toBe(204)
    expect(
      await server.parley.db.query(sql`select 1 from webhook_addresses where bot_id = ${bot.id}`),
    ).toEqual([])
  })

  it.each([
    [{ url: 'ftp://example.com' }],
    [{ url: 'https://10.1.2.3/events' }],
    [{ url: 'https://me:secret@example.com' }],
    [{ url: `https://example.com/${'x'.repeat(2048)}` }],
    [{}],
    [{ url: 'https://example.com', events: [] }],
    [{ url: 'https://example.com', headers: { Host: 'elsewhere' } }],
  ])('cannot be %j', async (body) => {
    const bot = await webhookBot(server, orgId, first.url, 'Refused')
    expect((await admin.post(at(bot.id, 'addresses'), body)).status).toBe(400)
    expect((await read(bot.id)).addresses).toEqual([])
  })

  it('of another bot or another organization are not there', async () => {
    const { bot, address } = await newListener('Own')
    const other = await webhookBot(server, orgId, first.url, 'Other')
    const elsewhere = await signInAs(server, {
      orgId: await organization(server),
      role: 'admin',
      email: `${randomUUID()}@elsewhere.test`,
    })
    const [delivery] = await listed(bot.id, `?address=${address.id}`)
    const paths = [`deliveries?address=${address.id}`, `deliveries/${delivery?.id}`]
    for (const path of paths) {
      expect((await admin.get(at(bot.id, path))).status).toBe(200)
      expect((await admin.get(at(other.id, path))).status).toBe(404)
      expect((await elsewhere.get(at(bot.id, path))).status).toBe(404)
    }
    for (const path of ['webhook/test', 'webhook/resume', 'deliveries/retry'])
      expect((await admin.post(at(other.id, `${path}?address=${address.id}`))).status).toBe(404)
    expect((await admin.patch(at(other.id, `addresses/${address.id}`), { events: null })).status).toBe(404)
    expect((await admin.delete(at(other.id, `addresses/${address.id}`))).status).toBe(404)
    expect(await readAddress(bot.id)).toMatchObject({ id: address.id })
  })
})
