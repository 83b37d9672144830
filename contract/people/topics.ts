import { type Static, Type } from 'typebox'
import { BotReach, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { MEMBER_STATUSES } from '../members.ts'
import { Message } from '../message.ts'
import { messageExample } from '../messages.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ListPage, ORDERS, ORGANIZATION } from './common.ts'
import { CONTENT_REFUSALS } from './readings.ts'

const TAG = 'People: topics'
const TOPICS = `${ORGANIZATION}/topics` as const

export const TOPIC_SORTS = ['name', 'createdAt'] as const
export const TOPIC_STATES = ['open', 'closed', 'archived'] as const

/** A topic as shown to admins who are not in it: settings and members, no messages. */
export const ConsoleTopic = Type.Object({
  id: Uuid('The topic'),
  name: Type.String(),
  description: Type.String(),
  state: Type.Enum(TOPIC_STATES, {
    description: '`open`: every person can find, read and join it. An archived topic takes no messages',
  }),
  open: Type.Boolean(),
  announcement: Type.Boolean({ description: 'Whether only admins and bots write' }),
  joinedByDefault: Type.Boolean({ description: 'Whether new people are in it from the start' }),
  keepMessagesDays: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The days that its messages are kept; 0: forever; null: as the organization is set',
  }),
  keepMessagesFrom: Type.Optional(
    Timestamp(
      'The time when the newest shorter retention time takes effect; until then nothing is deleted for its age',
    ),
  ),
  botsStoppedAt: Type.Optional(
    Timestamp('The time since when bots may not write there, because they only answered each other'),
  ),
  people: Type.Integer({ description: 'People who are in it' }),
  bots: Type.Integer({ description: 'Bots that are in it' }),
  isMember: Type.Boolean({ description: 'Whether the admin who asks is in it' }),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
})
export type ConsoleTopic = Static<typeof ConsoleTopic>

export const TopicMember = Type.Object({
  id: ProfileId(),
  type: Type.Enum(['user', 'bot']),
  name: Type.String(),
  email: Type.String({ description: 'Empty for bots' }),
  status: Type.Enum(MEMBER_STATUSES),
  photoId: Type.Optional(Uuid('The id of the photo, for `…/chat/pictures/{fileId}`')),
  joinedAt: Timestamp('The time since when they are in it'),
  reach: Type.Optional(BotReach),
})
export type TopicMember = Static<typeof TopicMember>

const topic: ConsoleTopic = {
  id: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11',
  name: 'Harbour',
  description: '',
  state: 'closed',
  open: false,
  announcement: false,
  joinedByDefault: false,
  keepMessagesDays: null,
  people: 4,
  bots: 1,
  isMember: false,
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}
const member: TopicMember = {
  id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  type: 'user',
  name: 'Ada Okafor',
  email: 'ada@example.com',
  status: 'Active',
  joinedAt: 1767225600000,
}
const params = InOrganization({ topicId: Uuid('The topic') })
const memberIds = Type.Array(ProfileId(), { minItems: 1, maxItems: 100 })

export const listConsoleTopics = peopleOperation({
  id: 'listConsoleTopics',
  method: 'GET',
  path: TOPICS,
  tag: TAG,
  summary: 'List the topics of an organization',
  description:
    'All of them, also those that the admin is not in; direct messages are none. By name, unless told otherwise.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name' })),
    state: Type.Optional(
      Type.Enum(TOPIC_STATES, { description: 'Only those in this state; all by default' }),
    ),
    sort: Type.Optional(Type.Enum(TOPIC_SORTS, { default: 'name' })),
    order: Type.Optional(Type.Enum(ORDERS, { default: 'asc' })),
  }),
  success: {
    200: {
      description: 'A page of topics',
      schema: ListPage('topics', ConsoleTopic),
      example: { topics: [topic], hasMore: false, from: 0, total: 1 },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readConsoleTopic = peopleOperation({
  id: 'readConsoleTopic',
  method: 'GET',
  path: `${TOPICS}/{topicId}`,
  tag: TAG,
  summary: 'Read a topic',
  description: 'Lists topics without their messages.',
  access: 'admin',
  params,
  success: { 200: { description: 'The topic', schema: ConsoleTopic, example: topic } },
  refusals: ['topic_not_found'],
})

export const updateConsoleTopic = peopleOperation({
  id: 'updateConsoleTopic',
  method: 'PATCH',
  path: `${TOPICS}/{topicId}`,
  tag: TAG,
  summary: 'Open, close or archive a topic, or say how long its messages are kept',
  description:
    'Members of the topic get events of all changes but the last, and the audit log records all. Only an admin who is in a closed topic can open it. A shorter retention time is for owners, even if `null` makes it shorter. All owners get an email, and nothing in the topic is deleted for its age before `keepMessagesFrom`, a day later.',
  access: 'admin',
  params,
  body: Type.Object({
    open: Type.Optional(Type.Boolean()),
    announcement: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    keepMessagesDays: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: LIMITS.keepMessagesDays }), Type.Null()], {
        description:
          'The days that its messages are kept, even in an archived topic; 0: forever; null: as the organization is set',
      }),
    ),
    botsStopped: Type.Optional(
      Type.Literal(false, { description: 'Lets bots write again that only answered each other' }),
    ),
  }),
  bodyExample: { archived: true },
  success: {
    200: { description: 'The topic', schema: ConsoleTopic, example: { ...topic, state: 'archived' } },
  },
  refusals: [
    'topic_not_open',
    'topic_archived',
    'closed_topic_opening',
    'shorter_retention_for_owners',
    'topic_not_found',
  ],
})

