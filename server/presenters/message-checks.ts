import type { HeldMessage, MessageCheck } from '../../contract/people/message-check.ts'
import type { HeldRow, MessageCheckRow } from '../queries/organization/message-checks.ts'

export function presentMessageCheck(row: MessageCheckRow): MessageCheck {
  const { address, whenAway, setByName, setAt, failingSince, faultKind, faultDetail } = row
  return {
    address,
    whenAway,
    setByName,
    setAt,
    ...(failingSince !== null && { failingSince }),
    ...(faultKind !== null && { fault: { kind: faultKind, detail: faultDetail ?? '' } }),
  }
}

export const presentHeldMessage = (row: HeldRow): HeldMessage => ({
  id: row.id,
  sender: { id: row.senderId, name: row.senderName },
  topic: { id: row.topicId, name: row.topicName },
  reason: row.reason,
  heldAt: row.heldAt,
})
