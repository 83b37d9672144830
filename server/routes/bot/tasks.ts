import { LIMITS } from '../../../contract/limits.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import * as contract from '../../../contract/tasks.ts'
import { createTask, deleteTask, type TaskChanges, updateTask } from '../../actions/work/tasks.ts'
import { refusal } from '../../errors.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { presentTask } from '../../presenters/tasks.ts'
import { isTopicMember } from '../../queries/messages/messages.ts'
import { listTasks, readTask, type TaskFilters } from '../../queries/work/tasks.ts'

export function taskRoutes(api: ConversationApi): void {
  api.reads(contract.listTasks, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, ...wanted } = query
    const list = cursors<TaskFilters, string>(parley.secrets, caller, 'tasks')
    const place = cursor === undefined ? { filters: filtersOf(wanted) } : list.read(cursor)

    const { topicId } = place.filters
    const rows = await listTasks(caller, db, { ...place, limit })
    if (topicId !== undefined && rows.length === 0 && !(await isTopicMember(caller, db, topicId)))
      throw refusal('topic_not_found')
    const { items, last } = cutPage(rows, limit)
    return ok({
      tasks: items.map(presentTask),
      ...(last && { nextCursor: list.write({ filters: place.filters, after: last.id }) }),
      hasMore: last !== undefined,
    })
  })

  api.reads(contract.readTask, async ({ caller, db, params }) => {
    const task = await readTask(caller, db, params.taskId)
    if (!task) throw refusal('task_not_found')
    return ok(presentTask(task))
  })

  api.writes(contract.createTask, async ({ caller, tx, body }) => created(await createTask(tx, caller, body)))

  api.writes(contract.updateTask, async ({ caller, tx, params, body }) =>
    ok(await updateTask(tx, caller, params.taskId, changesIn(body))),
  )

  api.writes(contract.deleteTask, async ({ caller, tx, params }) => {
    await deleteTask(tx, caller, params.taskId)
    return noContent()
  })
}

const filtersOf = ({ assignee, ...others }: TaskFilters): TaskFilters => ({
  ...others,
  ...(assignee !== undefined && { assignee: assignee.toLowerCase() }),
})

/** `name` and `title` are one field; `topicId` only names the task's place. */
function changesIn(body: BodyOf<typeof contract.updateTask>): TaskChanges {
  const { topicId, name, title, description, assignee, dueDate, status } = body
  if (name !== undefined && title !== undefined)
    throw refusal('fields_conflict', { fields: 'name and title' })
  if (status !== undefined && topicId === undefined) throw refusal('topic_id_needed_with_status')
  const changes = { title: title ?? name, description, assignee, dueDate, status }
  if (Object.values(changes).every((value) => value === undefined))
    throw refusal('fields_missing', { fields: 'at least one field' })
  return { topicId, ...changes }
}
