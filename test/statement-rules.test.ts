import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Database } from '../server/db/database.ts'
import { CROSSING, sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { listMessages } from '../server/queries/messages/messages.ts'
import { RULES_DATABASE } from './support/global-setup.ts'
import { StatementRules, takeNewTexts } from './support/statement-rules.ts'

let rules: StatementRules

beforeAll(async () => {
  rules = await StatementRules.open({ ...inject('postgres'), database: RULES_DATABASE })
})
afterAll(() => rules.close())

test('a statement of one organization is kept, however its tables are joined', async () => {
  for (const text of [
    'select name from profiles where org_id = $1 and id = $2',
    'select m.text, p.name from messages m join profiles p on p.org_id = m.org_id and p.id = m.sender_id where m.org_id = $1',
    'select id, exists (select from topic_members m where m.org_id = $1 and m.topic_id = t.id) from topics t where t.org_id = $2',
    'insert into labels (org_id, id, name, name_key, created_at) values ($1, $2, $3, $4, $5)',
    'insert into mentions (org_id, profile_id, topic_id, message_id) select m.org_id, $2, m.topic_id, m.id from messages m where m.org_id = $1',
    'update topics set name = $1 where org_id = $2 and id = any($3)',
    'delete from events where org_id = $1 and seq <= $2',
    'select org_id, bot_id from api_keys where key_hash = $1',
    'select count(*) from sessions where expires_at > $1',
    'set local lock_timeout = 10',
  ])
    expect(await rules.faults(text), text).toEqual([])
})

test('a statement without an organization is refused, with its table', async () => {
  for (const [table, text] of [
    ['profiles', 'select name from profiles where account_id = $1'],
    ['messages', 'update messages set text = $1 where id = $2'],
    ['deliveries', 'delete from deliveries where due_at < $1'],
    ['messages', 'select text from messages where org_id = any($1::uuid[])'],
    [
      'bots',
      'update bots set polled_seq = x.seq from unnest($1::uuid[], $2::text[], $3::bigint[]) as x (org_id, id, seq) where bots.org_id = x.org_id and bots.id = x.id',
    ],
    [
      'bots',
      'select b.id from api_keys k join bots b on b.org_id = k.org_id and b.id = k.bot_id where k.key_hash = $1',
    ],
    [
      'mentions',
      'insert into mentions (org_id, profile_id, topic_id, message_id) select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[])',
    ],
  ] as const)
    expect(await rules.faults(text), text).toEqual([expect.stringMatching(`^${table} `)])
})

test('a value of a statement is not used on a conflict of rows that are selected into a table of the center', async () => {
  const counting = (value: string) =>
    `insert into settings (name, value) select x, $1 from unnest($2::text[]) x on conflict (name) do update set value = ${value}`
  expect(await rules.faults(counting('excluded.value'))).toEqual([])
  expect(await rules.faults(counting('$3'))).toEqual([expect.stringContaining('behind "on conflict"')])
})

test('a look at another table inside of a statement names the organization itself', async () => {
  const correlated =
    'select t.id, (select count(*) from topic_members m where m.org_id = t.org_id and m.topic_id = t.id) from topics t where t.org_id = $1'
  expect(await rules.faults(correlated)).toEqual([expect.stringContaining('topic_members (m) is read by')])
  const inValues =
    'insert into mentions (org_id, profile_id, topic_id, message_id) values ($1, (select id from profiles where org_id = $2 limit 1), $3, $4)'
  expect(await rules.faults(inValues)).toEqual([expect.stringContaining('looked up inside of VALUES')])
})

test('a statement that says why it crosses organizations is kept', async () => {
  const count = 'select count(*) from messages where id > $1'
  expect(await rules.faults(count)).toHaveLength(1)
  expect(await rules.faults(`/* ${CROSSING}: it counts them */ ${count}`)).toEqual([])
})

test('a broken rule is explained with its fix', async () => {
  const said = await rules.refusal('update messages set text = $1')
  expect(said).toContain('- messages is read by nothing: all of its rows')
  expect(said).toContain("crossing('why')")
})

test('what the server says is looked at, and not what a test asks', async () => {
  const db = new Database({ ...inject('postgres'), database: RULES_DATABASE, max: 1 })
  try {
    takeNewTexts()
    await db.query(sql`select 'asked by a test' as text`)
    const nobody = { orgId: newUuid(), profileId: `b@${newUuid()}` }
    await listMessages(nobody, db, newUuid(), {
      filters: { order: 'asc', includeSystem: true, includeReactionUsers: false },
      limit: 7777,
    })
    expect(takeNewTexts()).toEqual([expect.stringContaining('limit 7778')])
  } finally {
    await db.close()
  }
})
