import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/tasks.ts'
import type { TaskStatus } from '../../../../contract/tasks.ts'
import { moveTask } from '../../../actions/work/tasks.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentChatTask } from '../../../presenters/tasks.ts'
import { isTopicMember } from '../../../queries/messages/messages.ts'
import {
  type DuePosition,
  listMyTasks,
  listTopicTasks,
  type MyTaskFilters,
  type PlacePosition,
} from '../../../queries/work/task-lists.ts'

export function taskListRoutes(people: PeopleApi): void {
  people.reads(contract.listMyTasks, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, status = 'Open', role = 'assigned', ...wanted } = query
    const list = cursors<MyTaskFilters, DuePosition>(parley.secrets, caller, 'my-tasks')
    const place = cursor === undefined ? { filters: { ...wanted, status, role } } : list.read(cursor)
    const rows = await listMyTasks(caller, db, { ...place, limit })
    const { topicId } = place.filters
    if (rows.length === 0 && topicId !== undefined) await requireMember(caller, db, topicId)
    const { items, last } = cutPage(rows, limit)
    return ok({
      tasks: items.map(presentChatTask),
      ...(last && { nextCursor: list.write({ filters: place.filters, after: [last.due_date, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  people.reads(contract.listTopicTasks, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, status = 'Open' } = query
    const topicId = params.topicId.toLowerCase()
    const list = cursors<TaskStatus, PlacePosition>(parley.secrets, caller, `topic-tasks:${topicId}`)
    const place = cursor === undefined ? { filters: status } : list.read(cursor)
    const { filters, ...after } = place
    const rows = await listTopicTasks(caller, db, topicId, { ...after, status: filters, limit })
    if (rows.length === 0) await requireMember(caller, db, topicId)
    const { items, last } = cutPage(rows, limit)
    return ok({
      tasks: items.map(presentChatTask),
      ...(last && { nextCursor: list.write({ filters, after: [last.place, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  people.writes(contract.moveTask, async ({ caller, tx, params, body }) => {
    await moveTask(tx, caller, params.taskId, body.after)
    return noContent()
  })
}

async function requireMember(caller: Caller, db: Queryable, topicId: string): Promise<void> {
  if (!(await isTopicMember(caller, db, topicId))) throw refusal('topic_not_found')
}
