import { LIMITS } from '../../../contract/limits.ts'
import type { AuditDestination } from '../../../contract/people/audit-destinations.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, sql } from '../../db/sql.ts'

type Fault = NonNullable<AuditDestination['fault']>

export type AuditDestinationRow = {
  id: string
  kind: AuditDestination['kind']
  address: string
  caCertificate: string | null
  secret: Buffer | null
  createdByName: string
  createdAt: number
  sentTo: string
  sentAt: number | null
  dueAt: number
  failures: number
  failingSince: number | null
  faultKind: Fault['kind'] | null
  faultDetail: string | null
  waiting: number
  waitingSince: number | null
}

/** The destinations of an organization, the oldest first; with `id`, that one alone. */
export function listAuditDestinations(
  { orgId }: { orgId: string },
  db: Queryable,
  id?: string,
): Promise<AuditDestinationRow[]> {
  return db.query<AuditDestinationRow>(sql`
    select d.id, d.kind, d.address, d.ca_certificate as "caCertificate", d.secret, coalesce(p.name, '') as "createdByName",
      d.created_at as "createdAt", d.sent_to as "sentTo", d.sent_at as "sentAt", d.due_at as "dueAt", d.failures,
      d.failing_since as "failingSince", d.fault_kind as "faultKind", d.fault_detail as "faultDetail",
      w.waiting, w.since as "waitingSince"
    from audit_destinations d
    left join profiles p on p.org_id = d.org_id and p.id = d.created_by
    cross join lateral (
      select count(*) as waiting, min(at) as since from (
        select at from audit_log l where l.org_id = ${orgId} and l.id > d.sent_to order by l.id limit ${LIMITS.auditWaiting}
      ) entries
    ) w
    where d.org_id = ${orgId} ${id === undefined ? nothing : sql`and d.id = ${id}`}
    order by d.created_at, d.id`)
}

/** The age of the oldest entry from which on a destination is late. */
export const AUDIT_LATE_MS = 600_000

/** Destinations of all organizations that fail, or have not got their oldest entry since `before`. */
export async function readLateAuditDestinations(
  db: Queryable,
  before: number,
): Promise<{ all: number; failing: number; late: { orgId: string; kind: string; since: number }[] }> {
  const [table] = await db.query<{ name: string | null }>(
    sql`select to_regclass('audit_destinations')::text as name`,
  )
  // A database of the version before, which operators look at before they upgrade it.
  if (table?.name == null) return { all: 0, failing: 0, late: [] }
  const rows = await db.query<{
    orgId: string
    kind: string
    failingSince: number | null
    waitingSince: number | null
  }>(sql`${crossing('a number for operators, over all organizations')}
    select d.org_id as "orgId", d.kind, d.failing_since as "failingSince",
      (select l.at from audit_log l where l.org_id = d.org_id and l.id > d.sent_to order by l.id limit 1) as "waitingSince"
    from audit_destinations d order by d.org_id, d.id`)
  const late = rows.flatMap(({ orgId, kind, waitingSince }) =>
    waitingSince !== null && waitingSince < before ? [{ orgId, kind, since: waitingSince }] : [],
  )
  return {
    all: rows.length,
    failing: rows.filter(({ failingSince }) => failingSince !== null).length,
    late,
  }
}
