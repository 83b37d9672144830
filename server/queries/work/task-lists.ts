import type { TaskStatus } from '../../../contract/tasks.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { type TaskRow, taskColumns } from './tasks.ts'

/** The later of all times stands for none: tasks without a date come last. The indexes have the same expression. */
const NEVER = sql`9223372036854775807`
const dueOrder = sql`coalesce(nullif(t.due_date, 0), ${NEVER})`
/** A task's place in the list of its topic. */
export const taskPlace = sql`coalesce(t.place, t.index::numeric)`

export type MyTaskFilters = {
  status: TaskStatus
  role: 'assigned' | 'created'
  topicId?: string
  dueFrom?: number
  dueBefore?: number
  undated?: boolean
}
/** The due date, 0 if there is none, and the id. */
export type DuePosition = [number, string]

/**
 * The caller's tasks by due date, done ones backwards; one row more than `limit`. From each topic of the caller the first are
 * taken out of an index that begins with the topic and ends in date and id: the cost grows with the page and the topics,
 * never with the tasks.
 */
export function listMyTasks(
  caller: Caller,
  db: Queryable,
  { filters, after, limit }: { filters: MyTaskFilters; after?: DuePosition; limit: number },
): Promise<TaskRow[]> {
  const { status, role, topicId, dueFrom, dueBefore, undated = false } = filters
  const isForward = status === 'Open'
  const direction = isForward ? sql`asc` : sql`desc`
  const column = role === 'assigned' ? sql`t.assignee` : sql`t.created_by`
  const bounds: Sql[] = []
  if (undated) bounds.push(sql`and ${dueOrder} = ${NEVER}`)
  if (dueFrom !== undefined) bounds.push(sql`and ${dueOrder} >= ${dueFrom} and ${dueOrder} < ${NEVER}`)
  if (dueBefore !== undefined) bounds.push(sql`and ${dueOrder} < ${dueBefore}`)
  const from =
    after === undefined
      ? nothing
      : sql`and (${dueOrder}, t.id) ${isForward ? sql`>` : sql`<`}
          (coalesce(nullif(${after[0]}::bigint, 0), ${NEVER}), ${after[1]}::uuid)`
  return db.query<TaskRow>(sql`
    select x.*
    from topic_members m
    cross join lateral (
      select ${taskColumns}, ${dueOrder} as due_order from tasks t
      where t.org_id = ${caller.orgId} and t.topic_id = m.topic_id and ${column} = ${caller.profileId} and t.status = ${status}
        ${bounds[0] ?? nothing} ${bounds[1] ?? nothing} ${bounds[2] ?? nothing} ${from}
      order by ${dueOrder} ${direction}, t.id ${direction} limit ${limit + 1}
    ) x
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId}
      ${topicId === undefined ? nothing : sql`and m.topic_id = ${topicId}`}
    order by x.due_order ${direction}, x.id ${direction} limit ${limit + 1}`)
}

export type TaskPlaceRow = TaskRow & { place: string }
export type PlacePosition = [string, string]

/** The tasks of a topic that the caller is in, as people put them in order; one row more than `limit`. */
export function listTopicTasks(
  caller: Caller,
  db: Queryable,
  topicId: string,
  { status, after, limit }: { status: TaskStatus; after?: PlacePosition; limit: number },
): Promise<TaskPlaceRow[]> {
  return db.query<TaskPlaceRow>(sql`
    select ${taskColumns}, ${taskPlace}::text as place
    from topic_members m
    join tasks t on t.org_id = m.org_id and t.topic_id = m.topic_id
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} and m.topic_id = ${topicId}
      and t.status = ${status}
      ${after === undefined ? nothing : sql`and (${taskPlace}, t.id) > (${after[0]}::numeric, ${after[1]}::uuid)`}
    order by ${taskPlace}, t.id limit ${limit + 1}`)
}
