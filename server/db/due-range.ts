import { nothing, type Sql, sql } from './sql.ts'

/** The place of something in the order in which it is due. */
export type DuePlace = { dueAt: number; orgId: string; id: string }

/** The range of things that are due by a time and come after a place. */
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
