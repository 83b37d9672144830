import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import type { Operation } from '../contract/operation.ts'
import { activateBot, deactivateBot, rotateSecret, setBot } from '../server/actions/bots/bots.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import {
  at,
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { type Answer, call, sign } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

const MINUTE = 60_000
/** Linux counts the bytes that a process writes, to files and connections. */
const IO = '/proc/self/io'
const bytesWritten = () => Number(/wchar: (\d+)/.exec(readFileSync(IO, 'utf8'))?.[1])
const SIGNUP = '/v2/agentic/organization/create'

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let reader: StaticTestBot
let calendar: OAuthTestBot
let ada: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  reader = await staticBot(server, orgId, 'Audit bot', { permission: 'read' })
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  ada = await person(server, orgId, 'Ada Okafor')
})
afterAll(() => server.close())

function expectUnauthorized({ status, body, headers }: Answer): void {
  expect({ status, body }).toEqual({ status: 401, body: 'unauthorized' })
  expect(headers.get('www-authenticate')).toMatch(
    /^Bearer realm="service", error="invalid_token", error_description="[^"]+"$/,
  )
}

/** Sends one request line and signs another: what a meddler in between would do. */
function sendSigned(target: string, signedTarget = target, method = 'GET'): Promise<Answer> {
  const { apiKey, apiSecret } = deploy.credentials
  const timestamp = String(Date.now())
  const signature = sign(apiSecret, timestamp, signedTarget)
  return send(server.url, { method, target, headers: signedHeaders(apiKey, timestamp, signature) })
}

const signedHeaders = (apiKey: string, timestamp: string, signature: string) => ({
  Authorization: `Bearer ${apiKey}`,
  'X-Timestamp': timestamp,
  'X-Signature': signature,
})

const pathOf = ({ path }: Operation): string => path.replace(/\{\w+\}/g, newUuid)

/** Sends one body and signs another. */
async function sendBody(
  method: string,
  target: string,
  sent: Buffer | string,
  signed = sent,
): Promise<Answer> {
  const { apiKey, apiSecret } = deploy.credentials
  const timestamp = String(Date.now())
  const signature = sign(apiSecret, timestamp, signed)
  const headers = { ...signedHeaders(apiKey, timestamp, signature), 'Content-Type': 'application/json' }
  return send(server.url, { method, target, headers, body: sent })
}

