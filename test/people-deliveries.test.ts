import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BotEvent, ConsoleDelivery, DeliveryDetail } from '../contract/people/bots.ts'
import { sql } from '../server/db/sql.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import {
  isSigned,
  isSignedByStandard,
  ON_LOOPBACK,
  type Receiver,
  startDispatcher,
  startReceiver,
  until,
  webhookBot,
} from './support/receiver.ts'

let server: TestParley
let receiver: Receiver
let dispatcher: Dispatcher
let orgId: string
let admin: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookRetrySchedule: [0.05, 600] })
  receiver = await startReceiver()
  dispatcher = startDispatcher(server)
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin' })
  bot = await webhookBot(server, orgId, receiver.url)
  const members = [admin.profileId]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await server.close()
})

const refusal = ({ status, body }: Answer) => ({ status, body })
const at = (path = '', botId = bot.id) => `/people/organizations/${orgId}/bots/${botId}${path && `/${path}`}`
const say = (text: string) => bot.post('/v2/messages', { topicId, text })

async function deliveries(query = '') {
  const answer = await admin.get(`${at('deliveries')}${query}`)
  expect(answer.status, answer.text).toBe(200)
  const body: { deliveries: ConsoleDelivery[]; nextCursor?: string; hasMore: boolean } = Object(answer.body)
  return body
}

async function newest(): Promise<ConsoleDelivery> {
  const [first] = (await deliveries('?limit=1')).deliveries
  if (!first) throw new Error('no delivery')
  return first
}

async function detail(id: string): Promise<DeliveryDetail> {
  const answer = await admin.get(at(`deliveries/${id}`))
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}

const settled = async (state: string) => {
  await until(async () => (await newest()).state === state)
  return newest()
}

/** Sends a message and waits for its delivery. */
async function delivered(text: string): Promise<ConsoleDelivery> {
  const before = receiver.received.length
  await say(text)
  await receiver.has(before + 1)
  return settled('delivered')
}

