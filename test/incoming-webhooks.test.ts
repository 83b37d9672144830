import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IncomingCall, IncomingWebhook } from '../contract/people/incoming-webhooks.ts'
import { textOf } from '../contract/refusals/index.ts'
import { sql } from '../server/db/sql.ts'
import { isProven } from '../server/incoming-webhooks/proof.ts'
import { oauthBot, organization, type StaticTestBot, staticBot, type TestBot } from './support/cast.ts'
import { postTo, type Sent } from './support/incoming.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

const HOUR = 3_600_000
const SECRET = 'it-is-a-secret-to-everybody'

let server: TestParley
let orgId: string
let ada: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let listener: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ incomingRateLimitPerMinute: 0 })
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  bot = await staticBot(server, orgId, 'Herald')
  listener = await staticBot(server, orgId, 'Listener')
  topicId = await newTopic(bot)
})
afterAll(() => server.close())

const newTopic = async (who: TestBot): Promise<string> =>
  Object((await who.post('/v2/topics', { name: 'News', members: [ada.profileId, listener.id] })).body).id

const pathOf = (who: TestBot = bot) => `/people/organizations/${orgId}/bots/${who.id}/incoming-webhooks`

type Made = { incomingWebhook: IncomingWebhook; url: string }
async function make(settings: Record<string, unknown> = {}, who: TestBot = bot): Promise<Made> {
  const made = await ada.post(pathOf(who), { topicId, name: 'Builds', ...settings })
  expect(made.status, made.text).toBe(201)
  return Object(made.body)
}

const say = (url: string, text = 'Hello', sent: Sent = {}) => postTo(url, { text }, sent)
async function textsOf(topic = topicId): Promise<string[]> {
  const { messages }: { messages: { text: string }[] } = Object(
    (await listener.get(`/v2/topics/${topic}/messages?limit=100`)).body,
  )
  return messages.map(({ text }) => text).reverse()
}
async function callsOf({ incomingWebhook: { id } }: Made, who: TestBot = bot): Promise<IncomingCall[]> {
  return Object((await ada.get(`${pathOf(who)}/${id}/calls`)).body).calls
}
const tokenOf = ({ url }: Made): string => url.split('/in/')[1] ?? ''

const NOT_FOUND = { status: 404, body: 'webhook not found' }

