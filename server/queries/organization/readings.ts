import type { Reading } from '../../../contract/people/readings.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'

type Organization = Pick<Caller, 'orgId'>
export type Subject = Pick<Reading['subject'], 'type' | 'id'>

export type ReadingRow = {
  id: string
  subjectType: Subject['type']
  subjectId: string
  subjectName: string
  reason: string
  askedBy: string
  askedName: string
  /** The owner who had allowed it at that time; null if an owner asked. */
  allowedBy: string | null
  askedAt: number
  outcome: 'granted' | 'refused' | null
  decidedBy: string | null
  decidedName: string | null
  decidedAt: number | null
  endsAt: number
}

/** A hold is named after what it holds, or after the organization. */
const readings = (orgId: string, condition: Sql, rest: Sql = nothing): Sql => sql`
  select r.id, r.subject_type as "subjectType", r.subject_id as "subjectId", coalesce(t.name, s.name, o.name) as "subjectName", r.reason,
    r.asked_by as "askedBy", a.name as "askedName", r.allowed_by as "allowedBy", r.asked_at as "askedAt", r.outcome, r.decided_by as "decidedBy",
    d.name as "decidedName", r.decided_at as "decidedAt", r.ends_at as "endsAt"
  from content_readings r
  join organizations o on o.org_id = ${orgId}
  join profiles a on a.org_id = ${orgId} and a.id = r.asked_by
  left join profiles d on d.org_id = ${orgId} and d.id = r.decided_by
  left join legal_holds h on h.org_id = ${orgId} and r.subject_type = 'hold' and h.id::text = r.subject_id
  left join topics t on t.org_id = ${orgId} and t.id::text = case r.subject_type when 'hold' then h.topic_id::text when 'topic' then r.subject_id end
  left join profiles s on s.org_id = ${orgId} and s.id = case r.subject_type when 'hold' then h.profile_id else r.subject_id end
  where r.org_id = ${orgId} and ${condition} ${rest}`

export async function readReading(
  { orgId }: Organization,
  db: Queryable,
  readingId: string,
): Promise<ReadingRow | undefined> {
  const [row] = await db.query<ReadingRow>(readings(orgId, sql`r.id = ${readingId}`))
  return row
}

export type ReadingFilters = { isWaiting: boolean; now: number }

const isWanted = ({ isWaiting, now }: ReadingFilters): Sql =>
  isWaiting ? sql`r.outcome is null and r.ends_at > ${now}` : sql`true`

/** Sorted, the newest first: ids follow time. */
export async function listReadings(
  { orgId }: Organization,
  db: Queryable,
  filters: ReadingFilters,
  start: { at: [key: string | number, id: string]; isBackwards: boolean } | undefined,
  limit: number,
): Promise<(ReadingRow & { sortKey: number })[]> {
  const isBackwards = start?.isBackwards === true
  const behind = start ? sql`and r.id ${isBackwards ? sql`>` : sql`<`} ${start.at[1]}` : nothing
  const rows = await db.query<ReadingRow>(
    readings(
      orgId,
      sql`${isWanted(filters)} ${behind}`,
      sql`order by r.id ${isBackwards ? sql`asc` : sql`desc`} limit ${limit}`,
    ),
  )
  return rows.map((row) => ({ ...row, sortKey: row.askedAt }))
}

export async function countReadings(
  { orgId }: Organization,
  db: Queryable,
  filters: ReadingFilters,
): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from content_readings r where r.org_id = ${orgId} and ${isWanted(filters)}`)
  return row?.total ?? 0
}

export type OpenReading = { id: string; reason: string }

/** The reading under which the caller reads this now. Where four eyes are set, only one that another owner granted counts. */
export async function findOpenReading(
  { orgId, profileId }: Caller,
  db: Queryable,
  { type, id }: Subject,
  now: number,
): Promise<OpenReading | undefined> {
  const [row] = await db.query<OpenReading>(sql`
    select r.id, r.reason from content_readings r join organizations o on o.org_id = ${orgId}
    where r.org_id = ${orgId} and r.asked_by = ${profileId} and r.subject_type = ${type} and r.subject_id = ${id}
      and r.outcome = 'granted' and r.ends_at > ${now} and (not o.four_eyes or r.decided_by <> r.asked_by)
    order by r.id desc limit 1`)
  return row
}
