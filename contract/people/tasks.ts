import { Type } from 'typebox'
import { Page, PageQuery, Timestamp, Uuid } from '../common.ts'
import { peopleOperation } from '../operation.ts'
import { TASK_STATUSES } from '../tasks.ts'
import { ChatTask } from './card-records.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'

const TAG = 'People: chat'
const at = 1767225600000
const taskId = '0197a1b2-c3d7-7f6e-8d5c-4b3a29180f7e'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const example: ChatTask = {
  id: taskId,
  topicId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
  title: 'Write the release notes',
  description: '',
  status: 'Open',
  assignee: person,
  dueDate: at,
  isDueDateTimeSelected: true,
  index: 0,
  subItemsCount: 0,
  createdAt: at,
  updatedAt: at,
  createdBy: person,
}
const page = {
  200: {
    description: 'A page of tasks',
    schema: Page('tasks', ChatTask),
    example: { tasks: [example], hasMore: false },
  },
}
const status = Type.Optional(
  Type.Enum(TASK_STATUSES, { default: 'Open', description: 'Only tasks in this state' }),
)

export const listMyTasks = peopleOperation({
  id: 'listMyTasks',
  method: 'GET',
  path: `${CHAT}/my-tasks`,
  tag: TAG,
  summary: 'List the tasks of the caller, from all their topics',
  description:
    'Open ones by due date, those without one last; done ones the other way round. The topics that they left are not looked at.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    status,
    role: Type.Optional(
      Type.Enum(['assigned', 'created'], {
        default: 'assigned',
        description: 'Theirs to do, or made by them',
      }),
    ),
    topicId: Type.Optional(Uuid('Only tasks of this topic')),
    dueFrom: Type.Optional(Timestamp('Only what is due at this time or later')),
    dueBefore: Type.Optional(Timestamp('Only what is due before this time')),
    undated: Type.Optional(Type.Boolean({ description: 'Only what has no due date' })),
  }),
  success: page,
  refusals: ['cursor_invalid', 'topic_not_found'],
})

export const listTopicTasks = peopleOperation({
  id: 'listTopicTasks',
  method: 'GET',
  path: `${CHAT}/topics/{topicId}/tasks`,
  tag: TAG,
  summary: 'List the tasks of a topic in the order that people gave them',
  access: 'guest',
  params: InOrganization({ topicId: Uuid('The topic') }),
  query: Type.Object({ ...PageQuery, status }),
  success: page,
  refusals: ['cursor_invalid', 'topic_not_found'],
})

export const moveTask = peopleOperation({
  id: 'moveTask',
  method: 'POST',
  path: `${CHAT}/tasks/{taskId}/move`,
  tag: TAG,
  summary: 'Move a task in the list of its topic',
  description: 'The order is the same for everybody in the topic. No message tells of it.',
  access: 'guest',
  params: InOrganization({ taskId: Uuid('The task') }),
  body: Type.Object({
    after: Type.Union([Uuid('The task that it comes after'), Type.Null()], {
      description: 'Null: to the top',
    }),
  }),
  bodyExample: { after: null },
  success: { 204: { description: 'The task was moved' } },
  refusals: ['topic_archived', 'field_invalid.after', 'task_not_found'],
})
