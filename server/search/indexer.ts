import type { Database, Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { FIRST_ID, LAST_ID } from '../ids.ts'
import { deletedIds } from '../queries/organization/message-retention.ts'
import type { NoteFailure } from '../worker.ts'
import { beginRange, continueNewestRange, countOldest, makeRoom, RANGE_DOCUMENTS } from './ranges.ts'
import { readIndexed, writeDocuments } from './writing.ts'

/** Events of one step. */
export const EVENTS_PER_STEP = 500
/** Messages without an event of one step. */
const WAITING_PER_STEP = 1000
/** Organizations of one round. */
const ORGANIZATIONS_PER_ROUND = 200

/** Delay of search on an idle server: the interval of looking at all logs. */
export const LOOK_MS = 500
/** The wait after a failed round; organizations that did not fail are served before it. */
const AGAIN_MS = 5000

/** Whether messages wait for the index, or an organization is new. */
export const IS_BEHIND = sql`(exists (
    select from organization_logs l left join search_progress p on p.org_id = l.org_id
    where p.org_id is null or p.seq < l.last_seq or p.older_than is not null)
  or exists (select from search_waiting))`

/** The result of a round: whether there is more to do, and whether an organization failed. */
export type Round = { isMore: boolean; hasFailed: boolean }

/** One round through the organizations, with a step in each that is behind. */
export async function indexRound(db: Database, noteFailure: NoteFailure = () => {}): Promise<Round> {
  await beginNewOnes(db)
  const behind = await db.query<{
    org_id: string
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select p.org_id from search_progress p join organization_logs l using (org_id)
    where p.seq < l.last_seq or p.older_than is not null
      or exists (select from search_waiting w where w.org_id = p.org_id)
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
  return { isMore, hasFailed }
}

/** Milliseconds until the next round, where that is not the usual look. */
export const waitAfter = ({ hasFailed }: Round): number | undefined => (hasFailed ? AGAIN_MS : undefined)

/** Does everything that is to be done. For tests and measurements: a server rests in between. */
export async function indexEverything(db: Database): Promise<void> {
  for (let round: Round; ; ) {
    round = await indexRound(db, (error) => {
      throw error
    })
    if (!round.isMore) return
  }
}

/**
 * Starts organizations that are not indexed yet. Messages in their log by now are indexed as old ones; events bring
 * everything after this number.
 */
async function beginNewOnes(db: Queryable): Promise<void> {
  if (db.isSpread) return beginNewOnesInTurn(db)
  await db.query(sql`${crossing('what is due is looked for in all organizations')}
    with begun as (
      insert into search_progress (org_id, seq, older_than)
      select l.org_id, l.last_seq, ${LAST_ID}::uuid from organization_logs l
      where not exists (select from search_progress p where p.org_id = l.org_id)
      on conflict do nothing
      returning org_id
    )
    insert into search_ranges (org_id, first_id, name)
    select org_id, ${FIRST_ID}::uuid, org_id from begun on conflict do nothing`)
}

/** On each machine for itself, the range first: a node that finds an organization's progress finds that too. */
async function beginNewOnesInTurn(db: Queryable): Promise<void> {
  const isNew = sql`not exists (select from search_progress p where p.org_id = l.org_id)`
  await db.query(sql`${crossing('what is due is looked for in all organizations')}
    insert into search_ranges (org_id, first_id, name)
    select l.org_id, ${FIRST_ID}::uuid, l.org_id from organization_logs l where ${isNew} on conflict do nothing`)
  await db.query(sql`${crossing('what is due is looked for in all organizations')}
    insert into search_progress (org_id, seq, older_than)
    select l.org_id, l.last_seq, ${LAST_ID}::uuid from organization_logs l where ${isNew} on conflict do nothing`)
}

type Progress = { seq: number; older_than: string | null; last_seq: number; floor_seq: number }

/**
 * Indexes the new messages of one organization first, then those that wait, then some of the old. Tells whether more is
 * to be done. Of several nodes one works here: the others pass by a row that is held, and if its node dies the row is
 * free with the work undone.
 */
async function indexStep(db: Database, orgId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [progress] = await tx.query<Progress>(sql`
      select p.seq, p.older_than, l.last_seq, l.floor_seq
      from search_progress p join organization_logs l using (org_id)
      where p.org_id = ${orgId} for update of p skip locked`)
    if (!progress) return false
    // The log no longer reaches back to where search was: everything is gone through once more.
    if (progress.seq < progress.floor_seq) {
      await tx.query(sql`
        update search_progress set seq = ${progress.last_seq}, older_than = ${LAST_ID}::uuid where org_id = ${orgId}`)
      return true
    }
    if (progress.seq < progress.last_seq) return followLog(tx, orgId, progress)
    if (await writeWaiting(tx, orgId)) return true
    if (progress.older_than !== null) return goBack(tx, orgId, progress.older_than)
    return false
  })
}

