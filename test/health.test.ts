import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { whyUnavailable } from '../server/db/unavailable.ts'
import { newUuid } from '../server/ids.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

let server: TestParley
let deploy: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  deploy = await staticBot(server, await organization(server))
})
afterAll(() => server.close())

const get = (target: string, headers: Record<string, string> = {}, node = server): Promise<Answer> =>
  send(node.url, { method: 'GET', target, headers })

async function outcome(target: string): Promise<[number, unknown]> {
  const { status, body } = await get(target)
  return [status, body]
}

describe('a node that only works in the background', () => {
  it('is watched like any other, and answers nothing else', async () => {
    const worker = await server.secondNode({ roles: ['worker'] })
    expect((await get('/health/ready', {}, worker)).status).toBe(200)
    expect((await get('/metrics', {}, worker)).status).toBe(200)
    for (const path of ['/v2/members', '/docs', '/']) {
      const response = await fetch(worker.url + path)
      expect([path, response.status]).toEqual([path, 404])
    }
  })
})

describe('health', () => {
  it('is live and ready while all is well', async () => {
    expect(await outcome('/health/live')).toEqual([200, { status: 'live' }])
    expect(await outcome('/health/ready')).toEqual([200, { status: 'ready' }])
  })

  it('is live and not ready while the database is gone, and ready again afterwards', async () => {
    const database = await server.parley.db.pool.query('select current_database() as name')
    const { name } = database.rows[0]
    const administrator = new pg.Client(inject('postgres'))
    await administrator.connect()
    onTestFinished(() => administrator.end())
    const admit = (allowed: boolean) =>
      administrator.query(`alter database ${name} with allow_connections ${allowed}`)

    await admit(false)
    onTestFinished(async () => {
      await admit(true)
    })
    await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ])
    await eventually(() => outcome('/health/ready')).toEqual([
      503,
      { status: 'database unavailable', reason: 'it lets nobody in' },
    ])
    expect(await outcome('/health/live')).toEqual([200, { status: 'live' }])
    const poll = '/v2/updates?timeout=30'
    const waits = new Set<string | null>()
    for (let round = 0; round < 8; round++) {
      for (const refused of [
        await deploy.get('/v2/members/me'),
        await deploy.get(poll),
        await deploy.post('/v2/topics', { name: 'Now', members: [] }),
      ]) {
        expect([refused.status, refused.body]).toEqual([503, 'temporarily unavailable, try again'])
        waits.add(refused.headers.get('retry-after'))
      }
    }
    // 24 draws of five are all the same once in 10^16 runs.
    expect(waits.size).toBeGreaterThan(1)
    const metrics = await get('/metrics')
    expect(metrics.status).toBe(200)
    expect(metrics.text).toMatch(/^parley_webhook_paused_bots 0$/m)
    expect(metrics.text).toMatch(
      /^parley_http_request_seconds_count\{.*route="\/v2\/updates",status="503"\} 8$/m,
    )

    await admit(true)
    await eventually(() => outcome('/health/ready')).toEqual([200, { status: 'ready' }])
    expect((await deploy.get('/v2/members/me')).status).toBe(200)
  })
})

it('takes the error of a cluster that has lost a machine for an absence, and no other that is internal', async () => {
  const raise = (message: string) =>
    server.parley.db.pool
      .query(`do $$ begin raise exception '${message}' using errcode = 'internal_error'; end $$`)
      .then(() => 'nothing', whyUnavailable)
  const lost = 'one of its machines is away'
  expect(await raise('could not commit transaction for shard 102229 on at least one active node')).toBe(lost)
  expect(await raise('failure on connection marked as essential: 127.0.0.1:5432')).toBe(lost)
  expect(await raise('could not commit')).toBeUndefined()
})

