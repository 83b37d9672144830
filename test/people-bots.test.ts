import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { ConsoleBot, Credentials, ListedBot } from '../contract/people/bots.ts'
import { ALL_SCOPES } from '../contract/scopes.ts'
import { NO_TOPIC } from '../server/actions/organization/audit.ts'
import { sql } from '../server/db/sql.ts'
import { oauthBot, organization, type StaticTestBot, staticBot, tokenFor } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { ON_LOOPBACK } from './support/receiver.ts'

let server: TestParley
let orgId: string
let admin: TestPerson

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin' })
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const at = (path = '') => `/people/organizations/${orgId}/bots${path && `/${path}`}`
const URL = 'http://127.0.0.1:9/events'

async function newBot(body: object = {}): Promise<Credentials> {
  const wanted = { name: 'Deploy bot', credential: 'static', delivery: 'polling', ...body }
  const answer = await admin.post(at(), wanted)
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body)
}

const me = ({ apiKey = '', apiSecret = '' }: Pick<Credentials, 'apiKey' | 'apiSecret'>) =>
  call(server.url, { apiKey, apiSecret }, 'GET', '/v2/members/me')

describe('the owner of a bot', () => {
  it('is who created it, until an admin chooses another active person', async () => {
    const { bot } = await newBot({ name: 'Owned bot' })
    expect(bot).toMatchObject({ ownerId: admin.profileId, ownerName: expect.any(String) })
    const ben = await signInAs(server, { orgId, name: 'Ben Ito' })
    const answer = await admin.patch(at(bot.id), { ownerId: ben.profileId.toUpperCase() })
    expect(answer.body).toMatchObject({ ownerId: ben.profileId, ownerName: 'Ben Ito' })
    const card = await ben.get(`/people/organizations/${orgId}/chat/members/${bot.id}`)
    expect(card.body).toMatchObject({ bot: { ownerId: ben.profileId } })
    const audit = `/people/organizations/${orgId}/audit?targetId=${bot.id}&limit=1`
    expect((await admin.get(audit)).body).toMatchObject({
      entries: [{ action: 'bot.changed', changes: [{ field: 'owner', to: 'Ben Ito' }] }],
    })
    const before = (await admin.get(audit)).text
    await admin.patch(at(bot.id), { ownerId: ben.profileId })
    const stranger = await signInAs(server, { orgId: await organization(server), name: 'Stranger' })
    const gone = await signInAs(server, { orgId, name: 'Gone' })
    await admin.patch(`/people/organizations/${orgId}/members/${gone.profileId}`, { status: 'Archived' })
    for (const ownerId of [bot.id, stranger.profileId, gone.profileId])
      expect(refusal(await admin.patch(at(bot.id), { ownerId, name: 'Other' }))).toEqual({
        status: 400,
        body: 'Invalid ownerId',
      })
    expect((await admin.get(audit)).text).toBe(before)
    expect((await admin.get(at(bot.id))).body).toMatchObject({ name: 'Owned bot', ownerName: 'Ben Ito' })
  })
})

