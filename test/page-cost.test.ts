import { escapeLiteral } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopic } from '../server/actions/topics/topics.ts'
import { sql, toStatement } from '../server/db/sql.ts'
import { firstUuidAt } from '../server/ids.ts'
import { type MessagePlace, messagePage } from '../server/queries/messages/messages.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { vacuumed } from './support/vacuumed.ts'

const LONG = 100_000
const SHORT = 100
const LIMIT = 20
/** Buffers from the root of an index to a leaf, and for the step to the next leaf. */
const DESCENT = 5

/** A topic with a message a millisecond. One in `rarity` is of the seldom sender, the next one replies to the first. */
type Conversation = { topicId: string; startsAt: number; size: number; rarity: number; threadId: string }

let server: TestParley
let orgId: string
let bot: StaticTestBot
let often: string
let seldom: string
let short: Conversation
let long: Conversation

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  bot = await staticBot(server, orgId)
  often = await person(server, orgId, 'Often')
  seldom = await person(server, orgId, 'Seldom')
  await server.parley.db.query(sql`
    insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
    select ${orgId}, gen_random_uuid()::text, 'user', 'Member', 'Active', 0, 0 from generate_series(1, 2000)`)
  // The short one lies before the long one: a walk along all ids of the organization would pass through it.
  short = await conversation({ size: SHORT, startsAt: 1_767_225_600_000, rarity: 3 })
  long = await conversation({ size: LONG, startsAt: 1_767_225_700_000, rarity: 1000 })
  await vacuumed(server.parley.db, ['messages', 'profiles', 'topic_members'])
})
afterAll(() => server.close())

async function conversation(
  shape: Pick<Conversation, 'size' | 'startsAt' | 'rarity'>,
): Promise<Conversation> {
  const { size, startsAt, rarity } = shape
  const { id: topicId } = await server.parley.db.write(orgId, (tx) =>
    createTopic(tx, { createdBy: bot.id, name: 'Releases', members: [often, seldom] }),
  )
  const threadId = firstUuidAt(startsAt)
  await server.parley.db.query(sql`
    insert into messages (org_id, id, topic_id, sender_id, type, text, parent_id, is_system, created_at, updated_at)
    select ${orgId}, (lpad(to_hex(at), 12, '0') || '70008000000000000000')::uuid, ${topicId},
      case at % ${rarity} when 0 then ${seldom} else ${often} end, 'text', 'The release is out.',
      case at % ${rarity} when 1 then ${threadId}::uuid end, at % ${rarity} > 1, at, at
    from generate_series(${startsAt}::bigint, ${startsAt + size - 1}) at`)
  return { ...shape, topicId, threadId }
}

