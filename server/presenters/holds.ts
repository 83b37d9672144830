import type { HeldRecord, Hold } from '../../contract/people/holds.ts'
import type { Link } from '../files/links.ts'
import type { HeldRow, HoldRow } from '../queries/organization/holds.ts'
import { presentAttachment } from './attachments.ts'

export const presentHold = (row: HoldRow): Hold => ({
  id: row.id,
  ...(row.topic_id !== null && { topic: { id: row.topic_id, name: row.topic_name ?? '' } }),
  ...(row.profile_id !== null && { member: { id: row.profile_id, name: row.profile_name ?? '' } }),
  reason: row.reason,
  setBy: { id: row.set_by, name: row.set_name },
  setAt: row.set_at,
  ...(row.ended_by !== null && { endedBy: { id: row.ended_by, name: row.ended_name ?? '' } }),
  ...(row.ended_at !== null && { endedAt: row.ended_at }),
})

/** A record of an export, with links to its files. */
export function presentHeld(row: HeldRow, link: Link): HeldRecord {
  const { kind, id, state, changedAt, topicId, topicName, authorId, authorName, record } = row
  const { reactedBy, poll, votes, details, title, description = '', text = '' } = record
  return {
    kind,
    id,
    state,
    ...(changedAt !== null && { changedAt }),
    topicId,
    topicName,
    authorId,
    authorName,
    createdAt: record.created_at,
    ...(kind === 'message' && record.type && { type: record.type }),
    ...(record.parent_id && { parentId: record.parent_id }),
    text: title === undefined ? text : [title, description].filter(Boolean).join('\n'),
    files: (record.attachments ?? []).map((stored) => {
      const { name = '', contentType = '', size = 0, url } = presentAttachment(stored, link)
      return { name, contentType, size, url }
    }),
    details: {
      ...details,
      ...(poll && { poll }),
      ...(votes && { votes }),
      ...(reactedBy && { reactedBy }),
    },
  }
}
