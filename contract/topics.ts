import { type Static, Type } from 'typebox'
import { BotReach, MemberIds, Name, Page, PageQuery, ProfileId, Timestamp, Uuid } from './common.ts'
import { PICTURE_REFUSALS } from './files.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

/** The form in which an external id is returned: the bot that gave it, and what it gave. */
export const qualifiedExternalId = (botId: string, externalId: string): string => `${botId}:${externalId}`

const common = {
  id: Uuid('The topic'),
  name: Type.String({ description: 'A direct message has the names of the others' }),
  description: Type.String({ description: 'Empty when there is none' }),
  type: Type.Enum(['topic', 'dm']),
  properties: Type.Array(Type.Enum(['announcement']), {
    description: '`announcement`: only admins and bots write there',
  }),
  labels: Type.Array(Uuid('A label'), { description: 'At most one' }),
  externalId: Type.Optional(Type.String({ description: '`<bot_id>:<your_external_id>`' })),
  coverUrl: Type.Optional(Type.String({ description: 'Signed link to the cover image' })),
  open: Type.Optional(
    Type.Boolean({ description: 'True where every person of the organization can join it' }),
  ),
  archivedAt: Type.Optional(Timestamp('When it was archived; missing if it is not archived')),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
}

export const Topic = Type.Object({ ...common, memberIds: Type.Array(ProfileId()) })
export type Topic = Static<typeof Topic>

export const TopicListItem = Type.Object({ ...common, members: Type.Array(ProfileId()) })
export type TopicListItem = Static<typeof TopicListItem>

const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const bot = 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const labelId = '1d2c3b4a-5f6e-4788-99aa-bbccddeeff00'
const at = 1767225600000

const shared = {
  id: topicId,
  name: 'Releases',
  description: 'What went out, and when',
  type: 'topic' as const,
  properties: [],
  labels: [],
  externalId: `${bot}:releases`,
  createdAt: at,
  updatedAt: at,
}
const topicExample: Topic = { ...shared, memberIds: [bot, person] }
const itemExample: TopicListItem = { ...shared, members: [bot, person] }

const TopicParams = Type.Object({ topicId: Uuid('The topic') })

export const listTopics = operation({
  id: 'listTopics',
  method: 'GET',
  path: '/v2/topics',
  tag: 'Topics',
  summary: 'List the topics of the bot',
  description: 'Newest first, direct messages included.',
  scope: 'channel:list',
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of topics',
      schema: Page('topics', TopicListItem),
      example: { topics: [itemExample], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readTopic = operation({
  id: 'readTopic',
  method: 'GET',
  path: '/v2/topics/{topicId}',
  tag: 'Topics',
  summary: 'Read a topic',
  scope: 'channel:read',
  params: TopicParams,
  success: { 200: { description: 'The topic', schema: Topic, example: topicExample } },
  refusals: ['topic_not_found'],
})

export const readTopicByExternalId = operation({
  id: 'readTopicByExternalId',
  method: 'GET',
  path: '/v2/topics/external/{externalId}',
  tag: 'Topics',
  summary: 'Read a topic by its external id',
  description:
    'The short form finds topics of this bot; the qualified form (`<bot_id>:<external_id>`) those of any bot.',
  scope: 'channel:read',
  params: Type.Object({
    externalId: Type.String({ minLength: 1, description: 'Short or qualified, percent-encoded' }),
  }),
  success: { 200: { description: 'The topic', schema: Topic, example: topicExample } },
  refusals: ['topic_not_found'],
})

const name = Name(LIMITS.topicName, 'Name of the topic')
const description = Type.String({
  maxLength: LIMITS.topicDescription,
  description: 'A sentence about the topic',
})

const NewTopic = Type.Object({
  name,
  members: Type.Array(ProfileId(undefined, { pattern: 'member_invalid', type: 'member_invalid' }), {
    maxItems: LIMITS.topicMembersOnCreation,
    description: 'Profile ids besides the bot; may be empty',
    'x-errors': { maxItems: 'too many members' },
  }),
  description: Type.Optional(description),
  externalId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.topicExternalId,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      description: 'Your own id for it, unique for this bot; no control characters',
      'x-errors': { minLength: 'Invalid externalId' },
    }),
  ),
})
const newTopicExample = { name: 'Releases', members: [person], externalId: 'releases' }

export const createTopic = operation({
  id: 'createTopic',
  method: 'POST',
  path: '/v2/topics',
  tag: 'Topics',
  summary: 'Create a topic',
  description: 'Makes the bot a member.',
  scope: 'channel:write',
  countsInBudget: true,
  isHeardByBots: true,
  body: NewTopic,
  bodyExample: newTopicExample,
  form: {
    metaParts: ['metaPart'],
    description: 'A cover image: JPEG or PNG, cut to a square around its middle',
    meta: NewTopic,
    metaExample: newTopicExample,
    files: { minimum: 0, maximum: 1, maxBytes: LIMITS.coverBytes },
  },
  success: {
    201: {
      description: 'The topic',
      schema: Type.Object({
        id: Uuid('The topic'),
        name: Type.String(),
        members: Type.Array(ProfileId()),
        externalId: Type.Optional(Type.String({ description: 'Qualified; only if one was given' })),
        createdAt: Timestamp('When it was created'),
      }),
      example: {
        id: topicId,
        name: 'Releases',
        members: [bot, person],
        externalId: `${bot}:releases`,
        createdAt: at,
      },
    },
  },
  refusals: [
    ...PICTURE_REFUSALS,
    'member_invalid',
    'guests_for_admins',
    'topic_external_id_taken',
    'storage_quota_exceeded',
  ],
})

