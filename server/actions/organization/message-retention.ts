import type { Queryable } from '../../db/database.ts'
import { crossing, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emit } from '../../events/log.ts'
import { redactMessages } from '../../events/redact-messages.ts'
import { releaseFiles } from '../../files/files.ts'
import { firstUuidAt } from '../../ids.ts'
import { inThread } from '../../presenters/event-links.ts'
import { filesOf, type MessageRow } from '../../queries/messages/messages.ts'
import { readHeld } from '../../queries/organization/holds.ts'
import { type Due, dueAt, endOfDays, readDue } from '../../queries/organization/message-retention.ts'
import { tellPin } from '../messages/pin-events.ts'
import { withdrawOf } from '../messages/question-ends.ts'
import { showOrphans } from '../messages/shown-replies.ts'
import { shareHeldFiles } from './held-files.ts'
import { messageMark, noteDeleted, noteMessageRetention } from './import-marks.ts'

/** Messages of one step: the organization's writer waits while one runs. */
export const STEP = 200
/** Interval of looking at an active topic, instead of a look for each expired message. */
const LOOK_MS = 3_600_000
const HELD_LOOK_MS = 24 * LOOK_MS

export type Deleted = Pick<
  MessageRow,
  'id' | 'sender_id' | 'mentions' | 'parent_id' | 'thread_only' | 'details' | 'attachments'
>

/** Looks at the whole organization again, after messages with past times were added, such as imported ones. */
export const planMessageRetentionAgain = (db: Queryable, orgId: string): Promise<unknown> =>
  db.query(
    sql`${crossing('a function that names the organization itself')} select plan_retention(${orgId}, null, null)`,
  )

/**
 * Deletes messages of a topic whose time is over, some of them, and says when to look again. Tells whether it must be at once. The
 * second of two nodes finds nothing to do.
 */
export async function deleteDueMessages(
  tx: Transaction,
  { topicId }: Pick<Due, 'topicId'>,
): Promise<boolean> {
  const due = { orgId: tx.orgId, topicId }
  const kept = await readDue(due, tx, tx.now())
  if (!kept) return false
  const { days, from, doneTo } = kept
  if (days === undefined) {
    await tx.query(sql`delete from retention_dues where org_id = ${tx.orgId} and topic_id = ${topicId}`)
    return false
  }
  const held = await readHeld(tx, tx, topicId)
  if (held.isWhole || from > tx.now()) {
    // The end of the hold makes it due again.
    const lookAt = held.isWhole ? tx.now() + HELD_LOOK_MS : from
    await tx.query(sql`
      update retention_dues set due_at = ${lookAt} where org_id = ${tx.orgId} and topic_id = ${topicId}`)
    return false
  }
  const end = endOfDays(tx.now(), days)
  const messages = await tx.query<Deleted>(sql`
    select id, sender_id, mentions, parent_id, thread_only, details, attachments from messages
    where org_id = ${tx.orgId} and topic_id = ${topicId} and id > ${doneTo} and id < ${end} order by id limit ${STEP}`)
  const isMore = messages.length === STEP
  await removeTogether(
    tx,
    topicId,
    messages.filter(({ sender_id }) => !held.authorIds.has(sender_id)),
    'retention',
  )
  const reached = messages.at(-1)?.id ?? doneTo
  const [next] = isMore ? [] : await oldestAfter(tx, topicId, reached)
  // New messages of an empty topic are due after the full time.
  const lookAt = isMore
    ? tx.now()
    : Math.max(tx.now() + LOOK_MS, dueAt(next?.id ?? firstUuidAt(tx.now()), days))
  await tx.query(sql`
    update retention_dues set due_at = ${lookAt}, done_to = ${reached}
    where org_id = ${tx.orgId} and topic_id = ${topicId}`)
  return isMore
}

