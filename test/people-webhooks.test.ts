import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleBot, ConsoleDelivery, Credentials, DeliveryDetail } from '../contract/people/bots.ts'
import type { AuditEntry } from '../contract/people/organization.ts'
import { sql } from '../server/db/sql.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import {
  isSigned,
  ON_LOOPBACK,
  type Receiver,
  startDispatcher,
  startReceiver,
  webhookBot,
} from './support/receiver.ts'

const HOUR = 3_600_000

let server: TestParley
let receiver: Receiver
let dispatcher: Dispatcher
let orgId: string
let admin: TestPerson
let writer: StaticTestBot

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookRetrySchedule: [0.05, 600] })
  receiver = await startReceiver()
  dispatcher = startDispatcher(server)
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin' })
  writer = await staticBot(server, orgId, 'Writer')
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await server.close()
})

const at = (botId: string, path = '') => `/people/organizations/${orgId}/bots/${botId}${path && `/${path}`}`

/** A bot with a webhook, alone with the writer in a topic. */
async function newListener(name: string) {
  const bot = await webhookBot(server, orgId, receiver.url, name)
  const topic = await writer.post('/v2/topics', { name, members: [bot.id] })
  const topicId: string = Object(topic.body).id
  await eventually(async () => pendingOf(bot.id)).toBe(0)
  receiver.received.length = 0
  return {
    bot: { ...bot, ...bot.credentials },
    topicId,
    say: (text: string) => writer.post('/v2/messages', { topicId, text }),
  }
}

async function pendingOf(botId: string): Promise<number | undefined> {
  const [row] = await server.parley.db.query<{ count: number }>(
    sql`select count(*) from deliveries where bot_id = ${botId} and state = 'pending'`,
  )
  return row?.count
}

async function change(botId: string, body: object): Promise<ConsoleBot> {
  const answer = await admin.patch(at(botId), body)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}

async function newestEntry(): Promise<AuditEntry> {
  const { body } = await admin.get(`/people/organizations/${orgId}/audit?limit=1&only=changes`)
  return Object(body).entries[0]
}

describe('the types of events that a webhook gets', () => {
  it('are all of them at first, and then those that were chosen, texts too', async () => {
    const { bot, topicId, say } = await newListener('Choosy')
    const types = ['message.deleted', 'topic.updated']
    expect((await change(bot.id, { webhookEvents: types })).webhook.events).toEqual(types)
    const { id } = Object((await say('Not wanted')).body)
    await writer.patch(`/v2/topics/${topicId}`, { name: 'Renamed' })
    await writer.delete(`/v2/messages/${id}`)
    const received = await receiver.has(2)
    expect(received.map(({ event }) => event.type).sort()).toEqual(['message.deleted', 'topic.updated'])
    expect((await change(bot.id, { webhookEvents: null })).webhook.events).toBeNull()
    await say('Wanted again')
    expect((await receiver.has(3)).at(-1)?.event.type).toBe('message.created')
  })

  it('count for a replay and for what was not polled, and polling gets everything', async () => {
    const { bot, topicId, say } = await newListener('Replayed')
    await change(bot.id, { webhookEvents: ['topic.updated'] })
    const from = server.parley.clock()
    await say('Text')
    await writer.patch(`/v2/topics/${topicId}`, { name: 'Again' })
    await receiver.has(1)
    receiver.received.length = 0
    expect((await admin.post(at(bot.id, 'replay'), { from })).body).toEqual({ count: 1 })
    await receiver.has(1)
    receiver.received.length = 0
    await change(bot.id, { delivery: 'polling' })
    await say('Polled')
    await writer.patch(`/v2/topics/${topicId}`, { name: 'Polled too' })
    const { updates } = Object((await bot.get('/v2/updates?offset=oldest')).body)
    expect(updates.map(({ eventType }: { eventType: string }) => eventType)).toContain('message.created')
    await change(bot.id, { delivery: 'webhook' })
    await eventually(async () => pendingOf(bot.id)).toBe(0)
    expect(receiver.received.map(({ event }) => event.type)).not.toContain('message.created')
  })

  it.each([[[]], [['message.sent']], ['all']])('cannot be %j', async (webhookEvents) => {
    const { status } = await admin.patch(at(writer.id), { webhookEvents })
    expect(status).toBe(400)
  })
})

