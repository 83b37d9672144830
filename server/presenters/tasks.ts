import type { MessageTask } from '../../contract/message.ts'
import type { ChatTask } from '../../contract/people/card-records.ts'
import type { Task } from '../../contract/tasks.ts'
import type { TaskRow } from '../queries/work/tasks.ts'

export function presentTask(row: TaskRow): Task {
  return {
    id: row.id,
    topicId: row.topic_id,
    title: row.title,
    description: row.description,
    status: row.status,
    assignee: row.assignee,
    dueDate: row.due_date,
    isDueDateTimeSelected: row.due_date !== 0,
    index: row.index,
    subItemsCount: 0,
    ...(row.external_id !== null && { externalId: row.external_id }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The task as people see it. */
export const presentChatTask = (row: TaskRow): ChatTask => ({
  ...presentTask(row),
  createdBy: row.created_by,
})

/** The task as shown by the system message about a change. */
export function presentMessageTask(row: TaskRow, action: MessageTask['action']): MessageTask {
  return {
    id: row.id,
    action,
    title: row.title,
    text: row.description,
    status: row.status,
    assignee: row.assignee,
    dueDate: row.due_date,
    isDueDateTimeSelected: row.due_date !== 0,
    parentId: '',
    subItemsCount: 0,
  }
}
