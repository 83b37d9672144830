import type { Reading } from '../../contract/people/readings.ts'
import type { ReadingRow } from '../queries/organization/readings.ts'

export function stateOf({ outcome, endsAt }: ReadingRow, now: number): Reading['state'] {
  if (outcome === 'refused') return 'refused'
  if (endsAt <= now) return 'ended'
  return outcome === null ? 'waiting' : 'open'
}

export const presentReading = (row: ReadingRow, now: number): Reading => ({
  id: row.id,
  subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
  reason: row.reason,
  state: stateOf(row, now),
  askedBy: { id: row.askedBy, name: row.askedName },
  askedAt: row.askedAt,
  ...(row.decidedBy !== null && { decidedBy: { id: row.decidedBy, name: row.decidedName ?? '' } }),
  ...(row.decidedAt !== null && { decidedAt: row.decidedAt }),
  endsAt: row.endsAt,
})
