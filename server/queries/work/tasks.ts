import { TASK_STATUSES, type TaskStatus } from '../../../contract/tasks.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'

export type TaskRow = {
  id: string
  topic_id: string
  title: string
  description: string
  status: TaskStatus
  assignee: string
  due_date: number
  index: number
  external_id: string | null
  created_by: string
  created_at: number
  updated_at: number
}

export const taskColumns = sql`t.id, t.topic_id, t.title, t.description, t.status, t.assignee, t.due_date, t.index,
  t.external_id, t.created_by, t.created_at, t.updated_at`

/** A task of one of the caller's topics. */
export async function readTask(caller: Caller, db: Queryable, taskId: string): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(sql`
    select ${taskColumns}
    from tasks t
    join topic_members m on m.org_id = t.org_id and m.topic_id = t.topic_id and m.profile_id = ${caller.profileId}
    where t.org_id = ${caller.orgId} and t.id = ${taskId}`)
  return row
}

export type TaskFilters = { topicId?: string; status?: TaskStatus; assignee?: string }

/**
 * Newest first; one row more than `limit`. From each topic of the caller, and of each wanted status, the newest are
 * taken out of an index that ends in the id: the cost grows with the page and the topics, never with the tasks. The
 * choice of that index is settled by `index >= 0` (see the migration), not left to the planner.
 */
export function listTasks(
  caller: Caller,
  db: Queryable,
  { filters, after, limit }: { filters: TaskFilters; after?: string; limit: number },
): Promise<TaskRow[]> {
  const { topicId, status, assignee } = filters
  return db.query<TaskRow>(sql`
    select x.*
    from topic_members m
    cross join unnest(${status === undefined ? TASK_STATUSES : [status]}::text[]) as wanted (status)
    cross join lateral (
      select ${taskColumns} from tasks t
      where t.org_id = ${caller.orgId} and t.topic_id = m.topic_id and t.status = wanted.status
        and ${assignee === undefined ? sql`t.index >= 0` : sql`t.assignee = ${assignee}`}
        ${after === undefined ? nothing : sql`and t.id < ${after}`}
      order by t.id desc limit ${limit + 1}
    ) x
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId}
      ${topicId === undefined ? nothing : sql`and m.topic_id = ${topicId}`}
    order by x.id desc limit ${limit + 1}`)
}

/** Tasks of messages that were shown to the caller. */
export async function readTasksById(
  caller: Caller,
  db: Queryable,
  taskIds: readonly string[],
): Promise<TaskRow[]> {
  if (taskIds.length === 0) return []
  return db.query<TaskRow>(sql`
    select ${taskColumns} from tasks t
    where t.org_id = ${caller.orgId} and t.id = any(${[...new Set(taskIds)]}::uuid[]) order by t.id`)
}
