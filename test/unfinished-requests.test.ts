import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { newUuid } from '../server/ids.ts'
import {
  at,
  type OAuthTestBot,
  oauthBot,
  organization,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { answerIn, type BareConnection, headOf, openBare } from './support/sockets.ts'
import { appeared, traces } from './support/uploads.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
const LATE = { status: 400, body: 'request took too long' }
/** Another address than the one that programs of this machine have, and so one that is counted. */
const STRANGER = '127.0.0.2'

let server: TestParley
/** A server with generous time limits, for tests of memory alone. */
let patient: TestParley
let orgId: string
let calendar: OAuthTestBot
let deploy: StaticTestBot
const open: BareConnection[] = []

/** Short enough to wait for, and long enough for a machine that has other things to do. */
const BODY_MS = 1200

beforeAll(async () => {
  server = await startTestParley({
    headerMs: 1000,
    bodyMs: BODY_MS,
    uploadBytesPerSecond: 10_000,
    bodyMemoryBytes: 4 * MEBIBYTE,
    maxConnections: 60,
    maxConnectionsPerAddress: 8,
    trustProxy: ['127.0.0.3'],
  })
  patient = await server.secondNode({ bodyMs: 600_000, smallBodyBytes: 2 * LIMITS.smallBodyBytes })
  orgId = await organization(server)
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  deploy = await staticBot(server, orgId, 'Deploy bot')
})
afterAll(() => server.close())

/** Closes the connections of each test before the next one. */
function closeAfterEach(): void {
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy()
    for (const node of [server, patient]) {
      await eventually(() => metric('parley_limit_used', 'body_bytes', node)).toBe(0)
    }
  })
}

async function bare(from?: string, node = server): Promise<BareConnection> {
  const connection = await openBare(node.url, { from })
  open.push(connection)
  return connection
}