export const startDirectMessage = operation({
  id: 'startDirectMessage',
  method: 'POST',
  path: '/v2/direct-messages',
  tag: 'Topics',
  summary: 'Open a direct message with a person',
  description: `Where an admin allows it, with active people who share a topic with the bot; ${LIMITS.directMessagesPerMinute} new ones a minute. There is one for each person: one that is there is returned.`,
  scope: 'direct:open',
  countsInBudget: true,
  isIdempotent: true,
  body: Type.Object({
    memberId: ProfileId('A person who shares a topic with the bot', {
      pattern: 'member_invalid',
      type: 'member_invalid',
    }),
  }),
  bodyExample: { memberId: person },
  success: {
    200: {
      description: 'It was there',
      schema: Topic,
      example: { ...topicExample, name: 'Ada Okafor', type: 'dm' as const },
    },
    201: {
      description: 'It is new',
      schema: Topic,
      example: { ...topicExample, name: 'Ada Okafor', type: 'dm' as const },
    },
  },
  refusals: ['direct_messages_off', 'member_invalid'],
})

export const updateTopic = operation({
  id: 'updateTopic',
  method: 'PATCH',
  path: '/v2/topics/{topicId}',
  tag: 'Topics',
  summary: 'Rename or describe a topic',
  description: 'At least one of the two; an empty description clears it.',
  scope: 'channel:write',
  isHeardByBots: true,
  params: TopicParams,
  body: Type.Object({ name: Type.Optional(name), description: Type.Optional(description) }),
  bodyExample: { name: 'Releases' },
  success: { 200: { description: 'The topic', schema: Topic, example: topicExample } },
  refusals: ['topic_archived', 'fields_missing.name or description', 'topic_is_direct', 'topic_not_found'],
})

const MembersAnswer = Type.Object({
  id: Uuid('The topic'),
  memberIds: Type.Array(ProfileId(), { description: 'All current members' }),
  updatedAt: Timestamp('When it last changed'),
})
const membersExample = { id: topicId, memberIds: [bot, person], updatedAt: at }

export const addTopicMembers = operation({
  id: 'addTopicMembers',
  method: 'POST',
  path: '/v2/topics/{topicId}/members',
  tag: 'Topics',
  summary: 'Add members to a topic',
  description:
    'Adds all or none: a present member, or one outside the organization, refuses the request. Bots among them get everything, unless `reach` says otherwise.',
  scope: 'channel:write',
  isHeardByBots: true,
  params: TopicParams,
  body: Type.Object({ memberIds: MemberIds, reach: Type.Optional(BotReach) }),
  bodyExample: { memberIds: [person] },
  success: { 200: { description: 'The members', schema: MembersAnswer, example: membersExample } },
  refusals: [
    'topic_archived',
    'member_invalid',
    'guests_for_admins',
    'topic_member_known',
    'topic_is_direct',
    'topic_not_found',
  ],
})

export const removeTopicMembers = operation({
  id: 'removeTopicMembers',
  method: 'DELETE',
  path: '/v2/topics/{topicId}/members',
  tag: 'Topics',
  summary: 'Remove members from a topic',
  description: 'Absent members are ignored. The bot may remove itself.',
  scope: 'channel:write',
  isHeardByBots: true,
  params: TopicParams,
  body: Type.Object({ memberIds: MemberIds }),
  bodyExample: { memberIds: [person] },
  success: {
    200: {
      description: 'The members',
      schema: MembersAnswer,
      example: { ...membersExample, memberIds: [bot] },
    },
  },
  refusals: ['member_invalid', 'topic_is_direct', 'topic_not_found'],
})

const LabelsAnswer = Type.Object({
  id: Uuid('The topic'),
  labels: Type.Array(Uuid('A label')),
  updatedAt: Timestamp('When it last changed'),
})

export const addTopicLabel = operation({
  id: 'addTopicLabel',
  method: 'POST',
  path: '/v2/topics/{topicId}/labels',
  tag: 'Labels',
  summary: 'Put a label on a topic',
  description: 'A topic carries one label at most. The one that it already has is accepted again.',
  scope: 'channel:write',
  isIdempotent: true,
  params: TopicParams,
  body: Type.Object({ labelId: Uuid('A label of the organization') }),
  bodyExample: { labelId },
  success: {
    200: {
      description: 'Its labels',
      schema: LabelsAnswer,
      example: { id: topicId, labels: [labelId], updatedAt: at },
    },
  },
  refusals: ['topic_archived', 'field_invalid.labelId', 'topic_has_label', 'topic_not_found'],
})

export const removeTopicLabel = operation({
  id: 'removeTopicLabel',
  method: 'DELETE',
  path: '/v2/topics/{topicId}/labels/{labelId}',
  tag: 'Labels',
  summary: 'Take a label off a topic',
  description: 'One that it does not have is accepted too.',
  scope: 'channel:write',
  params: Type.Object({ topicId: Uuid('The topic'), labelId: Uuid('The label') }),
  success: {
    200: {
      description: 'Its labels',
      schema: LabelsAnswer,
      example: { id: topicId, labels: [], updatedAt: at },
    },
  },
  refusals: ['topic_archived', 'topic_not_found'],
})
