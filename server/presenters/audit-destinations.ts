import type { AuditDestination } from '../../contract/people/audit-destinations.ts'
import type { AuditDestinationRow } from '../queries/organization/audit-destinations.ts'

export function presentAuditDestination(row: AuditDestinationRow): AuditDestination {
  const { id, kind, address, caCertificate, createdByName, createdAt, waiting } = row
  const { sentAt, waitingSince, failingSince, faultKind, faultDetail, dueAt } = row
  return {
    id,
    kind,
    address,
    hasCaCertificate: caCertificate !== null,
    createdByName,
    createdAt,
    waiting,
    ...(sentAt !== null && { sentAt }),
    ...(waitingSince !== null && { waitingSince }),
    ...(failingSince !== null && { failingSince, nextAttemptAt: dueAt }),
    ...(faultKind !== null && { fault: { kind: faultKind, detail: faultDetail ?? '' } }),
  }
}
