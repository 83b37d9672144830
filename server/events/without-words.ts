import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { tickAfter, tickOf, uuidFromTick } from '../ids.ts'
import { emptied, outdated } from './words.ts'

type Row = { seq: number; type: string; data: string }

/**
 * Takes out of the log what it says of messages that are deleted. The events stay, with their ids and numbers. Nodes do the same to events
 * that they hold in memory, when they hear of the deletion (`Tail`).
 */
export async function withoutWords(tx: Transaction, messageIds: readonly string[]): Promise<void> {
  await rewrite(tx, await readEvents(tx, messageIds), emptied)
  await tx.query(sql`
    delete from message_events where org_id = ${tx.orgId} and message_id = any(${messageIds}::uuid[])`)
}

/** Takes the words that an edit replaces out of earlier events. Call it before the event of the edit is written. */
export async function withoutFormerWords(tx: Transaction, messageId: string): Promise<void> {
  await rewrite(tx, await readEvents(tx, [messageId], { withWords: true }), outdated)
  await tx.query(sql`
    update message_events set has_words = false
    where org_id = ${tx.orgId} and message_id = ${messageId} and has_words`)
}

/** Events that say something of these messages. `withWords`: those that no edit has gone through yet. */
function readEvents(
  tx: Transaction,
  messageIds: readonly string[],
  { withWords = false }: { withWords?: boolean } = {},
): Promise<Row[]> {
  const created = messageIds.map((id) => tickAfter(tickOf(id), 1))
  return tx.query<Row>(sql`
    select e.seq, e.type, e.data::text as data from events e
    where e.org_id = ${tx.orgId} and e.seq = any(array(
      select x.seq from message_events x
      where x.org_id = ${tx.orgId} and x.message_id = any(${messageIds}::uuid[]) and (x.has_words or not ${withWords}::boolean)
      union all
      select c.seq from unnest(${messageIds}::text[], ${created.map((tick) => uuidFromTick(tick, FIRST_TAIL))}::uuid[],
          ${created.map((tick) => uuidFromTick(tick, LAST_TAIL))}::uuid[]) as r (message_id, first, last)
        cross join lateral (
          select o.seq, o.id, o.type, o.data from events o where o.org_id = ${tx.orgId} and o.id >= r.first order by o.id limit 1
        ) c
      where c.id <= r.last and c.type = 'message.created' and c.data #>> '{message,id}' = r.message_id
    ))`)
}

/** `message.created` of a message that was written as it was sent has the next tick; the others are in `message_events`. */
const [FIRST_TAIL, LAST_TAIL] = ['0000000000000000', 'ffffffffffffffff']

async function rewrite(tx: Transaction, rows: readonly Row[], without: (row: Row) => string): Promise<void> {
  const changed = rows
    .map((row) => ({ ...row, after: without(row) }))
    .filter(({ data, after }) => data !== after)
  if (changed.length === 0) return
  await tx.query(sql`
    update events e set data = x.data::json
    from unnest(${changed.map(({ seq }) => seq)}::bigint[], ${changed.map(({ after }) => after)}::text[]) as x (seq, data)
    where e.org_id = ${tx.orgId} and e.seq = x.seq and e.seq = any(${changed.map(({ seq }) => seq)}::bigint[])`)
}
