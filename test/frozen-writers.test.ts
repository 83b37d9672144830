import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTopic } from '../server/actions/topics/topics.ts'
import { CONNECTION_LIMITS } from '../server/db/database.ts'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

let server: TestParley
let orgId: string
let bot: StaticTestBot
let topicId: string

/** Shorter than the real ones, in the same order: a frozen node is let go before who waits for it gives up. */
const QUICK_LIMITS = { idle_in_transaction_session_timeout: 500, lock_timeout: 2000 }

beforeAll(async () => {
  server = await startTestParley({ stallMs: 3000 }, QUICK_LIMITS)
  orgId = await organization(server)
  bot = await staticBot(server, orgId)
  const topic = await server.parley.db.write(orgId, (tx) =>
    createTopic(tx, { createdBy: bot.id, name: 'Releases', members: [] }),
  )
  topicId = topic.id
})
afterAll(() => server.close())

const lockOrganization = async (client: { query(text: string, values?: unknown[]): Promise<unknown> }) => {
  await client.query('begin')
  await client.query('select from organization_logs where org_id = $1 for update', [orgId])
}
const say = (text: string, headers: Record<string, string> = {}) =>
  bot.post('/v2/messages', { topicId, text }, { headers })
const texts = async () => {
  const { body } = await bot.get(`/v2/topics/${topicId}/messages?order=asc`)
  return Object(body).messages.map(({ text }: { text: string }) => text)
}

describe('a node that freezes while it holds an organization', () => {
  it('is let go within three seconds, before others give up, who wait less than five', () => {
    const { idle_in_transaction_session_timeout: frozen, lock_timeout: waiting } = CONNECTION_LIMITS
    expect(frozen).toBeLessThanOrEqual(3000)
    expect(waiting).toBeGreaterThanOrEqual(frozen + 1000)
    expect(waiting).toBeLessThan(5000)
  })

  it('loses its hold, and the others go on', async () => {
    const frozen = await server.secondNode()
    const client = await frozen.parley.db.pool.connect()
    onTestFinished(() => client.release(true))
    client.on('error', () => {})
    await lockOrganization(client) // and then nothing, for ever
    expect((await say('after the freeze')).status).toBe(201)
    await expect(client.query('commit')).rejects.toThrow()
    expect(await texts()).toEqual(['after the freeze'])
  })
})

describe('an organization that a writer without limits holds', () => {
  it('answers 503 with Retry-After, and the same key is right afterwards', async () => {
    const database = await server.parley.db.pool.query('select current_database() as name')
    const client = new pg.Client({ ...inject('postgres'), database: database.rows[0].name })
    await client.connect()
    onTestFinished(() => client.end())
    await lockOrganization(client)
    const key = { 'Idempotency-Key': 'once' }
    const refused = await say('held up', key)
    expect([refused.status, refused.body]).toEqual([503, 'temporarily unavailable, try again'])
    expect(refused.headers.get('retry-after')).toMatch(/^[1-5]$/)
    const edited = await bot.post('/v2/topics', { name: 'Another', members: [] })
    expect(edited.status).toBe(503)
    await client.query('rollback')
    const [first, second] = [await say('held up', key), await say('held up', key)]
    expect([first.status, second.body]).toEqual([201, first.body])
    expect((await texts()).filter((text: string) => text === 'held up')).toHaveLength(1)
  })
})

describe('a node whose clock is wrong', () => {
  it.each([
    ['ahead of', 600_000],
    ['behind', -600_000],
  ])(
    'says that it is %s the database, and writes the right time all the same',
    async (words, clockAheadMs) => {
      const node = await server.secondNode({}, { clockAheadMs })
      const ready = await send(node.url, { method: 'GET', target: '/health/ready' })
      expect(ready.status).toBe(200)
      expect(Object(ready.body).warning).toMatch(`600 s ${words} the database's`)
      const sent = await at(node.url, bot).post('/v2/messages', { topicId, text: 'on time' })
      expect(sent.status).toBe(201)
      expect(Math.abs(Object(sent.body).createdAt - Date.now())).toBeLessThan(10_000)
      const topic = await at(node.url, bot).post('/v2/topics', { name: 'On time', members: [] })
      expect(Math.abs(Object(topic.body).createdAt - Date.now())).toBeLessThan(10_000)
    },
  )
})
