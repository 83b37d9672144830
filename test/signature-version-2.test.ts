import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setBot } from '../server/actions/bots/bots.ts'
import { forgetOldNonces } from '../server/auth/nonces.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

const MINUTE = 60_000

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  topicId = Object((await deploy.post('/v2/topics', { name: 'Releases', members: [] })).body).id
})
afterAll(() => server.close())

type Request = { method: string; target: string; body?: string | Buffer; contentType?: string }
type Signed = Request & { timestamp: string; nonce: string; signature: string }

/** Signs by the documentation, without the server's code. */
function signed(
  { method, target, body, contentType }: Request,
  { bot = deploy, timestamp = String(server.parley.clock()), nonce = newUuid() } = {},
): Signed {
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const text = `v2\n${method}\n${target}\n${timestamp}\n${nonce}\n${bodyHash}`
  const signature = createHmac('sha256', bot.credentials.apiSecret).update(text).digest('hex')
  return {
    method,
    target,
    timestamp,
    nonce,
    signature,
    ...(body && { body }),
    ...(contentType && { contentType }),
  }
}

const sendIt = (request: Signed, { bot = deploy, url = server.url } = {}): Promise<Answer> =>
  send(url, {
    method: request.method,
    target: request.target,
    headers: {
      Authorization: `Bearer ${bot.credentials.apiKey}`,
      'X-Timestamp': request.timestamp,
      'X-Nonce': request.nonce,
      'X-Signature': request.signature,
      'X-Signature-Version': '2',
      'Content-Type': request.contentType ?? 'application/json',
    },
    ...(request.body !== undefined && { body: request.body }),
  })

const GET: Request = { method: 'GET', target: '/v2/members/me?x=%20y' }
const message = (text = 'The release is out.'): Request => ({
  method: 'POST',
  target: '/v2/messages',
  body: JSON.stringify({ topicId, text }),
})

async function expectRefused(answer: Promise<Answer>, why: RegExp): Promise<void> {
  const { status, body, headers } = await answer
  expect({ status, body }).toEqual({ status: 401, body: 'unauthorized' })
  expect(headers.get('x-auth-error')).toMatch(why)
}

const NOT_MATCHING = /^signature does not match/

describe('a signature of version 2', () => {
  it('lets reads, writes and what has no body in', async () => {
    expect((await sendIt(signed(GET))).body).toMatchObject({ id: deploy.id })
    const sent = await sendIt(signed(message()))
    expect(sent.status).toBe(201)
    const { id } = Object(sent.body)
    expect((await sendIt(signed({ method: 'POST', target: `/v2/messages/${id}/read` }))).status).toBe(200)
    expect((await sendIt(signed({ method: 'DELETE', target: `/v2/messages/${id}` }))).status).toBe(204)
    expect((await sendIt(signed({ method: 'HEAD', target: '/v2/members/me' }))).status).toBe(200)
  })

  it('covers the method, the path, the query, the time, the nonce and the body', async () => {
    const right = signed(message())
    const body = JSON.stringify({ topicId, text: 'Something else.' })
    const meddled: Partial<Signed>[] = [
      { method: 'PATCH', target: `/v2/messages/${newUuid()}` },
      { target: '/v2/tasks' },
      { target: '/v2/messages?x=1' },
      { timestamp: String(Number(right.timestamp) + 1) },
      { nonce: newUuid() },
      { body },
    ]
    for (const change of meddled) await expectRefused(sendIt({ ...right, ...change }), NOT_MATCHING)
    await expectRefused(sendIt({ ...signed(GET), target: '/v2/members/me?x=+y' }), NOT_MATCHING)
    expect((await sendIt(right)).status).toBe(201)
  })

  it('does not mark a message as read and then delete it', async () => {
    const { id } = Object((await sendIt(signed(message()))).body)
    const read = signed({ method: 'POST', target: `/v2/messages/${id}/read` })
    expect((await sendIt(read)).status).toBe(200)
    const deletion = { ...read, method: 'DELETE', target: `/v2/messages/${id}` }
    await expectRefused(sendIt(deletion), NOT_MATCHING)
    expect((await deploy.get(`/v2/messages/${id}`)).status).toBe(200)

    // Version 1 cannot prevent this: nothing in it says which message, or which action.
    const timestamp = String(server.parley.clock())
    const signature = createHmac('sha256', deploy.credentials.apiSecret).update(`${timestamp}.`).digest('hex')
    const captured = { timestamp, signature }
    expect((await deploy.post(`/v2/messages/${id}/read`, undefined, captured)).status).toBe(200)
    expect((await deploy.delete(`/v2/messages/${id}`, undefined, captured)).status).toBe(204)
  })

  it('covers a form byte for byte', async () => {
    const { body, contentType } = form({ topicId }, [{ content: 'x'.repeat(300_000), name: 'notes.txt' }])
    const request = { method: 'POST', target: '/v2/messages', body, contentType }
    const other = Buffer.from(body)
    other[body.length - 100] = 0x79
    await expectRefused(sendIt({ ...signed(request), body: other }), NOT_MATCHING)
    const right = signed(request)
    expect((await sendIt(right)).status).toBe(200)
    await expectRefused(sendIt(right), /^nonce used before/)
  })

  it.each([
    ['missing', undefined, /^nonce missing/],
    ['too short', 'a'.repeat(15), /^nonce malformed/],
    ['too long', 'a'.repeat(129), /^nonce malformed/],
    ['not of its letters', `${'a'.repeat(16)}.`, /^nonce malformed/],
  ])('needs a nonce that is not %s', async (_what, nonce, why) => {
    const { headers, ...request } = {
      ...signed(GET, nonce === undefined ? {} : { nonce }),
      headers: { 'X-Signature-Version': '2', ...(nonce !== undefined && { 'X-Nonce': nonce }) },
    }
    const { timestamp, signature } = request
    await expectRefused(
      call(server.url, deploy.credentials, 'GET', '/v2/members/me', { headers, timestamp, signature }),
      why,
    )
  })

  it.each(['a'.repeat(16), '_-'.repeat(64)])('takes %s as a nonce', async (nonce) => {
    expect((await sendIt(signed(GET, { nonce }))).status).toBe(200)
  })

  it('is as old as its time, like version 1', async () => {
    const at = (timestamp: number) => sendIt(signed(GET, { timestamp: String(timestamp) }))
    await expectRefused(at(server.parley.clock() - 5 * MINUTE - 1), /^timestamp too old/)
    await expectRefused(at(server.parley.clock() + 5 * MINUTE + 2000), /^timestamp in the future/)
    expect((await at(server.parley.clock() - 4 * MINUTE)).status).toBe(200)
  })

  it('is no signature of version 1, nor the other way round', async () => {
    const right = signed(message())
    const { timestamp, signature, body } = right
    await expectRefused(deploy.post('/v2/messages', body, { timestamp, signature }), NOT_MATCHING)
    const first = createHmac('sha256', deploy.credentials.apiSecret)
      .update(`${timestamp}.${body}`)
      .digest('hex')
    expect((await deploy.post('/v2/messages', body, { timestamp, signature: first })).status).toBe(201)
    await expectRefused(sendIt({ ...right, signature: first }), NOT_MATCHING)
  })
})

