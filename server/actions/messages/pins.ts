import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { requireMessage } from './messages.ts'
import { removePin, tellPin } from './pin-events.ts'

export const MAX_PINS = 100

/** Pins a message, for members who may write in the topic. A pinned message keeps its place. */
export async function pinMessage(tx: Transaction, caller: Caller, messageId: string): Promise<void> {
  const message = await requireMessage(tx, caller, messageId)
  const topic = await requireTopicToWriteIn(tx, caller, message.topic_id)
  const pins = await tx.query<{ message_id: string }>(sql`
    select message_id from pins where org_id = ${tx.orgId} and topic_id = ${topic.id}`)
  if (pins.some((pin) => pin.message_id === message.id)) return
  if (pins.length >= MAX_PINS) throw refusal('topic_pins_full')
  const now = tx.now()
  await tx.query(sql`
    insert into pins (org_id, topic_id, message_id, pinned_by, pinned_at)
    values (${tx.orgId}, ${topic.id}, ${message.id}, ${caller.profileId}, ${now})`)
  await tellPin(tx, caller, 'message.pinned', { topicId: topic.id, messageId: message.id })
}

export async function unpinMessage(tx: Transaction, caller: Caller, messageId: string): Promise<void> {
  const message = await requireMessage(tx, caller, messageId)
  await requireTopicToWriteIn(tx, caller, message.topic_id)
  await removePin(tx, caller, message)
}
