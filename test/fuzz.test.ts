import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openApiDocument } from '../contract/openapi.ts'
import type { Caller } from '../fuzz/callers.ts'
import { Judge } from '../fuzz/checks.ts'
import { type OpenApi, operationsOf } from '../fuzz/document.ts'
import { Pool } from '../fuzz/pool.ts'
import { asCurl } from '../fuzz/report.ts'
import { type Material, type Planned, planRequest } from '../fuzz/requests.ts'
import { bytesOf, Connection, type Result, readAnswer } from '../fuzz/wire.ts'
import { promisesOf } from './support/promised.ts'

const TOPIC = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const FOREIGN = '11111111-2222-4333-8444-555555555555'
const document: OpenApi & Record<string, unknown> = JSON.parse(
  JSON.stringify(openApiDocument('http://parley.test')),
)
const operations = operationsOf(document)

const caller = (audience: Caller['audience']): Caller => ({
  name: audience,
  audience,
  weight: 1,
  isSound: true,
  headers: () => [['Authorization', audience]],
})

function material(): Material {
  const [pool, foreign] = [new Pool(), new Pool()]
  pool.add('topic', { topicId: TOPIC })
  foreign.add('topic', { topicId: FOREIGN })
  const callers = (['bot', 'person', 'client', 'anyone'] as const).map(caller)
  return { operations, callers, pool, foreign, cast: new Set(), hints: {} }
}

const plan = (seed: number, count: number): Planned[] => {
  const stage = material()
  return Array.from({ length: count }, (_, number) => planRequest(seed, number, stage))
}

