import type { AuditEntry, AuditTarget } from '../../../contract/people/organization.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'

export type AuditRow = {
  id: string
  at: number
  actorKind: AuditEntry['actor']['kind']
  actorId: string | null
  actorName: string | null
  assistant: string | null
  action: AuditEntry['action']
  targetType: AuditTarget
  targetId: string
  targetName: string
  changes: AuditEntry['changes']
  address: string | null
  userAgent: string | null
}

export type AuditFilters = {
  target?: AuditTarget
  targetId?: string
  actorId?: string
  only?: 'sign_ins' | 'changes'
  /** Time range: `from` inclusive, `to` exclusive. */
  from?: number
  to?: number
}

/** Word for word as in the two indexes that hold them apart, or neither would be used. */
const SIGN_INS: Record<NonNullable<AuditFilters['only']>, Sql> = {
  sign_ins: sql`and action in ('member.signed_in', 'member.sign_in_failed')`,
  changes: sql`and action not in ('member.signed_in', 'member.sign_in_failed')`,
}

const columns = sql`id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", assistant_name as assistant, action,
  target_type as "targetType", target_id as "targetId", target_name as "targetName", changes,
  client_address as address, client_user_agent as "userAgent"`

/** The newest first; one row more than `limit`. `after` is the last one on the page before. */
export function listAuditEntries(
  caller: Caller,
  db: Queryable,
  { filters, after, limit }: { filters: AuditFilters; after?: string; limit: number },
): Promise<AuditRow[]> {
  const { target, targetId, actorId, only, from, to } = filters
  return db.query<AuditRow>(sql`
    select ${columns}
    from audit_log
    where org_id = ${caller.orgId}
      ${target === undefined ? nothing : sql`and target_type = ${target}`}
      ${targetId === undefined ? nothing : sql`and target_id = ${targetId}`}
      ${actorId === undefined ? nothing : sql`and actor_id = ${actorId}`}
      ${only === undefined ? nothing : SIGN_INS[only]}
      ${from === undefined ? nothing : sql`and id >= ${firstUuidAt(from)}`}
      ${to === undefined ? nothing : sql`and id < ${firstUuidAt(to)}`}
      ${after === undefined ? nothing : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`)
}

/** Entries that are read together end with the one that passes this size: one may hold the text and the form of an approval. */
const BYTES_TOGETHER = 256 * 1024

/**
 * Entries behind the one with the id `after`, the oldest first, and whether there are more. An organization has one writer at a time, and ids
 * grow with each commit: an entry that is seen later has a larger id, so that a reader who goes on from the last id misses none.
 */
export async function listAuditEntriesAfter(
  { orgId }: { orgId: string },
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<{ rows: AuditRow[]; hasMore: boolean }> {
  const rows = await db.query<AuditRow & { found: number }>(sql`
    select ${columns}, found from (
      select x.*, count(*) over () as found, sum(octet_length(x::text)) over (order by x.id) - octet_length(x::text) as bytes_before
      from (select * from audit_log where org_id = ${orgId} and id > ${after} order by id limit ${limit + 1}) x
    ) entries
    where bytes_before < ${BYTES_TOGETHER} order by id limit ${limit}`)
  return { rows, hasMore: (rows[0]?.found ?? 0) > rows.length }
}

/** Entries in memory at a time while all are read: some 2 MB. */
const READ_AT_ONCE = 1000

/** Yields all entries that pass the filters, the newest first, as fast as the reader takes them. */
export async function* allAuditEntries(
  caller: Caller,
  db: Queryable,
  filters: AuditFilters,
): AsyncGenerator<AuditRow[]> {
  let after: string | undefined
  for (;;) {
    const place = { filters, ...(after !== undefined && { after }) }
    const rows = await listAuditEntries(caller, db, { ...place, limit: READ_AT_ONCE })
    yield rows.slice(0, READ_AT_ONCE)
    if (rows.length <= READ_AT_ONCE) return
    after = rows[READ_AT_ONCE - 1]?.id
  }
}
