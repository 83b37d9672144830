import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sql, sql, toStatement } from '../server/db/sql.ts'
import { readReady } from '../server/webhooks/claim.ts'
import { organization } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { webhookBot } from './support/receiver.ts'
import { vacuumed } from './support/vacuumed.ts'

const DELIVERED = 5000
const PENDING = 5000
const WANTED = 10
/** A delivery, its event and its bot: from the root of an index to a leaf, and the row. */
const BUFFERS_EACH = 3 * 5
const HOLDER = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'

let server: TestParley
let orgId: string
let botId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  botId = (await webhookBot(server, orgId, 'https://bots.example.com/events')).id
  const { db } = server.parley
  await db.query(sql`
    update bots set webhook_leased_by = ${HOLDER}, webhook_leased_until = 9e15::bigint where id = ${botId}`)
  await db.query(sql`
    insert into events (org_id, seq, id, type, topic_id, data, created_at)
    select ${orgId}, seq, gen_random_uuid(), 'message.created', gen_random_uuid(), '{}', 0
    from generate_series(1000001, ${1_000_000 + DELIVERED + PENDING}::bigint) seq`)
  await deliveries(1_000_001, DELIVERED, 'delivered')
  // The planner knows the usual state: next to nothing is pending.
  await vacuumed(db, ['deliveries', 'events', 'bots'])
  await deliveries(1_000_001 + DELIVERED, PENDING, 'pending')
})
afterAll(() => server.close())

async function deliveries(from: number, count: number, state: string): Promise<void> {
  await server.parley.db.query(sql`
    insert into deliveries (org_id, bot_id, seq, id, topic_id, state, due_at)
    select ${orgId}, ${botId}, seq, gen_random_uuid(), gen_random_uuid(), ${state}, seq
    from generate_series(${from}::bigint, ${from + count - 1}::bigint) seq`)
}

it.each(['force_custom_plan', 'force_generic_plan'])(
  'what an attempt needs is looked up, however much waits (%s)',
  async (planner) => {
    const asked: Sql[] = []
    const listener = {
      query: async (query: Sql) => {
        asked.push(query)
        return []
      },
    }
    const first = 1_000_001 + DELIVERED + PENDING / 2
    const wanted = Array.from({ length: WANTED }, (_, number) => ({ orgId, botId, seq: first + number }))
    await readReady(listener, { holder: HOLDER, until: 0 }, wanted)
    const { text, values } = toStatement(asked[0] ?? sql``)
    const client = await server.parley.db.pool.connect()
    try {
      await client.query(`set plan_cache_mode = ${planner}`)
      const { rows } = await client.query(
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      )
      const { Plan: plan } = rows[0]['QUERY PLAN'][0]
      expect(plan['Actual Rows']).toBe(WANTED)
      const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      expect(buffers).toBeLessThan(WANTED * BUFFERS_EACH)
    } finally {
      await client.query('reset plan_cache_mode')
      client.release()
    }
  },
)