describe('a new bot', () => {
  it('with a static key can call at once', async () => {
    const { bot, ...credentials } = await newBot({ permission: 'read', pollVoteEvents: true })
    expect(bot).toMatchObject({
      name: 'Deploy bot',
      credential: 'static',
      permission: 'read',
      keyHint: credentials.apiKey?.slice(0, 4),
      active: true,
      delivery: 'polling',
      pollVoteEvents: true,
      webhook: { url: null, gzip: true, rate: 50 },
    })
    expect(bot.scopes).toBeUndefined()
    expect((await me(credentials)).body).toMatchObject({ id: bot.id })
  })

  it('with OAuth gets tokens for its scopes', async () => {
    const {
      bot,
      clientId = '',
      clientSecret = '',
    } = await newBot({
      credential: 'oauth',
      scopes: ['member:read'],
      delivery: 'webhook',
      webhookUrl: URL,
    })
    expect(bot).toMatchObject({
      credential: 'oauth',
      keyHint: '',
      scopes: ['member:read'],
      webhook: { url: URL },
    })
    expect(bot.permission).toBeUndefined()
    const token = await tokenFor(server.url, clientId, clientSecret)
    expect((await call(server.url, { token }, 'GET', '/v2/members/me')).status).toBe(200)
    expect((await newBot({ credential: 'oauth' })).bot.scopes).toEqual(ALL_SCOPES)
  })

  it.each([
    [{ delivery: 'webhook' }, 'webhookUrl is required'],
    [
      { delivery: 'webhook', webhookUrl: 'ftp://example.com' },
      'the webhook address must be an http or https address, such as https://example.com/events',
    ],
    [
      { delivery: 'webhook', webhookUrl: 'http://169.254.169.254/' },
      'the webhook address leads to 169.254.169.254, which is not on the public internet; the operator can open its network to an organization with WEBHOOK_ALLOWED_NETWORKS',
    ],
    [{ scopes: ['member:read'] }, 'scopes are for OAuth'],
    [{ credential: 'oauth', permission: 'read' }, 'permission is for static keys'],
    [{ name: '' }, 'name is required'],
  ])('%j is refused', async (body, text) => {
    const wanted = { name: 'X', credential: 'static', delivery: 'polling', ...body }
    expect(refusal(await admin.post(at(), wanted))).toEqual({ status: 400, body: text })
  })
})

describe('the list of bots', () => {
  it('has the oldest first, page by page', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      server.clock.ahead += 1 // those of one millisecond are in the order of their ids
      ids.push((await newBot()).bot.id)
    }
    const seen: string[] = []
    for (let query = '?limit=2'; ; ) {
      const { bots, nextCursor, hasMore }: { bots: ConsoleBot[]; nextCursor?: string; hasMore: boolean } =
        Object((await admin.get(`${at()}${query}`)).body)
      expect(bots.length).toBeLessThanOrEqual(2)
      seen.push(...bots.map(({ id }) => id))
      expect(hasMore).toBe(nextCursor !== undefined)
      if (!hasMore) break
      query = `?limit=2&cursor=${nextCursor}`
    }
    expect(seen.slice(-3)).toEqual(ids)
    expect(new Set(seen).size).toBe(seen.length)
    expect(refusal(await admin.get(`${at()}?cursor=abc`))).toEqual({ status: 400, body: 'invalid cursor' })
  })

  it('says the same as the bot alone', async () => {
    const { bot } = await newBot()
    expect((await admin.get(at(bot.id))).body).toEqual(bot)
    expect(refusal(await admin.get(at(admin.profileId)))).toEqual({ status: 404, body: 'Bot not found' })
  })
})

