import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emitToPeople } from '../../events/log.ts'

/** Tells the people of a topic that one of its messages was pinned, or is no longer. */
export const tellPin = (
  tx: Transaction,
  { profileId }: Pick<Caller, 'profileId'>,
  type: 'message.pinned' | 'message.unpinned',
  where: { topicId: string; messageId: string },
) => emitToPeople(tx, type, where.topicId, { ...where, actorId: profileId, createdAt: tx.now() })

/** Removes a message's pin, if it has one, and informs those who show pins. */
export async function removePin(
  tx: Transaction,
  caller: Caller,
  { id: messageId, topic_id: topicId }: { id: string; topic_id: string },
): Promise<void> {
  const [removed] = await tx.query(sql`
    delete from pins where org_id = ${tx.orgId} and topic_id = ${topicId} and message_id = ${messageId} returning 1`)
  if (removed) await tellPin(tx, caller, 'message.unpinned', { topicId, messageId })
}
