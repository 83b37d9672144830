import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { messageExample } from '../messages.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { ChatMessage } from './chat-message.ts'
import { COUNTED_UNREAD } from './chat-records.ts'
import { InOrganization } from './common.ts'

const TAG = 'People: chat'
const TopicParams = InOrganization({ topicId: Uuid('The topic') })
const OF_TOPIC = ['cursor_invalid', 'topic_not_found'] as const
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const messagePage = {
  description: 'A page of messages, with who reacted',
  schema: Page('messages', ChatMessage),
  example: { messages: [messageExample], hasMore: false },
}

export const listMentions = peopleOperation({
  id: 'listMentions',
  method: 'GET',
  path: `${CHAT}/mentions`,
  tag: TAG,
  summary: 'List messages that mention the person',
  description: 'The newest first, of topics that they are in.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object(PageQuery),
  success: { 200: messagePage },
  refusals: ['cursor_invalid'],
})

const unreadReplies = {
  unread: Type.Integer({
    description: `Replies of others that were not read, counted up to ${COUNTED_UNREAD}`,
  }),
  mentions: Type.Integer({
    description: `Replies among them that mention the person, counted up to ${COUNTED_UNREAD}`,
  }),
}

export const Thread = Type.Object({
  parent: ChatMessage,
  lastReply: Type.Union([ChatMessage, Type.Null()], { description: 'Null if it was deleted' }),
  ...unreadReplies,
  following: Type.Boolean(),
})
export type Thread = Static<typeof Thread>

export const listThreads = peopleOperation({
  id: 'listThreads',
  method: 'GET',
  path: `${CHAT}/threads`,
  tag: TAG,
  summary: 'List the threads that the person follows',
  description:
    'The one with the newest reply first. Who replies, whose message is replied to and who is mentioned there or in a reply follow by themselves.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of threads',
      schema: Page('threads', Thread),
      example: {
        threads: [{ parent: messageExample, lastReply: null, unread: 0, mentions: 0, following: true }],
        hasMore: false,
      },
    },
  },
  refusals: ['cursor_invalid'],
})

export const ThreadState = Type.Object({
  following: Type.Boolean(),
  readTo: Type.Union([Uuid('Replies up to here were read'), Type.Null()], {
    description: 'Null for those who never followed it',
  }),
  ...unreadReplies,
})
const threadState = {
  following: true,
  readTo: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
  unread: 0,
  mentions: 0,
}
const ThreadParams = InOrganization({ messageId: Uuid('The message that is replied to') })

export const readThread = peopleOperation({
  id: 'readThread',
  method: 'GET',
  path: `${CHAT}/messages/{messageId}/thread`,
  tag: TAG,
  summary: 'Read whether the person follows a thread, and what they have not read of it',
  access: 'guest',
  params: ThreadParams,
  success: { 200: { description: 'Their state', schema: ThreadState, example: threadState } },
  refusals: ['message_not_found'],
})

export const setThreadState = peopleOperation({
  id: 'setThreadState',
  method: 'PATCH',
  path: `${CHAT}/messages/{messageId}/thread`,
  tag: TAG,
  summary: 'Follow the thread of a message, leave it, or mark its replies as read',
  description:
    '`readTo` only moves forward. `unreadFrom` is how a person moves it back: this reply and all after it are unread again. Who begins to follow has read what is there.',
  access: 'guest',
  params: ThreadParams,
  body: Type.Object({
    following: Type.Optional(Type.Boolean()),
    readTo: Type.Optional(Uuid('The newest reply that was on the screen')),
    unreadFrom: Type.Optional(Uuid('The first reply that is unread from here on')),
  }),
  bodyExample: { following: true },
  success: {
    200: { description: 'The current state', schema: ThreadState, example: threadState },
  },
  refusals: ['fields_conflict.readTo and unreadFrom', 'message_not_found'],
})

const topicMessages = (id: string, path: string, summary: string) =>
  peopleOperation({
    id,
    method: 'GET',
    path: `${CHAT}/topics/{topicId}/${path}`,
    tag: TAG,
    summary,
    description: 'The newest first.',
    access: 'guest',
    params: TopicParams,
    query: Type.Object(PageQuery),
    success: { 200: messagePage },
    refusals: OF_TOPIC,
  })
export const listTopicFiles = topicMessages(
  'listTopicFiles',
  'files',
  'List messages of a topic that have files',
)
export const listTopicPolls = topicMessages('listTopicPolls', 'polls', 'List the polls of a topic')

export const TopicChange = Type.Object({
  id: Uuid('The change'),
  type: Type.Enum(['topic.updated', 'member.added', 'member.removed']),
  actorId: ProfileId('Who did it'),
  createdAt: Timestamp('When it happened'),
  memberIds: Type.Optional(Type.Array(ProfileId(), { description: 'The members who were added or removed' })),
  changes: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean(), Type.Null()]), {
      description: 'The new value of each field that changed, as in the event `topic.updated`',
    }),
  ),
})
export type TopicChange = Static<typeof TopicChange>

export const listTopicChanges = peopleOperation({
  id: 'listTopicChanges',
  method: 'GET',
  path: `${CHAT}/topics/{topicId}/changes`,
  tag: TAG,
  summary: 'List what has happened to a topic',
  description: 'The newest first; for its members. Kept as long as the topic.',
  access: 'guest',
  params: TopicParams,
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of changes',
      schema: Page('changes', TopicChange),
      example: {
        changes: [
          {
            id: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
            type: 'topic.updated',
            actorId: person,
            createdAt: 1767225600000,
            changes: { name: 'Releases' },
          },
        ],
        hasMore: false,
      },
    },
  },
  refusals: OF_TOPIC,
})