describe('headers of an admin', () => {
  it('go with each delivery and test, and are never shown', async () => {
    const { bot, say } = await newListener('Headed')
    const token = 'Bearer 7c6d5e4f-private'
    const changed = await change(bot.id, { webhookHeaders: { Authorization: token, 'X-Tenant': 'acme' } })
    expect(changed.webhook.headers).toEqual(['Authorization', 'X-Tenant'])
    expect(JSON.stringify(await newestEntry())).not.toContain('private')
    expect((await newestEntry()).changes).toEqual([
      { field: 'webhookHeaders', from: '', to: 'Authorization X-Tenant' },
    ])
    await say('With headers')
    const [first] = await receiver.has(1)
    expect(first?.headers).toMatchObject({ authorization: token, 'x-tenant': 'acme' })
    expect(first && isSigned(first, bot.apiSecret)).toBe(true)
    await eventually(async () => pendingOf(bot.id)).toBe(0)
    const [delivery] = Object((await admin.get(at(bot.id, 'deliveries?limit=1'))).body).deliveries
    const detail: DeliveryDetail = Object((await admin.get(at(bot.id, `deliveries/${delivery.id}`))).body)
    expect(detail.history[0]?.request.headers).toMatchObject({ Authorization: '•••' })
    await admin.post(at(bot.id, 'webhook/test'))
    expect((await receiver.has(2)).at(-1)?.headers.authorization).toBe(token)
    const [row] = await server.parley.db.query<{ text: string }>(
      sql`select bots::text as text from bots where id = ${bot.id}`,
    )
    expect(row?.text).not.toContain('private')
  })

  it('are changed and removed one by one, whatever the case of their names', async () => {
    const { bot, say } = await newListener('Changed')
    await change(bot.id, { webhookHeaders: { 'X-One': '1', 'X-Two': '2' } })
    const changed = await change(bot.id, { webhookHeaders: { 'x-one': 'one', 'X-Two': null } })
    expect(changed.webhook.headers).toEqual(['x-one'])
    await say('Text')
    const [received] = await receiver.has(1)
    expect(received?.headers['x-one']).toBe('one')
    expect(received?.headers['x-two']).toBeUndefined()
    expect((await change(bot.id, { webhookHeaders: { 'X-ONE': null } })).webhook.headers).toEqual([])
  })

  const NAME = 'a header has a name of 1 to 64 letters, digits and dashes that Parley does not use itself'
  const VALUE = 'a header has a value of 1 to 1000 printable characters'
  it.each([
    [{ Host: 'elsewhere.example' }, NAME],
    [{ 'content-length': '0' }, NAME],
    [{ 'Transfer-Encoding': 'chunked' }, NAME],
    [{ 'X-Service-Signature': 'mine' }, NAME],
    [{ 'x-service-anything': 'mine' }, NAME],
    [{ 'webhook-id': 'mine' }, NAME],
    [{ 'X Space': 'x' }, NAME],
    [{ '': 'x' }, NAME],
    [{ 'X-Line': 'one\r\nHost: two' }, VALUE],
    [{ 'X-Empty': '' }, VALUE],
    [{ 'X-Long': 'x'.repeat(1001) }, VALUE],
    [
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'x'])),
      'there can be 10 headers at most',
    ],
  ])('%j is refused, and nothing is changed', async (webhookHeaders, text) => {
    const { status, body } = await admin.patch(at(writer.id), { webhookHeaders, name: 'Renamed' })
    expect([status, body]).toEqual([400, text])
    expect(Object((await admin.get(at(writer.id))).body)).toMatchObject({
      name: 'Writer',
      webhook: { headers: [] },
    })
  })
})

describe('a secret that is replaced with an overlap', () => {
  const rotate = async (botId: string, body?: object): Promise<Credentials> => {
    const answer = await admin.post(at(botId, 'secret'), body)
    expect(answer.status, answer.text).toBe(200)
    return Object(answer.body)
  }
  const me = (apiKey: string, apiSecret: string) =>
    call(server.url, { apiKey, apiSecret }, 'GET', '/v2/members/me', {
      timestamp: String(server.parley.clock()),
    })

  it('leaves both to sign requests, in both versions of signatures and with files, until it ends', async () => {
    const { bot, topicId } = await newListener('Overlap')
    const { apiSecret = '', bot: after } = await rotate(bot.id, { overlapHours: 2 })
    expect(after.formerSecretUntil).toBeGreaterThan(server.parley.clock() + HOUR)
    for (const secret of [bot.apiSecret, apiSecret]) {
      expect((await me(bot.apiKey, secret)).status).toBe(200)
      const file = form({ topicId }, [{ content: Buffer.from('Some text'), name: 'note.txt' }])
      const sent = await call(server.url, { apiKey: bot.apiKey, apiSecret: secret }, 'POST', '/v2/messages', {
        body: file.body,
        headers: { 'content-type': file.contentType },
        timestamp: String(server.parley.clock()),
      })
      expect(sent.status, sent.text).toBe(200)
    }
    expect((await me(bot.apiKey, 'neither of them')).status).toBe(401)
    server.clock.ahead += 2 * HOUR
    expect((await me(bot.apiKey, bot.apiSecret)).status).toBe(401)
    expect((await me(bot.apiKey, apiSecret)).status).toBe(200)
    server.clock.ahead -= 2 * HOUR
  })

  it('signs deliveries with both, and with the new one alone from its end on', async () => {
    const { bot, say } = await newListener('Signed twice')
    const { apiSecret = '' } = await rotate(bot.id, { overlapHours: 1 })
    await say('Both')
    const [both] = await receiver.has(1)
    if (!both) throw new Error('nothing was received')
    expect(isSigned(both, bot.apiSecret)).toBe(true)
    const next = both.headers['x-service-signature-next']
    expect(
      isSigned({ ...both, headers: { ...both.headers, 'x-service-signature': `${next}` } }, apiSecret),
    ).toBe(true)
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    expect((await admin.delete(at(bot.id, 'secret/former'))).status).toBe(204)
    expect((await newestEntry()).action).toBe('bot.former_secret_ended')
    await say('New')
    const [, one] = await receiver.has(2)
    if (!one) throw new Error('nothing was received')
    expect(isSigned(one, apiSecret)).toBe(true)
    expect(one.headers['x-service-signature-next']).toBeUndefined()
    expect(one.headers['webhook-signature']).toMatch(/^v1,\S+$/)
    expect((await me(bot.apiKey, bot.apiSecret)).status, 'no longer').toBe(401)
  })

  it('ends at once without one, and with the next replacement', async () => {
    const { bot } = await newListener('No overlap')
    const first = await rotate(bot.id)
    expect(first.bot.formerSecretUntil).toBeUndefined()
    expect((await me(bot.apiKey, bot.apiSecret)).status).toBe(401)
    const second = await rotate(bot.id, { overlapHours: 1 })
    await rotate(bot.id, { overlapHours: 1 })
    expect((await me(bot.apiKey, first.apiSecret ?? '')).status, 'two before').toBe(401)
    expect((await me(bot.apiKey, second.apiSecret ?? '')).status).toBe(200)
    expect((await admin.post(at(bot.id, 'secret'), { overlapHours: 169 })).status).toBe(400)
  })

  it('gets tokens for both', async () => {
    const bot = await oauthBot(server, orgId)
    await rotate(bot.id, { overlapHours: 1 })
    const token = () =>
      call(server.url, undefined, 'POST', '/oauth/token', {
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: bot.id,
          client_secret: bot.clientSecret,
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await token()).status).toBe(200)
    server.clock.ahead += HOUR
    expect((await token()).body).toMatchObject({ error: 'invalid_grant' })
    server.clock.ahead -= HOUR
  })
})

