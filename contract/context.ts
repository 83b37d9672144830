import { type Static, Type } from 'typebox'
import { ProfileId, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const ContextFile = Type.Object({
  id: Type.String({ description: '`att_<uuid>`' }),
  name: Type.Optional(Type.String({ description: 'Original file name' })),
  contentType: Type.String({ examples: ['application/pdf'] }),
  text: Type.Optional(Type.String({ description: 'The text inside the file, or what a voice message says' })),
  truncated: Type.Optional(Type.Boolean({ description: 'True where `text` was cut to fit' })),
  pending: Type.Optional(Type.Boolean({ description: 'True while the server has not read the file yet' })),
})

export const ContextMessage = Type.Object({
  id: Uuid('The message'),
  parentId: Type.Optional(Uuid('On replies: the message that is replied to')),
  senderId: ProfileId(),
  senderName: Type.String(),
  createdAt: Timestamp('When it was sent'),
  text: Type.String({
    description: 'The content in words, with names in place of mentions; polls, tasks and places too',
  }),
  truncated: Type.Optional(Type.Boolean({ description: 'True where `text` was cut to fit' })),
  files: Type.Optional(Type.Array(ContextFile, { description: 'On messages with files' })),
})
export type ContextMessage = Static<typeof ContextMessage>

/** The facts that a program needs to answer in a topic, few enough for its model. */
export const TopicContext = Type.Object({
  topic: Type.Optional(
    Type.Object(
      {
        id: Uuid('The topic'),
        name: Type.String(),
        description: Type.String({ description: 'Empty when there is none' }),
        type: Type.Enum(['topic', 'dm']),
      },
      { description: 'Given to callers who may read topics (`channel:read`)' },
    ),
  ),
  threadId: Type.Optional(Uuid('The message that began the thread of `message`, if it is in one')),
  messages: Type.Array(ContextMessage, { description: 'The oldest first' }),
  people: Type.Array(
    Type.Object({ id: ProfileId(), name: Type.String(), type: Type.Enum(['user', 'bot']) }),
    { description: 'The senders of these messages, and the members mentioned in them' },
  ),
  tokens: Type.Integer({ description: 'The estimated size of this answer' }),
  hasMore: Type.Boolean({ description: 'Whether messages were left out' }),
})
export type TopicContext = Static<typeof TopicContext>

const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'

export const readContext = operation({
  id: 'readContext',
  method: 'GET',
  path: '/v2/topics/{topicId}/context',
  tag: 'Messages',
  summary: 'Read what there is to know before an answer',
  description: `The thread of \`message\`, what was said before it, who speaks and what their files say, cut to \`tokens\`. Without \`message\`, the newest messages. A token is estimated as ${LIMITS.contextBytesPerToken} bytes of JSON.`,
  scope: 'message:read',
  params: Type.Object({ topicId: Uuid('The topic') }),
  query: Type.Object({
    message: Type.Optional(Uuid('The message of the topic that is to be answered')),
    tokens: Type.Optional(
      Type.Integer({
        minimum: LIMITS.contextTokensMin,
        maximum: LIMITS.contextTokensMax,
        default: LIMITS.contextTokensDefault,
        description: 'The size that the answer may have',
      }),
    ),
  }),
  success: {
    200: {
      description: 'The context',
      schema: TopicContext,
      example: {
        topic: { id: topicId, name: 'Releases', description: 'What went out, and when', type: 'topic' },
        messages: [
          {
            id: messageId,
            senderId: person,
            senderName: 'Ada Okafor',
            createdAt: 1767225600000,
            text: 'Is the release out?',
          },
        ],
        people: [{ id: person, name: 'Ada Okafor', type: 'user' }],
        tokens: 182,
        hasMore: false,
      },
    },
  },
  refusals: ['message_not_found', 'topic_not_found'],
})
