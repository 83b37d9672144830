import type { MessageTask } from '../../../contract/message.ts'
import { TASK_STATUSES, type TaskStatus } from '../../../contract/tasks.ts'
import { byAssistant, type Caller } from '../../caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { presentMessageTask } from '../../presenters/tasks.ts'
import { isTopicMember } from '../../queries/messages/messages.ts'
import { taskPlace } from '../../queries/work/task-lists.ts'
import { readTask, type TaskRow, taskColumns } from '../../queries/work/tasks.ts'
import { postMessage } from '../messages/messages.ts'
import { refuseClosedTopic, requireTopicToWriteIn } from '../topics/topics.ts'

export type NewTask = {
  topicId: string
  title: string
  description?: string
  assignee?: string
  dueDate?: number
  externalId?: string
}

export async function createTask(tx: Transaction, caller: Caller, task: NewTask) {
  const topic = await requireTopicToWriteIn(tx, caller, task.topicId, [task.title, task.description], {
    kind: 'task',
  })
  const assignee = await checkAssignee(tx, topic.id, task.assignee ?? '')
  const { id, at } = tx.moment()
  const [row] = await tx.query<TaskRow>(sql`
    insert into tasks as t (org_id, id, topic_id, title, description, assignee, due_date, external_id, created_by,
      created_at, updated_at, index, place)
    select l.org_id, ${id}, ${topic.id}, ${task.title}, ${task.description ?? ''}, ${assignee},
      ${task.dueDate ?? 0}, ${task.externalId}, ${caller.profileId}, ${at}, ${at},
      (select coalesce(max(index) + 1, 0) from tasks where org_id = ${tx.orgId} and topic_id = ${topic.id}),
      coalesce(${neighbour(tx, topic.id, { direction: sql`desc` })}, -1) + 1
    from organization_logs l where l.org_id = ${tx.orgId}
    returning ${taskColumns}`)
  if (!row) throw new Error('an insert must return its row')
  await tell(tx, caller, row, 'Added')
  return { id, topicId: topic.id, title: row.title, createdAt: at }
}

export type TaskChanges = {
  /** Must be the topic of the task. */
  topicId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  /** An empty string removes the assignee. */
  assignee?: string | undefined
  /** 0 removes the date. */
  dueDate?: number | undefined
  status?: TaskStatus | undefined
}

/** Emits an event for every update, even one that changes nothing. */
export async function updateTask(tx: Transaction, caller: Caller, taskId: string, changes: TaskChanges) {
  const before = await requireTask(tx, caller, taskId, [changes.title, changes.description])
  if (changes.topicId !== undefined && changes.topicId.toLowerCase() !== before.topic_id) throw taskNotFound()
  const assignee =
    changes.assignee === undefined
      ? before.assignee
      : await checkAssignee(tx, before.topic_id, changes.assignee)
  const after: TaskRow = {
    ...before,
    title: changes.title ?? before.title,
    description: changes.description ?? before.description,
    assignee,
    due_date: changes.dueDate ?? before.due_date,
    status: changes.status ?? before.status,
    updated_at: tx.now(),
  }
  await tx.query(sql`
    update tasks set title = ${after.title}, description = ${after.description}, assignee = ${after.assignee},
      due_date = ${after.due_date}, status = ${after.status}, updated_at = ${after.updated_at}
    where org_id = ${tx.orgId} and id = ${after.id}`)
  await tell(tx, caller, after, changes.status === undefined ? 'Updated' : MARKED_AS[changes.status])
  return { id: after.id, updatedAt: after.updated_at }
}

const MARKED_AS = { Done: 'MarkedAsDone', Open: 'MarkedAsOpened' } as const

export async function deleteTask(tx: Transaction, caller: Caller, taskId: string): Promise<void> {
  const task = await requireTask(tx, caller, taskId)
  await tx.query(sql`delete from tasks where org_id = ${tx.orgId} and id = ${task.id}`)
  await tell(tx, caller, task, 'Deleted')
}

/**
 * Moves a task after another one of its topic, or to the top, for all members. Done and open tasks share one order, so
 * that a reopened task has its place.
 */
export async function moveTask(
  tx: Transaction,
  caller: Caller,
  taskId: string,
  after: string | null,
): Promise<void> {
  const task = await requireTask(tx, caller, taskId)
  const former = after === null ? undefined : await readTask(caller, tx, after)
  if (after !== null && former?.topic_id !== task.topic_id) throw refusal('field_invalid', { field: 'after' })
  if (former?.id === task.id) throw refusal('field_invalid', { field: 'after' })
  const place = former
    ? sql`(select (p.place + coalesce(${neighbour(tx, task.topic_id, { besides: task.id, beyond: sql`p.place` })}, p.place + 2)) * 0.5
        from (select ${taskPlace} as place from tasks t where t.org_id = ${tx.orgId} and t.id = ${former.id}) p)`
    : sql`coalesce(${neighbour(tx, task.topic_id, { besides: task.id })}, 1) - 1`
  await tx.query(sql`
    update tasks set place = ${place} where org_id = ${tx.orgId} and id = ${task.id}`)
  await emitToPeople(tx, 'task.moved', task.topic_id, {
    topicId: task.topic_id,
    taskId: task.id,
    actorId: caller.profileId,
  })
}

type NeighbourOptions = { direction?: Sql; besides?: string; beyond?: Sql }

/** The first place in a topic, or the last, or the first beyond one: of either status the outermost of a range of the index. */
const neighbour = (
  { orgId }: Transaction,
  topicId: string,
  { direction = sql`asc`, besides, beyond }: NeighbourOptions,
): Sql => sql`(
  select x.place from unnest(${TASK_STATUSES}::text[]) as s (status)
  cross join lateral (
    select ${taskPlace} as place from tasks t
    where t.org_id = ${orgId} and t.topic_id = ${topicId} and t.status = s.status
      ${besides === undefined ? sql`` : sql`and t.id <> ${besides}`}
      ${beyond === undefined ? sql`` : sql`and ${taskPlace} > ${beyond}`}
    order by ${taskPlace} ${direction}, t.id limit 1
  ) x order by x.place ${direction} limit 1)`

const taskNotFound = () => refusal('task_not_found')

async function requireTask(
  tx: Transaction,
  caller: Caller,
  taskId: string,
  written: readonly (string | undefined)[] = [],
): Promise<TaskRow> {
  const task = await readTask(caller, tx, taskId)
  if (!task) throw taskNotFound()
  await refuseClosedTopic(tx, caller, task.topic_id, written, { kind: 'task' })
  return task
}

/** The assignee of a task must be in its topic. */
async function checkAssignee(tx: Transaction, topicId: string, requested: string): Promise<string> {
  if (requested === '') return ''
  const profileId = requested.toLowerCase()
  if (!(await isTopicMember({ orgId: tx.orgId, profileId }, tx, topicId)))
    throw refusal('field_invalid', { field: 'assignee' })
  return profileId
}

/** Posts the system message about a change of a task. */
async function tell(
  tx: Transaction,
  caller: Caller,
  task: TaskRow,
  action: MessageTask['action'],
): Promise<void> {
  await postMessage(tx, {
    topicId: task.topic_id,
    senderId: caller.profileId,
    type: 'task',
    isSystem: true,
    details: { task: presentMessageTask(task, action), ...byAssistant(caller) },
    concerned: [task.assignee, task.created_by],
  })
}