describe('an incoming webhook', () => {
  it('is shown once, and kept as a hash', async () => {
    const made = await make({ secret: SECRET })
    expect(made.url).toMatch(new RegExp(`^${server.url}/in/[A-Za-z0-9]{33}$`))
    expect(made.incomingWebhook).toMatchObject({
      name: 'Builds',
      topicId,
      topicName: 'News',
      format: 'auto',
      hasSecret: true,
      hint: tokenOf(made).slice(0, 4),
    })
    const listed = await ada.get(pathOf())
    expect(Object(listed.body).topics).toContainEqual({ id: topicId, name: 'News' })
    expect(listed.text).toContain(made.incomingWebhook.id)
    expect(listed.text).not.toContain(tokenOf(made))
    expect(listed.text).not.toContain(SECRET)
    const rows = await server.parley.db.query<{ row: string }>(sql`
      select row_to_json(w)::text || row_to_json(k)::text as row from incoming_webhooks w join incoming_tokens k on k.webhook_id = w.id`)
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) {
      expect(row).not.toContain(tokenOf(made))
      expect(row).not.toContain(Buffer.from(SECRET).toString('hex'))
    }
    const { entries } = Object((await ada.get(`/people/organizations/${orgId}/audit?limit=1`)).body)
    expect(entries[0]).toMatchObject({ action: 'bot.incoming_webhook_made', target: { id: bot.id } })
    expect(JSON.stringify(entries)).not.toContain(tokenOf(made))
    expect(JSON.stringify(entries)).not.toContain(SECRET)
  })

  it('writes as its bot, and all members of the topic get it', async () => {
    const made = await make()
    expect(await say(made.url, 'The *build* is green')).toMatchObject({ status: 200, text: 'ok' })
    const { updates } = Object((await listener.get('/v2/updates?offset=oldest&limit=100')).body)
    expect(updates.at(-1)).toMatchObject({
      eventType: 'message.created',
      data: { message: { senderId: bot.id, topicId, text: 'The **build** is green' } },
    })
    const [call] = await callsOf(made)
    expect(call).toMatchObject({ status: 200, source: 'slack', isFormer: false })
    expect(call?.messageId).toBe(updates.at(-1).data.message.id)
  })

  it('is made by admins, for a topic of a bot that may send', async () => {
    const wanted = { topicId, name: 'Builds' }
    const refusals: [Promise<{ status: number; body: unknown }>, number, string][] = [
      [cy.post(pathOf(), wanted), 403, 'forbidden'],
      [ada.post(pathOf(), { ...wanted, topicId: crypto.randomUUID() }), 400, 'the bot is not in this topic'],
      [ada.post(pathOf(), { ...wanted, template: '{{a}}' }), 400, 'a template is for the format generic'],
      [
        ada.post(pathOf(), { ...wanted, secret: 'with space' }),
        400,
        'secret must be printable ASCII without spaces',
      ],
      [ada.post(pathOf(), { ...wanted, name: ' ' }), 400, 'name is required'],
      [ada.post(pathOf(), { ...wanted, format: 'telegram' }), 400, ''],
    ]
    for (const [asked, status, body] of refusals) {
      const answer = await asked
      expect(answer.status, String(answer.body)).toBe(status)
      if (body !== '') expect(answer.body).toBe(body)
    }
    const reader = await staticBot(server, orgId, 'Reader', { permission: 'read' })
    expect(await ada.post(pathOf(reader), wanted)).toMatchObject({
      status: 400,
      body: 'the bot may not send messages',
    })
    const elsewhere = await organization(server, 'Elsewhere')
    const foreign = await staticBot(server, elsewhere, 'Foreign')
    expect(await ada.post(pathOf(foreign), wanted)).toMatchObject({ status: 404, body: 'Bot not found' })
    expect(await ada.get(`${pathOf()}/${crypto.randomUUID()}/calls`)).toMatchObject({ status: 404 })
  })

  it('has an end to how many there can be', async () => {
    const crowded = await staticBot(server, orgId, 'Crowded')
    const topic = await newTopic(crowded)
    for (let count = 0; count < 50; count += 1) await make({ topicId: topic }, crowded)
    const tooMany = await ada.post(pathOf(crowded), { topicId: topic, name: 'One more' })
    expect(tooMany).toMatchObject({ status: 400, body: 'a bot can have 50 incoming webhooks at most' })
  })

  it('can be changed, while its address stays', async () => {
    const made = await make()
    const path = `${pathOf()}/${made.incomingWebhook.id}`
    const changed = await ada.patch(path, { name: 'Doors', format: 'generic', template: 'Door {{door}}' })
    expect(changed.body).toMatchObject({ name: 'Doors', format: 'generic', template: 'Door {{door}}' })
    expect((await postTo(made.url, { door: 'A' })).text).toBe('ok')
    expect((await textsOf()).at(-1)).toBe('Door A')
    await ada.patch(path, { secret: SECRET })
    expect(await postTo(made.url, { door: 'B' })).toMatchObject({ status: 401 })
    await ada.patch(path, { secret: null, template: null })
    expect((await postTo(made.url, { door: 'C' })).text).toBe('ok')
    expect((await textsOf()).at(-1)).toBe('**door:** C')
    expect(await ada.patch(path, { format: 'slack', template: 'x' })).toMatchObject({ status: 400 })
    const before = await ada.get(`/people/organizations/${orgId}/audit?limit=1`)
    await ada.patch(path, { name: 'Doors' })
    expect((await ada.get(`/people/organizations/${orgId}/audit?limit=1`)).text).toBe(before.text)
  })
})

