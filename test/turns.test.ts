import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sendDueMessages } from '../server/background/due-messages.ts'
import { DueRounds } from '../server/background/due-rounds.ts'
import { eraseData } from '../server/background/erasures.ts'
import { deleteOldMessages } from '../server/background/message-retention.ts'
import { Sql, sql } from '../server/db/sql.ts'
import { emitToPeople } from '../server/events/log.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { remindPeople } from '../server/notify/reminders.ts'
import { startNotifying } from '../server/notify/start.ts'
import { indexRound } from '../server/search/indexer.ts'
import { organization, person } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { closedPort } from './support/receiver.ts'

/* Work of which some is stuck: what waits behind it has its turn all the same. */

let server: TestParley
let cast: ChatCast
/** An organization without stuck rows. */
let other: string
let wrong: string[] = []

beforeAll(async () => {
  server = await startTestParley({ smtpUrl: `smtp://127.0.0.1:${await closedPort()}` })
  cast = await chatCast(server)
  other = await organization(server, 'Harbour')
})
afterAll(async () => {
  cast?.close()
  await server?.close()
})
afterEach(async () => {
  for (const table of wrong) await query(`drop trigger stuck on ${table}`)
  wrong = []
  await query('delete from erasures')
  await query('delete from saved_messages')
})

const query = (text: string) => server.parley.db.query(new Sql([text], []))
/** Makes matching rows of a table impossible to change or delete. */
async function makeStuck(table: string, condition: string): Promise<void> {
  await query(
    `create or replace function stuck() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`,
  )
  await query(
    `create trigger stuck before update or delete on ${table} for each row when (${condition}) execute function stuck()`,
  )
  wrong.push(table)
}
const now = () => server.parley.clock()
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Runs work of the server round after round until this holds; what it was given in one round it knows in the next. */
async function workUntil(
  work: (parley: TestParley['parley'], options: { rounds: DueRounds }) => Promise<unknown>,
  holds: () => Promise<boolean>,
  rounds: number,
): Promise<void> {
  const options = { rounds: new DueRounds() }
  for (let round = 0; round < rounds && !(await holds()); round++) await work(server.parley, options)
  expect(await holds()).toBe(true)
}
const isThere = async (found: Sql) => (await server.parley.db.query(found)).length > 0

/** New organizations by turns: so many that those that are stuck come first by no chance. */
async function sickAndWell(): Promise<[sick: string[], well: string[]]> {
  const ids: string[] = []
  for (let number = 0; number < 12; number++) ids.push(await organization(server, `Organization ${number}`))
  return [ids.filter((_, index) => index % 2 === 0), ids.filter((_, index) => index % 2 === 1)]
}

/** Decides and notifies until this holds. */
async function whileNotifying(check: () => Promise<void>): Promise<void> {
  const working = startNotifying(server.parley, { pollMs: 50 })
  try {
    await eventuallyHolds(check)
  } finally {
    await working.stop()
  }
}

const addErasure = (orgId: string, profileId: string, dueAt: number) =>
  server.parley.db.query(sql`
    insert into erasures (org_id, profile_id, with_messages, names, step, log_to, due_at, asked_at)
    values (${orgId}, ${profileId}, false, '{}', 'own', 0, ${dueAt}, ${dueAt})`)

it('an erasure makes progress in each round, however many came before it', async () => {
  for (let number = 1; number <= 45; number++)
    await addErasure(cast.orgId, `u@${uuid(number)}`, now() - 1000 + number)
  const last = sql`select from erasures where profile_id = ${`u@${uuid(45)}`} and done_to is not null`
  // Three rounds of twenty each: none of those before it can be finished by then.
  await workUntil(eraseData, () => isThere(last), 3)
  const [left] = await server.parley.db.query<{ count: number }>(
    sql`select count(*) from erasures where done_to is not null`,
  )
  expect(left?.count).toBe(45)
})

it('an erasure is finished behind twenty that fail and cannot even be put off', async () => {
  for (let number = 1; number <= 20; number++)
    await addErasure(cast.orgId, `u@${uuid(number)}`, now() - 1000 + number)
  await makeStuck('erasures', `old.org_id = '${cast.orgId}'`)
  const gone = await person(server, other, 'Eve')
  await addErasure(other, gone, now())
  const failures: unknown[] = []
  await workUntil(
    (parley, options) => eraseData(parley, { ...options, noteFailure: (error) => failures.push(error) }),
    () => isThere(sql`select from erasures where profile_id = ${gone} and finished_at is not null`),
    60,
  )
  expect(failures.length).toBeGreaterThanOrEqual(20)
})