export const listConsoleTopicMembers = peopleOperation({
  id: 'listConsoleTopicMembers',
  method: 'GET',
  path: `${TOPICS}/{topicId}/members`,
  tag: TAG,
  summary: 'List who is in a topic',
  access: 'admin',
  params,
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a name or an address' })),
  }),
  success: {
    200: {
      description: 'A page of people and bots, by name',
      schema: ListPage('members', TopicMember),
      example: { members: [member], hasMore: false, from: 0, total: 1 },
    },
  },
  refusals: ['cursor_invalid', 'topic_not_found'],
})

export const addConsoleTopicMembers = peopleOperation({
  id: 'addConsoleTopicMembers',
  method: 'POST',
  path: `${TOPICS}/{topicId}/members`,
  tag: TAG,
  summary: 'Add people and bots to a topic',
  description:
    'All or none; who is in it already stays. Only an admin who is in a closed topic adds others to it, people or bots.',
  access: 'admin',
  params,
  body: Type.Object({ memberIds, reach: Type.Optional(BotReach) }),
  bodyExample: { memberIds: [member.id] },
  success: { 200: { description: 'The topic', schema: ConsoleTopic, example: topic } },
  refusals: ['member_invalid', 'topic_archived', 'closed_topic_addition', 'topic_not_found'],
})

export const removeConsoleTopicMembers = peopleOperation({
  id: 'removeConsoleTopicMembers',
  method: 'DELETE',
  path: `${TOPICS}/{topicId}/members`,
  tag: TAG,
  summary: 'Remove people and bots from a topic',
  description: 'Absent members are ignored.',
  access: 'admin',
  params,
  body: Type.Object({ memberIds }),
  bodyExample: { memberIds: [member.id] },
  success: { 200: { description: 'The topic', schema: ConsoleTopic, example: topic } },
  refusals: ['topic_not_found'],
})

export const exportConsoleTopic = peopleOperation({
  id: 'exportConsoleTopic',
  method: 'GET',
  path: `${TOPICS}/{topicId}/export`,
  tag: TAG,
  summary: 'Export what a topic is',
  description: 'Settings, members and numbers as JSON, without messages.',
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The topic with its members',
      schema: Type.Object({
        topic: ConsoleTopic,
        members: Type.Array(TopicMember),
        counts: Type.Object({ messages: Type.Integer(), tasks: Type.Integer() }),
      }),
      example: { topic, members: [member], counts: { messages: 120, tasks: 3 } },
    },
  },
  refusals: ['topic_not_found'],
})

export const readTopicContent = peopleOperation({
  id: 'readTopicContent',
  method: 'POST',
  path: `${TOPICS}/{topicId}/content`,
  tag: TAG,
  summary: 'Read the messages of a topic',
  description:
    'Needs an open reading of the topic; each page is in the audit log, with its reason and the number and time of its messages. Direct messages are no topics. Returns the newest messages, or those before one, the oldest first, replies among them.',
  access: 'admin',
  params,
  body: Type.Object({
    before: Type.Optional(Uuid('Only messages older than this one')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.pageMax, default: LIMITS.pageDefault })),
  }),
  bodyExample: { limit: 50 },
  success: {
    200: {
      description: 'Messages by age',
      schema: Type.Object({ messages: Type.Array(Message), hasBefore: Type.Boolean() }),
      example: { messages: [messageExample], hasBefore: false },
    },
  },
  refusals: [...CONTENT_REFUSALS, 'topic_not_found'],
})
