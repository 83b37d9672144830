import type { MessageTask } from '../../contract/message.ts'
import type { TaskStatus } from '../../contract/tasks.ts'
import type { Caller } from '../caller.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest, notFound } from '../errors.ts'
import { presentMessageTask } from '../presenters/tasks.ts'
import { isTopicMember } from '../queries/messages.ts'
import { readTask, type TaskRow, taskColumns } from '../queries/tasks.ts'
import { postMessage } from './messages.ts'
import { refuseArchivedTopic, requireTopicToWriteIn } from './topics.ts'

export type NewTask = {
  topicId: string
  title: string
  description?: string
  assignee?: string
  dueDate?: number
  externalId?: string
}

export async function createTask(tx: Transaction, caller: Caller, task: NewTask) {
  const topic = await requireTopicToWriteIn(tx, caller, task.topicId)
  const assignee = await checkAssignee(tx, topic.id, task.assignee ?? '')
  const { id, at } = tx.moment()
  const [row] = await tx.query<TaskRow>(sql`
    insert into tasks as t (org_id, id, topic_id, title, description, assignee, due_date, external_id, created_by,
      created_at, updated_at, index)
    values (${tx.orgId}, ${id}, ${topic.id}, ${task.title}, ${task.description ?? ''}, ${assignee},
      ${task.dueDate ?? 0}, ${task.externalId}, ${caller.profileId}, ${at}, ${at},
      (select coalesce(max(index) + 1, 0) from tasks where org_id = ${tx.orgId} and topic_id = ${topic.id}))
    returning ${taskColumns}`)
  if (!row) throw new Error('an insert must return its row')
  await tell(tx, caller, row, 'Added')
  return { id, topicId: topic.id, title: row.title, createdAt: at }
}

export type TaskChanges = {
  /** Must be the task's own. */
  topicId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  /** Empty: nobody any more. */
  assignee?: string | undefined
  /** 0: no date any more. */
  dueDate?: number | undefined
  status?: TaskStatus | undefined
}

/** Every update is told in the topic, also one that sets what is there already. */
export async function updateTask(tx: Transaction, caller: Caller, taskId: string, changes: TaskChanges) {
  const before = await requireTask(tx, caller, taskId)
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

const taskNotFound = () => notFound('Task not found')

async function requireTask(tx: Transaction, caller: Caller, taskId: string): Promise<TaskRow> {
  const task = await readTask(caller, tx, taskId)
  if (!task) throw taskNotFound()
  await refuseArchivedTopic(tx, task.topic_id)
  return task
}

/** Whoever has a task must be in its topic. */
async function checkAssignee(tx: Transaction, topicId: string, requested: string): Promise<string> {
  if (requested === '') return ''
  const profileId = requested.toLowerCase()
  if (!(await isTopicMember({ orgId: tx.orgId, profileId }, tx, topicId)))
    throw badRequest('Invalid assignee')
  return profileId
}

/** The system message in the topic that says what happened to a task. */
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
    details: { task: presentMessageTask(task, action) },
  })
}
