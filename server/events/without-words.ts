import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

type Told = { id: string; created_at: number; updated_at: number }
type LogRow = { seq: number; createdAt: number }

/** Events that say what a message says. */
const TELLING = ['message.created', 'message.updated', 'message.previewed', 'message.command']
/** Events that follow a message by themselves, such as a preview, are in the log by then. */
const FOLLOWS_MS = 600_000
/** Events that are looked through for the messages of one step: the organization's writer waits meanwhile, some 30 ms. */
const MAX_EVENTS = 10_000

/**
 * Takes out of the log what it still says of these messages of a topic; the events stay, as empty ones. The log is kept for days: where
 * messages are kept for longer, and were not edited lately, nothing of them is in it and it is not looked through.
 */
export async function withoutWords(
  tx: Transaction,
  topicId: string,
  messages: readonly Told[],
): Promise<void> {
  const [oldest] = await eventsFrom(tx, 0)
  const last = FOLLOWS_MS + messages.reduce((time, { updated_at }) => Math.max(time, updated_at), 0)
  if (!oldest || last < oldest.createdAt) return
  const first = messages.reduce((time, { created_at }) => Math.min(time, created_at), last)
  const from = await firstSince(tx, first, oldest.seq, tx.lastSeq)
  const to = await firstSince(tx, last, from, tx.lastSeq)
  const rows = await tx.query<{ seq: number; type: string; data: string }>(sql`
    select seq, type, data::text as data from events
    where org_id = ${tx.orgId} and seq >= ${from} and seq <= ${to} and topic_id = ${topicId} and type = any(${TELLING})
      and coalesce(data #>> '{message,id}', data ->> 'messageId') = any(${messages.map(({ id }) => id)}::text[])`)
  if (rows.length === 0) return
  await tx.query(sql`
    update events e set data = x.data::json
    from unnest(${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(emptied)}::text[]) as x (seq, data)
    where e.org_id = ${tx.orgId} and e.seq = x.seq`)
}

/**
 * How many of these messages, the oldest first, may be taken at once, so that no more than `MAX_EVENTS` are looked through for them: where
 * little was said in a topic, and much elsewhere, a few messages lie far apart in the log. One at least, however late it was edited.
 */
export async function countWithinReach(tx: Transaction, messages: readonly Told[]): Promise<number> {
  const [oldest] = await eventsFrom(tx, 0)
  const first = messages.find(({ updated_at }) => oldest && updated_at + FOLLOWS_MS >= oldest.createdAt)
  if (!oldest || !first || tx.lastSeq - oldest.seq < MAX_EVENTS) return messages.length
  const from = await firstSince(tx, first.created_at, oldest.seq, tx.lastSeq)
  const [beyond] = await eventsFrom(tx, from + MAX_EVENTS)
  if (!beyond) return messages.length
  const tooLate = messages.findIndex(({ updated_at }) => updated_at + FOLLOWS_MS > beyond.createdAt)
  return tooLate === -1 ? messages.length : Math.max(1, tooLate)
}

const eventsFrom = (tx: Transaction, seq: number) =>
  tx.query<LogRow>(sql`
    select seq, created_at as "createdAt" from events where org_id = ${tx.orgId} and seq >= ${seq} order by seq limit 1`)

/** The number of the first event at this time or later, or the last of all: by halves, since the log is in the order of time. */
async function firstSince(tx: Transaction, time: number, begin: number, end: number): Promise<number> {
  let [low, high] = [begin, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [event] = await eventsFrom(tx, middle)
    if (!event || event.createdAt >= time) high = middle
    else low = Math.max(middle, event.seq) + 1
  }
  return low
}

/** The event as it would be of a message that says nothing. */
function emptied({ type, data }: { type: string; data: string }): string {
  const told = JSON.parse(data)
  if (type === 'message.command') return JSON.stringify({ ...told, text: '', arguments: {} })
  if (type === 'message.previewed') return JSON.stringify({ ...told, preview: null })
  const {
    id,
    topicId,
    senderId,
    senderName,
    senderType,
    createdAt,
    updatedAt,
    isEdited,
    isSystem,
    parentId,
  } = told.message
  const message = {
    ...{ id, topicId, senderId, senderName, senderType, type: 'text', text: '', createdAt, updatedAt },
    ...{ isEdited, isSystem, truncated: false, attachments: [], mentions: [], mentionedProfiles: [] },
    reactions: [],
    ...(parentId && { parentId }),
  }
  return JSON.stringify({ ...told, message, truncated: false })
}
