import { afterAll, beforeAll, expect, it } from 'vitest'
import { setTopicState } from '../server/actions/topics/chat-states.ts'
import type { Queryable } from '../server/db/database.ts'
import { type Sql, sql, toStatement } from '../server/db/sql.ts'
import { listMentions, listTopicMessages } from '../server/queries/messages/inbox-lists.ts'
import { listMessages } from '../server/queries/messages/messages.ts'
import { listThreads } from '../server/queries/messages/threads.ts'
import { readChatTopic } from '../server/queries/topics/chat-topics.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { countOf } from './support/thorough.ts'
import { vacuumed } from './support/vacuumed.ts'

/** Messages in the long topic, and in the short one that must cost as much. */
const MANY = countOf(20_000, 200_000)
const FEW = 100
/** The index of the long topic is deeper, and its pages are elsewhere. */
const ALLOWED_RATIO = 1.5

let server: TestParley
let orgId: string
let profileId: string
let bot: StaticTestBot
let short: string
let long: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  profileId = await person(server, orgId, 'Ada')
  bot = await staticBot(server, orgId)
  short = await topicWith(FEW)
  long = await topicWith(MANY)
  await vacuumed(server.parley.db, ['messages', 'mentions', 'thread_follows', 'topic_members'])
})
afterAll(() => server.close())

/** Makes a topic of unread, followed messages with mentions; every second one has a file. */
async function topicWith(count: number): Promise<string> {
  const made = await bot.post('/v2/topics', { name: `${count}`, members: [profileId] })
  const topicId = Object(made.body).id
  const id = sql`(lpad(to_hex(${Date.now() + 1000}::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
  await server.parley.db.query(sql`
    with said as (
      insert into messages (org_id, id, topic_id, sender_id, type, text, attachments, created_at, updated_at)
      select ${orgId}, ${id}, ${topicId}, ${bot.id}, 'text', 'Message ' || n, case when n % 2 = 0 then '[]'::jsonb end, 0, 0
      from generate_series(1, ${count}::integer) as n
      returning id
    ), followed as (
      insert into thread_follows (org_id, profile_id, parent_id, topic_id, last_reply_id)
      select ${orgId}, ${profileId}, id, ${topicId}, id from said
    )
    insert into mentions (org_id, profile_id, topic_id, message_id) select ${orgId}, ${profileId}, ${topicId}, id from said`)
  return topicId
}

/** Runs each query with EXPLAIN, and adds up rows and buffers. */
class MeasuredDatabase implements Queryable {
  buffers = 0
  async query<Row extends object>(query: Sql): Promise<Row[]> {
    const { text, values } = toStatement(query)
    const explained = await server.parley.db.pool.query({
      text: `explain (analyze, buffers, format json) ${text}`,
      values,
    })
    const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN']
    this.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return server.parley.db.query(query)
  }
}

async function buffersOf(work: (db: Queryable, topicId: string) => Promise<unknown>): Promise<number[]> {
  const costs: number[] = []
  for (const topicId of [short, long]) {
    await work(server.parley.db, topicId) // plans, visibility and hints are there from here on
    const db = new MeasuredDatabase()
    await work(db, topicId)
    costs.push(db.buffers)
  }
  return costs
}

const caller = () => ({ orgId, profileId })
const filters = { includeSystem: true, includeReactionUsers: true } as const

it.each<[string, (db: Queryable, topicId: string) => Promise<unknown>]>([
  ['opening a topic, with what is unread in it', (db, topicId) => readChatTopic(caller(), db, topicId)],
  [
    'its newest messages',
    (db, topicId) =>
      listMessages(caller(), db, topicId, { filters: { ...filters, order: 'desc' }, limit: 50 }),
  ],
  [
    'its first messages',
    (db, topicId) =>
      listMessages(caller(), db, topicId, { filters: { ...filters, order: 'asc' }, limit: 50 }),
  ],
  ['marking it as read', (db, topicId) => setTopicState(db, caller(), topicId, { muted: true })],
])(`%s costs the same with ${FEW} and with ${MANY} messages`, async (_what, work) => {
  const [few = 0, many = 0] = await buffersOf(work)
  expect(few).toBeGreaterThan(0)
  expect(many, `${few} buffers with few messages, ${many} with many`).toBeLessThan(few * ALLOWED_RATIO + 20)
})

/** A page at the beginning and one near the end, which is as old as the list is long. */
it.each<[string, (db: Queryable, after?: string) => Promise<{ id?: string; last_reply_id?: string }[]>]>([
  ['mentions', (db, after) => listMentions(caller(), db, { ...(after && { after }), limit: 50 })],
  ['threads', (db, after) => listThreads(caller(), db, { ...(after && { after }), limit: 50 })],
  [
    'files of a topic',
    (db, after) =>
      listTopicMessages(caller(), db, long, { kind: 'files', ...(after && { after }), limit: 50 }),
  ],
])('the %s cost the same at any page', async (_what, work) => {
  const [oldest] = await server.parley.db.query<{ id: string }>(sql`
    select id from messages where topic_id = ${long} order by id offset 200 limit 1`)
  const costs: number[] = []
  for (const after of [undefined, oldest?.id]) {
    expect(await work(server.parley.db, after)).toHaveLength(51)
    const db = new MeasuredDatabase()
    await work(db, after)
    costs.push(db.buffers)
  }
  const [first = 0, last = 0] = costs
  expect(last, `${first} buffers for the first page, ${last} for an old one`).toBeLessThan(
    first * ALLOWED_RATIO + 20,
  )
  expect(first).toBeLessThan(1500)
})

it('counts up to a hundred and no further', async () => {
  const topic = await readChatTopic(caller(), server.parley.db, long)
  expect([topic?.unread, topic?.mentions]).toEqual([100, 100])
})