describe('the requests of a fuzz run', () => {
  it('are the same for the same seed, and others for another', () => {
    const bytes = (seed: number) => plan(seed, 400).map((planned) => bytesOf(planned).toString('base64'))
    expect(bytes(7)).toEqual(bytes(7))
    const [one, other] = [bytes(7), bytes(8)]
    expect(one.filter((request, index) => request === other[index]).length).toBeLessThan(20)
  })

  it('do not depend on the requests before them', () => {
    const alone = planRequest(7, 399, material())
    expect(bytesOf(alone)).toEqual(bytesOf(plan(7, 400).at(-1) ?? alone))
  })

  it('reach every operation', () => {
    const reached = new Set(plan(1, 20_000).map(({ operation }) => operation?.id))
    expect(operations.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual([])
  })

  it('take real ids, and once in a while those of a foreign organization', () => {
    const targets = plan(1, 8000).map(({ target }) => target)
    const own = targets.filter((target) => target.includes(TOPIC)).length
    const foreign = targets.filter((target) => target.includes(FOREIGN)).length
    expect(own).toBeGreaterThan(100)
    expect(foreign).toBeGreaterThan(10)
    expect(own).toBeGreaterThan(foreign)
  })

  it('can be sent again with curl', () => {
    const planned = planRequest(7, 399, material())
    expect(asCurl({ ...planned, isBroken: false }, 'http://127.0.0.1:1')).toMatch(
      /^curl .*'http:\/\/127\.0\.0\.1:1\//,
    )
    expect(asCurl({ ...planned, isBroken: true }, 'http://127.0.0.1:1')).toContain('| nc ')
  })
})

describe('the judge of a fuzz run', () => {
  const judge = new Judge(promisesOf(document))
  judge.watchFor({ ids: new Set([FOREIGN]), marker: 'kestrel' })
  judge.secrets.push('a-secret-that-was-shown')
  const request = { method: 'GET', target: '/v2/organization/labels', body: undefined, isBroken: false }
  const judged = (
    changes: Partial<Planned>,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ) => {
    const text = typeof body === 'string' && body.startsWith('<') ? body : JSON.stringify(body)
    const all = { 'x-request-id': 'req_1', 'content-type': 'application/json', ...headers }
    const answer = { status, text, body, headers: new Headers(all) }
    return judge.mistakeIn({ ...planRequest(1, 1, material()), ...request, ...changes }, answer)
  }
  const label = { id: TOPIC, name: 'Urgent' }

  it('has nothing against what is promised', () => {
    expect(judged({}, 200, { labels: [label] })).toBeUndefined()
    expect(judged({}, 401, 'unauthorized', { 'x-error-code': 'unauthorized' })).toBeUndefined()
    expect(
      judged({ isBroken: true }, 400, 'malformed request', { 'x-error-code': 'malformed_request' }),
    ).toBeUndefined()
    expect(
      judge.mistakeIn({ ...planRequest(1, 1, material()), isBroken: true }, 'broken off'),
    ).toBeUndefined()
  })

  it.each<[string, () => string | undefined]>([
    ['a failure', () => judged({}, 500, 'internal server error')],
    ['a server that is not there', () => judged({}, 503, 'unavailable')],
    ['a status that is not documented', () => judged({}, 409, 'conflict')],
    ['an answer without an id', () => judged({}, 200, { labels: [] }, { 'x-request-id': '' })],
    ['an error that is an object', () => judged({}, 401, { error: 'unauthorized' })],
    ['another content type', () => judged({}, 200, { labels: [] }, { 'content-type': 'text/html' })],
    ['a body without what is promised', () => judged({}, 200, { labels: [{ id: TOPIC }] })],
    ['a body with more than is promised', () => judged({}, 200, { labels: [{ ...label, orgId: TOPIC }] })],
    ['a stack', () => judged({}, 400, 'Error\n    at parse (file:///server/main.js:1:1)')],
    ['words of the database', () => judged({}, 400, 'invalid input syntax for type uuid')],
    ['a foreign text', () => judged({}, 200, { labels: [{ ...label, name: 'kestrel label' }] })],
    ['a foreign id', () => judged({}, 200, { labels: [{ ...label, id: FOREIGN }] })],
    ['a secret', () => judged({}, 200, { labels: [{ ...label, name: 'a-secret-that-was-shown' }] })],
    ['a header of the request', () => judged({}, 200, { labels: [] }, { 'x-injected': '1' })],
    ['silence', () => judge.mistakeIn(planRequest(1, 1, material()), 'late')],
    [
      'a broken connection',
      () => judge.mistakeIn({ ...planRequest(1, 1, material()), isBroken: false }, 'broken off'),
    ],
  ])('finds %s', (_name, mistake) => {
    expect(mistake()).toEqual(expect.any(String))
  })
})

describe('the connection of a fuzz run', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  async function answering(answer: (socket: Socket) => void): Promise<Connection> {
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Connection((server.address() as AddressInfo).port)
  }

  const ask = async (answer: (socket: Socket) => void, limitMs = 5000): Promise<Result> => {
    const connection = await answering(answer)
    const request = {
      method: 'GET',
      target: '/',
      headers: [],
      body: undefined,
      isChunked: false,
      isBroken: false,
    }
    const result = await connection.ask(request, limitMs)
    connection.end()
    return result
  }

  it('puts an answer together from pieces and chunks', async () => {
    const result = await ask((socket) => {
      socket.write(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n"ab\r\n',
      )
      setTimeout(() => socket.write('3\r\ncd"\r\n0\r\n\r\n'), 20)
    })
    expect(result).toMatchObject({ status: 200, body: 'abcd' })
  })

  it('tells silence from a broken connection', async () => {
    expect(await ask(() => {}, 50)).toBe('late')
    expect(await ask((socket) => socket.destroy())).toBe('broken off')
  })

  it('waits for a whole body', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"ab')
    expect(readAnswer(bytes, 'GET', false)).toBeUndefined()
    expect(readAnswer(Buffer.concat([bytes, Buffer.from('"')]), 'GET', false)).toMatchObject({ body: 'ab' })
    expect(
      readAnswer(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'), 'HEAD', false),
    ).toMatchObject({ text: '' })
  })
})