/** Events name their messages; those of a reply also the first message of its thread. */
async function followLog(tx: OpenTransaction, orgId: string, { seq, last_seq }: Progress) {
  const events = await tx.query<{ seq: number; message_ids: string[] | null }>(sql`
    select seq, case when type in ('message.created', 'message.updated')
        then array_remove(array[data #>> '{message,id}', data #>> '{message,parentId}'], null)
      when type in ('reaction.added', 'reaction.removed', 'message.pinned', 'message.unpinned') then array[data ->> 'messageId']
      when type = 'message.deleted' then ${deletedIds(sql`data`)} end as message_ids
    from events where org_id = ${orgId} and seq > ${seq} and seq <= ${last_seq} order by seq limit ${EVENTS_PER_STEP}`)
  const ids = [...new Set(events.flatMap(({ message_ids }) => message_ids ?? []))]
  if (ids.length > 0) {
    const messages = await readIndexed(tx, orgId, sql`x.id = any(${ids}::uuid[])`)
    await continueNewestRange(
      tx,
      orgId,
      messages.map(({ id }) => id),
    )
    await writeDocuments(tx, orgId, messages)
    const found = new Set(messages.map(({ id }) => id))
    const gone = ids.filter((id) => !found.has(id))
    if (gone.length > 0)
      await tx.query(sql`delete from search_documents where org_id = ${orgId} and id = any(${gone}::uuid[])`)
  }
  const reached = events.length < EVENTS_PER_STEP ? last_seq : (events.at(-1)?.seq ?? last_seq)
  await tx.query(sql`update search_progress set seq = ${reached} where org_id = ${orgId}`)
  return true
}

/** Writes messages that came without an event, the newest first. Tells whether there were any. */
async function writeWaiting(tx: OpenTransaction, orgId: string): Promise<boolean> {
  const taken = await tx.query<{ message_id: string }>(sql`
    delete from search_waiting w where w.org_id = ${orgId} and w.message_id in (
      select message_id from search_waiting where org_id = ${orgId} order by message_id desc limit ${WAITING_PER_STEP})
    returning w.message_id`)
  if (taken.length === 0) return false
  const messages = await readIndexed(
    tx,
    orgId,
    sql`x.id = any(${taken.map(({ message_id }) => message_id)}::uuid[])`,
  )
  await makeRoom(
    tx,
    orgId,
    messages.map(({ id }) => id),
  )
  await writeDocuments(tx, orgId, messages)
  return true
}

/** The newest of what is not in yet: a search soon after a start finds the likeliest messages. */
async function goBack(tx: OpenTransaction, orgId: string, olderThan: string): Promise<boolean> {
  if (olderThan === LAST_ID)
    await tx.query(sql`
      update search_progress set older_done = 0, older_total = (select count(*) from messages x where x.org_id = ${orgId})
      where org_id = ${orgId}`)
  const messages = await readIndexed(
    tx,
    orgId,
    sql`x.id < ${olderThan}::uuid order by x.id desc limit ${RANGE_DOCUMENTS}`,
  )
  const oldest = messages.at(-1)?.id
  const isMore = messages.length === RANGE_DOCUMENTS
  if (oldest !== undefined && isMore)
    await beginRange(tx, orgId, { firstId: oldest, documents: messages.length })
  await writeDocuments(tx, orgId, messages)
  if (!isMore) await countOldest(tx, orgId, messages.length)
  await tx.query(sql`
    update search_progress set older_than = ${isMore ? oldest : null}, older_done = older_done + ${messages.length}
    where org_id = ${orgId}`)
  return isMore
}