describe('the key', () => {
  it('lets the bot in that it belongs to', async () => {
    const { status, body } = await deploy.get('/v2/members/me')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: deploy.id, type: 'bot', name: 'Deploy bot' })
  })

  it('is refused when it is missing, with a challenge', async () => {
    const answer = await call(server.url, undefined, 'GET', '/v2/members/me')
    expectUnauthorized(answer)
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="service", error="invalid_token", error_description="The request has no bearer credentials"',
    )
  })

  it('is refused when no bot has it', async () => {
    const { apiKey, apiSecret } = deploy.credentials
    const wrong = [`${apiKey}A`, apiKey.slice(0, -1), apiKey.toLowerCase(), 'x', '%00']
    for (const key of wrong) {
      expectUnauthorized(await call(server.url, { apiKey: key, apiSecret }, 'GET', '/v2/members/me'))
    }
  })

  it('does not go with the secret of another bot', async () => {
    const mixed = { apiKey: deploy.credentials.apiKey, apiSecret: reader.credentials.apiSecret }
    expectUnauthorized(await call(server.url, mixed, 'GET', '/v2/members/me'))
  })

  it('is not the id of a bot, whatever its credentials', async () => {
    // Each id is looked up as a client id first, so that the server has it in memory.
    for (const bot of [calendar, deploy]) {
      const secret = 'clientSecret' in bot ? bot.clientSecret : bot.credentials.apiSecret
      await fetch(`${server.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: bot.id,
          client_secret: secret,
        }),
      })
      expectUnauthorized(
        await call(server.url, { apiKey: bot.id, apiSecret: secret }, 'GET', '/v2/members/me'),
      )
    }
  })

  it('is taken after "Bearer" in any case, and after nothing else', async () => {
    const { apiKey, apiSecret } = deploy.credentials
    const timestamp = String(Date.now())
    const signature = sign(apiSecret, timestamp, '/v2/members/me')
    const statusFor = async (authorization: string) => {
      const headers = { ...signedHeaders(apiKey, timestamp, signature), Authorization: authorization }
      return (await send(server.url, { method: 'GET', target: '/v2/members/me', headers })).status
    }
    expect(await statusFor(`Bearer ${apiKey}`)).toBe(200)
    expect(await statusFor(`bearer ${apiKey}`)).toBe(200)
    expect(await statusFor(`BEARER ${apiKey}`)).toBe(200)
    expect(await statusFor(apiKey)).toBe(401)
    expect(await statusFor(`Basic ${apiKey}`)).toBe(401)
    expect(await statusFor(`Bearer${apiKey}`)).toBe(401)
    expect(await statusFor('Bearer ')).toBe(401)
    expect(await statusFor(`Bearer ${apiKey} ${apiKey}`)).toBe(401)
  })
})

describe('the signature', () => {
  it('is refused when it is missing or not 64 lowercase hex digits', async () => {
    const { apiSecret } = deploy.credentials
    const timestamp = String(Date.now())
    const right = sign(apiSecret, timestamp, '/v2/members/me')
    expect((await deploy.get('/v2/members/me', { timestamp, signature: right })).status).toBe(200)

    const wrong = [
      '',
      right.toUpperCase(),
      right.slice(0, -1),
      `${right}0`,
      `0x${right.slice(2)}`,
      right.replace(/^./, 'g'),
      Buffer.from(right, 'hex').toString('base64'),
    ]
    for (const signature of wrong) {
      expectUnauthorized(await deploy.get('/v2/members/me', { timestamp, signature }))
    }
    expectUnauthorized(
      await send(server.url, {
        method: 'GET',
        target: '/v2/members/me',
        headers: { Authorization: `Bearer ${deploy.credentials.apiKey}`, 'X-Timestamp': timestamp },
      }),
    )
  })

  it('is refused when one digit differs', async () => {
    const timestamp = String(Date.now())
    const right = sign(deploy.credentials.apiSecret, timestamp, '/v2/members/me')
    const changeAt = (place: number) =>
      right.slice(0, place) + (right[place] === '0' ? '1' : '0') + right.slice(place + 1)
    for (const place of [0, 31, 63]) {
      expectUnauthorized(await deploy.get('/v2/members/me', { timestamp, signature: changeAt(place) }))
    }
  })

  it('is refused when it was made for another timestamp', async () => {
    const now = Date.now()
    const signature = sign(deploy.credentials.apiSecret, String(now - 1), '/v2/members/me')
    expectUnauthorized(await deploy.get('/v2/members/me', { timestamp: String(now), signature }))
  })

  it('is refused when it was sent twice', async () => {
    const timestamp = String(Date.now())
    const { apiKey, apiSecret } = deploy.credentials
    const signature = sign(apiSecret, timestamp, '/v2/members/me')
    const headers = { ...signedHeaders(apiKey, timestamp, signature), 'X-Signature': [signature, signature] }
    expectUnauthorized(await send(server.url, { method: 'GET', target: '/v2/members/me', headers }))
  })

  it('may be sent again within 5 minutes', async () => {
    const timestamp = String(Date.now())
    for (let time = 0; time < 3; time++) {
      expect((await deploy.get('/v2/members/me', { timestamp })).status).toBe(200)
    }
  })
})

describe('a signed GET', () => {
  it('covers the path', async () => {
    const [mine, other] = [`/v2/members/${deploy.id}`, `/v2/members/${ada}`]
    expect((await sendSigned(mine)).status).toBe(200)
    expectUnauthorized(await sendSigned(other, mine))
  })

  it('covers the query', async () => {
    expect((await sendSigned('/v2/members?limit=1')).status).toBe(200)
    expectUnauthorized(await sendSigned('/v2/members?limit=2', '/v2/members?limit=1'))
    expectUnauthorized(await sendSigned('/v2/members?limit=1', '/v2/members'))
    expectUnauthorized(await sendSigned('/v2/members', '/v2/members?'))
    expect((await sendSigned('/v2/members?')).status).toBe(200)
    expectUnauthorized(await sendSigned('/v2/members?limit=1&offset=0', '/v2/members?offset=0&limit=1'))
  })

  it('covers the target as it was sent, before any percent-decoding', async () => {
    const encodedId = deploy.id.replace('@', '%40')
    const sameTwice = [
      ['/v2/members/me', '/v2/%6Dembers/me'],
      [`/v2/members/${deploy.id}`, `/v2/members/${encodedId}`],
      ['/v2/members?emails=ada@example.com', '/v2/members?emails=ada%40example.com'],
      ['/v2/members?emails=%C3%A9', '/v2/members?emails=%c3%a9'],
      ['/v2/members?emails=a%20b', '/v2/members?emails=a+b'],
      ['/v2/members?emails=a%2Fb', '/v2/members?emails=a/b'],
    ]
    for (const [one = '', other = ''] of sameTwice) {
      expect((await sendSigned(one)).status, one).toBe(200)
      expect((await sendSigned(other)).status, other).toBe(200)
      expectUnauthorized(await sendSigned(one, other))
      expectUnauthorized(await sendSigned(other, one))
    }
  })

  it('covers an encoded slash in the path, which stays part of one segment', async () => {
    expect((await sendSigned('/v2/members/a%2Fb')).status).toBe(400)
    expectUnauthorized(await sendSigned('/v2/members/a%2Fb', '/v2/members/a/b'))
  })

  it('does not cover a body', async () => {
    const { apiKey, apiSecret } = deploy.credentials
    const timestamp = String(Date.now())
    const target = '/v2/members/me'
    const body = '{"ignored":true}'
    const sendWith = (signature: string) =>
      send(server.url, {
        method: 'GET',
        target,
        headers: { ...signedHeaders(apiKey, timestamp, signature), 'Content-Type': 'application/json' },
        body,
      })
    expect((await sendWith(sign(apiSecret, timestamp, target))).status).toBe(200)
    expectUnauthorized(await sendWith(sign(apiSecret, timestamp, body)))
  })

  it('may be a HEAD, over the target as well', async () => {
    const head = await sendSigned('/v2/members/me', '/v2/members/me', 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await sendSigned('/v2/members/me', '/v2/members', 'HEAD')).status).toBe(401)
    expect((await sendSigned('/v2/members/me', '', 'HEAD')).status).toBe(401)
  })
})

describe('a signed write', () => {
  const create = (sent: Buffer | string, signed = sent) => sendBody('POST', '/v2/topics', sent, signed)

  it('covers every byte of the body', async () => {
    const body = '{"name":"Releases","members":[]}'
    expect((await create(body)).status).toBe(201)
    expectUnauthorized(await create(body.replace('R', 'r'), body))
    expectUnauthorized(await create(`${body} `, body))
    expectUnauthorized(await create(body.replace(':', ': '), body))
    expectUnauthorized(await create('', body))
    expectUnauthorized(await create(body, ''))
  })

  it('takes the bytes as they are: white space, Unicode, and what is not even text', async () => {
    expect((await create('  {\n\t"name" : "Spacious", "members":[]\r\n}  ')).status).toBe(201)
    expect((await create('{"name":"Größe 🚀 \\u00e9","members":[]}')).status).toBe(201)
    expect((await create(Buffer.from([0xff, 0xfe, 0x00, 0x80]))).status).toBe(400)
    const accented = '{"name":"Caf\u0065\u0301","members":[]}'
    expect((await create(accented)).status).toBe(201)
    expectUnauthorized(await create(accented, accented.normalize('NFC')))
  })

  it('may have an empty body or {}, each signed as it is', async () => {
    expect((await create('')).status).toBe(400)
    expect((await create('{}')).status).toBe(400)
    expectUnauthorized(await create('{}', ''))
    expectUnauthorized(await create('', '{}'))
  })

  it('does not cover the path, only the body', async () => {
    expectUnauthorized(await create('{}', '/v2/topics'))
  })

  it('may be a DELETE, with a body or without one', async () => {
    const remove = (sent: string, signed = sent) =>
      sendBody('DELETE', `/v2/topics/${newUuid()}/members`, sent, signed)
    const body = `{"memberIds":["${ada}"]}`
    expect((await remove(body)).status).toBe(404)
    expect((await remove('')).status).toBe(400)
    expectUnauthorized(await remove(body, ''))
    expectUnauthorized(await remove('', body))
    expectUnauthorized(await remove(body, body.replace('"', '"x')))
  })
})

describe('the timestamp', () => {
  const statusAt = async (timestamp: string) => (await deploy.get('/v2/members/me', { timestamp })).status
  const EDGE = 2000 // more than a request takes, so that the clock does not decide the test

  it('may be up to 5 minutes old', async () => {
    expect(await statusAt(String(Date.now() - 5 * MINUTE + EDGE))).toBe(200)
    expectUnauthorized(await deploy.get('/v2/members/me', { timestamp: String(Date.now() - 5 * MINUTE - 1) }))
  })

  it('may be up to 5 minutes ahead', async () => {
    expect(await statusAt(String(Date.now() + 5 * MINUTE - 1))).toBe(200)
    expectUnauthorized(
      await deploy.get('/v2/members/me', { timestamp: String(Date.now() + 5 * MINUTE + EDGE) }),
    )
  })

  it('becomes too old as time passes', async () => {
    const timestamp = String(Date.now())
    expect(await statusAt(timestamp)).toBe(200)
    server.clock.ahead = 5 * MINUTE + 1
    expect(await statusAt(timestamp)).toBe(401)
    server.clock.ahead = 0
    expect(await statusAt(timestamp)).toBe(200)
  })

  it('is in milliseconds, written in digits', async () => {
    const now = Date.now()
    expect(await statusAt(String(now))).toBe(200)
    const wrong = [
      String(Math.floor(now / 1000)),
      `${now}.0`,
      `+${now}`,
      `-${now}`,
      `0x${now.toString(16)}`,
      `${now}ms`,
      `${now}000`,
      now.toExponential(),
      new Date(now).toISOString(),
      `${now}, ${now}`,
      'NaN',
      '0',
      '',
      '9'.repeat(400),
    ]
    for (const timestamp of wrong) {
      expect(await statusAt(timestamp), timestamp).toBe(401)
    }
  })

  it('is refused when it is missing', async () => {
    const { apiKey, apiSecret } = deploy.credentials
    for (const payload of ['.', 'undefined.', '']) {
      const signature = sign(apiSecret, payload, '/v2/members/me')
      expectUnauthorized(
        await send(server.url, {
          method: 'GET',
          target: '/v2/members/me',
          headers: { Authorization: `Bearer ${apiKey}`, 'X-Signature': signature },
        }),
      )
    }
  })
})

describe('a refusal', () => {
  const apiKey = () => deploy.credentials.apiKey
  const TARGET = '/v2/members/me'
  const ask = async (headers: Record<string, string>) => {
    const answer = await send(server.url, { method: 'GET', target: TARGET, headers })
    expectUnauthorized(answer)
    const told = answer.headers.get('x-auth-error') ?? ''
    expect(answer.headers.get('www-authenticate')).toContain(`error_description="${told}"`)
    return told
  }
  const at = (timestamp: string, key = apiKey()) =>
    signedHeaders(key, timestamp, sign(deploy.credentials.apiSecret, timestamp, TARGET))
  const now = () => String(server.parley.clock())

  it.each<[reason: RegExp, headers: () => Record<string, string>]>([
    [/^The request has no bearer credentials$/, () => ({})],
    [/^timestamp missing/, () => ({ Authorization: `Bearer ${apiKey()}`, 'X-Signature': 'a'.repeat(64) })],
    [/^timestamp malformed/, () => at('yesterday')],
    [/^timestamp malformed/, () => at(`${now()}.0`)],
    [/^timestamp too old/, () => at(String(server.parley.clock() - 6 * MINUTE))],
    [/^timestamp too old.*milliseconds/, () => at(now().slice(0, 10))],
    [/^timestamp in the future/, () => at(String(server.parley.clock() + 6 * MINUTE))],
    [/^signature missing/, () => ({ Authorization: `Bearer ${apiKey()}`, 'X-Timestamp': now() })],
    [/^signature malformed/, () => ({ ...at(now()), 'X-Signature': 'A'.repeat(64) })],
    [/^signature does not match/, () => ({ ...at(now()), 'X-Signature': 'a'.repeat(64) })],
    [/^signature version unknown/, () => ({ ...at(now()), 'X-Signature-Version': '3' })],
    [/^The access token is invalid or has expired$/, () => ({ Authorization: 'Bearer a.b.c' })],
  ])('says why in a header: %s', async (reason, headers) => {
    expect(await ask(headers())).toMatch(reason)
  })

  it('has no such header where there is none', async () => {
    expect((await deploy.get(TARGET)).headers.get('x-auth-error')).toBeNull()
  })

  it('is the same for an unknown key, whatever else is wrong with the request', async () => {
    const [bad, old] = ['a'.repeat(64), String(server.parley.clock() - 6 * MINUTE)]
    const wrong: ((key: string) => Record<string, string>)[] = [
      (key) => ({ Authorization: `Bearer ${key}` }),
      (key) => signedHeaders(key, old, bad),
      (key) => signedHeaders(key, 'soon', bad),
      (key) => signedHeaders(key, now(), 'short'),
      (key) => signedHeaders(key, now(), bad),
    ]
    for (const headers of wrong) {
      const known = await ask(headers(apiKey()))
      const stranger = apiKey().split('').toReversed().join('')
      for (let time = 0; time < 3; time++) expect(await ask(headers(stranger))).toBe(known)
      expect(known).not.toMatch(/key is|unknown key|no such key/i)
    }
  })

  it('comes when the body has been read, with a known key or an unknown one', async () => {
    const early: string[] = []
    for (const key of [apiKey(), apiKey().toLowerCase()]) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.write(
        `POST /v2/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Timestamp: ${now()}\r\n` +
          `X-Signature: ${'a'.repeat(64)}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
      )
      // Other requests were answered on other connections, so the server had its turn.
      for (let time = 0; time < 5; time++) await deploy.get(TARGET)
      early.push(text)
      socket.write('{}')
      await expect.poll(() => text).toMatch(/^HTTP\/1.1 401 [\s\S]*"unauthorized"/)
    }
    expect(early).toEqual(['', ''])
  })

  it.runIf(existsSync(IO))('costs no disk for the form of somebody who is unknown', async () => {
    const content = Buffer.alloc(5_000_000)
    const { body, contentType } = form({ topicId: newUuid() }, [{ content, name: 'a.bin' }])
    const written: number[] = []
    for (const key of [apiKey(), `${apiKey()}x`]) {
      const before = bytesWritten()
      const headers = { ...signedHeaders(key, now(), 'a'.repeat(64)), 'Content-Type': contentType }
      expectUnauthorized(await send(server.url, { method: 'POST', target: '/v2/messages', headers, body }))
      written.push(bytesWritten() - before)
    }
    // This very process received both requests and counts them too; the bytes on disk are the difference.
    const [known = 0, unknown = 0] = written
    expect(known - unknown).toBeGreaterThan(4_000_000)
  })

  it('tells the bot itself that it is deactivated', async () => {
    const bot = await staticBot(server, orgId, 'Sleeping bot')
    await server.parley.db.write(orgId, (tx) => deactivateBot(tx, bot.id))
    await eventually(async () => (await bot.get(TARGET)).headers.get('x-auth-error')).toBe(
      'The bot is deactivated',
    )
    const answer = await bot.get(TARGET, { signature: 'a'.repeat(64) })
    expect(answer.headers.get('x-auth-error')).toMatch(/^signature does not match/)
  })
})