describe('a nonce', () => {
  const REPLAYED = /^nonce used before/
  const count = async () => (await deploy.get(`/v2/topics/${topicId}/messages?limit=100`)).text.length

  it('is taken once, for reads and for writes', async () => {
    for (const request of [GET, message('Once.')]) {
      const right = signed(request)
      expect((await sendIt(right)).status).toBeLessThan(300)
      const before = await count()
      for (let time = 0; time < 3; time++) await expectRefused(sendIt(right), REPLAYED)
      expect(await count()).toBe(before)
    }
  })

  it('is taken once when it comes many times at once, on several nodes', async () => {
    const other = await server.secondNode()
    const right = signed(message('Only one of these.'))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sendIt(right, { url: index % 2 === 0 ? server.url : other.url }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, ...Array(19).fill(401)])
    await expectRefused(sendIt(right, { url: other.url }), REPLAYED)
  })

  it('is not used up by who cannot sign with it', async () => {
    const right = signed(GET)
    await expectRefused(sendIt({ ...right, signature: 'a'.repeat(64) }), NOT_MATCHING)
    expect((await sendIt(right)).status).toBe(200)
  })

  it('belongs to one bot', async () => {
    const other = await staticBot(server, orgId, 'Other bot')
    const nonce = newUuid()
    expect((await sendIt(signed(GET, { nonce }))).status).toBe(200)
    expect((await sendIt(signed(GET, { nonce, bot: other }), { bot: other })).status).toBe(200)
  })

  it('is remembered as long as its time is accepted, and then forgotten', async () => {
    const { db } = server.parley
    const known = async () => (await db.query(sql`select 1 from request_nonces`)).length
    const ahead = signed(GET, { timestamp: String(server.parley.clock() + 4 * MINUTE) })
    expect((await sendIt(ahead)).status).toBe(200)
    const before = await known()
    server.clock.ahead = 8 * MINUTE
    await forgetOldNonces(db, server.parley.clock(), 1000)
    expect(await known()).toBeLessThan(before)
    await expectRefused(sendIt(ahead), REPLAYED)
    server.clock.ahead = 11 * MINUTE
    await forgetOldNonces(db, server.parley.clock(), 1000)
    expect(await known()).toBe(0)
    await expectRefused(sendIt(ahead), /^timestamp too old/)
    server.clock.ahead = 0
  })
})

describe('a bot that accepts version 2 only', () => {
  it('refuses version 1, and tells why only who can sign', async () => {
    const bot = await staticBot(server, orgId, 'Careful bot')
    expect((await bot.get('/v2/members/me')).status).toBe(200)
    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { signatureVersion: 2 }))
    await eventually(async () => (await bot.get('/v2/members/me')).status).toBe(401)
    await expectRefused(bot.get('/v2/members/me'), /^signature version too low/)
    await expectRefused(bot.get('/v2/members/me', { signature: 'a'.repeat(64) }), NOT_MATCHING)
    expect((await sendIt(signed(GET, { bot }), { bot })).status).toBe(200)

    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { signatureVersion: 1 }))
    await eventually(async () => (await bot.get('/v2/members/me')).status).toBe(200)
  })
})