type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/** Runs the server's own statement, and returns what it touched in the table of messages. */
async function costOf(
  { topicId }: Conversation,
  place: Omit<MessagePlace, 'limit'>,
  planner: 'force_custom_plan' | 'force_generic_plan',
) {
  const page = messagePage({ orgId, profileId: bot.id }, topicId, { ...place, limit: LIMIT })
  const { text, values } = toStatement(page)
  const literals = values.map((value) => escapeLiteral(String(value))).join(', ')
  const client = await server.parley.db.pool.connect()
  try {
    await client.query(`set plan_cache_mode = ${planner}`)
    await client.query(`prepare page as ${text}`)
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) execute page(${literals})`,
    )
    const plan: Plan = rows[0]['QUERY PLAN'][0].Plan
    const [scan, ...more] = nodes(plan).filter((node) => node['Relation Name'] === 'messages')
    if (!scan || more.length > 0) throw new Error('the page is one scan of messages')
    return {
      shown: plan.Plans?.[0]?.['Actual Rows'], // below the aggregate
      touched:
        scan['Actual Rows'] +
        (scan['Rows Removed by Filter'] ?? 0) +
        (scan['Rows Removed by Index Recheck'] ?? 0),
      buffers: scan['Shared Hit Blocks'] + scan['Shared Read Blocks'],
    }
  } finally {
    await client.query('deallocate all')
    await client.query('reset plan_cache_mode')
    client.release()
  }
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const everything = { order: 'desc', includeSystem: true, includeReactionUsers: false } as const
const middleOf = ({ startsAt, size }: Conversation) => startsAt + size / 2

type Case = [name: string, place: (conversation: Conversation) => Omit<MessagePlace, 'limit'>]

/** Neighbours in time are neighbours on disk: such a page lies in a few blocks. */
const TOGETHER: Case[] = [
  ['the newest page', () => ({ filters: everything })],
  ['the oldest page', () => ({ filters: { ...everything, order: 'asc' } })],
  ['a page in the middle', (it) => ({ filters: everything, after: firstUuidAt(middleOf(it)) })],
  [
    'a page in the middle, oldest first',
    (it) => ({ filters: { ...everything, order: 'asc' }, after: firstUuidAt(middleOf(it)) }),
  ],
  ['the page before a time', (it) => ({ filters: { ...everything, before: middleOf(it) } })],
  ['the page after a time', (it) => ({ filters: { ...everything, order: 'asc', after: middleOf(it) } })],
  ['the end of what comes after a time', (it) => ({ filters: { ...everything, after: middleOf(it) } })],
]
/** These touch at most one block for each message. */
const SCATTERED: Case[] = [
  ['one sender', () => ({ filters: { ...everything, senderId: seldom } })],
  ['one sender, oldest first', () => ({ filters: { ...everything, order: 'asc', senderId: seldom } })],
  ['one thread', (it) => ({ filters: { ...everything, threadId: it.threadId } })],
  ['one thread, oldest first', (it) => ({ filters: { ...everything, order: 'asc', threadId: it.threadId } })],
  ['no system messages', () => ({ filters: { ...everything, includeSystem: false } })],
  [
    'no system messages, oldest first',
    () => ({ filters: { ...everything, order: 'asc', includeSystem: false } }),
  ],
]

describe.each(['force_custom_plan', 'force_generic_plan'] as const)(
  'the cost of a page does not grow with the topic (%s)',
  (planner) => {
    it.each(TOGETHER)('%s', async (_name, place) => {
      const [small, large] = [
        await costOf(short, place(short), planner),
        await costOf(long, place(long), planner),
      ]
      for (const cost of [small, large]) expect(cost).toMatchObject({ shown: LIMIT + 1, touched: LIMIT + 1 })
      expect(large.buffers).toBeLessThanOrEqual(small.buffers + DESCENT)
    })

    it.each(SCATTERED)('%s', async (_name, place) => {
      const [small, large] = [
        await costOf(short, place(short), planner),
        await costOf(long, place(long), planner),
      ]
      for (const cost of [small, large]) {
        expect(cost).toMatchObject({ shown: LIMIT + 1, touched: LIMIT + 1 })
        expect(cost.buffers).toBeLessThanOrEqual(LIMIT + 1 + DESCENT)
      }
    })

    it('a page that is not full ends where the topic, the sender or the thread ends', async () => {
      const ends: Case[] = [
        ['topic', (it) => ({ filters: { ...everything, before: it.startsAt + 3 } })],
        [
          'topic, at its other end',
          (it) => ({ filters: { ...everything, after: it.startsAt + it.size - 4 } }),
        ],
        [
          'sender',
          (it) => ({ filters: { ...everything, senderId: seldom, before: it.startsAt + 3 * it.rarity } }),
        ],
        [
          'thread',
          (it) => ({
            filters: { ...everything, threadId: it.threadId, before: it.startsAt + 3 * it.rarity },
          }),
        ],
      ]
      for (const [, place] of ends) {
        for (const conversation of [short, long]) {
          const cost = await costOf(conversation, place(conversation), planner)
          expect(cost).toMatchObject({ shown: 3, touched: 3 })
          expect(cost.buffers).toBeLessThanOrEqual(3 + DESCENT)
        }
      }
    })
  },
)

it('a page is planned once for each connection, not for each reader', async () => {
  const page = messagePage({ orgId, profileId: bot.id }, long.topicId, { filters: everything, limit: LIMIT })
  const client = await server.parley.db.pool.connect()
  try {
    const { text, values } = toStatement(page)
    for (let time = 0; time < 10; time++) await client.query({ name: 'one_page', text, values })
    const { rows } = await client.query(
      `select generic_plans::int, custom_plans::int from pg_prepared_statements where name = 'one_page'`,
    )
    // PostgreSQL plans the first five calls with their own values before it compares.
    expect(rows).toEqual([{ generic_plans: 5, custom_plans: 5 }])
  } finally {
    client.release(true)
  }
})