async function metric(name: string, limit: string, node = server): Promise<number> {
  const { text } = await call(node.url, undefined, 'GET', '/metrics')
  return Number(new RegExp(`^${name}\\{\\w+="${limit}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

const bearer = () => ({ Authorization: `Bearer ${calendar.credentials.token}` })
const json = (length: number) => ({
  ...bearer(),
  'Content-Type': 'application/json',
  'Content-Length': length,
})

/** Sends byte by byte until the server gives up. */
async function trickle(connection: BareConnection, everyMs: number): Promise<string> {
  while (!connection.socket.destroyed && connection.socket.writable) {
    connection.write('x')
    await sleep(everyMs)
  }
  return connection.closed()
}

// Tests of headers and bodies mostly wait for a time limit: they wait at the same time, and the server closes their connections.
describe.concurrent('headers', () => {
  it('that trickle are answered with 400, and the connection is closed', async () => {
    const connection = await bare()
    connection.write('GET /v2/members HTTP/1.1\r\nHost: parley.test\r\nX-Slow: ')
    expect(answerIn(await trickle(connection, 50))).toEqual(LATE)
  })

  it('that never begin close the connection without a word', async () => {
    expect(await (await bare()).closed()).toBe('')
  })

  it('that trickle behind a request that waits do not write into its answer', async () => {
    const connection = await bare()
    connection.write(headOf('GET', '/v2/updates?timeout=3', bearer()))
    await eventually(async () => server.parley.longPolls.count).toBe(1)
    connection.write('GET /v2/members HTTP/1.1\r\nX-Slow: ')
    expect(await trickle(connection, 50)).toBe('')
    await eventually(async () => server.parley.longPolls.count).toBe(0)
  })
})

describe.concurrent('a body', () => {
  it.each([
    ['to the bot API', '/v2/topics', LATE],
    ['to the people API', '/people/sign-in', LATE],
    [
      'to the token endpoint',
      '/oauth/token',
      { status: 400, body: { error: 'invalid_request', error_description: 'request took too long' } },
    ],
  ])('that trickles is answered with 400, and the connection is closed: %s', async (_, target, answer) => {
    const connection = await bare()
    connection.write(headOf('POST', target, { ...json(10_000), Origin: server.url }))
    expect(answerIn(await trickle(connection, 20))).toEqual(answer)
  })

  it('that trickles in chunks of one byte is cut as well', async () => {
    const connection = await bare()
    const { 'Content-Length': _, ...headers } = json(0)
    connection.write(headOf('POST', '/v2/topics', { ...headers, 'Transfer-Encoding': 'chunked' }))
    const timer = setInterval(() => connection.write('1\r\nx\r\n'), 20)
    expect(answerIn(await connection.closed())).toEqual(LATE)
    clearInterval(timer)
  })

  it.each([
    ['no route takes', 'GET', '/v2/members', 200],
    ['was refused by its headers', 'POST', '/v2/topics', 401],
    ['leads nowhere', 'POST', '/v2/nothing', 404],
  ])('that %s ends the connection when it does not end', async (_, method, target, status) => {
    const connection = await bare()
    const headers = status === 401 ? { ...json(10_000), Authorization: 'Bearer unknown' } : json(10_000)
    connection.write(headOf(method, target, headers))
    expect(answerIn(await trickle(connection, 20)).status).toBe(status)
  })

  it('that comes in time may be slow, and is taken', async () => {
    const connection = await bare()
    const body = JSON.stringify({ name: 'Slowly', members: [] })
    connection.write(headOf('POST', '/v2/topics', { ...json(body.length), Connection: 'close' }))
    for (const letter of body) {
      connection.write(letter)
      await sleep(5)
    }
    expect(answerIn(await connection.closed()).status).toBe(201)
  })

  it.sequential('is counted among those that were too late', async () => {
    const before = await metric('parley_late_bodies_total', 'time')
    const connection = await bare()
    connection.write(headOf('POST', '/v2/topics', json(100)))
    await connection.closed()
    expect(await metric('parley_late_bodies_total', 'time')).toBe(before + 1)
  })
})

describe('an upload', () => {
  closeAfterEach()
  const begin = async (content: Buffer) => {
    const topic = await calendar.post('/v2/topics', { name: 'Uploads', members: [] })
    const { body, contentType } = form({ topicId: Object(topic.body).id }, [{ content, name: 'notes.txt' }])
    const connection = await bare()
    const headers = { ...bearer(), 'Content-Type': contentType, 'Content-Length': body.length }
    connection.write(headOf('POST', '/v2/messages', { ...headers, Connection: 'close' }))
    return { connection, body }
  }

  it('may take longer than a body may, as long as it goes on', async () => {
    const { connection, body } = await begin(Buffer.alloc(64 * KIBIBYTE, 'x'))
    const began = performance.now()
    for (let from = 0; from < body.length; from += KIBIBYTE) {
      connection.write(body.subarray(from, from + KIBIBYTE))
      await sleep(40)
    }
    const { status, body: answer } = answerIn(await connection.closed())
    expect(status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(2 * BODY_MS)
    await expect(appeared(calendar, Object(answer).id, 100)).rejects.toThrow() // no worker runs here
  })

  it('is read in turns, so that many at once leave the server to others in between', async () => {
    const sockets: Socket[] = []
    const accepted = (socket: Socket) => void sockets.push(socket)
    patient.app.server.on('connection', accepted)
    const content = Buffer.alloc(2 * MEBIBYTE, 'x')
    const { body, contentType } = form({ topicId: newUuid() }, [{ content, name: 'notes.txt' }])
    const headers = { ...bearer(), 'Content-Type': contentType, 'Content-Length': body.length }
    const uploads: BareConnection[] = []
    for (let count = 0; count < 12; count++) uploads.push(await bare(undefined, patient))
    await eventually(async () => sockets.length).toBe(uploads.length)
    const read = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    let [most, before, isOver] = [0, 0, false]
    const look = () => {
      const now = read()
      most = Math.max(most, now - before)
      before = now
      if (!isOver) setImmediate(look)
    }
    for (const upload of uploads) {
      upload.write(headOf('POST', '/v2/messages', { ...headers, Connection: 'close' }))
      upload.write(body)
    }
    look()
    for (const upload of uploads) expect(answerIn(await upload.closed()).status).toBe(404)
    isOver = true
    patient.app.server.off('connection', accepted)
    expect(read()).toBeGreaterThan(uploads.length * body.length)
    expect(most).toBeLessThan(3 * MEBIBYTE)
  })

  it('that trickles is cut, and nothing of it stays', async () => {
    const before = await traces(server)
    const { connection, body } = await begin(Buffer.alloc(40 * KIBIBYTE, 'x'))
    connection.write(body.subarray(0, 20 * KIBIBYTE))
    expect(answerIn(await trickle(connection, 10))).toEqual(LATE)
    expect(await traces(server)).toEqual(before)
    expect(await metric('parley_late_bodies_total', 'progress')).toBe(1)
  })
})

describe('a body that is larger than its route needs', () => {
  closeAfterEach()
  const textOf = (bytes: number) => JSON.stringify({ email: 'ada@example.com', password: 'x'.repeat(bytes) })

  it('is refused by what people, tokens and strangers use, and only by them', async () => {
    const { smallBodyBytes } = LIMITS
    const large = textOf(smallBodyBytes)
    const headers = { origin: server.url }
    const post = (path: string, body: string, type = 'application/json') =>
      call(server.url, undefined, 'POST', path, { body, headers: { ...headers, 'content-type': type } })
    expect(await post('/people/sign-in', large)).toMatchObject({ status: 400, body: 'body too large' })
    const token = await post('/oauth/token', `scope=${large}`, 'application/x-www-form-urlencoded')
    expect([token.status, token.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'body too large' },
    ])
    const signup = { companyName: large }
    expect(await post('/v2/agentic/organization/create', JSON.stringify(signup))).toMatchObject({
      status: 400,
      body: 'body too large',
    })
    const below = await post('/people/sign-in', textOf(smallBodyBytes - 100))
    expect(below).toMatchObject({ status: 400, body: 'password too long' })
    const roomy = { body: large, headers: { origin: patient.url, 'content-type': 'application/json' } }
    const elsewhere = await call(patient.url, undefined, 'POST', '/people/sign-in', roomy)
    expect(elsewhere, 'where the operator allows more').toMatchObject({ body: 'password too long' })
    const topic = { name: 'Large', members: [], unknown: large }
    expect((await deploy.post('/v2/topics', topic)).status).toBe(201)
  })

  it('is refused although its length was not announced', async () => {
    const connection = await bare()
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', Origin: server.url }
    connection.write(headOf('POST', '/people/sign-in', headers))
    connection.write(`${(20 * KIBIBYTE).toString(16)}\r\n${'x'.repeat(20 * KIBIBYTE)}\r\n`)
    expect(answerIn(await connection.closed())).toEqual({ status: 400, body: 'body too large' })
  })
})

describe('memory for bodies', () => {
  closeAfterEach()
  const beside = () => at(patient.url, deploy)

  /** A body without its last byte. */
  const hold = async (bytes: number, from?: string) => {
    const connection = await bare(from, patient)
    connection.write(headOf('POST', '/v2/topics', json(bytes)))
    connection.write(Buffer.alloc(bytes - 1, ' '))
    return connection
  }

  it('is taken from the oldest unfinished one when there is none left, and a neighbour is served', async () => {
    const refusedBefore = await metric('parley_limit_refusals_total', 'body_bytes', patient)
    const held: BareConnection[] = []
    for (let count = 0; count < 8; count++) held.push(await hold(900 * KIBIBYTE))
    const [oldest] = held
    expect(answerIn((await oldest?.closed()) ?? '')).toEqual({
      status: 503,
      body: 'the server is busy, try again',
    })
    expect(oldest?.text()).toMatch(/^Retry-After: 1\r$/im)
    expect((await beside().post('/v2/topics', { name: 'Beside', members: [] })).status).toBe(201)
    expect(await metric('parley_limit_used', 'body_bytes', patient)).toBeLessThanOrEqual(4 * MEBIBYTE)
    expect(await metric('parley_limit_refusals_total', 'body_bytes', patient)).toBeGreaterThan(refusedBefore)
  })

  it('is taken by the metadata of forms, too', async () => {
    const boundary = 'x'
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="metaPart"\r\n\r\n`
    const contentType = `multipart/form-data; boundary=${boundary}`
    const held: BareConnection[] = []
    for (let count = 0; count < 8; count++) {
      const connection = await bare(undefined, patient)
      const headers = { ...bearer(), 'Content-Type': contentType, 'Content-Length': MEBIBYTE }
      connection.write(headOf('POST', '/v2/messages', headers))
      connection.write(head + ' '.repeat(900 * KIBIBYTE))
      held.push(connection)
    }
    expect(answerIn((await held[0]?.closed()) ?? '').status).toBe(503)
    expect(await metric('parley_limit_used', 'body_bytes', patient)).toBeLessThanOrEqual(4 * MEBIBYTE)
  })

  it.skipIf(process.platform !== 'linux')('is taken from the address that holds most of it', async () => {
    const neighbour = await bare(undefined, patient)
    neighbour.write(headOf('POST', '/v2/topics', { ...json(30_000), Connection: 'close' }))
    neighbour.write(' '.repeat(20_000))
    await eventually(() => metric('parley_limit_used', 'body_bytes', patient)).toBeGreaterThanOrEqual(20_000)
    const held: BareConnection[] = []
    for (let count = 0; count < 6; count++) held.push(await hold(900 * KIBIBYTE, STRANGER))
    expect(answerIn((await held[0]?.closed()) ?? '').status).toBe(503)
    const rest = JSON.stringify({ name: 'Older than all of them', members: [] })
    neighbour.write(' '.repeat(10_000 - rest.length) + rest)
    expect(answerIn(await neighbour.closed()).status).toBe(201)
  })

  it('is not given to callers with an unknown key', async () => {
    const strangers: BareConnection[] = []
    for (let count = 0; count < 8; count++) {
      const connection = await bare(undefined, patient)
      const signature = { 'X-Timestamp': Date.now(), 'X-Signature': '0'.repeat(64), Connection: 'close' }
      const headers = { ...json(900 * KIBIBYTE), ...signature, Authorization: `Bearer ${'k'.repeat(43)}` }
      connection.write(headOf('POST', '/v2/topics', headers))
      connection.write(Buffer.alloc(900 * KIBIBYTE - 1, ' '))
      strangers.push(connection)
    }
    // Together they would be 7 MiB, of which 4 are to be had: the first ones would have been given up.
    for (const connection of strangers) {
      connection.write(' ')
      expect(answerIn(await connection.closed())).toEqual({ status: 401, body: 'unauthorized' })
      expect(connection.text()).toMatch(/^X-Auth-Error: signature does not match/im)
    }
    expect(await metric('parley_limit_used', 'body_bytes', patient)).toBe(0)
  })

  it('is free again when the request is over', async () => {
    for (let count = 0; count < 10; count++) {
      const topic = { name: 'Large', members: [], unknown: 'x'.repeat(900_000) }
      expect((await beside().post('/v2/topics', topic)).status).toBe(201)
    }
    await eventually(() => metric('parley_limit_used', 'body_bytes', patient)).toBe(0)
  })
})

