import { literal, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { tickAfter, tickOf, uuidFromTick } from '../ids.ts'
import { emptied, outdated } from './event-words.ts'

/** Events of a message that keep files and mentions when it is edited; older edits say nothing, so that a deletion has few to go through. */
const KEPT_EVENTS = 20
/** Events of one statement: the process and the organization's writer are busy with them. */
const BATCH = 500

type Row = { seq: number; type: string; data: string }
type Without = (row: Row) => string

/**
 * Removes the texts of deleted messages from the log. The events stay, with their ids and numbers. Nodes do the same in
 * memory when they get the deletion (`Tail`).
 */
export async function redactMessages(tx: Transaction, messageIds: readonly string[]): Promise<void> {
  await rewriteEvents(tx, messageIds, { withWords: false }, emptied)
  await tx.query(sql`
    delete from message_events where org_id = ${tx.orgId} and message_id = any(${messageIds}::uuid[])`)
}

/** Takes the words that an edit replaces out of earlier events. Call it before the event of the edit is written. */
export async function withoutFormerWords(tx: Transaction, messageId: string): Promise<void> {
  await rewriteEvents(tx, [messageId], { withWords: true }, outdated)
  await tx.query(sql`
    update message_events set has_words = false
    where org_id = ${tx.orgId} and message_id = ${messageId} and has_words`)
  await emptyOldEdits(tx, messageId)
}

/**
 * Reduces all but the last few events to what a deletion would leave, so that it can skip them. `message.created`
 * stays.
 */
async function emptyOldEdits(tx: Transaction, messageId: string): Promise<void> {
  const old = await tx.query<Row>(sql`
    select e.seq, e.type, e.data::text as data from events e
    where e.org_id = ${tx.orgId} and e.type <> 'message.created' and e.seq = any(array(
      select x.seq from message_events x where x.org_id = ${tx.orgId} and x.message_id = ${messageId}
      order by x.seq desc offset ${literal(KEPT_EVENTS)} limit ${literal(BATCH)}))`)
  if (old.length === 0) return
  await rewrite(tx, old, emptied)
  await tx.query(sql`
    delete from message_events
    where org_id = ${tx.orgId} and message_id = ${messageId} and seq = any(${old.map(({ seq }) => seq)}::bigint[])`)
}

type Wanted = { withWords: boolean }

/** Rewrites events that say something of these messages. `withWords`: those that no edit has gone through yet. */
async function rewriteEvents(
  tx: Transaction,
  messageIds: readonly string[],
  wanted: Wanted,
  without: Without,
): Promise<void> {
  let rows: Row[] = []
  do {
    rows = await readEvents(tx, messageIds, { ...wanted, after: rows.at(-1)?.seq ?? 0 })
    await rewrite(tx, rows, without)
  } while (rows.length === BATCH)
}

function readEvents(
  tx: Transaction,
  messageIds: readonly string[],
  { withWords, after }: Wanted & { after: number },
): Promise<Row[]> {
  const created = messageIds.map((id) => tickAfter(tickOf(id), 1))
  return tx.query<Row>(sql`
    select e.seq, e.type, e.data::text as data from events e
    where e.org_id = ${tx.orgId} and e.seq = any(array(
      select s.seq from (
        select x.seq from message_events x
        where x.org_id = ${tx.orgId} and x.message_id = any(${messageIds}::uuid[]) and (x.has_words or not ${withWords}::boolean)
        union
        select c.seq from unnest(${messageIds}::text[], ${created.map((tick) => uuidFromTick(tick, FIRST_TAIL))}::uuid[],
            ${created.map((tick) => uuidFromTick(tick, LAST_TAIL))}::uuid[]) as r (message_id, first, last)
          cross join lateral (
            select o.seq, o.id, o.type, o.data from events o where o.org_id = ${tx.orgId} and o.id >= r.first order by o.id limit 1
          ) c
        where c.id <= r.last and c.type = 'message.created' and c.data #>> '{message,id}' = r.message_id
      ) s
      where s.seq > ${after} order by s.seq limit ${literal(BATCH)}
    ))
    order by e.seq`)
}

/** `message.created` of a message that was written as it was sent has the next tick; the others are in `message_events`. */
const [FIRST_TAIL, LAST_TAIL] = ['0000000000000000', 'ffffffffffffffff']

async function rewrite(tx: Transaction, rows: readonly Row[], without: Without): Promise<void> {
  const changed = rows
    .map((row) => ({ ...row, after: without(row) }))
    .filter(({ data, after }) => data !== after)
  if (changed.length === 0) return
  await tx.query(sql`
    update events e set data = x.data::json
    from unnest(${changed.map(({ seq }) => seq)}::bigint[], ${changed.map(({ after }) => after)}::text[]) as x (seq, data)
    where e.org_id = ${tx.orgId} and e.seq = x.seq and e.seq = any(${changed.map(({ seq }) => seq)}::bigint[])`)
}
