import type { Database, Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { deletedIds } from '../queries/organization/message-retention.ts'
import type { NoteFailure } from '../worker.ts'
import { marksOf, type SearchedMessage, textsOf, withoutMentions } from './documents.ts'
import { stemsOf } from './stems.ts'
import { toVector, wordsOf } from './words.ts'

/** Events of one step. */
export const EVENTS_PER_STEP = 500
/** Entries of a full segment. Each step through older messages makes one. */
export const SEGMENT_ENTRIES = 4000
/** Messages indexed at once; other requests wait some 2 ms for it. */
const WRITTEN_AT_ONCE = 100
/** Organizations of one round. */
const ORGANIZATIONS_PER_ROUND = 200

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Delay of search on an idle server: the interval of looking at all logs. */
const LOOK_MS = 500
/**
 * Rest for each unit of work while there is more to do, so that requests keep the CPU. With a third of it, a busy
 * server sent about a quarter fewer messages. In a flood, search falls behind and catches up later.
 */
const REST_FACTOR = 20
const MIN_REST_MS = 20
/** The wait after a round in which an organization failed; the others are served before it. */
const AGAIN_MS = 5000

/** One round through the organizations; tells after how many milliseconds the next one is due. */
export async function indexRound(db: Database, noteFailure: NoteFailure = () => {}): Promise<number> {
  const began = performance.now()
  await beginNewOnes(db)
  const behind = await db.query<{
    org_id: string
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select p.org_id from search_positions p join organization_logs l using (org_id)
    where p.seq < l.last_seq or p.older_than is not null
    order by p.older_than is not null, random() limit ${ORGANIZATIONS_PER_ROUND}`)
  let isMore = behind.length === ORGANIZATIONS_PER_ROUND
  let hasFailed = false
  for (const { org_id: orgId } of behind)
    try {
      isMore = (await indexStep(db, orgId)) || isMore
    } catch (error) {
      hasFailed = true
      noteFailure(error, { orgId })
    }
  if (hasFailed) return AGAIN_MS
  return isMore ? Math.max(MIN_REST_MS, REST_FACTOR * (performance.now() - began)) : LOOK_MS
}

/** Does everything that is to be done. For tests and measurements: a server rests in between. */
export async function indexEverything(db: Database): Promise<void> {
  while ((await indexRound(db)) !== LOOK_MS);
}

/**
 * Starts organizations that are not indexed yet. Messages in their log by now are indexed as old ones; events bring
 * everything after this number.
 */
async function beginNewOnes(db: Queryable): Promise<void> {
  if (db.isSpread) return beginNewOnesInTurn(db)
  await db.query(sql`${crossing('what is due is looked for in all organizations')}
    with begun as (
      insert into search_positions (org_id, seq, older_than)
      select l.org_id, l.last_seq, ${LAST_ID}::uuid from organization_logs l
      where not exists (select from search_positions p where p.org_id = l.org_id)
      on conflict do nothing
      returning org_id
    )
    insert into search_segments (org_id, first_id, name)
    select org_id, '00000000-0000-0000-0000-000000000000', org_id from begun on conflict do nothing`)
}

/** On each machine for itself, the segment first: a node that finds a position finds that too. */
async function beginNewOnesInTurn(db: Queryable): Promise<void> {
  const isNew = sql`not exists (select from search_positions p where p.org_id = l.org_id)`
  await db.query(sql`${crossing('what is due is looked for in all organizations')}
    insert into search_segments (org_id, first_id, name)
    select l.org_id, '00000000-0000-0000-0000-000000000000', l.org_id from organization_logs l where ${isNew} on conflict do nothing`)
  await db.query(sql`${crossing('what is due is looked for in all organizations')}
    insert into search_positions (org_id, seq, older_than)
    select l.org_id, l.last_seq, ${LAST_ID}::uuid from organization_logs l where ${isNew} on conflict do nothing`)
}

/** Everything in this organization is gone through once more, for messages that came without an event, such as imported ones. */
export async function indexAgain(db: Queryable, orgId: string): Promise<void> {
  await db.query(sql`update search_positions set older_than = ${LAST_ID}::uuid where org_id = ${orgId}`)
}

type Position = { seq: number; older_than: string | null; last_seq: number; floor_seq: number }

/**
 * Indexes the new messages of one organization first, then some of the old. Tells whether more is to be done. Of several nodes
 * one works here: the others pass by a row that is held, and if its node dies the row is free with the work undone.
 */
async function indexStep(db: Database, orgId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [position] = await tx.query<Position>(sql`
      select p.seq, p.older_than, l.last_seq, l.floor_seq
      from search_positions p join organization_logs l using (org_id)
      where p.org_id = ${orgId} for update of p skip locked`)
    if (!position) return false
    // The log no longer reaches back to where search was: everything is gone through once more.
    if (position.seq < position.floor_seq) {
      await tx.query(sql`
        update search_positions set seq = ${position.last_seq}, older_than = ${LAST_ID}::uuid where org_id = ${orgId}`)
      return true
    }
    if (position.seq < position.last_seq) return followLog(tx, orgId, position)
    if (position.older_than !== null) return goBack(tx, orgId, position.older_than)
    return false
  })
}

async function followLog(tx: OpenTransaction, orgId: string, { seq, last_seq, older_than }: Position) {
  const events = await tx.query<{ seq: number; message_ids: string[] | null }>(sql`
    select seq, case when type in ('message.created', 'message.updated') then array[data -> 'message' ->> 'id']
      when type = 'message.deleted' then ${deletedIds(sql`data`)} end as message_ids
    from events where org_id = ${orgId} and seq > ${seq} and seq <= ${last_seq} order by seq limit ${EVENTS_PER_STEP}`)
  const ids = [...new Set(events.flatMap(({ message_ids }) => message_ids ?? []))]
  if (ids.length > 0) {
    const messages = await tx.query<SearchedMessage>(sql`
      select ${columns} from messages x where x.org_id = ${orgId} and x.id = any(${ids}::uuid[])`)
    await openSegment(tx, orgId, messages)
    await writeEntries(tx, orgId, messages)
    const found = new Set(messages.map(({ id }) => id))
    const gone = ids.filter((id) => !found.has(id))
    if (gone.length > 0)
      await tx.query(sql`delete from search_entries where org_id = ${orgId} and id = any(${gone}::uuid[])`)
  }
  const reached = events.length < EVENTS_PER_STEP ? last_seq : (events.at(-1)?.seq ?? last_seq)
  await tx.query(sql`update search_positions set seq = ${reached} where org_id = ${orgId}`)
  return reached < last_seq || older_than !== null
}

/** The newest of what is not in yet: a search soon after a start finds the likeliest messages. */
async function goBack(tx: OpenTransaction, orgId: string, olderThan: string): Promise<boolean> {
  const messages = await tx.query<SearchedMessage>(sql`
    select ${columns} from messages x where x.org_id = ${orgId} and x.id < ${olderThan}::uuid
    order by x.id desc limit ${SEGMENT_ENTRIES}`)
  const oldest = messages.at(-1)?.id
  const isMore = messages.length === SEGMENT_ENTRIES
  if (oldest !== undefined && isMore) {
    await tx.query(sql`
      insert into search_segments (org_id, first_id, name) values (${orgId}, ${oldest}, ${oldest}) on conflict do nothing`)
  }
  await writeEntries(tx, orgId, messages)
  await tx.query(sql`
    update search_positions set older_than = ${isMore ? oldest : null} where org_id = ${orgId}`)
  return isMore
}

const columns = sql`x.id, x.topic_id, x.sender_id, x.type, x.text, x.mentions, x.details, x.attachments`

/** Begins a new segment with the first message that is newer than all before, once the newest segment is full. */
async function openSegment(
  tx: Queryable,
  orgId: string,
  messages: readonly SearchedMessage[],
): Promise<void> {
  const [newest] = await tx.query<{ first_id: string; entries: number; last_id: string | null }>(sql`
    update search_segments s set entries = s.entries + ${messages.length}
    where s.org_id = ${orgId} and s.first_id = (
      select first_id from search_segments where org_id = ${orgId} order by first_id desc limit 1)
    returning s.first_id, s.entries,
      (select e.id from search_entries e where e.org_id = ${orgId} order by e.id desc limit 1) as last_id`)
  if (!newest?.last_id || newest.entries < SEGMENT_ENTRIES) return
  const lastId = newest.last_id
  const first = messages
    .map(({ id }) => id)
    .filter((id) => id > lastId)
    .sort()[0]
  if (first === undefined) return
  await tx.query(sql`
    insert into search_segments (org_id, first_id, name) values (${orgId}, ${first}, ${first}) on conflict do nothing`)
}

async function writeEntries(
  tx: Queryable,
  orgId: string,
  messages: readonly SearchedMessage[],
): Promise<void> {
  const { told, touchedTaskIds } = tasksIn(messages)
  const tasks = await readTasks(tx, orgId, [...told.values(), ...touchedTaskIds])
  const wanted = messages.filter(({ id, type }) => type !== 'task' || tasks.has(told.get(id) ?? ''))
  for (let index = 0; index < wanted.length; index += WRITTEN_AT_ONCE) {
    const rows = wanted.slice(index, index + WRITTEN_AT_ONCE).map((message) => {
      const taskId = told.get(message.id)
      const task = taskId === undefined ? undefined : tasks.get(taskId)
      return { message, taskId, words: indexedWords(message, task) }
    })
    await writeRows(tx, orgId, rows)
  }
  await refreshTasks(tx, orgId, touchedTaskIds, tasks)
}

const indexedWords = (message: SearchedMessage, task: TaskText | undefined): string[] =>
  textsOf(message, task).flatMap(({ text }) => wordsOf(withoutMentions(text)))

type EntryRow = { message: SearchedMessage; taskId: string | undefined; words: string[] }

async function writeRows(tx: Queryable, orgId: string, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length === 0) return
  const stems = await stemsOf(
    tx,
    rows.flatMap(({ words }) => words),
  )
  await tx.query(sql`
    insert into search_entries (org_id, id, topic_id, task_id, marks, words)
    select ${orgId}, x.id, x.topic_id, x.task_id, x.marks::text[] || ('s:' || (
        select s.name from search_segments s
        where s.org_id = ${orgId} and s.first_id <= x.id order by s.first_id desc limit 1)),
      x.words::tsvector
    from unnest(${rows.map(({ message }) => message.id)}::uuid[], ${rows.map(({ message }) => message.topic_id)}::uuid[],
      ${rows.map(({ taskId }) => taskId ?? null)}::uuid[], ${rows.map(({ message }) => arrayText(marksOf(message)))}::text[],
      ${rows.map(({ words }) => toVector(words, stems))}::text[]
    ) as x (id, topic_id, task_id, marks, words)
    on conflict (org_id, id) do update
    set task_id = excluded.task_id, marks = excluded.marks, words = excluded.words`)
}

/** Marks consist of ids and fixed letters, so nothing needs escaping. */
const arrayText = (marks: readonly string[]): string => `{${marks.join(',')}}`

type TaskText = { title: string; description: string }

/** A task is found by the message that told of it first; every other message about it only says that it may have changed. */
function tasksIn(messages: readonly SearchedMessage[]) {
  const told = new Map<string, string>()
  const touched = new Set<string>()
  for (const { id, details } of messages) {
    if (details?.task?.action === 'Added') told.set(id, details.task.id)
    else if (details?.task) touched.add(details.task.id)
  }
  return { told, touchedTaskIds: [...touched] }
}

async function readTasks(
  tx: Queryable,
  orgId: string,
  taskIds: readonly string[],
): Promise<Map<string, TaskText>> {
  if (taskIds.length === 0) return new Map()
  const rows = await tx.query<TaskText & { id: string }>(sql`
    select id, title, description from tasks where org_id = ${orgId} and id = any(${taskIds}::uuid[])`)
  return new Map(rows.map(({ id, ...task }) => [id, task]))
}

async function refreshTasks(
  tx: Queryable,
  orgId: string,
  taskIds: readonly string[],
  tasks: ReadonlyMap<string, TaskText>,
): Promise<void> {
  const gone = taskIds.filter((id) => !tasks.has(id))
  if (gone.length > 0)
    await tx.query(sql`delete from search_entries where org_id = ${orgId} and task_id = any(${gone}::uuid[])`)
  const changed = taskIds.flatMap((id) => {
    const task = tasks.get(id)
    return task ? [{ id, words: wordsOf(`${task.title}\n${task.description}`) }] : []
  })
  if (changed.length === 0) return
  const stems = await stemsOf(
    tx,
    changed.flatMap(({ words }) => words),
  )
  await tx.query(sql`
    update search_entries e set words = x.words::tsvector
    from unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ words }) => toVector(words, stems))}::text[]
    ) as x (task_id, words)
    where e.org_id = ${orgId} and e.task_id = x.task_id`)
}