describe('metrics', () => {
  const STRANGERS = [
    { 'X-Forwarded-For': '203.0.113.7' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Forwarded: 'for=203.0.113.7' },
    { Via: '1.1 proxy' },
    { 'X-Real-IP': '203.0.113.7' },
    { 'X-Forwarded-Proto': 'https' },
    { 'X-Forwarded-Host': 'parley.example.com' },
    { 'X-Forwarded-Server': 'proxy' },
    { 'X-Original-Forwarded-For': '203.0.113.7' },
    { 'CF-Connecting-IP': '203.0.113.7' },
    { 'CF-Ray': '230b030023ae2822-SJC' },
    { 'True-Client-IP': '203.0.113.7' },
    { 'Fastly-Client-IP': '203.0.113.7' },
    { 'Fly-Client-IP': '203.0.113.7' },
    { 'X-Client-IP': '203.0.113.7' },
    { 'X-Cluster-Client-IP': '203.0.113.7' },
    { 'X-Amzn-Trace-Id': 'Root=1-67891233-abcdef012345678912345678' },
    { Host: 'parley.example.com' },
    { Host: 'evil.example.com:8080' },
  ]

  it('are shown to a local visitor', async () => {
    for (const headers of [{}, { Host: 'localhost' }, { Host: 'LOCALHOST:8080' }, { Host: '[::1]:8080' }]) {
      const { status, text, headers: received } = await get('/metrics', headers)
      expect(status).toBe(200)
      expect(received.get('content-type')).toMatch(/^text\/plain/)
      expect(text).toContain('parley_http_request_seconds')
    }
  })

  it('are hidden from everybody else: behind a proxy, and under a foreign name', async () => {
    for (const headers of STRANGERS) {
      const { status, body } = await get('/metrics', headers)
      expect([headers, status, body]).toEqual([headers, 404, 'not found'])
    }
  })

  it('are hidden from those whom a trusted proxy saw elsewhere', async () => {
    const node = await server.secondNode({ trustProxy: ['127.0.0.1'] })
    expect((await get('/metrics', { 'X-Forwarded-For': '203.0.113.7' }, node)).status).toBe(404)
    expect((await get('/metrics', { 'X-Forwarded-For': '127.0.0.1, 203.0.113.7' }, node)).status).toBe(404)
    expect((await get('/metrics', { 'X-Forwarded-For': '127.0.0.1' }, node)).status).toBe(404)
    expect((await get('/metrics', {}, node)).status).toBe(200)
  })

  it('are shown to all when the operator wants it so', async () => {
    const node = await server.secondNode({ metricsPublic: true })
    for (const headers of STRANGERS) expect((await get('/metrics', headers, node)).status).toBe(200)
  })

  async function count(method: string, route: string, status: number): Promise<number> {
    const { text } = await get('/metrics')
    const labels = `method="${method}",route="${route}",status="${status}"`
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`parley_http_request_seconds_count{${labels}}`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  it('count requests by route and status', async () => {
    const before = await count('GET', '/v2/members', 200)
    for (let request = 0; request < 3; request++) await deploy.get('/v2/members')
    await call(server.url, undefined, 'GET', '/v2/members')
    await eventually(() => count('GET', '/v2/members', 200)).toBe(before + 3)
    expect(await count('GET', '/v2/members', 401)).toBeGreaterThan(0)
  })

  it('name no ids and no made-up paths', async () => {
    const [id, path] = [newUuid(), newUuid()]
    await deploy.get(`/v2/members/${id}`)
    await call(server.url, undefined, 'GET', `/v2/${path}`)
    await eventually(() => count('GET', '/v2/members/:memberId', 404)).toBe(1)
    const { text } = await get('/metrics')
    expect(text).not.toContain(id)
    expect(text).not.toContain(path)
    expect(text).not.toContain(deploy.credentials.apiKey)
  })

  it('show the connections to the database', async () => {
    const { text } = await get('/metrics')
    expect(text).toMatch(/^parley_database_connections\{state="idle"\} \d+$/m)
    expect(text).toMatch(/^process_cpu_seconds_total \d/m)
  })
})