describe('permission', () => {
  const authenticated = OPERATIONS.filter(({ scope }) => scope !== null)
  const reads = authenticated.filter(({ method }) => method === 'GET')
  const writes = authenticated.filter(({ method }) => method !== 'GET')
  /** The only two writing operations that `read` allows. */
  const MARKS = ['/v2/messages/{messageId}/delivered', '/v2/messages/{messageId}/read']
  const ask = (bot: StaticTestBot, operation: Operation) => {
    const body = operation.method === 'GET' ? {} : { body: {} }
    return call(server.url, bot.credentials, operation.method, pathOf(operation), body)
  }

  it.each(reads)('"read" allows $method $path', async (operation) => {
    expect((await ask(reader, operation)).status).not.toBe(403)
  })

  it.each(writes)('"read" allows $method $path only if it is a mark; "write" does', async (operation) => {
    const answer = await ask(reader, operation)
    if (MARKS.includes(operation.path)) expect(answer.status).not.toBe(403)
    else expect([answer.status, answer.body]).toEqual([403, 'forbidden'])
    expect((await ask(deploy, operation)).status).not.toBe(403)
  })

  it('takes effect when it is changed', async () => {
    const bot = await staticBot(server, orgId, 'Intern bot', { permission: 'read' })
    const status = async () => (await bot.post('/v2/topics', { name: 'Notes', members: [] })).status
    expect(await status()).toBe(403)
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { permission: 'write' }))
    await eventually(status).toBe(201)
  })

  it('is not asked for where no authentication is', async () => {
    const { status } = await call(server.url, undefined, 'POST', SIGNUP, { body: {} })
    expect(status).toBe(400)
  })
})

