import { recognizeRefusal } from '../../contract/refusals/recognize.ts'
import type { ScheduledMessage } from '../../contract/scheduled-messages.ts'
import type { ScheduledRow } from '../queries/messages/scheduled-messages.ts'

export function presentScheduledMessage(row: ScheduledRow): ScheduledMessage {
  return {
    id: row.id,
    topicId: row.topic_id,
    text: row.text,
    ...(row.actions && { hasActions: true as const }),
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    sendAt: row.send_at,
    state: row.state,
    ...(row.state === 'held' && row.held_reason !== null && { heldReason: row.held_reason }),
    ...(row.reason !== null && presentReason(row.reason)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Rows keep the text of the refusal alone. */
function presentReason(reason: string): Pick<ScheduledMessage, 'reason' | 'reasonCode'> {
  const name = recognizeRefusal(reason)
  return { reason, ...(name && { reasonCode: name.code }) }
}
