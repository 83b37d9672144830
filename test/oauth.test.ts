import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import type { Operation } from '../contract/operation.ts'
import { ALL_SCOPES, type Scope } from '../contract/scopes.ts'
import {
  activateBot,
  deactivateBot,
  revokeTokens,
  rotateSecret,
  setBot,
} from '../server/actions/bots/bots.ts'
import { newUuid } from '../server/ids.ts'
import { type OAuthTestBot, oauthBot, organization, staticBot, tokenFor } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

let server: TestParley
let orgId: string
let calendar: OAuthTestBot

beforeAll(async () => {
  server = await startTestParley({ trustProxy: ['127.0.0.1'] })
  orgId = await organization(server)
  calendar = await oauthBot(server, orgId, 'Calendar bot')
})
afterAll(() => server.close())

type Form = Record<string, string> | string

function ask(form: Form, headers: Record<string, string> = {}): Promise<Answer> {
  return send(server.url, {
    method: 'POST',
    target: '/oauth/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })
}

const formOf = (bot: { clientId: string; clientSecret: string }) => ({
  grant_type: 'client_credentials',
  client_id: bot.clientId,
  client_secret: bot.clientSecret,
})

const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

const from = (address: string) => ({ 'X-Forwarded-For': address })

function expectError({ status, body }: Answer, expected: number, error: string): void {
  expect({ status, body }).toEqual({
    status: expected,
    body: { error, error_description: expect.stringMatching(/./) },
  })
}

const status = async (token: string, path = '/v2/members/me') =>
  (await call(server.url, { token }, 'GET', path)).status

function expectInvalidToken({ status, body, headers }: Answer): void {
  expect({ status, body }).toEqual({ status: 401, body: 'unauthorized' })
  expect(headers.get('www-authenticate')).toMatch(
    /^Bearer realm="service", error="invalid_token", error_description="[^"]+"$/,
  )
}

function expectInsufficientScope({ status, body, headers }: Answer, scope: string): void {
  expect({ status, body, challenge: headers.get('www-authenticate') }).toEqual({
    status: 403,
    body: 'forbidden',
    challenge: `Bearer realm="service", error="insufficient_scope", scope="${scope}"`,
  })
}

describe('the token endpoint', () => {
  it('gives a token for an id and a secret in the form', async () => {
    const { status, body, headers } = await ask(formOf(calendar))
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: ALL_SCOPES.join(' '),
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('gives a token for HTTP Basic, plain and form-encoded', async () => {
    const form = { grant_type: 'client_credentials' }
    const { clientId, clientSecret } = calendar
    expect(clientId).toContain('@')
    const [plain, encoded] = [clientId, encodeURIComponent(clientId)]
    expect((await ask(form, basic(plain, clientSecret))).status).toBe(200)
    expect((await ask(form, basic(encoded, clientSecret))).status).toBe(200)
    expect((await ask({ ...form, client_id: clientId }, basic(plain, clientSecret))).status).toBe(200)
    const lower = { Authorization: basic(plain, clientSecret).Authorization.replace('Basic', 'basic') }
    expect((await ask(form, lower)).status).toBe(200)
  })

  it('refuses HTTP Basic that is wrong, with a challenge', async () => {
    const form = { grant_type: 'client_credentials' }
    const { clientId, clientSecret } = calendar
    const wrong = [
      basic(clientId, `${clientSecret}x`),
      basic(clientId, ''),
      basic('', clientSecret),
      { Authorization: `Basic ${Buffer.from(clientId).toString('base64')}` },
      { Authorization: 'Basic ***' },
      { Authorization: 'Basic' },
      { Authorization: `Bearer ${clientSecret}` },
    ]
    for (const headers of wrong) {
      const answer = await ask(form, headers)
      expectError(answer, 401, 'invalid_client')
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="service"')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('refuses credentials in both places at once', async () => {
    const { clientId, clientSecret } = calendar
    expectError(await ask(formOf(calendar), basic(clientId, clientSecret)), 400, 'invalid_request')
    const foreign = { grant_type: 'client_credentials', client_id: newUuid() }
    expectError(await ask(foreign, basic(clientId, clientSecret)), 400, 'invalid_request')
  })

  it('refuses a client that is unknown, or a secret that never was its own', async () => {
    const { client_id, client_secret, grant_type } = formOf(calendar)
    const wrong: Form[] = [
      { grant_type, client_id: `b@${newUuid()}`, client_secret },
      { grant_type, client_id: 'nobody', client_secret },
      { grant_type, client_id: client_id.toUpperCase(), client_secret },
      { grant_type, client_id: `${client_id}\0`, client_secret },
      { grant_type, client_id, client_secret: `${client_secret}x` },
      { grant_type, client_id, client_secret: client_secret.toLowerCase() },
      { grant_type, client_id, client_secret: '' },
      { grant_type, client_id: '', client_secret },
      { grant_type, client_id },
      { grant_type, client_secret },
      { grant_type },
    ]
    for (const form of wrong) {
      const answer = await ask(form)
      expectError(answer, 401, 'invalid_client')
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('refuses a bot that has a static key', async () => {
    const deploy = await staticBot(server, orgId, 'Deploy bot')
    const { apiKey, apiSecret } = deploy.credentials
    expectError(await ask(formOf({ clientId: deploy.id, clientSecret: apiSecret })), 401, 'invalid_client')
    expectError(await ask(formOf({ clientId: apiKey, clientSecret: apiSecret })), 401, 'invalid_client')
  })

  it('knows one grant type', async () => {
    const { grant_type, ...rest } = formOf(calendar)
    expectError(await ask(rest), 400, 'invalid_request')
    expectError(await ask({ ...rest, grant_type: '' }), 400, 'invalid_request')
    expectError(await ask(''), 400, 'invalid_request')
    for (const other of ['password', 'refresh_token', 'authorization_code', grant_type.toUpperCase()]) {
      expectError(await ask({ ...rest, grant_type: other }), 400, 'unsupported_grant_type')
    }
  })

  it('reads forms only', async () => {
    const form = new URLSearchParams(formOf(calendar)).toString()
    const askAs = (headers: Record<string, string>, body: string | Buffer) =>
      send(server.url, { method: 'POST', target: '/oauth/token', headers, body })

    expect(
      (await askAs({ 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' }, form)).status,
    ).toBe(200)
    expect((await askAs({ 'Content-Type': 'Application/X-WWW-Form-Urlencoded' }, form)).status).toBe(200)
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
    ]) {
      expectError(await askAs({ 'Content-Type': type }, form), 400, 'invalid_request')
    }
    expectError(await askAs({}, form), 400, 'invalid_request')
    expectError(
      await askAs({ 'Content-Type': 'application/json' }, JSON.stringify(formOf(calendar))),
      400,
      'invalid_request',
    )
    const huge = Buffer.alloc(2_000_000, 'a')
    expectError(
      await askAs({ 'Content-Type': 'application/x-www-form-urlencoded' }, huge),
      400,
      'invalid_request',
    )
  })

  it('refuses a repeated parameter, and ignores one it does not know', async () => {
    const form = new URLSearchParams(formOf(calendar)).toString()
    for (const name of ['grant_type', 'client_id', 'client_secret']) {
      const value = new URLSearchParams(form).get(name) ?? ''
      expectError(await ask(`${form}&${new URLSearchParams({ [name]: value })}`), 400, 'invalid_request')
    }
    expectError(await ask(`${form}&scope=member:read&scope=member:read`), 400, 'invalid_request')
    expect((await ask(`${form}&audience=x&audience=y`)).status).toBe(200)
  })

  it('is only there for POST', async () => {
    const { status, body } = await send(server.url, { method: 'GET', target: '/oauth/token' })
    expect([status, body]).toEqual([404, 'not found'])
  })

  it('gives tokens as long a life as the operator sets', async () => {
    const node = await server.secondNode({ accessTokenSeconds: 60 })
    const { body } = await send(node.url, {
      method: 'POST',
      target: '/oauth/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(formOf(calendar)).toString(),
    })
    expect(body).toMatchObject({ expires_in: 60 })
  })
})

describe('scopes of a token', () => {
  it('are all of the bot when none is asked for', async () => {
    const modest = await oauthBot(server, orgId, 'Modest bot', ['member:read', 'channel:list'])
    expect((await ask(formOf(modest))).body).toMatchObject({ scope: 'member:read channel:list' })
    expect((await ask({ ...formOf(modest), scope: '' })).body).toMatchObject({
      scope: 'member:read channel:list',
    })
  })

  it('are the ones asked for, when the bot has them', async () => {
    const { body } = await ask({ ...formOf(calendar), scope: 'channel:list  message:send channel:list' })
    expect(body).toMatchObject({ scope: 'channel:list message:send' })
    const token = await tokenFor(server.url, calendar.clientId, calendar.clientSecret, 'channel:list')
    expectInsufficientScope(await call(server.url, { token }, 'GET', '/v2/members/me'), 'member:read')
    expect(await status(token, '/v2/topics')).toBe(200)
  })

  it('are refused when the bot does not have them, or they do not exist', async () => {
    const modest = await oauthBot(server, orgId, 'Humble bot', ['member:read'])
    for (const scope of ['member:write', 'member:read member:write', 'everything', 'MEMBER:READ', '*']) {
      expectError(await ask({ ...formOf(modest), scope }), 400, 'invalid_grant')
    }
    expect((await ask({ ...formOf(modest), scope: 'member:read' })).status).toBe(200)
  })

  it('shrink when a scope is taken from the bot', async () => {
    const bot = await oauthBot(server, orgId, 'Shrinking bot', ['member:read', 'channel:list'])
    expect(await status(bot.credentials.token)).toBe(200)
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { scopes: ['channel:list'] }))
    await eventually(() => status(bot.credentials.token)).toBe(403)
    expectInsufficientScope(await bot.get('/v2/members/me'), 'member:read')
    expect(await status(bot.credentials.token, '/v2/topics')).toBe(200)
    expectError(await ask({ ...formOf(bot), scope: 'member:read' }), 400, 'invalid_grant')
  })

  it('do not grow when the bot is given more', async () => {
    const bot = await oauthBot(server, orgId, 'Growing bot', ['channel:list'])
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { scopes: ALL_SCOPES }))
    await eventually(async () => (await ask({ ...formOf(bot), scope: 'member:read' })).status).toBe(200)
    expect(await status(bot.credentials.token)).toBe(403)
  })
})

describe('a secret that was rotated', () => {
  it('gives no token any more, while tokens it gave stay valid until they expire', async () => {
    const bot = await oauthBot(server, orgId, 'Rotating bot')
    const clientSecret = await server.parley.db.write(orgId, (tx) =>
      rotateSecret(tx, server.parley.secrets, bot.id),
    )
    await eventually(async () => (await ask(formOf(bot))).status).toBe(400)
    expectError(await ask(formOf(bot)), 400, 'invalid_grant')
    expectError(
      await ask({ grant_type: 'client_credentials' }, basic(bot.clientId, bot.clientSecret)),
      400,
      'invalid_grant',
    )
    expect((await ask(formOf({ ...bot, clientSecret }))).status).toBe(200)
    expect(await status(bot.credentials.token)).toBe(200)
    server.clock.ahead = 3600 * SECOND
    expect(await status(bot.credentials.token)).toBe(401)
    server.clock.ahead = 0
  })

  it('is distinguished from one that never was', async () => {
    const [one, other] = [
      await oauthBot(server, orgId, 'Left bot'),
      await oauthBot(server, orgId, 'Right bot'),
    ]
    await server.parley.db.write(orgId, (tx) => rotateSecret(tx, server.parley.secrets, one.id))
    expectError(await ask(formOf({ ...other, clientSecret: one.clientSecret })), 401, 'invalid_client')
  })
})

describe('failed attempts', () => {
  const wrong = (bot: OAuthTestBot) => formOf({ ...bot, clientSecret: 'wrong' })

  it('are refused beyond 30 a minute, for that address and client only', async () => {
    const bot = await oauthBot(server, orgId, 'Besieged bot')
    for (let attempt = 1; attempt <= 30; attempt++) {
      expectError(await ask(wrong(bot), from('203.0.113.7')), 401, 'invalid_client')
    }
    for (const form of [wrong(bot), formOf(bot)]) {
      const answer = await ask(form, from('203.0.113.7'))
      expectError(answer, 429, 'invalid_request')
      const wait = Number(answer.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expect((await ask(formOf(bot), from('203.0.113.8'))).status).toBe(200)
    expect((await ask(formOf(calendar), from('203.0.113.7'))).status).toBe(200)
    expect(await status(bot.credentials.token)).toBe(200)

    server.clock.ahead = MINUTE
    expect((await ask(formOf(bot), from('203.0.113.7'))).status).toBe(200)
    server.clock.ahead = 0
  })

  it('count for all addresses of an IPv6 network together', async () => {
    const bot = await oauthBot(server, orgId, 'Many-headed bot')
    for (let attempt = 1; attempt <= 30; attempt++) {
      await ask(wrong(bot), from(`2001:db8:0:7::${attempt}`))
    }
    expectError(await ask(formOf(bot), from('2001:db8:0:7:ffff::')), 429, 'invalid_request')
    expect((await ask(formOf(bot), from('2001:db8:0:8::1'))).status).toBe(200)
  })

  it('count for the address that the proxy saw, not for one that the caller made up', async () => {
    const bot = await oauthBot(server, orgId, 'Hidden bot')
    for (let attempt = 1; attempt <= 30; attempt++) {
      await ask(wrong(bot), from(`198.51.100.${attempt}, 203.0.113.9`))
    }
    expectError(await ask(formOf(bot), from('203.0.113.9')), 429, 'invalid_request')
    expect((await ask(formOf(bot), from('203.0.113.9, 203.0.113.10'))).status).toBe(200)
  })

  it('count for the client, however its id is written', async () => {
    const bot = await oauthBot(server, orgId, 'Disguised bot')
    const form = { grant_type: 'client_credentials' }
    const encodeAt = (place: number) =>
      bot.clientId.slice(0, place) +
      `%${bot.clientId.charCodeAt(place).toString(16)}` +
      bot.clientId.slice(place + 1)
    for (let attempt = 0; attempt < 30; attempt++) {
      await ask(form, { ...basic(encodeAt(attempt), 'wrong'), ...from('203.0.113.11') })
    }
    expectError(await ask(formOf(bot), from('203.0.113.11')), 429, 'invalid_request')
  })

  it('do not count when they succeed', async () => {
    const bot = await oauthBot(server, orgId, 'Eager bot')
    for (let attempt = 0; attempt < 40; attempt++) {
      expect((await ask(formOf(bot), from('203.0.113.12'))).status).toBe(200)
    }
  })
})

describe('a token', () => {
  it('lets the bot in, whether or not a signature comes along', async () => {
    expect(await status(calendar.credentials.token)).toBe(200)
    const headers = { 'X-Signature': 'f'.repeat(64), 'X-Timestamp': '1' }
    expect((await calendar.get('/v2/members/me', { headers })).status).toBe(200)
  })

  it('expires after an hour', async () => {
    const token = await tokenFor(server.url, calendar.clientId, calendar.clientSecret)
    server.clock.ahead = 3598 * SECOND
    expect(await status(token)).toBe(200)
    server.clock.ahead = 3600 * SECOND
    expectInvalidToken(await call(server.url, { token }, 'GET', '/v2/members/me'))
    server.clock.ahead = 0
  })

  it('expires for a node that sees it for the first time, too', async () => {
    const node = await server.secondNode()
    node.clock.ahead = 3600 * SECOND
    const { token } = calendar.credentials
    expectInvalidToken(await call(node.url, { token }, 'GET', '/v2/members/me'))
    node.clock.ahead = 0
    expect((await call(node.url, { token }, 'GET', '/v2/members/me')).status).toBe(200)
  })

  it('is refused when any part of it was changed', async () => {
    const other = await oauthBot(server, orgId, 'Other bot')
    const [header = '', payload = '', signature = ''] = calendar.credentials.token.split('.')
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const withClaims = (changed: Record<string, unknown>) =>
      `${header}.${encode({ ...claims, ...changed })}.${signature}`
    const tampered = [
      withClaims({ sub: other.id }),
      withClaims({ exp: 9_999_999_999 }),
      withClaims({ gen: 2 }),
      withClaims({ scope: '' }),
      `${header}.${payload}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${other.credentials.token.split('.')[2]}`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.${signature}`,
    ]
    for (const token of tampered) {
      expectInvalidToken(await call(server.url, { token }, 'GET', '/v2/members/me'))
    }
    expect(await status(calendar.credentials.token)).toBe(200)
  })

  it('is refused when it was not signed, or with another key', async () => {
    const [, payload = ''] = calendar.credentials.token.split('.')
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const ours = server.parley.secrets.tokenKey
    const forge = (key: Uint8Array, alg = 'HS256', typ = 'at+jwt') =>
      new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(key)

    expect(await status(await forge(ours))).toBe(200)
    const { exp: _, ...withoutEnd } = claims
    const forged = [
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encode({ alg: 'None', typ: 'at+jwt' })}.${payload}.${'A'.repeat(43)}`,
      await forge(new Uint8Array(32).fill(1)),
      await forge(new TextEncoder().encode(calendar.clientSecret)),
      await forge(ours, 'HS512'),
      await forge(ours, 'HS384'),
      await forge(ours, 'HS256', 'JWT'),
      await new SignJWT(withoutEnd).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(ours),
    ]
    for (const token of forged) {
      expectInvalidToken(await call(server.url, { token }, 'GET', '/v2/members/me'))
    }
  })

  it('can be checked by others where it is signed with the key pair, and those before stay valid', async () => {
    const published = async (): Promise<JSONWebKeySet> =>
      Object(await (await fetch(`${server.url}/.well-known/jwks.json`)).json())
    const bot = await oauthBot(server, orgId, 'Checked bot')
    const { config, secrets } = server.parley
    config.accessTokenSignature = 'key-pair'
    try {
      const token = await tokenFor(server.url, bot.clientId, bot.clientSecret, 'member:read')
      const { keys } = await published()
      expect(keys).toEqual([
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.any(String),
          use: 'sig',
          alg: 'EdDSA',
          kid: expect.any(String),
        },
      ])
      const checked = await jwtVerify(token, createLocalJWKSet({ keys }), {
        issuer: server.url,
        audience: server.url,
        typ: 'at+jwt',
      })
      expect(checked.payload).toMatchObject({ sub: bot.id, scope: 'member:read' })
      expect([await status(token), await status(bot.credentials.token)]).toEqual([200, 200])

      // A public key must not be able to make a token.
      const [, payload = ''] = token.split('.')
      const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const publicBytes = secrets.tokenPair.publicKey.export({ format: 'der', type: 'spki' })
      const stranger = generateKeyPairSync('ed25519').privateKey
      const header = { typ: 'at+jwt', kid: secrets.tokenPair.id }
      const forged = [
        await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(publicBytes),
        await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'EdDSA' }).sign(stranger),
        `${token.split('.')[0]}.${encode({ ...claims, scope: 'message:send' })}.${token.split('.')[2]}`,
      ]
      for (const wrong of forged)
        expectInvalidToken(await call(server.url, { token: wrong }, 'GET', '/v2/members/me'))
      config.accessTokenSignature = 'shared'
      expect(await status(token)).toBe(200)
    } finally {
      config.accessTokenSignature = 'shared'
    }
  })

  it('is refused when it only looks like one', async () => {
    for (const token of ['a.b.c', 'a.b.', '..', 'eyJ.eyJ.eyJ', 'x'.repeat(4000), '-._.-']) {
      expectInvalidToken(await call(server.url, { token }, 'GET', '/v2/members/me'))
    }
  })

  it('is refused once it was revoked; the next one is not', async () => {
    const bot = await oauthBot(server, orgId, 'Revoked bot')
    expect(await status(bot.credentials.token)).toBe(200)
    await server.parley.db.write(orgId, (tx) => revokeTokens(tx, bot.id))
    await eventually(() => status(bot.credentials.token)).toBe(401)
    expectInvalidToken(await bot.get('/v2/members/me'))
    expect(await status(await tokenFor(server.url, bot.clientId, bot.clientSecret))).toBe(200)
    expect(await status(calendar.credentials.token)).toBe(200)
  })

  it('is refused while its bot is deactivated, and stays refused afterwards', async () => {
    const bot = await oauthBot(server, orgId, 'Paused bot')
    await server.parley.db.write(orgId, (tx) => deactivateBot(tx, bot.id))
    await eventually(() => status(bot.credentials.token)).toBe(401)
    expectInvalidToken(await bot.get('/v2/members/me'))
    expectError(await ask(formOf(bot)), 401, 'invalid_client')

    await server.parley.db.write(orgId, (tx) => activateBot(tx, bot.id))
    await eventually(async () => (await ask(formOf(bot))).status).toBe(200)
    expect(await status(bot.credentials.token)).toBe(401)
    expect(await status(await tokenFor(server.url, bot.clientId, bot.clientSecret))).toBe(200)
  })
})

/** The table of the specification, with the decisions' additions. */
const SCOPE_OF: Record<string, Scope | null> = {
  'GET /v2/topics': 'channel:list',
  'GET /v2/emoji': 'message:read',
  'GET /v2/topics/{topicId}': 'channel:read',
  'GET /v2/topics/external/{externalId}': 'channel:read',
  'POST /v2/topics': 'channel:write',
  'PATCH /v2/topics/{topicId}': 'channel:write',
  'POST /v2/topics/{topicId}/members': 'channel:write',
  'DELETE /v2/topics/{topicId}/members': 'channel:write',
  'GET /v2/organization/labels': 'channel:read',
  'POST /v2/organization/labels': 'channel:write',
  'POST /v2/topics/{topicId}/labels': 'channel:write',
  'DELETE /v2/topics/{topicId}/labels/{labelId}': 'channel:write',
  'GET /v2/messages/{messageId}': 'message:read',
  'GET /v2/topics/{topicId}/messages': 'message:read',
  'POST /v2/messages': 'message:send',
  'PATCH /v2/messages/{messageId}': 'message:write',
  'DELETE /v2/messages/{messageId}': 'message:write',
  'POST /v2/messages/{messageId}/delivered': 'message:write',
  'POST /v2/messages/{messageId}/read': 'message:write',
  'POST /v2/messages/{messageId}/reactions': 'reaction:write',
  'DELETE /v2/messages/{messageId}/reactions/{reactionId}': 'reaction:write',
  'GET /v2/tasks': 'task:read',
  'GET /v2/tasks/{taskId}': 'task:read',
  'POST /v2/tasks': 'task:write',
  'PATCH /v2/tasks/{taskId}': 'task:write',
  'DELETE /v2/tasks/{taskId}': 'task:write',
  'POST /v2/messages/{messageId}/append': 'message:send',
  'POST /v2/topics/{topicId}/working': 'message:send',
  'POST /v2/messages/{messageId}/finish': 'message:send',
  'POST /v2/actions/{actionId}/note': 'message:write',
  'GET /v2/commands': 'message:send',
  'PUT /v2/commands': 'message:send',
  'GET /v2/prompts': 'message:send',
  'PUT /v2/prompts': 'message:send',
  'POST /v2/polls': 'poll:write',
  'POST /v2/polls/{pollId}/votes': 'poll:write',
  'DELETE /v2/polls/{pollId}/votes/{voteId}': 'poll:write',
  'GET /v2/members': 'member:read',
  'GET /v2/members/me': 'member:read',
  'GET /v2/members/{memberId}': 'member:read',
  'GET /v2/topics/{topicId}/context': 'message:read',
  'POST /v2/direct-messages': 'direct:open',
  'PUT /v2/messages/{messageId}/private-answers/{memberId}': 'message:send',
  'DELETE /v2/messages/{messageId}/private-answers/{memberId}': 'message:send',
  'GET /v2/groups': 'member:read',
  'GET /v2/groups/{groupId}': 'member:read',
  'GET /v2/groups/{groupId}/members': 'member:read',
  'GET /v2/org-units': 'member:read',
  'GET /v2/org-units/{orgUnitId}': 'member:read',
  'POST /v2/org-units/{orgUnitId}/members': 'member:write',
  'DELETE /v2/org-units/{orgUnitId}/members': 'member:write',
  'GET /v2/scheduled-messages': 'message:read',
  'PATCH /v2/scheduled-messages/{scheduledMessageId}': 'message:send',
  'DELETE /v2/scheduled-messages/{scheduledMessageId}': 'message:send',
  'POST /v2/scheduled-messages/{scheduledMessageId}/send': 'message:send',
  'GET /v2/search': 'search:read',
  'GET /v2/updates': 'updates:read',
  'GET /v2/storage': 'storage:read',
  'GET /v2/storage/{key}': 'storage:read',
  'PUT /v2/storage/{key}': 'storage:write',
  'DELETE /v2/storage/{key}': 'storage:write',
  'PUT /v2/messages/{messageId}/progress': 'message:send',
  'POST /v2/questions': 'message:send',
  'GET /v2/questions/{questionId}': 'message:send',
  'DELETE /v2/questions/{questionId}': 'message:send',
  'GET /v2/usage': 'message:send',
  'POST /v2/usage': 'message:send',
  'POST /v2/agentic/organization/create': null,
}

describe('each operation', () => {
  const askWith = (operation: Operation, token: string) => {
    const body = operation.method === 'GET' ? {} : { body: {} }
    const path = operation.path.replace(/\{\w+\}/g, newUuid)
    return call(server.url, { token }, operation.method, path, body)
  }

  it.each(OPERATIONS)('$method $path needs its scope, and no other', async (operation) => {
    const scope = SCOPE_OF[`${operation.method} ${operation.path}`]
    expect(operation.scope).toBe(scope)
    if (!scope) return
    const { clientId, clientSecret } = calendar
    const others = ALL_SCOPES.filter((name) => name !== scope).join(' ')
    const [without, only] = [
      await tokenFor(server.url, clientId, clientSecret, others),
      await tokenFor(server.url, clientId, clientSecret, scope),
    ]
    expectInsufficientScope(await askWith(operation, without), scope)
    expect([401, 403]).not.toContain((await askWith(operation, only)).status)
  })
})

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
