import { nothing, type Sql, sql } from './sql.ts'

/** A place in the order of due times. */
export type DuePlace = { dueAt: number; orgId: string; id: string }

/** Items due by a time, after a place. */
export type DueRange = { until: number; after: DuePlace | undefined }

/** The condition for rows of a range, and their order; `id` tells rows of an organization apart that are due at the same time. */
export function inRange(
  { until, after }: DueRange,
  { dueAt, id }: { dueAt: Sql; id: Sql },
): { where: Sql; order: Sql } {
  const behind = after
    ? sql`and (${dueAt}, org_id, ${id}) > (${after.dueAt}, ${after.orgId}, ${after.id})`
    : nothing
  return { where: sql`${dueAt} <= ${until} ${behind}`, order: sql`${dueAt}, org_id, ${id}` }
}