it('a topic is gone through behind twenty that stay due', async () => {
  for (let number = 1; number <= 20; number++)
    await server.parley.db.query(sql`
      insert into retention_dues (org_id, topic_id, due_at) values (${cast.orgId}, ${uuid(number)}, ${number})`)
  await makeStuck('retention_dues', `old.org_id = '${cast.orgId}' and old.due_at <= 20`)
  await server.parley.db.query(sql`
    insert into retention_dues (org_id, topic_id, due_at) values (${cast.orgId}, ${cast.topicId}, ${now()})`)
  const due = sql`select from retention_dues where topic_id = ${cast.topicId}`
  await workUntil(deleteOldMessages, async () => !(await isThere(due)), 4)
})

it('a scheduled message goes out behind a hundred that can neither be sent nor put off', async () => {
  await server.parley.db.query(sql`
    insert into scheduled_messages (org_id, id, profile_id, topic_id, text, send_at, created_at, updated_at)
    select ${cast.orgId}, gen_random_uuid(), ${cast.ada.profileId}, ${cast.topicId}, case when i <= 100 then 'Stuck' else 'Behind' end, i, 1, 1
    from generate_series(1, 101) i`)
  await makeStuck('scheduled_messages', `old.text = 'Stuck'`)
  await workUntil(sendDueMessages, () => isThere(sql`select from messages where text = 'Behind'`), 3)
  expect(await isThere(sql`select from messages where text = 'Stuck'`)).toBe(false)
})

it('a reminder comes although those of another organization cannot', async () => {
  const eve = await person(server, other, 'Ida')
  for (const [orgId, profileId] of [
    [cast.orgId, cast.ada.profileId],
    [other, eve],
  ])
    await server.parley.db.query(sql`
      insert into saved_messages (org_id, profile_id, message_id, topic_id, saved_at, remind_at)
      values (${orgId}, ${profileId}, ${uuid(1)}, ${uuid(1)}, 1, 1)`)
  await makeStuck('saved_messages', `old.org_id = '${cast.orgId}'`)
  const failures: unknown[] = []
  await remindPeople(
    server.parley,
    () => {},
    (error) => failures.push(error),
  )
  expect(
    await isThere(sql`select from saved_messages where org_id = ${other} and reminded_at is not null`),
  ).toBe(true)
  expect(failures).toMatchObject([{ message: 'stuck' }])
})

it('search takes in all organizations but those that fail', async () => {
  const [sick] = await sickAndWell()
  await indexRound(server.parley.db)
  await query(`update search_progress set older_than = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`)
  await makeStuck('search_progress', `old.org_id in (${sick.map((id) => `'${id}'`)})`)
  const failures: unknown[] = []
  await indexRound(server.parley.db, (error) => failures.push(error)).catch(() => {})
  const behind = await server.parley.db.query<{ id: string }>(sql`
    select org_id as id from search_progress where older_than is not null`)
  expect(behind.map(({ id }) => id).sort()).toEqual(sick.sort())
  expect(failures).toHaveLength(sick.length)
})

it('a file is removed behind a hundred that cannot be', async () => {
  const { files } = server.parley
  const paths = await Promise.all(
    Array.from({ length: 101 }, async (_, index) => {
      const path = join(server.parley.config.dataDir, `file-${index}`)
      await writeFile(path, 'x')
      return { path, contentType: 'text/plain', size: 1 }
    }),
  )
  const stored = await files.store(cast.orgId, paths)
  const [last, ...stuck] = stored.reverse()
  for (const { id } of stuck) {
    const path = await files.storage.lend(id, async (place) => place)
    await rm(path)
    await mkdir(join(path, 'not a file'), { recursive: true })
  }
  await query('update stored_files set sweep_at = 1')
  await server.parley.db.query(sql`update stored_files set sweep_at = 2 where id = ${last?.id ?? ''}`)
  const failures: unknown[] = []
  for (let sweep = 0; sweep < 2; sweep++) await files.sweep((error) => failures.push(error)).catch(() => {})
  const left = await server.parley.db.query<{ id: string }>(sql`select id from stored_files`)
  expect(left.map(({ id }) => id).sort()).toEqual(stuck.map(({ id }) => id).sort())
  expect(failures.length).toBeGreaterThanOrEqual(100)
})

it('a message that its bot has left is ended behind a hundred that cannot be', async () => {
  const { orgId, topicId, bot } = cast
  await server.parley.db.query(sql`
    insert into streaming_messages (org_id, id, topic_id, sender_id, text, created_at, touched_at)
    select ${orgId}, gen_random_uuid(), ${topicId}, ${bot.id}, case when i <= 100 then 'Stuck' else 'Left' end, i, i
    from generate_series(1, 101) i`)
  await makeStuck('streaming_messages', `old.text = 'Stuck'`)
  const failures: unknown[] = []
  await server.parley.streaming.endSilent((error) => failures.push(error)).catch(() => {})
  expect(await isThere(sql`select from streaming_messages where text = 'Left'`)).toBe(false)
  expect(failures).toHaveLength(100)
})

