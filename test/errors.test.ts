import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import { LIMITS } from '../contract/limits.ts'
import { newUuid } from '../server/ids.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  type StaticTestBot,
  staticBot,
  tokenFor,
} from './support/cast.ts'
import { type Answer, call, parseJson, sign } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { setRateLimit } from './support/limits.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { headOf } from './support/sockets.ts'
import { send, sendBytes } from './support/wire.ts'

const SIGNUP = '/v2/agentic/organization/create'

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let reader: StaticTestBot
let calendar: OAuthTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  reader = await staticBot(server, orgId, 'Audit bot', { permission: 'read' })
  calendar = await oauthBot(server, orgId, 'Calendar bot')
})
afterAll(() => server.close())

function expectRefusal({ status, body, headers }: Answer, expected: number, text: string): void {
  expect({ status, body }).toEqual({ status: expected, body: text })
  expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/)
  expect(headers.get('x-request-id')).toMatch(/^req_[\w-]{11}$/)
}

/** Sends exactly these bytes, without credentials. */
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  send(server.url, {
    method: 'POST',
    target: SIGNUP,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })

const signup = () => ({
  companyName: 'Lighthouse Labs',
  humanEmail: `${newUuid()}@example.com`,
  companySize: 12,
  industry: 'Software',
  botName: 'Deploy bot',
})

describe('a refusal', () => {
  it('is a JSON string, for every status', async () => {
    expectRefusal(await deploy.get('/v2/members?limit=0'), 400, 'limit must be between 1 and 100')
    expectRefusal(await call(server.url, undefined, 'GET', '/v2/members'), 401, 'unauthorized')
    expectRefusal(await reader.post('/v2/topics', { name: 'Notes', members: [] }), 403, 'forbidden')
    expectRefusal(await deploy.get(`/v2/members/${newUuid()}`), 404, 'Member not found')
  })

  it('is one as well without authentication', async () => {
    expectRefusal(await post('{}'), 400, 'companyName is required')
  })

  it('answers a HEAD without a body', async () => {
    const answer = await call(server.url, undefined, 'HEAD', '/v2/members')
    expect([answer.status, answer.text]).toEqual([401, ''])
  })
})

describe('an unknown path or method', () => {
  it('is not found', async () => {
    const unknown = [
      ['GET', '/v2/nothing'],
      ['GET', '/v2/'],
      ['GET', '/V2/members'],
      ['GET', '/v2//members'],
      ['GET', `/v2/members/${newUuid()}/more`],
      ['PUT', '/v2/members'],
      ['DELETE', '/v2/members'],
      ['OPTIONS', '/v2/members'],
      ['POST', '/v2/members/me'],
      ['GET', SIGNUP],
      ['GET', '/nowhere'],
    ]
    for (const [method = '', target = ''] of unknown) {
      expectRefusal(await send(server.url, { method, target }), 404, 'not found')
    }
    expect((await deploy.get('/v2/members')).status).toBe(200)
  })
})

