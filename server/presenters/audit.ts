import type { AuditEntry } from '../../contract/people/organization.ts'
import type { AuditRow } from '../queries/audit.ts'

export const presentAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: {
    kind: row.actorKind,
    ...(row.actorId !== null && { id: row.actorId }),
    ...(row.actorName !== null && { name: row.actorName }),
  },
  action: row.action,
  target: { type: row.targetType, id: row.targetId, name: row.targetName },
  changes: row.changes,
  ...(row.address !== null && { client: { address: row.address, userAgent: row.userAgent ?? '' } }),
})
