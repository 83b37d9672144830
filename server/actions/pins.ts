import type { Caller } from '../caller.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import { emitToPeople } from '../events/log.ts'
import { requireMessage } from './messages.ts'
import { requireTopicToWriteIn } from './topics.ts'

export const MAX_PINS = 100

/** For whoever may write in the topic. One that is pinned already stays where it is. */
export async function pinMessage(tx: Transaction, caller: Caller, messageId: string): Promise<void> {
  const message = await requireMessage(tx, caller, messageId)
  const topic = await requireTopicToWriteIn(tx, caller, message.topic_id)
  const pins = await tx.query<{ message_id: string }>(sql`
    select message_id from pins where org_id = ${tx.orgId} and topic_id = ${topic.id}`)
  if (pins.some((pin) => pin.message_id === message.id)) return
  if (pins.length >= MAX_PINS) throw badRequest('too many pinned messages, unpin one first')
  const now = tx.now()
  await tx.query(sql`
    insert into pins (org_id, topic_id, message_id, pinned_by, pinned_at)
    values (${tx.orgId}, ${topic.id}, ${message.id}, ${caller.profileId}, ${now})`)
  await tell(tx, caller, 'message.pinned', { topicId: topic.id, messageId: message.id })
}

export async function unpinMessage(tx: Transaction, caller: Caller, messageId: string): Promise<void> {
  const message = await requireMessage(tx, caller, messageId)
  const topic = await requireTopicToWriteIn(tx, caller, message.topic_id)
  const [removed] = await tx.query(sql`
    delete from pins where org_id = ${tx.orgId} and topic_id = ${topic.id} and message_id = ${message.id} returning 1`)
  if (removed) await tell(tx, caller, 'message.unpinned', { topicId: topic.id, messageId: message.id })
}

const tell = (
  tx: Transaction,
  { profileId }: Caller,
  type: 'message.pinned' | 'message.unpinned',
  where: { topicId: string; messageId: string },
) => emitToPeople(tx, type, where.topicId, { ...where, actorId: profileId, createdAt: tx.now() })