describe('a change of a bot', () => {
  const change = (id: string, body: object) => admin.patch(at(id), body)

  it('counts at once', async () => {
    const { bot, ...credentials } = await newBot()
    expect((await me(credentials)).status).toBe(200)
    const wanted = { name: 'Release bot', permission: 'read', webhookRate: 20, webhookGzip: false }
    expect((await change(bot.id, wanted)).body).toMatchObject({
      name: 'Release bot',
      permission: 'read',
      webhook: { rate: 20, gzip: false },
    })
    expect((await me(credentials)).body).toMatchObject({ name: 'Release bot' })
    const { apiKey = '', apiSecret = '' } = credentials
    const body = { name: 'Topic', members: [] }
    const write = async () =>
      (await call(server.url, { apiKey, apiSecret }, 'POST', '/v2/topics', { body })).status
    await eventually(write).toBe(403)
  })

  it('switches it off and on; tokens of before stay revoked', async () => {
    const bot = await oauthBot(server, orgId)
    const status = async () => (await bot.get('/v2/members/me')).status
    const token = () => tokenFor(server.url, bot.clientId, bot.clientSecret).catch(() => undefined)
    expect(await status()).toBe(200)
    expect((await change(bot.id, { active: false })).body).toMatchObject({ active: false })
    await eventually(status).toBe(401)
    expect(await token()).toBeUndefined()
    expect((await change(bot.id, { active: true })).body).toMatchObject({ active: true })
    await eventually(token).toBeDefined()
    expect(await status()).toBe(401)
  })

  it('of the delivery mode needs an address', async () => {
    const { bot } = await newBot()
    expect(refusal(await change(bot.id, { delivery: 'webhook' }))).toEqual({
      status: 400,
      body: 'webhookUrl is required',
    })
    expect((await change(bot.id, { webhookUrl: URL })).body).toMatchObject({ delivery: 'polling' })
    expect((await change(bot.id, { delivery: 'webhook' })).body).toMatchObject({
      delivery: 'webhook',
      webhook: { url: URL },
    })
  })

  it('is refused for what the bot does not have', async () => {
    const { bot } = await newBot()
    const other = await newBot({ credential: 'oauth' })
    expect(refusal(await change(bot.id, { scopes: [] }))).toEqual({
      status: 400,
      body: 'scopes are for OAuth',
    })
    expect(refusal(await change(other.bot.id, { permission: 'read' }))).toEqual({
      status: 400,
      body: 'permission is for static keys',
    })
    expect((await change(bot.id, { webhookUrl: 'not an address' })).status).toBe(400)
    expect((await change(bot.id, { webhookRate: 0 })).status).toBe(400)
    expect(refusal(await change(admin.profileId, { name: 'X' }))).toEqual({
      status: 404,
      body: 'Bot not found',
    })
  })
})

describe('a new secret', () => {
  it('takes the place of the old one, for both kinds', async () => {
    const { bot, apiKey = '', apiSecret } = await newBot()
    const { apiSecret: next, ...rest }: Credentials = Object((await admin.post(at(`${bot.id}/secret`))).body)
    expect(next).not.toBe(apiSecret)
    expect(rest.apiKey).toBeUndefined()
    const statusWith = async (secret = '') => (await me({ apiKey, apiSecret: secret })).status
    await eventually(() => statusWith(apiSecret)).toBe(401)
    expect(await statusWith(next)).toBe(200)

    const oauth = await newBot({ credential: 'oauth' })
    const { clientId = '', clientSecret = '' }: Credentials = Object(
      (await admin.post(at(`${oauth.bot.id}/secret`))).body,
    )
    expect(clientId).toBe(oauth.clientId)
    const token = () => tokenFor(server.url, clientId, clientSecret).catch(() => undefined)
    await eventually(token).toBeDefined()
    await expect(tokenFor(server.url, clientId, oauth.clientSecret ?? '')).rejects.toThrow('invalid_grant')
  })
})