/** Lets other topics go first after a failed step. */
export const putOffRetention = (tx: Transaction, { topicId }: Pick<Due, 'topicId'>): Promise<unknown> =>
  tx.query(sql`
    update retention_dues set due_at = ${tx.now() + LOOK_MS} where org_id = ${tx.orgId} and topic_id = ${topicId}`)

const oldestAfter = (tx: Transaction, topicId: string, id: string) =>
  tx.query<{ id: string }>(sql`
    select id from messages where org_id = ${tx.orgId} and topic_id = ${topicId} and id > ${id} order by id limit 1`)

/**
 * Deletes messages of one topic in the order of their ids, with everything that `removeMessage` would delete, and emits
 * one event for all. Earlier events about them lose the messages' text.
 */
export async function removeTogether(
  tx: Transaction,
  topicId: string,
  messages: readonly Deleted[],
  reason: 'retention' | 'erasure',
): Promise<void> {
  const [first] = messages
  if (!first) return
  const { orgId } = tx
  const ids = messages.map(({ id }) => id)
  const mentioned = [...new Set(messages.flatMap(({ mentions }) => mentions))]
  const pollIds = messages.flatMap(({ details }) => details?.poll?.id ?? [])
  await redactMessages(tx, ids)
  for (const { details } of messages) await withdrawOf(tx, details?.actions)
  await tx.query(sql`delete from messages where org_id = ${orgId} and id = any(${ids}::uuid[])`)
  if (reason === 'retention') await noteMessageRetention(tx, topicId, ids.at(-1) ?? first.id)
  else
    await noteDeleted(
      tx,
      ids.map((id) => messageMark(tx, id)),
    )
  await shareHeldFiles(tx, messages)
  await tx.query(sql`
    delete from mentions where org_id = ${orgId} and profile_id = any(${mentioned}) and topic_id = ${topicId}
      and message_id = any(${ids}::uuid[])`)
  await tx.query(sql`delete from polls where org_id = ${orgId} and id = any(${pollIds}::uuid[])`)
  await tx.query(sql`delete from saved_messages where org_id = ${orgId} and message_id = any(${ids}::uuid[])`)
  await tx.query(sql`delete from thread_follows where org_id = ${orgId} and parent_id = any(${ids}::uuid[])`)
  await tx.query(sql`
    update message_reports set text = '' where org_id = ${orgId} and message_id = any(${ids}::uuid[])`)
  await tx.query(sql`
    update messages m set reply_count = m.reply_count - x.replies
    from (select parent_id, count(*) as replies from unnest(${messages.flatMap(({ parent_id }) => parent_id ?? [])}::uuid[]) as r (parent_id)
      group by parent_id) x
    where m.org_id = ${orgId} and m.id = x.parent_id`)
  await releaseAll(tx, messages.flatMap(filesOf))
  const pinned = await tx.query<{ id: string }>(sql`
    delete from pins where org_id = ${orgId} and topic_id = ${topicId} and message_id = any(${ids}::uuid[])
    returning message_id as id`)
  for (const { id: messageId } of pinned)
    await tellPin(tx, { profileId: first.sender_id }, 'message.unpinned', { topicId, messageId })
  const data = {
    messageId: first.id,
    topicId,
    deletedAt: tx.now(),
    deletedBy: first.sender_id,
    message: { id: first.id, topicId, senderId: first.sender_id },
    reason,
    messages: messages.map(({ id, sender_id: senderId }) => ({ id, topicId, senderId })),
  }
  const concerned = [...new Set([...messages.map(({ sender_id }) => sender_id), ...mentioned])]
  await emit(tx, 'message.deleted', topicId, inThread(data, messages), { concerned })
  await showOrphans(tx, topicId, ids)
}

/** Once for each message that refers to a file: one that was forwarded in its own topic has it too. */
async function releaseAll(tx: Transaction, fileIds: readonly string[]): Promise<void> {
  const left = [...fileIds]
  while (left.length > 0) {
    const once = [...new Set(left)]
    await releaseFiles(tx, once)
    for (const id of once) left.splice(left.indexOf(id), 1)
  }
}