describe('a bot that changes', () => {
  const status = async (bot: StaticTestBot) => (await bot.get('/v2/members/me')).status
  const deactivate = (bot: StaticTestBot) => server.parley.db.write(orgId, (tx) => deactivateBot(tx, bot.id))
  const activate = (bot: StaticTestBot) => server.parley.db.write(orgId, (tx) => activateBot(tx, bot.id))

  it('is refused while it is deactivated', async () => {
    const bot = await staticBot(server, orgId, 'Retired bot')
    expect(await status(bot)).toBe(200)
    await deactivate(bot)
    await eventually(() => status(bot)).toBe(401)
    expectUnauthorized(await bot.get('/v2/members/me'))
    await activate(bot)
    await eventually(() => status(bot)).toBe(200)
  })

  it('signs with its new secret once that was rotated', async () => {
    const bot = await staticBot(server, orgId, 'Careful bot')
    expect(await status(bot)).toBe(200)
    const apiSecret = await server.parley.db.write(orgId, (tx) =>
      rotateSecret(tx, server.parley.secrets, bot.id),
    )
    await eventually(() => status(bot)).toBe(401)
    const renewed = { apiKey: bot.credentials.apiKey, apiSecret }
    expect((await call(server.url, renewed, 'GET', '/v2/members/me')).status).toBe(200)
  })

  it('is refused on every node, soon after the change', async () => {
    const bot = await staticBot(server, orgId, 'Travelling bot')
    const abroad = at((await server.secondNode()).url, bot)
    for (let round = 0; round < 3; round++) {
      expect([await status(bot), await status(abroad)]).toEqual([200, 200])
      await deactivate(bot)
      await eventually(() => status(abroad)).toBe(401)
      await eventually(() => status(bot)).toBe(401)
      await activate(bot)
      await eventually(() => status(abroad)).toBe(200)
      await eventually(() => status(bot)).toBe(200)
    }
  })

  const cutListeners = async () => {
    const cut = await server.parley.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley-listen'`)
    expect(cut.length).toBeGreaterThan(0)
  }

  it('is refused at once by a node that cannot hear of the change', async () => {
    const bot = await staticBot(server, orgId, 'Unlucky bot')
    const node = await server.secondNode()
    const abroad = at(node.url, bot)
    for (let round = 0; round < 3; round++) {
      expect(await status(abroad)).toBe(200)
      await cutListeners()
      while (node.parley.notifications.connected) await setImmediate()
      if (round === 1) expect(await status(abroad)).toBe(200)
      await deactivate(bot)
      expect(await status(abroad)).toBe(401)
      await activate(bot)
      await eventually(() => status(abroad)).toBe(200)
      await eventually(async () => node.parley.notifications.connected).toBe(true)
    }
  })

  it('is refused by a node that hears again, whenever the change was', async () => {
    const bot = await staticBot(server, orgId, 'Lucky bot')
    const node = await server.secondNode()
    const abroad = at(node.url, bot)
    for (let round = 0; round < 3; round++) {
      expect(await status(abroad)).toBe(200)
      await Promise.all([cutListeners(), deactivate(bot)])
      await eventually(() => status(abroad)).toBe(401)
      while (!node.parley.notifications.connected) expect(await status(abroad)).toBe(401)
      for (let time = 0; time < 20; time++) expect(await status(abroad)).toBe(401)
      await activate(bot)
      await eventually(() => status(abroad)).toBe(200)
    }
  })
})
