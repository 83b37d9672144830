import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { releaseFiles } from '../../files/files.ts'
import { type PendingMark, readPendingMessage } from '../../queries/messages/messages.ts'

/** Keeps a mark until the message appears; undefined if there is no such upload. */
export async function markPending(
  tx: Transaction,
  caller: Caller,
  messageId: string,
  mark: 'delivered' | 'read',
): Promise<(PendingMark & { messageId: string }) | undefined> {
  const pending = await readPendingMessage(caller, tx, messageId)
  if (!pending) return undefined
  const now = tx.now()
  const before: PendingMark = pending.marks[caller.profileId] ?? { deliveredAt: now, readAt: null }
  const after: PendingMark = { ...before, readAt: before.readAt ?? (mark === 'read' ? now : null) }
  await tx.query(sql`
    update pending_messages set marks = ${JSON.stringify({ ...pending.marks, [caller.profileId]: after })}
    where org_id = ${tx.orgId} and id = ${pending.id}`)
  return { messageId: pending.id, ...after }
}

/** Returns whether there was one. */
export async function deletePending(tx: Transaction, caller: Caller, messageId: string): Promise<boolean> {
  const pending = await readPendingMessage(caller, tx, messageId)
  if (!pending) return false
  if (pending.sender_id !== caller.profileId) throw refusal('forbidden')
  await tx.query(sql`delete from pending_messages where org_id = ${tx.orgId} and id = ${pending.id}`)
  await releaseFiles(
    tx,
    pending.attachments.map(({ id }) => id),
  )
  return true
}