describe('a body', () => {
  it('must be JSON, and an object', async () => {
    for (const malformed of ['{', '{"a":1', '{a:1}', "{'a':1}", '{"a":1}}', '\ufeff{}', 'undefined', 'NaN']) {
      expectRefusal(await post(malformed), 400, 'malformed JSON')
    }
    for (const other of ['[]', '[{}]', '"text"', '12', 'null', 'true']) {
      expectRefusal(await post(other), 400, 'body must be a JSON object')
    }
    expect((await post(JSON.stringify(signup()))).status).toBe(201)
  })

  it('may be empty or {}: both say nothing', async () => {
    expectRefusal(await post(''), 400, 'companyName is required')
    expectRefusal(await post('{}'), 400, 'companyName is required')
  })

  it('must have the content type of JSON, when it has one', async () => {
    const body = JSON.stringify(signup())
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'json/application',
    ]) {
      expectRefusal(await post(body, { 'Content-Type': type }), 400, 'content type must be application/json')
    }
    for (const type of ['nonsense', '/', 'application/']) {
      const answer = await post(body, { 'Content-Type': type })
      expect([answer.status, typeof answer.body]).toEqual([400, 'string'])
    }
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.x+json']) {
      expect((await post(JSON.stringify(signup()), { 'Content-Type': type })).status).toBe(201)
    }
    const bare = { method: 'POST', target: SIGNUP, body: JSON.stringify(signup()) }
    expect((await send(server.url, bare)).status).toBe(201)
  })

  it('must not be too large', async () => {
    const padded = (content: object, size: number) => {
      const body = JSON.stringify({ ...content, ignored: '' })
      return body.replace('"ignored":""', `"ignored":"${'x'.repeat(size - body.length)}"`)
    }
    const { jsonBodyBytes, smallBodyBytes } = LIMITS
    expect((await post(padded(signup(), smallBodyBytes))).status).toBe(201)
    expectRefusal(await post(padded(signup(), smallBodyBytes + 1)), 400, 'body too large')
    const topic = { name: 'Large', members: [] }
    expect((await deploy.post('/v2/topics', padded(topic, jsonBodyBytes))).status).toBe(201)
    expectRefusal(await deploy.post('/v2/topics', padded(topic, jsonBodyBytes + 1)), 400, 'body too large')
  })

  it('must be UTF-8 without NUL and without halves of characters', async () => {
    const named = (companyName: string) =>
      JSON.stringify({ ...signup(), companyName: 'NAME' }).replace('NAME', companyName)
    const broken = Buffer.from(named('?')).map((byte) => (byte === 0x3f ? 0xff : byte))
    expectRefusal(await post(Buffer.from(broken)), 400, 'body must be valid UTF-8')
    expectRefusal(await post(named('a\0b')), 400, 'malformed JSON')
    for (const name of ['a\\u0000b', '\\ud83d', '\\ude80', '\\ude80\\ud83d', '\\uD83Dx']) {
      expectRefusal(await post(named(name)), 400, 'text must not contain NUL or lone surrogates')
    }
    const hidden = JSON.stringify({ ...signup(), more: { deep: ['x'] } }).replace('"x"', '"\\u0000"')
    expect((await post(hidden)).status).toBe(400)
    for (const name of ['\\ud83d\\ude80', '🚀', 'ud800', '\\\\u0000']) {
      expect((await post(named(name))).status, name).toBe(201)
    }
  })

  it('may have unknown fields', async () => {
    const extra = { ...signup(), shoeSize: 43, nested: { constructor: null } }
    expect((await post(JSON.stringify(extra))).status).toBe(201)
    const named = JSON.stringify(signup()).replace('{', '{"__proto__":{"companyName":1},"constructor":1,')
    expect((await post(named)).status).toBe(201)
  })

  it('may not take its fields from the prototype', async () => {
    const { companyName, ...rest } = signup()
    const body = JSON.stringify(rest).replace('{', `{"__proto__":{"companyName":"${companyName}"},`)
    expectRefusal(await post(body), 400, 'companyName is required')
  })
})