describe('deliveries', () => {
  const list = async (botId: string, query: string): Promise<ConsoleDelivery[]> => {
    const answer = await admin.get(at(botId, `deliveries${query}`))
    expect(answer.status, answer.text).toBe(200)
    return Object(answer.body).deliveries
  }

  it('are found by id, by event and by time', async () => {
    const { bot, say } = await newListener('Found')
    await say('One')
    server.clock.ahead += 60_000
    await say('Two')
    await receiver.has(2)
    await eventually(async () => new Set((await list(bot.id, '')).map(({ state }) => state))).toEqual(
      new Set(['delivered']),
    )
    const [two, one, ...rest] = await list(bot.id, '')
    if (!one || !two) throw new Error('no deliveries')
    expect(await list(bot.id, `?id=${one.id}`)).toEqual([one])
    expect(await list(bot.id, `?id=${one.eventId}`)).toEqual([one])
    expect(await list(bot.id, `?id=${two.eventId.replace('evt_', '')}`)).toEqual([two])
    expect(await list(bot.id, `?from=${two.createdAt}`)).toEqual([two])
    expect(await list(bot.id, `?from=${one.createdAt}&to=${two.createdAt}`)).toEqual([one])
    expect(await list(bot.id, `?to=${one.createdAt}`)).toEqual(rest)
    expect(await list(bot.id, `?from=${two.createdAt + HOUR}`)).toEqual([])
    expect(await list(writer.id, `?id=${one.id}`), 'of another bot').toEqual([])
    expect((await admin.get(at(bot.id, 'deliveries?id=nonsense'))).status).toBe(400)
  })

  it('that failed are all sent again, in order', async () => {
    const { bot, say } = await newListener('Failing')
    receiver.otherwise = 500
    for (const text of ['One', 'Two', 'Three']) await say(text)
    // Two attempts were made, and the next one is ten minutes away.
    await eventually(async () =>
      (await list(bot.id, '?state=failing')).map(({ attempts }) => attempts),
    ).toEqual([2, 2, 2])
    await server.parley.db.query(sql`
      update deliveries set state = 'exhausted' where bot_id = ${bot.id} and seq in (
        select seq from deliveries where bot_id = ${bot.id} and state = 'pending' order by seq limit 2)`)
    await eventually(async () => (await list(bot.id, '?state=failing')).length).toBe(1)
    receiver.otherwise = 200
    receiver.received.length = 0
    expect((await admin.post(at(bot.id, 'deliveries/retry'))).body).toEqual({ count: 3 })
    expect(await newestEntry()).toMatchObject({
      action: 'bot.replayed',
      changes: [{ field: 'failed', to: 'true' }],
    })
    const received = await receiver.has(3)
    expect(received.map(({ event }) => Object(event.data.message).text)).toEqual(['One', 'Two', 'Three'])
    await eventually(async () => pendingOf(bot.id)).toBe(0)
    expect((await admin.post(at(bot.id, 'deliveries/retry'))).body).toEqual({ count: 0 })
    expect((await admin.post(at(writer.id, 'deliveries/retry'))).body).toBe('delivery mode is not webhook')
  })
})