describe('a call', () => {
  it('is refused in the same words, whatever the reason is, but that its bot is stopped for a while', async () => {
    expect(await say(`${server.url}/in/${'x'.repeat(33)}`)).toMatchObject(NOT_FOUND)

    const revoked = await make()
    expect((await ada.delete(`${pathOf()}/${revoked.incomingWebhook.id}`)).status).toBe(204)
    expect(await say(revoked.url)).toMatchObject(NOT_FOUND)

    const paused = await staticBot(server, orgId, 'Paused')
    const off = await make({ topicId: await newTopic(paused) }, paused)
    await ada.patch(`/people/organizations/${orgId}/bots/${paused.id}`, { active: false })
    expect(await say(off.url)).toMatchObject(NOT_FOUND)
    await ada.patch(`/people/organizations/${orgId}/bots/${paused.id}`, { active: true, paused: true })
    const waits = await say(off.url)
    expect(waits).toMatchObject({ status: 503, body: textOf('incoming_bot_stopped') })
    expect(Number(waits.headers.get('Retry-After'))).toBeGreaterThan(0)
    await ada.patch(`/people/organizations/${orgId}/bots/${paused.id}`, { paused: false, permission: 'read' })
    expect(await say(off.url)).toMatchObject(NOT_FOUND)
    expect((await callsOf(off, paused)).map(({ status, reason }) => [status, reason])).toEqual([
      [404, 'bot_not_permitted'],
      [503, 'bot_paused'],
      [404, 'bot_inactive'],
    ])
    await ada.delete(`/people/organizations/${orgId}/bots/${paused.id}`)
    expect(await say(off.url)).toMatchObject(NOT_FOUND)

    const left = await make({ topicId: await newTopic(bot) })
    const members = `/people/organizations/${orgId}/topics/${left.incomingWebhook.topicId}/members`
    await ada.delete(members, { memberIds: [bot.id] })
    expect(await say(left.url)).toMatchObject(NOT_FOUND)
    expect((await callsOf(left))[0]).toMatchObject({ status: 404, reason: 'not_member' })
    await ada.post(members, { memberIds: [bot.id] })
    expect((await say(left.url, 'Back', { headers: { 'Idempotency-Key': 'back' } })).text).toBe('ok')
    await ada.patch(`/people/organizations/${orgId}/chat/topics/${left.incomingWebhook.topicId}`, {
      archived: true,
    })
    expect(await say(left.url)).toMatchObject(NOT_FOUND)
    expect((await callsOf(left))[0]).toMatchObject({ status: 404, reason: 'archived' })
  })

  it('of an OAuth bot needs the scope to send', async () => {
    const narrow = await oauthBot(server, orgId, 'Narrow', ['channel:list', 'channel:write'])
    const topic = await newTopic(narrow)
    const wanted = { topicId: topic, name: 'Builds' }
    expect(await ada.post(pathOf(narrow), wanted)).toMatchObject({ status: 400 })
    await ada.patch(`/people/organizations/${orgId}/bots/${narrow.id}`, { scopes: ['message:send'] })
    expect((await say((await make(wanted, narrow)).url)).text).toBe('ok')
  })

  const body = JSON.stringify({ text: 'Signed' })
  const hmac = (key: string | Buffer, text = body, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', key).update(text).digest(encoding)
  const seconds = () => String(Math.floor(Date.now() / 1000))
  const PROOFS: [who: string, secret: string, headers: () => Record<string, string>][] = [
    ['GitHub', SECRET, () => ({ 'X-Hub-Signature-256': `sha256=${hmac(SECRET)}` })],
    ['GitLab', SECRET, () => ({ 'X-Gitlab-Token': SECRET })],
    ['Sentry', SECRET, () => ({ 'Sentry-Hook-Signature': hmac(SECRET) })],
    ['Grafana', SECRET, () => ({ 'X-Grafana-Alerting-Signature': hmac(SECRET) })],
    [
      'Grafana with a time',
      SECRET,
      () => {
        const time = seconds()
        return {
          'X-Grafana-Alerting-Timestamp': time,
          'X-Grafana-Alerting-Signature': hmac(SECRET, `${time}:${body}`),
        }
      },
    ],
    ['a bearer token', SECRET, () => ({ Authorization: `Bearer ${SECRET}` })],
    [
      'Standard Webhooks',
      `whsec_${Buffer.from(SECRET).toString('base64')}`,
      () => {
        const time = seconds()
        const signature = hmac(SECRET, `msg_1.${time}.${body}`, 'base64')
        return {
          'webhook-id': 'msg_1',
          'webhook-timestamp': time,
          'webhook-signature': `v1,x v1,${signature}`,
        }
      },
    ],
  ]

  it.each(PROOFS)('proves that it knows the secret as %s does', async (_who, secret, headers) => {
    const made = await make({ secret })
    const right = headers()
    expect(await postTo(made.url, body, { headers: right })).toMatchObject({ status: 200, text: 'ok' })
    const count = (await textsOf()).length
    const refused = { status: 401, body: 'signature or token does not match' }
    expect(await postTo(made.url, body)).toMatchObject(refused)
    for (const [name, value] of Object.entries(right)) {
      const changed = `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
      expect(await postTo(made.url, body, { headers: { ...right, [name]: changed } }), name).toMatchObject(
        refused,
      )
    }
    const signs = Object.keys(right).some((name) => name.toLowerCase().includes('signature'))
    if (signs) expect(await postTo(made.url, `${body} `, { headers: right })).toMatchObject(refused)
    if (Object.keys(right).some((name) => /timestamp/i.test(name))) {
      server.clock.ahead = 301_000 + 1000
      expect(await postTo(made.url, body, { headers: right })).toMatchObject(refused)
      server.clock.ahead = 0
    }
    expect(await textsOf()).toHaveLength(count)
    expect((await callsOf(made))[0]).toMatchObject({ status: 401, reason: 'unproven' })
  })

  it.each(['whsec_', 'whsec_AQ==', `whsec_${'A'.repeat(31)}=`, `whsec_${'!'.repeat(40)}`])(
    'takes no secret that is too short for a key: %s',
    async (secret) => {
      const wanted = { topicId, name: 'Weak', secret: secret.padEnd(16, '=') }
      expect(await ada.post(pathOf(), wanted)).toMatchObject({
        status: 400,
        text: expect.stringContaining('24 bytes in base64'),
      })
      // A call that was accepted before proves nothing.
      const time = seconds()
      const signature = hmac(Buffer.from(secret.slice(6), 'base64'), `msg_1.${time}.${body}`, 'base64')
      const headers = new Map([
        ['webhook-id', 'msg_1'],
        ['webhook-timestamp', time],
        ['webhook-signature', `v1,${signature}`],
      ])
      const call = {
        header: (name: string) => headers.get(name) ?? '',
        raw: Buffer.from(body),
        now: Date.now(),
      }
      expect(isProven(secret, call)).toBe(false)
    },
  )

  it('that comes again writes nothing twice', async () => {
    const made = await make()
    const push = (id: string) => ({
      headers: { 'X-GitHub-Event': 'star', 'X-GitHub-Delivery': id },
    })
    const star = { action: 'created', sender: { login: 'ada' } }
    const id = crypto.randomUUID()
    const before = (await textsOf()).length
    expect((await postTo(made.url, star, push(id))).text).toBe('ok')
    expect((await postTo(made.url, star, push(id))).text).toBe('ok')
    expect(await textsOf()).toHaveLength(before + 1)
    const [again, first] = await callsOf(made)
    expect(again).toMatchObject({ status: 200, reason: 'repeated', event: 'star.created' })
    expect(again?.messageId).toBe(first?.messageId)
    expect((await postTo(made.url, star, push(crypto.randomUUID()))).text).toBe('ok')
    expect(await textsOf()).toHaveLength(before + 2)

    for (const headers of [
      { 'Sentry-Hook-Resource': 'installation', 'Request-ID': crypto.randomUUID() },
      { 'X-Gitlab-Event': 'Feature Flag Hook', 'X-Gitlab-Event-UUID': crypto.randomUUID() },
      { 'X-Gitlab-Event': 'Feature Flag Hook', 'Idempotency-Key': crypto.randomUUID() },
    ]) {
      const count = (await textsOf()).length
      expect((await postTo(made.url, star, { headers })).text).toBe('ok')
      expect((await postTo(made.url, star, { headers })).text).toBe('ok')
      expect(await textsOf()).toHaveLength(count + 1)
    }
    // A sender's own key with another request under it is a mistake.
    const headers = { 'Idempotency-Key': 'mine' }
    expect((await say(made.url, 'One', { headers })).text).toBe('ok')
    expect(await say(made.url, 'Two', { headers })).toMatchObject({
      status: 400,
      body: 'Idempotency-Key was already used with another request',
    })
    // An id used at another address is another delivery.
    const other = await make()
    expect((await postTo(other.url, star, push(id))).text).toBe('ok')
    expect((await callsOf(other))[0]?.reason).toBeUndefined()
  })

  it('by the address of before works until its time is over', async () => {
    const made = await make()
    const path = `${pathOf()}/${made.incomingWebhook.id}/address`
    const rotate = async (overlapHours?: number): Promise<Made> =>
      Object((await ada.post(path, overlapHours === undefined ? {} : { overlapHours })).body)
    const second = await rotate(24)
    expect(second.incomingWebhook.formerUntil).toBeGreaterThan(Date.now() + 23 * HOUR)
    expect((await say(made.url, 'By the old one')).text).toBe('ok')
    expect((await say(second.url, 'By the new one')).text).toBe('ok')
    expect((await callsOf(made)).map(({ isFormer }) => isFormer)).toEqual([false, true])
    server.clock.ahead = 25 * HOUR
    expect(await say(made.url)).toMatchObject(NOT_FOUND)
    expect((await say(second.url)).text).toBe('ok')
    server.clock.ahead = 0

    const third = await rotate(1)
    expect(await say(made.url), 'one before that has ended').toMatchObject(NOT_FOUND)
    expect((await say(second.url)).text).toBe('ok')
    expect((await ada.delete(`${path}/former`)).status).toBe(204)
    expect(await say(second.url)).toMatchObject(NOT_FOUND)
    expect((await say(third.url)).text).toBe('ok')

    const last = await rotate()
    expect(await say(third.url)).toMatchObject(NOT_FOUND)
    expect((await say(last.url)).text).toBe('ok')
  })

  it('is written down without what it brought, for as long as it is among the last', async () => {
    const made = await make()
    await postTo(made.url, '{"text":', {})
    const [wrong] = await callsOf(made)
    expect(wrong).toMatchObject({ status: 400, reason: 'unreadable', detail: 'malformed JSON' })
    for (let count = 0; count < 55; count += 1) await say(made.url, `number ${count}`)
    const calls = await callsOf(made)
    expect(calls).toHaveLength(50)
    expect(JSON.stringify(calls)).not.toContain('number')
    const [row] = await server.parley.db.query<{ count: number }>(sql`
      select count(*) from incoming_calls where webhook_id = ${made.incomingWebhook.id}`)
    expect(row?.count).toBe(50)
  })
})

describe('limits and logs', () => {
  it('has a rate of its own, and counts as its organization’s', async () => {
    const node = await server.secondNode({ incomingRateLimitPerMinute: 3 })
    const made = await make()
    const other = await make()
    const here = (url: string) => url.replace(server.url, node.url)
    const statuses = []
    for (let count = 0; count < 6; count += 1) statuses.push((await say(here(made.url))).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
    const refused = await say(here(made.url))
    expect(refused).toMatchObject({ status: 429, body: 'rate limit exceeded' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await say(here(other.url))).status, 'another address').toBe(200)
    const calls = await callsOf(made)
    expect(calls.filter(({ reason }) => reason === 'rate')).toHaveLength(1)

    const crowd = await server.secondNode({ incomingRateLimitPerMinute: 0, rateLimitPerMinute: 2 })
    const there = other.url.replace(server.url, crowd.url)
    const all = [await say(there), await say(there), await say(there)].map(({ status }) => status)
    expect(all).toEqual([200, 200, 429])
  })

  it('shows no address and no secret in any log', async () => {
    const made = await make({ secret: SECRET })
    await say(made.url)
    await postTo(made.url, '{', { headers: { Authorization: `Bearer ${SECRET}` } })
    await fetch(made.url)
    await fetch(`${made.url}/more`, { method: 'POST', body: 'x' })
    // A failure to record is logged with its reason.
    await server.parley.db.query(sql`alter table incoming_calls rename to incoming_calls_away`)
    const failing = await say(made.url, 'Hi', { headers: { Authorization: `Bearer ${SECRET}` } })
    await server.parley.db.query(sql`alter table incoming_calls_away rename to incoming_calls`)
    expect(failing.text, 'the message stands').toBe('ok')
    await server.parley.db.query(sql`alter table incoming_tokens rename to incoming_tokens_away`)
    expect((await say(made.url)).status).toBe(500)
    await server.parley.db.query(sql`alter table incoming_tokens_away rename to incoming_tokens`)
    const logged = server.logLines.join('\n')
    expect(logged).toContain('/in/:incomingToken')
    expect(logged).toContain('could not be written down')
    expect(logged).not.toContain(tokenOf(made))
    expect(logged).not.toContain(SECRET)
  })
})