describe('the log of deliveries', () => {
  it('has the newest first, page by page, by state and by type', async () => {
    for (const text of ['One', 'Two', 'Three']) await delivered(text)
    const all = (await deliveries()).deliveries
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).sort((one, other) => other - one),
    )
    const first = await deliveries('?limit=2&state=delivered')
    expect(first).toMatchObject({ hasMore: true })
    const rest = await deliveries(`?limit=100&cursor=${first.nextCursor}`)
    expect([...first.deliveries, ...rest.deliveries]).toEqual(all)
    expect((await deliveries('?state=exhausted')).deliveries).toEqual([])
    expect((await deliveries('?eventType=message.deleted')).deliveries).toEqual([])
    expect((await deliveries('?eventType=message.created')).deliveries).toEqual(all)
    const other = await staticBot(server, orgId, 'Other bot')
    expect(refusal(await admin.get(`${at('deliveries', other.id)}?cursor=${first.nextCursor}`))).toEqual({
      status: 400,
      body: 'invalid cursor',
    })
  })

  it('looks for a type among some thousands at a time, and goes on from there', async () => {
    const rare = await webhookBot(server, orgId, receiver.url, 'Bot with rare events')
    const { db } = server.parley
    await db.write(orgId, async (tx) => {
      const events = Array.from({ length: 5101 }, () => ({ seq: tx.nextSeq(), id: tx.moment().id }))
      await tx.query(sql`
        with event as (
          insert into events (org_id, seq, id, type, topic_id, data, created_at)
          select ${orgId}, seq, id, case number when 1 then 'topic.updated' else 'topic.created' end, ${topicId}, '{}', 0
          from unnest(${events.map(({ seq }) => seq)}::bigint[], ${events.map(({ id }) => id)}::uuid[])
            with ordinality as x (seq, id, number)
          returning org_id, seq, id
        )
        insert into deliveries (org_id, bot_id, seq, id, topic_id, state, due_at)
        select org_id, ${rare.id}, seq, id, ${topicId}, 'delivered', 0 from event`)
    })
    const page = async (query: string) =>
      Object((await admin.get(`${at('deliveries', rare.id)}${query}`)).body)
    const first = await page('?eventType=topic.updated')
    expect(first).toEqual({ deliveries: [], nextCursor: expect.any(String), hasMore: true })
    const second = await page(`?cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ deliveries: [{ eventType: 'topic.updated' }], hasMore: false })
    expect(await page('?state=exhausted&eventType=topic.updated')).toEqual({ deliveries: [], hasMore: false })
  })

  it('shows each attempt with what was sent and what came back', async () => {
    receiver.script({ status: 500, body: 'out of order' })
    const before = receiver.received.length
    await say('Hello')
    await receiver.has(before + 2)
    const { id } = await settled('delivered')
    const shown = await detail(id)
    expect(shown).toMatchObject({ state: 'delivered', attempts: 2, eventType: 'message.created' })
    expect(shown.history).toMatchObject([
      { number: 1, outcome: 'status', status: 500, answer: 'out of order' },
      { number: 2, outcome: 'ok', status: 200 },
    ])
    expect(shown.dueAt).toBeUndefined()
    for (const [index, attempt] of shown.history.entries()) {
      const received = receiver.received[before + index]
      expect(received?.body.toString()).toBe(shown.body)
      const { url, headers } = attempt.request
      expect(url).toBe(receiver.url)
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      expect(received?.headers).toMatchObject(lower)
      const rebuilt = {
        ...(received ?? Object(undefined)),
        headers: lower,
        body: Buffer.from(shown.body ?? ''),
      }
      expect(isSigned(rebuilt, bot.credentials.apiSecret)).toBe(true)
      expect(isSignedByStandard(rebuilt, bot.credentials.apiSecret)).toBe(true)
    }
    const secret = bot.credentials.apiSecret
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(JSON.stringify(shown)).not.toContain(Buffer.from(secret).toString('base64'))
  })

  it('says when large bodies are compressed', async () => {
    const { id } = await delivered('x'.repeat(9000) + 'é'.repeat(900) + '𝄞'.repeat(90) + '"'.repeat(9))
    expect((await detail(id)).history[0]?.request.headers['Content-Encoding']).toBeUndefined()
    const large = await delivered('é'.repeat(10_000))
    expect((await detail(large.id)).history[0]?.request.headers['Content-Encoding']).toBe('gzip')
  })

  it('tells when a failed one is due again, and what is exhausted', async () => {
    receiver.script(500, 500)
    await say('Waits for ten minutes')
    await until(async () => (await newest()).attempts === 2)
    const pending = await newest()
    expect(pending.state).toBe('pending')
    expect(pending.dueAt).toBeGreaterThan(server.parley.clock() + 500_000)
    await server.parley.db.query(sql`update deliveries set state = 'exhausted' where id = ${pending.id}`)
    expect((await deliveries('?state=exhausted')).deliveries).toMatchObject([{ id: pending.id }])
    expect((await admin.post(at(`deliveries/${pending.id}/replay`))).status).toBe(204)
    await until(async () => (await newest()).state === 'delivered')
  })

  it('knows only deliveries of the bot', async () => {
    const { id } = await newest()
    const other = await staticBot(server, orgId, 'Other bot')
    const none = { status: 404, body: 'Delivery not found' }
    expect(refusal(await admin.get(at(`deliveries/${id}`, other.id)))).toEqual(none)
    expect(refusal(await admin.post(at(`deliveries/${id}/replay`, other.id)))).toEqual(none)
    expect(refusal(await admin.get(at('deliveries', admin.profileId)))).toEqual({
      status: 404,
      body: 'Bot not found',
    })
  })
})

describe('a replay', () => {
  it('sends one again under the same id, at once', async () => {
    const { id, eventId } = await delivered('Once more')
    const before = receiver.received.length
    expect((await admin.post(at(`deliveries/${id}/replay`))).status).toBe(204)
    const again = (await receiver.has(before + 1)).at(-1)
    expect(again?.event.id).toBe(eventId)
    expect(again?.headers['x-service-delivery-id']).toBe(id)
  })

  it('sends everything since a time again', async () => {
    const from = server.parley.clock()
    const ids = [(await delivered('First')).eventId, (await delivered('Second')).eventId]
    const before = receiver.received.length
    expect((await admin.post(at('replay'), { from })).body).toEqual({ count: 2 })
    const again = (await receiver.has(before + 2)).slice(before)
    expect(again.map(({ event }) => event.id)).toEqual(ids)
  })

  it('is for webhooks', async () => {
    const polling = await webhookBot(server, orgId, receiver.url, 'Changes its mind')
    const topic = Object((await polling.post('/v2/topics', { name: 'Own', members: [] })).body).id
    await polling.post('/v2/messages', { topicId: topic, text: 'Hello' })
    const {
      deliveries: [own],
    }: { deliveries: ConsoleDelivery[] } = Object((await admin.get(at('deliveries', polling.id))).body)
    await admin.patch(at('', polling.id), { delivery: 'polling' })
    const not = { status: 400, body: 'delivery mode is not webhook' }
    expect(refusal(await admin.post(at(`deliveries/${own?.id}/replay`, polling.id)))).toEqual(not)
    expect(refusal(await admin.post(at('replay', polling.id), { from: 0 }))).toEqual(not)
    expect(refusal(await admin.post(at('webhook/test', polling.id)))).toEqual(not)
  })
})

describe('a webhook', () => {
  it('gets a test, which is among the deliveries', async () => {
    const before = receiver.received.length
    const { status, body } = await admin.post(at('webhook/test'))
    expect(status).toBe(201)
    const received = (await receiver.has(before + 1)).at(-1)
    expect(received?.event.type).toBe('webhook.test')
    expect((await settled('delivered')).id).toBe(Object(body).deliveryId)
  })

  it('is tested once, and its figures do not count that', async () => {
    const failing = await startReceiver()
    failing.otherwise = 500
    const tested = await webhookBot(server, orgId, failing.url, 'Tested bot')
    const figures = async () => {
      server.clock.ahead += 60_000 // figures are remembered for a moment
      const { deliveries } = Object((await admin.get(`/people/organizations/${orgId}/overview`)).body)
      return { delivered: deliveries.delivered, failed: deliveries.failed, unwell: deliveries.unwell }
    }
    const attempts = async () => /attempts_total\{outcome="status"\} (\d+)/.exec(await metrics())?.[1]
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
    const before = { ...(await figures()), attempts: await attempts() }

    const { deliveryId } = Object((await admin.post(at('webhook/test', tested.id))).body)
    const detail = async () => Object((await admin.get(at(`deliveries/${deliveryId}`, tested.id))).body)
    await eventually(async () => (await detail()).state).toBe('exhausted')
    expect((await detail()).history).toMatchObject([{ number: 1, outcome: 'status', status: 500 }])
    expect({ ...(await figures()), attempts: await attempts() }).toEqual(before)
    const { webhook } = Object((await admin.get(at('', tested.id))).body)
    expect(webhook.failingSince).toBeUndefined()

    // A test that is sent again by hand is still a test.
    await admin.post(at(`deliveries/${deliveryId}/replay`, tested.id))
    await eventually(async () => (await detail()).history.length).toBe(2)
    expect((await detail()).state).toBe('exhausted')
    expect(failing.received).toHaveLength(2)
    await failing.close()
  })

  it('that is paused is resumed and catches up', async () => {
    const gone = await startReceiver()
    const paused = await webhookBot(server, orgId, gone.url, 'Paused bot')
    const topic = Object((await paused.post('/v2/topics', { name: 'Own', members: [] })).body).id
    gone.script(410)
    await paused.post('/v2/messages', { topicId: topic, text: 'Hello' })
    const state = async () => Object((await admin.get(at('', paused.id))).body).webhook
    await until(async () => (await state()).pausedAt !== undefined)
    expect(await state()).toMatchObject({ pauseReason: 'gone' })

    // A test goes out all the same, says nothing about the webhook, and takes nothing along that waits.
    gone.script(410, 200)
    const test = async () => Object((await admin.post(at('webhook/test', paused.id))).body).deliveryId
    const ended = async (id: string) => {
      const { state, attempts } = Object((await admin.get(at(`deliveries/${id}`, paused.id))).body)
      return { state, attempts }
    }
    const first = await test()
    await eventually(() => ended(first)).toEqual({ state: 'exhausted', attempts: 1 })
    const second = await test()
    await eventually(() => ended(second)).toEqual({ state: 'delivered', attempts: 1 })
    expect(await state()).toMatchObject({ pauseReason: 'gone' })
    expect(gone.received.map(({ event }) => event.type)).toEqual([
      'message.created',
      'webhook.test',
      'webhook.test',
    ])
    const resumed = await admin.post(at('webhook/resume', paused.id))
    expect(Object(resumed.body).webhook).toEqual({
      url: gone.url,
      gzip: true,
      rate: 50,
      events: null,
      headers: [],
    })
    expect((await gone.has(4)).at(-1)?.event.type).toBe('message.created')
    await gone.close()
  })
})

describe('the events of a bot', () => {
  const events = async (query = ''): Promise<BotEvent[]> => {
    const answer = await admin.get(`${at('events')}${query}`)
    expect(answer.status, answer.text).toBe(200)
    return Object(answer.body).events
  }

  it('and its deliveries say nothing of topics that the admin is not in, nor what was told to the bot alone', async () => {
    const ben = await signInAs(server, { orgId, name: 'Ben Ito' })
    const closed = await bot.post('/v2/topics', { name: 'Closed', members: [ben.profileId] })
    const topic = Object(closed.body).id
    const before = receiver.received.length
    receiver.script({ status: 200, body: 'You said quahog' })
    await bot.post('/v2/messages', { topicId: topic, text: 'quahog' })
    const actions = { elements: [{ id: 'why', text: 'Why?', fields: [{ id: 'reason', text: 'Why?' }] }] }
    const asked = Object(
      (await bot.post('/v2/messages', { topicId, text: 'Open question', actions })).body,
    ).id
    const actionsId = Object((await bot.get(`/v2/messages/${asked}`)).body).actions.id
    const press = { actionsId, elementId: 'why', values: { reason: 'quahog' } }
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [ben.profileId] })
    const pressed = await ben.post(`/people/organizations/${orgId}/chat/actions/${asked}/press`, press)
    expect(pressed.status, pressed.text).toBe(201)
    await receiver.has(before + 4)
    const all = await events('?limit=10')
    expect(all.find(({ type }) => type === 'message.action')).not.toHaveProperty('data')
    expect(JSON.stringify(all)).toContain('Open question')
    expect(JSON.stringify(all)).not.toContain('quahog')
    const { deliveries: listed } = await deliveries('?limit=10')
    const details = await Promise.all(listed.map(({ id }) => detail(id)))
    expect(JSON.stringify(details)).not.toContain('quahog')
    const hidden = details.find(({ body }) => body === undefined)
    expect(hidden).toMatchObject({ bytes: expect.any(Number), history: [{ outcome: 'ok', status: 200 }] })
    await bot.delete(`/v2/topics/${topicId}/members`, { memberIds: [ben.profileId] })
  })

  it('are shown as it gets them, the newest first', async () => {
    const { eventId } = await delivered('The newest')
    const all = await events()
    expect(all[0]).toMatchObject({
      id: eventId,
      type: 'message.created',
      data: { message: { text: 'The newest' } },
    })
    const seqs = all.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.slice().sort((one, other) => other - one))
    expect(await events(`?after=${seqs[1]}`)).toEqual(all.slice(0, 1))
    expect(await events('?limit=2')).toEqual(all.slice(0, 2))
    expect(all.some(({ type }) => type === 'admin.change' || type === 'webhook.test')).toBe(false)
  })
})