describe('the signature checker', () => {
  let bot: StaticTestBot
  let timestamp: string
  beforeAll(async () => {
    bot = await staticBot(server, orgId)
    timestamp = String(server.parley.clock())
  })

  const check = (body: object, id = bot.id) =>
    admin.post(at(`${id}/signature-check`), { kind: 'request', timestamp, ...body })
  const signed = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', bot.credentials.apiSecret).update(text).digest(encoding)

  it('agrees with what the API accepts', async () => {
    const target = '/v2/members/me?x=1'
    const { body } = await check({ method: 'GET', target })
    const { signed: text, signedHex, matches } = Object(body)
    expect(text).toBe(`${timestamp}.${target}`)
    expect(Buffer.from(signedHex, 'hex').toString()).toBe(text)
    expect(matches).toBeUndefined()
    const signature = signed(text)
    expect((await check({ method: 'GET', target, signature })).body).toMatchObject({
      matches: true,
      expected: signature,
    })
    expect((await bot.get(target, { timestamp, signature })).status).toBe(200)

    const raw = '{"name":"Topic","members":[]}'
    const { signed: textOfPost } = Object((await check({ method: 'POST', body: raw })).body)
    const options = { timestamp, signature: signed(textOfPost) }
    expect((await bot.post('/v2/topics', raw, options)).status).toBe(201)
    expect((await check({ method: 'POST', body: raw, ...options })).body).toMatchObject({ matches: true })
  })

  it('shows the expected signature if it can no longer be used', async () => {
    const old = String(server.parley.clock() - LIMITS.signatureAgeMs - 1000)
    const expectedOf = async (given: object) =>
      Object((await check({ method: 'POST', body: '{}', ...given })).body).expected
    const later = String(server.parley.clock() + 3_600_000)
    for (const kind of ['request', 'webhook']) {
      expect(await expectedOf({ kind, timestamp: old })).toBe(signed(`${old}.{}`))
      expect(await expectedOf({ kind, timestamp: old, signature: 'a'.repeat(64) })).toBe(signed(`${old}.{}`))
      for (const usable of [timestamp, later]) {
        expect(await expectedOf({ kind, timestamp: usable })).toBeUndefined()
        expect(await expectedOf({ kind, timestamp: usable, signature: 'a'.repeat(64) })).toBeUndefined()
      }
      // A time that hides in the text: in a number with a dot, and in a delivery by the standard.
      expect(await expectedOf({ kind, timestamp: `${timestamp}.{"a":1`, body: '5}' })).toBeUndefined()
      expect(await expectedOf({ kind, timestamp: old, body: `${timestamp.slice(0, 10)}.{}` })).toBeUndefined()
    }
  })

  const target = '/v2/members/me'
  it.each([
    ['uppercase', () => ({ signature: signed(`${timestamp}.${target}`).toUpperCase() })],
    ['base64', () => ({ signature: signed(`${timestamp}.${target}`, 'base64') })],
    ['body_without_timestamp', () => ({ signature: signed(target) })],
    ['whole_url', () => ({ signature: signed(`${timestamp}.${server.url}${target}`) })],
    [
      'whole_url',
      () => ({
        target: `https://elsewhere.example${target}`,
        signature: signed(`${timestamp}.https://elsewhere.example${target}`),
      }),
    ],
    ['trailing_newline', () => ({ signature: signed(`${timestamp}.${target}\n`) })],
    ['wrong_secret', () => ({ signature: 'a'.repeat(64) })],
    ['wrong_secret', () => ({ timestamp: '1700000000000', signature: 'a'.repeat(64) })],
    ['timestamp_not_milliseconds', () => ({ timestamp: '1700000000', signature: 'a'.repeat(64) })],
    ['timestamp_not_milliseconds', () => ({ timestamp: '2026-01-01' })],
    ['timestamp_too_old', () => ({ timestamp: '1700000000000' })],
    [
      'timestamp_too_old',
      () => ({ timestamp: '1700000000000', signature: signed(`1700000000000.${target}`) }),
    ],
    [undefined, () => ({ signature: signed(`${timestamp}.${target}`) })],
  ])('finds %s', async (hint, given) => {
    const { body } = await check({ method: 'GET', target, ...given() })
    expect(Object(body).hint).toBe(hint)
  })

  const change = (id: string, body: object) => admin.patch(at(id), body)
  const V2 = { version: 2, nonce: 'abcdefghijklmnop', method: 'POST', target: '/v2/messages', body: '{}' }
  const second = (changes: { target?: string; body?: string; hash?: string; end?: string } = {}) => {
    const { target = V2.target, body = V2.body, end = '' } = changes
    const hash = changes.hash ?? createHash('sha256').update(body).digest('hex')
    return signed(['v2', V2.method, target, timestamp, V2.nonce, hash].join('\n') + end)
  }
  it.each([
    [undefined, () => ({ signature: second() })],
    ['version_1', () => ({ signature: signed(`${timestamp}.{}`) })],
    ['version_2', () => ({ version: 1, signature: second() })],
    ['body_not_hashed', () => ({ signature: second({ hash: '{}' }) })],
    ['whole_url', () => ({ signature: second({ target: `${server.url}${V2.target}` }) })],
    ['trailing_newline', () => ({ signature: second({ end: '\n' }) })],
    ['trailing_newline', () => ({ signature: second({ body: '{}\n' }) })],
    ['uppercase', () => ({ signature: second().toUpperCase() })],
    ['nonce_malformed', () => ({ nonce: 'short' })],
    ['wrong_secret', () => ({ signature: 'a'.repeat(64) })],
    ['wrong_secret', () => ({ target: '/v2/tasks', signature: second() })],
  ])('finds %s in version 2', async (hint, given) => {
    const { body } = await check({ ...V2, ...given() })
    expect(Object(body).hint).toBe(hint)
  })

  it('shows a signature of version 2 only if it can no longer be used, line breaks or not', async () => {
    const old = String(server.parley.clock() - LIMITS.signatureAgeMs - 1000)
    const expectedOf = async (given: object) => Object((await check({ ...V2, ...given })).body).expected
    expect(await expectedOf({})).toBeUndefined()
    expect(await expectedOf({ signature: second() })).toBe(second())
    expect(await expectedOf({ timestamp: old })).toMatch(/^[0-9a-f]{64}$/)
    // A timestamp hidden in the path makes lines that no request has.
    const hidden = `${V2.target}\n${timestamp}\n${V2.nonce}\n${'0'.repeat(64)}`
    const { signed: text } = Object((await check({ ...V2, target: hidden, timestamp: old })).body)
    expect(text.split('\n').length).toBeGreaterThan(6)
  })

  it('says so when the bot accepts version 2 only, which is a setting of bots with a static key', async () => {
    const careful = await staticBot(server, orgId)
    expect((await change(careful.id, { signatureVersion: 2 })).body).toMatchObject({ signatureVersion: 2 })
    const signature = createHmac('sha256', careful.credentials.apiSecret)
      .update(`${timestamp}.{}`)
      .digest('hex')
    const { body } = await check({ method: 'POST', body: '{}', signature }, careful.id)
    expect(body).toMatchObject({ matches: true, hint: 'version_too_low' })

    const { bot: oauth } = await newBot({ credential: 'oauth' })
    expect(oauth.signatureVersion).toBeUndefined()
    expect(refusal(await change(oauth.id, { signatureVersion: 2 }))).toEqual({
      status: 400,
      body: 'signatureVersion is for static keys',
    })
    expect(refusal(await change(careful.id, { signatureVersion: 3 }))).toMatchObject({ status: 400 })
  })

  it('checks deliveries too, of bots with OAuth as well, whatever their age', async () => {
    const { bot: oauth, clientSecret = '' } = await newBot({ credential: 'oauth' })
    const raw = '{"id":"evt_1"}\n'
    const at = '1700000000000'
    const signature = createHmac('sha256', clientSecret).update(`${at}.${raw}`).digest('hex')
    const given = { kind: 'webhook', timestamp: at, body: raw, signature }
    const { matches, hint } = Object((await check(given, oauth.id)).body)
    expect({ matches, hint }).toEqual({ matches: true, hint: undefined })
    expect(Object((await check({ ...given, body: raw.trim() }, oauth.id)).body).hint).toBe('trailing_newline')
    expect(refusal(await check({ method: 'GET', target: '/' }, oauth.id))).toEqual({
      status: 400,
      body: 'an OAuth bot signs no requests',
    })
  })
})

