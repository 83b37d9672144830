import type { AuditEntry, AuditTarget } from '../../contract/people/organization.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { nothing, sql } from '../db/sql.ts'

export type AuditRow = {
  id: string
  at: number
  actorKind: AuditEntry['actor']['kind']
  actorId: string | null
  actorName: string | null
  action: AuditEntry['action']
  targetType: AuditTarget
  targetId: string
  targetName: string
  changes: AuditEntry['changes']
  address: string | null
  userAgent: string | null
}

export type AuditFilters = { target?: AuditTarget; targetId?: string; actorId?: string }

/** The newest first; one row more than `limit`. `after` is the last one on the page before. */
export function listAuditEntries(
  caller: Caller,
  db: Queryable,
  { filters, after, limit }: { filters: AuditFilters; after?: string; limit: number },
): Promise<AuditRow[]> {
  const { target, targetId, actorId } = filters
  return db.query<AuditRow>(sql`
    select id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", action,
      target_type as "targetType", target_id as "targetId", target_name as "targetName", changes,
      client_address as address, client_user_agent as "userAgent"
    from audit_log
    where org_id = ${caller.orgId}
      ${target === undefined ? nothing : sql`and target_type = ${target}`}
      ${targetId === undefined ? nothing : sql`and target_id = ${targetId}`}
      ${actorId === undefined ? nothing : sql`and actor_id = ${actorId}`}
      ${after === undefined ? nothing : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`)
}
