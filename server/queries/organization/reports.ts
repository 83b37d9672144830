import type { Report } from '../../../contract/people/reports.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { type MessageRow, messageColumns } from '../messages/messages.ts'

type Organization = Pick<Caller, 'orgId'>

export type ReportRow = {
  id: string
  message_id: string
  topic_id: string
  topic_name: string
  sender_id: string
  sender_name: string
  reporter_id: string
  reporter_name: string
  text: string
  reason: string
  created_at: number
  outcome: NonNullable<Report['outcome']> | null
  decided_by: string | null
  decided_name: string | null
  decided_at: number | null
}

const reports = (condition: Sql, rest: Sql = nothing): Sql => sql`
  select r.id, r.message_id, r.topic_id, coalesce(t.name, '') as topic_name, r.sender_id, s.name as sender_name, r.reporter_id,
    p.name as reporter_name, r.text, r.reason, r.created_at, r.outcome, r.decided_by, d.name as decided_name, r.decided_at
  from message_reports r
  join profiles s on s.org_id = r.org_id and s.id = r.sender_id
  join profiles p on p.org_id = r.org_id and p.id = r.reporter_id
  left join profiles d on d.org_id = r.org_id and d.id = r.decided_by
  left join topics t on t.org_id = r.org_id and t.id = r.topic_id and t.type = 'topic'
  where ${condition} ${rest}`

export async function readReport(
  { orgId }: Organization,
  db: Queryable,
  reportId: string,
): Promise<ReportRow | undefined> {
  const [row] = await db.query<ReportRow>(reports(sql`r.org_id = ${orgId} and r.id = ${reportId}`))
  return row
}

export type ReportFilters = { isOpen: boolean }
export type ListedReport = ReportRow & { sortKey: number }

const isWanted = ({ orgId }: Organization, { isOpen }: ReportFilters): Sql =>
  sql`r.org_id = ${orgId} and (r.outcome is null) = ${isOpen}`

/** Sorted, the newest first: ids follow time. */
export async function listReports(
  caller: Organization,
  db: Queryable,
  filters: ReportFilters,
  start: { at: [key: string | number, id: string]; isBackwards: boolean } | undefined,
  limit: number,
): Promise<ListedReport[]> {
  const isBackwards = start?.isBackwards === true
  const behind = start ? sql`and r.id ${isBackwards ? sql`>` : sql`<`} ${start.at[1]}` : nothing
  const rows = await db.query<ReportRow>(
    reports(
      sql`${isWanted(caller, filters)} ${behind}`,
      sql`order by r.id ${isBackwards ? sql`asc` : sql`desc`} limit ${limit}`,
    ),
  )
  return rows.map((row) => ({ ...row, sortKey: row.created_at }))
}

export async function countReports(
  caller: Organization,
  db: Queryable,
  filters: ReportFilters,
): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from message_reports r where ${isWanted(caller, filters)}`)
  return row?.total ?? 0
}

/** A message of any topic, for admins who may decide on it. */
export async function readMessageOfAnyone(
  { orgId }: Organization,
  db: Queryable,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(sql`
    select ${messageColumns} from messages x join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    where x.org_id = ${orgId} and x.id = ${messageId}`)
  return row
}