describe('a long list of bots', () => {
  type Listed = {
    bots: ListedBot[]
    nextCursor?: string
    previousCursor?: string
    total: number
    from: number
  }
  const list = async (who: TestPerson, org: string, query: string): Promise<Listed> => {
    const answer = await who.get(`/people/organizations/${org}/bots${query}`)
    expect(answer.status, answer.text).toBe(200)
    return Object(answer.body)
  }

  it('is searched, filtered, sorted and turned by the server', async () => {
    const org = await organization(server, 'Many bots')
    const owner = await signInAs(server, { orgId: org, role: 'owner', name: 'Olga', email: 'olga@bots.test' })
    const { body } = await owner.post(`/people/organizations/${org}/bots`, {
      name: 'Zebra',
      description: 'Tells of releases',
      credential: 'static',
      delivery: 'webhook',
      webhookUrl: 'https://example.com/events',
    })
    const { bot, apiKey = '', apiSecret = '' }: Credentials = Object(body)
    await server.parley.db.query(sql`
      with made as (
        insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
        select ${org}, 'b@' || gen_random_uuid(), 'bot', 'Bot ' || lpad(n::text, 4, '0'), 'Active', n, n
        from generate_series(1, 1000) as n returning id, created_at
      )
      insert into bots (org_id, id, credential, permission, scopes, secret, key_hint, delivery, created_at, updated_at, active)
      select ${org}, id, 'static', 'read', '{}', '', '', 'polling', created_at, 0, created_at <> 7 from made`)
    await server.parley.db.query(sql`
      update bots set failing_since = 5 where org_id = ${org} and id = ${bot.id}`)
    const first = await list(owner, org, '?sort=attention&limit=2')
    expect(first).toMatchObject({ total: 1001, from: 0 })
    expect(first.bots[0]).toMatchObject({ name: 'Zebra', ownerName: 'Olga', topics: 0 })
    expect(first.bots[0]?.activity).toHaveLength(24)
    expect(first.bots[1]?.activity).toEqual([])
    const last = await list(owner, org, '?sort=attention&order=desc&limit=1')
    expect(last.bots[0]?.name, 'what is switched off needs nothing').toBe('Bot 0007')
    const next = await list(owner, org, `?limit=2&cursor=${first.nextCursor}`)
    expect(next.from).toBe(2)
    const back = await list(owner, org, `?limit=2&cursor=${next.previousCursor}`)
    expect(back.bots.map(({ id }) => id)).toEqual(first.bots.map(({ id }) => id))
    expect((await list(owner, org, '?search=RELEASES')).bots.map(({ name }) => name)).toEqual(['Zebra'])
    expect((await list(owner, org, '?search=bot%20001&sort=name&order=desc')).bots[0]?.name).toBe('Bot 0019')
    expect((await list(owner, org, '?state=failing')).total).toBe(1)
    expect((await list(owner, org, '?state=off')).total).toBe(1)
    expect(bot.description).toBe('Tells of releases')
    await me({ apiKey, apiSecret })
    await eventually(
      async () => (await list(owner, org, '?sort=lastSeen&order=desc&limit=1')).bots[0]?.name,
    ).toBe('Zebra')
    expect((await owner.get(`/people/organizations/${org}/bots?sort=secret`)).status).toBe(400)
  })

  it('shows the attempts of the last day by the hour', async () => {
    const { bot } = await newBot({ delivery: 'webhook', webhookUrl: URL })
    const now = server.parley.clock()
    const seq = await server.parley.db.write(orgId, async (tx) => {
      const number = tx.nextSeq()
      await tx.query(sql`
        insert into events (org_id, seq, id, type, topic_id, data, created_at)
        values (${orgId}, ${number}, ${tx.moment().id}, 'topic.updated', ${NO_TOPIC}, '{}', ${now})`)
      return number
    })
    await server.parley.db.query(sql`
      insert into delivery_attempts (org_id, bot_id, seq, number, at, outcome, duration_ms)
      select ${orgId}, ${bot.id}, ${seq}, n, ${now}, case when n = 3 then 'ok' else 'timeout' end, 1
      from generate_series(1, 3) as n`)
    const { bots } = await list(admin, orgId, `?search=&limit=100&sort=createdAt&order=desc`)
    const { activity = [] } = bots.find(({ id }) => id === bot.id) ?? {}
    expect(activity.at(-1)).toEqual({ delivered: 1, failed: 2 })
    expect(activity.slice(0, -1)).toEqual(Array.from({ length: 23 }, () => ({ delivered: 0, failed: 0 })))
  })
})