describe('connections', () => {
  closeAfterEach()

  it('have a ceiling in all, and are refused above it', async () => {
    await eventually(() => metric('parley_limit_used', 'connections')).toBeLessThan(10)
    const refusedBefore = await metric('parley_limit_refusals_total', 'connections')
    const all = await Promise.all(Array.from({ length: 70 }, () => bare()))
    const refused = () => all.filter(({ text }) => text() !== '')
    await eventually(async () => refused().length).toBeGreaterThanOrEqual(10)
    const [one] = refused()
    expect(answerIn(one?.text() ?? '')).toEqual({
      status: 503,
      body: 'the server has no room for another connection, try again',
    })
    expect(one?.text()).toMatch(/^Retry-After: 1\r$/im)
    for (const { socket } of all) socket.destroy()
    await eventually(async () =>
      metric('parley_limit_refusals_total', 'connections').catch(() => 0),
    ).toBeGreaterThanOrEqual(refusedBefore + 10)
    expect((await deploy.get('/v2/members/me')).status).toBe(200)
  })

  it.skipIf(process.platform !== 'linux')(
    'have a ceiling for an address, and others are served',
    async () => {
      for (let count = 0; count < 8; count++) await bare(STRANGER)
      await eventually(() => metric('parley_limit_used', 'connections_of_an_address')).toBe(8)
      const more = await bare(STRANGER)
      expect(answerIn(await more.closed())).toEqual({
        status: 429,
        body: 'too many connections from this address',
      })
      expect((await deploy.get('/v2/members/me')).status).toBe(200)
      open[0]?.socket.destroy()
      await eventually(() => metric('parley_limit_used', 'connections_of_an_address')).toBe(7)
      const again = await bare(STRANGER)
      again.write(headOf('GET', '/health/live', { Connection: 'close' }))
      expect(answerIn(await again.closed()).status).toBe(200)
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'of a trusted proxy are not counted by address; the requests that it brings are',
    async () => {
      const proxied = async (address: string, target: string) => {
        const connection = await bare('127.0.0.3')
        connection.write(headOf('GET', target, { ...bearer(), 'X-Forwarded-For': address }))
        return connection
      }
      for (let count = 0; count < 8; count++) await proxied('203.0.113.7', '/v2/updates?timeout=5')
      await eventually(() => metric('parley_limit_used', 'requests_of_an_address')).toBe(8)
      const refused = await proxied('203.0.113.7', '/v2/members')
      await eventually(async () => refused.text()).toContain('too many requests at once from this address')
      expect(answerIn(refused.text()).status).toBe(429)
      expect(refused.text()).toMatch(/^Retry-After: 1\r$/im)
      const other = await proxied('203.0.113.8', '/v2/members')
      await eventually(async () => other.text()).toContain('200 OK')
      for (const { socket } of open.splice(0)) socket.destroy()
      await eventually(() => metric('parley_limit_used', 'requests_of_an_address')).toBe(0)
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'that send many requests at once are counted by request',
    async () => {
      const connection = await bare(STRANGER)
      const poll = headOf('GET', '/v2/updates?timeout=5', bearer())
      connection.write(poll.repeat(20))
      await eventually(() => metric('parley_limit_refusals_total', 'requests_of_an_address')).toBeGreaterThan(
        8,
      )
      expect(await metric('parley_limit_used', 'requests_of_an_address')).toBe(8)
      connection.socket.destroy()
      await eventually(() => metric('parley_limit_used', 'requests_of_an_address')).toBe(0)
    },
  )
})
