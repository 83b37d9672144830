import { type Static, Type } from 'typebox'
import { CHECK_REFUSALS, Page, PageQuery, ProfileId, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

export const TASK_STATUSES = ['Open', 'Done'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const Task = Type.Object({
  id: Uuid('The task'),
  topicId: Uuid('Its topic'),
  title: Type.String(),
  description: Type.String({ description: 'Empty when there is none' }),
  status: Type.Enum(TASK_STATUSES),
  assignee: Type.String({ description: 'Profile id; empty when unassigned' }),
  dueDate: Type.Integer({ description: 'Unix time in ms; 0 when unset' }),
  isDueDateTimeSelected: Type.Boolean({ description: 'True exactly when `dueDate` is set' }),
  index: Type.Integer({ description: 'Its number in the topic, from 0' }),
  parentId: Type.Optional(Uuid('The task that it is part of')),
  subItemsCount: Type.Integer({ description: 'The number of its parts' }),
  externalId: Type.Optional(Type.String({ description: 'As given on creation' })),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
})
export type Task = Static<typeof Task>

const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const taskId = '0197a1b2-c3d7-7f6e-8d5c-4b3a29180f7e'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const at = 1767225600000

const example: Task = {
  id: taskId,
  topicId,
  title: 'Write the release notes',
  description: 'One line a change',
  status: 'Open',
  assignee: person,
  dueDate: at + 86_400_000,
  isDueDateTimeSelected: true,
  index: 0,
  subItemsCount: 0,
  externalId: 'notes-42',
  createdAt: at,
  updatedAt: at,
}

const TaskParams = Type.Object({ taskId: Uuid('The task') })

/** A profile id, or an empty string for an unassigned task. */
const Assignee = (description: string) => Type.Union([Type.Literal(''), ProfileId()], { description })

export const listTasks = operation({
  id: 'listTasks',
  method: 'GET',
  path: '/v2/tasks',
  tag: 'Tasks',
  summary: 'List tasks from the topics of the bot',
  description: 'Newest first.',
  scope: 'task:read',
  query: Type.Object({
    ...PageQuery,
    topicId: Type.Optional(Uuid('Only tasks of this topic')),
    status: Type.Optional(Type.Enum(TASK_STATUSES, { description: 'Only tasks in this state' })),
    assignee: Type.Optional(Assignee('Only tasks of this member, or unassigned ones if it is empty')),
  }),
  success: {
    200: {
      description: 'A page of tasks',
      schema: Page('tasks', Task),
      example: { tasks: [example], hasMore: false },
    },
  },
  refusals: ['cursor_invalid', 'topic_not_found'],
})

export const readTask = operation({
  id: 'readTask',
  method: 'GET',
  path: '/v2/tasks/{taskId}',
  tag: 'Tasks',
  summary: 'Read a task',
  scope: 'task:read',
  params: TaskParams,
  success: { 200: { description: 'The task', schema: Task, example } },
  refusals: ['task_not_found'],
})

const title = Text(LIMITS.taskTitle, 'The title')
const description = Type.String({ maxLength: LIMITS.taskDescription, description: 'More about it' })

export const createTask = operation({
  id: 'createTask',
  method: 'POST',
  path: '/v2/tasks',
  tag: 'Tasks',
  summary: 'Create a task in a topic',
  description: 'A system message in the topic tells of it.',
  scope: 'task:write',
  countsInBudget: true,
  isHeardByBots: true,
  mayRepeatByExternalId: true,
  body: Type.Object({
    topicId: Uuid('The topic'),
    title,
    description: Type.Optional(description),
    assignee: Type.Optional(Assignee('A member of the topic; empty: unassigned')),
    dueDate: Type.Optional(Timestamp('When it is due; 0: no date')),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.taskExternalId,
        description: 'Your own id for it',
        'x-errors': { minLength: 'Invalid externalId' },
      }),
    ),
  }),
  bodyExample: { topicId, title: 'Write the release notes', assignee: person },
  success: {
    201: {
      description: 'Created',
      schema: Type.Object({
        id: Uuid('The task'),
        topicId: Uuid('Its topic'),
        title: Type.String(),
        createdAt: Timestamp('When it was created'),
      }),
      example: { id: taskId, topicId, title: 'Write the release notes', createdAt: at },
    },
  },
  refusals: [
    'topic_archived',
    'field_invalid.assignee',
    'word_blocked',
    ...CHECK_REFUSALS,
    'topic_not_found',
  ],
})

export const updateTask = operation({
  id: 'updateTask',
  method: 'PATCH',
  path: '/v2/tasks/{taskId}',
  tag: 'Tasks',
  summary: 'Change a task',
  description:
    'At least one field besides `topicId`. `name` and `title` are the same field; give one of them. Each change puts a system message into the topic.',
  scope: 'task:write',
  countsInBudget: true,
  isHeardByBots: true,
  isIdempotent: false,
  params: TaskParams,
  body: Type.Object({
    topicId: Type.Optional(Uuid("The task's topic; required with `status`")),
    name: Type.Optional(title),
    title: Type.Optional(title),
    description: Type.Optional(description),
    assignee: Type.Optional(Assignee('A member of the topic; empty removes the assignee')),
    dueDate: Type.Optional(Timestamp('When it is due; 0 clears it')),
    status: Type.Optional(Type.Enum(TASK_STATUSES)),
  }),
  bodyExample: { topicId, status: 'Done' },
  success: {
    200: {
      description: 'Changed',
      schema: Type.Object({ id: Uuid('The task'), updatedAt: Timestamp('When it was changed') }),
      example: { id: taskId, updatedAt: at },
    },
  },
  refusals: [
    'topic_archived',
    'word_blocked',
    ...CHECK_REFUSALS,
    'fields_conflict.name and title',
    'topic_id_needed_with_status',
    'fields_missing.at least one field',
    'field_invalid.assignee',
    'task_not_found',
  ],
})

export const deleteTask = operation({
  id: 'deleteTask',
  method: 'DELETE',
  path: '/v2/tasks/{taskId}',
  tag: 'Tasks',
  summary: 'Delete a task',
  description: 'A system message in the topic tells of it.',
  scope: 'task:write',
  countsInBudget: true,
  isHeardByBots: true,
  params: TaskParams,
  success: { 204: { description: 'Deleted' } },
  refusals: ['topic_archived', 'task_not_found'],
})
