import type { Report } from '../../contract/people/reports.ts'
import type { ReportRow } from '../queries/organization/reports.ts'

export const presentReport = (row: ReportRow): Report => ({
  id: row.id,
  messageId: row.message_id,
  topic: { id: row.topic_id, name: row.topic_name },
  sender: { id: row.sender_id, name: row.sender_name },
  reporter: { id: row.reporter_id, name: row.reporter_name },
  reason: row.reason,
  createdAt: row.created_at,
  ...(row.outcome !== null && { outcome: row.outcome }),
  ...(row.decided_by !== null && { decidedBy: { id: row.decided_by, name: row.decided_name ?? '' } }),
  ...(row.decided_at !== null && { decidedAt: row.decided_at }),
})