describe('a path and its query', () => {
  const read = (target: string) =>
    send(server.url, {
      method: 'GET',
      target,
      headers: { Authorization: `Bearer ${calendar.credentials.token}` },
    })

  it('must be encoded rightly', async () => {
    for (const broken of ['%', '%z', '%zz', 'a%2', '%ff', '%c3%28', '%ed%a0%80']) {
      const answer = await read(`/v2/members/${broken}`)
      expect([broken, answer.status, typeof answer.body]).toEqual([broken, 400, 'string'])
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
    expect((await read(`/v2/members/${calendar.id.replace('@', '%40')}`)).status).toBe(200)
  })

  it('must not hold what no id can hold', async () => {
    for (const id of ['%00', 'a%00b', 'x', '1', 'b@', `b@${newUuid()}x`, ' ', '..%2Fme', 'a'.repeat(3000)]) {
      expectRefusal(
        await read(`/v2/members/${encodeURI(id).replaceAll('%25', '%')}`),
        400,
        'Invalid memberId',
      )
    }
  })

  it('may be as long as it likes, but is refused then', async () => {
    const answer = await read(`/v2/members/${'a'.repeat(6000)}`)
    expect([answer.status, typeof answer.body]).toEqual([400, 'string'])
    expect(answer.text.length).toBeLessThan(100)
  })

  it('may have unknown parameters', async () => {
    const plain = await read('/v2/members')
    for (const query of ['?x=1', '?x=1&x=2', '?__proto__=1&constructor=2', '?%00=%00', '?&&==', '?x=%zz']) {
      expect((await read(`/v2/members${query}`)).body).toEqual(plain.body)
    }
  })

  it('may name a parameter once', async () => {
    expectRefusal(await read('/v2/members?limit=1&limit=2'), 400, 'limit must be between 1 and 100')
    expect((await read('/v2/members?emails=a%00')).status).toBe(400)
  })
})

describe('what is no request at all', () => {
  const hurl = async (bytes: string) => {
    const answer = await sendBytes(server.url, bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { head, body: parseJson(body) }
  }

  it('is answered with 400 and a JSON string', async () => {
    const nonsense = [
      'nonsense\r\n\r\n',
      'GET /v2/members HTTP/9.9\r\n\r\n',
      'GET /v2/members HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'POST /v2/topics HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      `GET /v2/members HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
      `GET /v2/members?x=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]
    for (const bytes of nonsense) {
      const { head, body } = await hurl(bytes)
      expect(head).toMatch(/^HTTP\/1\.1 400 /)
      expect(head).toMatch(/^content-type: application\/json/im)
      expect(body).toBe('malformed request')
    }
    expect((await deploy.get('/v2/members')).status).toBe(200)
  })

  it.each([
    ['an unknown transfer coding', 'unknown', 'hello'],
    ['an unknown one after chunks', 'chunked, unknown', '5\r\nhello\r\n0\r\n\r\n'],
    ['a line feed in an extension', 'chunked', '5;a\nb\r\nhello\r\n0\r\n\r\n'],
    ['a line feed in quotes', 'chunked', '5;a="\n"\r\nhello\r\n0\r\n\r\n'],
    ['a length that is no number', 'chunked', 'xyz\r\n'],
  ])('is answered at once when the body has %s', async (_what, coding, bytes) => {
    const timestamp = String(Date.now())
    const head = headOf('POST', '/v2/topics', {
      Authorization: `Bearer ${deploy.credentials.apiKey}`,
      'X-Timestamp': timestamp,
      'X-Signature': sign(deploy.credentials.apiSecret, timestamp, 'hello'),
      'Content-Type': 'application/json',
      'Transfer-Encoding': coding,
    })
    const answer = await hurl(`${head}${bytes}`)
    expect(answer).toMatchObject({
      head: expect.stringMatching(/^HTTP\/1\.1 400 /),
      body: 'malformed request',
    })
    expect(answer.head).toMatch(/^connection: close/im)
  })

  it('is not answered in the place of a request that still waits', async () => {
    const timestamp = String(Date.now())
    const poll = headOf('GET', '/v2/updates?timeout=2', {
      Authorization: `Bearer ${deploy.credentials.apiKey}`,
      'X-Timestamp': timestamp,
      'X-Signature': sign(deploy.credentials.apiSecret, timestamp, ''),
    })
    expect(await sendBytes(server.url, `${poll}nonsense\r\n\r\n`)).not.toContain('400')
  })

  it('has a request id, too', async () => {
    const { head } = await hurl('nonsense\r\n\r\n')
    expect(head).toMatch(/^x-request-id: req_[\w-]+/im)
  })
})

describe('the request id', () => {
  it('is on every answer, and never the same', async () => {
    const answers = [
      await deploy.get('/v2/members'),
      await deploy.get('/v2/members'),
      await call(server.url, undefined, 'GET', '/v2/members'),
      await call(server.url, undefined, 'GET', '/v2/nothing'),
      await call(server.url, undefined, 'POST', '/oauth/token'),
      await call(server.url, undefined, 'GET', '/health/live'),
      await call(server.url, undefined, 'GET', '/health/ready'),
      await call(server.url, undefined, 'GET', '/metrics'),
      await call(server.url, undefined, 'GET', '/openapi.json'),
      await call(server.url, undefined, 'GET', '/docs'),
      await post(JSON.stringify(signup())),
      await post('{'),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^req_[\w-]{11}$/)
    expect(new Set(ids).size).toBe(answers.length)
  })

  it('is ours, not one that the caller chose', async () => {
    const { headers } = await deploy.get('/v2/members', {
      headers: { 'X-Request-Id': 'mine', 'Request-Id': 'mine' },
    })
    expect(headers.get('x-request-id')).not.toBe('mine')
  })
})

describe('the order of checks', () => {
  it('asks who it is, then how often, then whether it may, then what it wants', async () => {
    const narrow = await organization(server, 'Narrow Gate')
    const [bot, watcher] = [
      await staticBot(server, narrow, 'Deploy bot'),
      await staticBot(server, narrow, 'Audit bot', { permission: 'read' }),
    ]
    const invalid = { name: 7 }
    expectRefusal(await watcher.post('/v2/topics', invalid), 403, 'forbidden')
    expectRefusal(await bot.post('/v2/topics', invalid), 400, 'members is required')

    await setRateLimit(server, narrow, 1)
    for (const each of [bot, watcher])
      await eventually(async () => (await each.get('/v2/members/me')).status).toBe(429)
    expectRefusal(await watcher.post('/v2/topics', invalid), 429, 'rate limit exceeded')
    expectRefusal(await bot.post('/v2/topics', invalid), 429, 'rate limit exceeded')
    const signature = '0'.repeat(64)
    expectRefusal(await bot.post('/v2/topics', invalid, { signature }), 401, 'unauthorized')
  })

  it('asks for the scope before it looks at the input', async () => {
    const token = await tokenFor(server.url, calendar.clientId, calendar.clientSecret, 'task:read')
    const denied = await call(server.url, { token }, 'GET', '/v2/members/nonsense?limit=0')
    expectRefusal(denied, 403, 'forbidden')
    expectRefusal(await calendar.get('/v2/members/nonsense'), 400, 'Invalid memberId')
  })

  const changes = OPERATIONS.filter(({ params, body, scope }) => scope && params && body)
  it.each(changes)('$method $path: the shape of the input before its existence', async (operation) => {
    const path = operation.path.replace(/\{\w+\}/g, newUuid)
    const answer = await call(server.url, deploy.credentials, operation.method, path, { body: [] })
    expect(answer.status).toBe(400)
  })
})

describe('a failure of the server', () => {
  async function hideTable(name: string): Promise<void> {
    const rename = (from: string, to: string) =>
      server.parley.db.pool.query(`alter table ${from} rename to ${to}`)
    await rename(name, `${name}_hidden`)
    onTestFinished(async () => {
      await rename(`${name}_hidden`, name)
    })
  }

  it('says nothing of what is inside', async () => {
    expect((await deploy.get('/v2/members')).status).toBe(200)
    await hideTable('profiles')
    for (const answer of [
      await deploy.get('/v2/members'),
      await calendar.get('/v2/members/me'),
      await post(JSON.stringify(signup())),
    ]) {
      expectRefusal(answer, 500, 'internal server error')
      expect([...answer.headers].flat().join(' ')).not.toMatch(/profiles|postgres|relation|stack/i)
    }
  })

  it('says nothing at the token endpoint either', async () => {
    await hideTable('bot_directory')
    const answer = await call(server.url, undefined, 'POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=b@${newUuid()}&client_secret=x`,
    })
    expectRefusal(answer, 500, 'internal server error')
  })

  it('is found in the log under its request id', async () => {
    await hideTable('profiles')
    const { headers } = await deploy.get('/v2/members')
    const id = headers.get('x-request-id')
    const line = server.logLines.map((text) => JSON.parse(text)).find(({ reqId, err }) => reqId === id && err)
    expect(line).toMatchObject({
      method: 'GET',
      route: '/v2/members',
      err: { message: expect.stringContaining('profiles') },
    })
  })

  it('passes when connections to the database break', async () => {
    await Promise.all(Array.from({ length: 5 }, () => deploy.get('/v2/members')))
    const { rows } = await server.parley.db.pool.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley' and pid <> pg_backend_pid()`)
    expect(rows.length).toBeGreaterThan(0)
    await eventually(async () => (await deploy.get('/v2/members')).status).toBe(200)
    for (let time = 0; time < 20; time++) expect((await deploy.get('/v2/members')).status).toBe(200)
  })
})

describe('the log', () => {
  it('holds every request, and no key, secret, token or signature', async () => {
    const timestamp = String(Date.now())
    const signature = sign(deploy.credentials.apiSecret, timestamp, '/v2/members/me')
    const organization = signup()
    const created = await post(JSON.stringify(organization))
    const { credentials } = Object(created.body)
    const requestIds = [
      created,
      await deploy.get('/v2/members/me', { timestamp }),
      await deploy.get('/v2/members/me', { timestamp, signature: signature.replace(/^./, 'f') }),
      await calendar.get('/v2/members/me'),
      await calendar.get('/v2/members?limit=0'),
      await call(server.url, { token: `${calendar.credentials.token}x` }, 'GET', '/v2/members/me'),
      await call(server.url, undefined, 'POST', '/oauth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&client_id=${calendar.id}&client_secret=${calendar.clientSecret}`,
      }),
      await call(server.url, undefined, 'POST', '/oauth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=password&client_id=${calendar.id}&client_secret=${calendar.clientSecret}`,
      }),
    ].map(({ headers }) => headers.get('x-request-id'))

    const log = server.logLines.join('\n')
    for (const id of requestIds) expect(log).toContain(id)
    const secrets: Record<string, unknown> = {
      apiKey: deploy.credentials.apiKey,
      apiSecret: deploy.credentials.apiSecret,
      signature,
      token: calendar.credentials.token,
      tokenSignature: calendar.credentials.token.split('.')[2],
      clientSecret: calendar.clientSecret,
      newKey: credentials.apiKey,
      newSecret: credentials.apiSecret,
      address: organization.humanEmail,
    }
    for (const [name, secret] of Object.entries(secrets)) {
      expect(String(secret).length, name).toBeGreaterThan(20)
      expect(log.includes(String(secret)), name).toBe(false)
    }
  })
})