it.each(['ada', 'ben'] as const)(
  'people are told by mail of what they missed, although %s cannot be',
  async (name) => {
    const { orgId, topicId, bot } = cast
    const { body } = await bot.post('/v2/messages', { topicId, text: 'Missed' })
    const { id } = Object(body)
    const [stuck, told] = name === 'ada' ? [cast.ada, cast.ben] : [cast.ben, cast.ada]
    for (const { profileId } of [stuck, told])
      await server.parley.db.query(sql`
      insert into missed_messages (org_id, profile_id, message_id, topic_id, read_at, due_at)
      values (${orgId}, ${profileId}, ${id}, ${topicId}, ${id}, 1)`)
    await makeStuck('missed_messages', `old.profile_id = '${stuck.profileId}'`)
    const left = sql`select from missed_messages where profile_id = ${told.profileId} and message_id = ${id}`
    await whileNotifying(async () => expect(await isThere(left)).toBe(false))
    expect(await isThere(sql`select from mails`)).toBe(true)
    await query('drop trigger stuck on missed_messages')
    wrong = []
    for (const table of ['missed_messages', 'notification_settings', 'mails'])
      await query(`delete from ${table}`)
  },
)

it('organizations get their notifications, although others cannot', async () => {
  const [sick, well] = await sickAndWell()
  await whileNotifying(async () =>
    expect(await isThere(sql`select from notification_readers where org_id = ${well[0] ?? ''}`)).toBe(true),
  )
  await makeStuck('notification_readers', `old.org_id in (${sick.map((id) => `'${id}'`)})`)
  await query('update organization_logs set last_seq = last_seq + 1')
  const behind = async () =>
    server.parley.db.query<{ id: string }>(sql`
      select r.org_id as id from notification_readers r join organization_logs l using (org_id) where r.position < l.last_seq`)
  await whileNotifying(async () => expect((await behind()).map(({ id }) => id).sort()).toEqual(sick.sort()))
})

it('old events are removed in all organizations but those that fail', async () => {
  const { db } = server.parley
  const [sick, well] = await sickAndWell()
  await makeStuck('events', `old.org_id in (${sick.map((id) => `'${id}'`)})`)
  for (const orgId of [...sick, ...well])
    await db.write(orgId, (tx) =>
      emitToPeople(tx, 'topic.created', uuid(1), { topicId: uuid(1), actorId: uuid(2) }),
    )
  const failed = new Set<string>()
  const note = (_error: unknown, about?: object) => void failed.add(Object(about).orgId)
  await removeOldEvents(db, now() + 1000, 0, () => {}, note)
  const left = await db.query<{ id: string }>(sql`select distinct org_id as id from events`)
  expect(
    left
      .map(({ id }) => id)
      .filter((id) => [...sick, ...well].includes(id))
      .sort(),
  ).toEqual(sick.sort())
  expect([...failed].sort()).toEqual(sick.sort())
})

it('push messages are sent although those that were read cannot be taken back', async () => {
  const { orgId, topicId, ada } = cast
  const [session] = await server.parley.db.query<{ id: string }>(sql`
    insert into push_subscriptions (session_id, account_id, endpoint_hash, subscription, created_at)
    select id, account_id, 'x', 'x', 1 from sessions limit 1 returning session_id as id`)
  // The read push is withdrawn; the other was tried too often, and is given up.
  for (const [number, state, readAt] of [
    [1, 'shown', uuid(0)],
    [2, 'due', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])
    await server.parley.db.query(sql`
      insert into pushes (session_id, message_id, org_id, profile_id, topic_id, read_at, state, attempts, due_at, created_at)
      values (${session?.id ?? ''}, ${uuid(Number(number))}, ${orgId}, ${ada.profileId}, ${topicId}, ${readAt}, ${state}, 100, 1, ${now()})`)
  await server.parley.db.query(sql`
    delete from topic_members where org_id = ${orgId} and topic_id = ${topicId} and profile_id = ${ada.profileId}`)
  await makeStuck('pushes', `old.state = 'shown'`)
  await whileNotifying(async () =>
    expect(await isThere(sql`select from pushes where state <> 'shown'`)).toBe(false),
  )
  expect(await isThere(sql`select from pushes where state = 'shown'`)).toBe(true)
})
