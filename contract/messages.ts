import { Type } from 'typebox'
import { ACTION_REFUSALS, ActionsInput } from './actions.ts'
import { CHECK_REFUSALS, Page, PageQuery, ProfileId, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { Message, Waveform } from './message.ts'
import { operation } from './operation.ts'

const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const at = 1767225600000

export const messageExample: Message = {
  id: messageId,
  topicId,
  senderId: person,
  senderName: 'Ada Okafor',
  senderType: 'user',
  type: 'text',
  text: 'The release is out.',
  createdAt: at,
  updatedAt: at,
  isEdited: false,
  isSystem: false,
  truncated: false,
  attachments: [],
  mentions: [],
  mentionDetails: [],
  reactions: [{ emoji: '🎉', count: 2 }],
  replyCount: 0,
}

export const parentId = Uuid('The message of the same topic that this replies to')
export const alsoInTopic = Type.Optional(
  Type.Boolean({
    description:
      'On replies: people see it in the topic too, not only in its thread. Bots get and read every reply either way',
  }),
)
const externalId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: LIMITS.messageExternalId,
    description: 'Your own id for it',
    'x-errors': { minLength: 'Invalid externalId' },
  }),
)
export const Sent = Type.Object({
  id: Uuid('The message'),
  topicId: Uuid('The topic'),
  createdAt: Timestamp('When it was sent'),
  sendAt: Type.Optional(
    Timestamp('The time at which a scheduled message is sent; `id` is then the id of the scheduled message'),
  ),
  held: Type.Optional(
    Type.Literal(true, {
      description: 'Whether it waits for a review, as the scheduled message `id`',
    }),
  ),
})
export const sent = { id: messageId, topicId, createdAt: at }

const MessageParams = Type.Object({ messageId: Uuid('The message') })

export const sendMessage = operation({
  id: 'sendMessage',
  method: 'POST',
  path: '/v2/messages',
  tag: 'Messages',
  summary: 'Send a message, or files',
  description:
    'Mentions are written as `<@profileId>`; who is mentioned must be in the topic. As JSON, a text: 201; with `sendAt` it is sent then, and listed with `listScheduledMessages` until it is. As a form, files with a caption: 200, and the message appears, with its event, when they have been processed.',
  scope: 'message:send',
  isHeardByBots: true,
  countsInBudget: true,
  mayRepeatByExternalId: true,
  body: Type.Object({
    topicId: Uuid('The topic'),
    text: Type.Optional(
      Text(LIMITS.messageText, 'The text; required unless it is streamed or forwards a message'),
    ),
    streaming: Type.Optional(
      Type.Boolean({
        description:
          'Bots only: the text continues with `appendToMessage` until `finishMessage`. People see it grow; its event is emitted when it has ended',
      }),
    ),
    actions: Type.Optional(ActionsInput),
    forwardMessageId: Type.Optional(
      Uuid('Forwards this message, with its files, place or contact; `text` is then a comment, and optional'),
    ),
    sendAt: Type.Optional(
      Timestamp(`Sends it later: when, at most ${LIMITS.scheduledDays} days ahead; not before now`),
    ),
    parentId: Type.Optional(parentId),
    alsoInTopic,
    externalId,
  }),
  bodyExample: { topicId, text: 'The release is out.' },
  form: {
    metaParts: ['metaPart'],
    description: 'Up to 10 files',
    meta: Type.Object({
      topicId: Type.Optional(Uuid('The topic')),
      channelID: Type.Optional(Uuid('The topic, under its other name; one of the two is required')),
      caption: Type.Optional(
        Type.String({ maxLength: LIMITS.messageText, description: 'A text that stands with the files' }),
      ),
      parentId: Type.Optional(parentId),
      alsoInTopic,
      externalId,
      compressImage: Type.Optional(
        Type.Boolean({ description: 'Makes images smaller: at most 2048 pixels wide and high' }),
      ),
      waveform: Type.Optional(Waveform),
    }),
    metaExample: { topicId, caption: 'The new logo' },
    files: { minimum: 1, maximum: LIMITS.filesPerMessage },
  },
  success: {
    200: {
      description: 'Files: accepted, and shown when they have been processed',
      schema: Sent,
      example: sent,
    },
    201: { description: 'A text: sent, or scheduled', schema: Sent, example: sent },
    202: {
      description:
        'A text that the message check of the organization holds for a review: it is sent when somebody has let it pass',
      schema: Sent,
      example: { ...sent, held: true as const },
    },
  },
  refusals: [
    'topic_archived',
    'field_required.text',
    'word_blocked',
    ...CHECK_REFUSALS,
    'field_invalid.parentId',
    'mention_invalid',
    'mention_too_large',
    'mention_people_full',
    'fields_conflict.streaming and actions',
    'fields_conflict.streaming and sendAt',
    'forward_not_combinable',
    'message_not_forwardable',
    'send_time_invalid',
    'command_ambiguous',
    'command_argument_missing',
    'command_argument_wrong',
    'command_form_missing',
    ...ACTION_REFUSALS,
    'topic_ids_differ',
    'image_invalid',
    'image_pixels_exceeded',
    'image_too_slow',
    'storage_quota_exceeded',
    'topic_not_found',
    'message_not_found',
    'streams_full',
    'scheduled_messages_full',
    'image_queue_full',
  ],
})

export const readMessage = operation({
  id: 'readMessage',
  method: 'GET',
  path: '/v2/messages/{messageId}',
  tag: 'Messages',
  summary: 'Read a message',
  scope: 'message:read',
  params: MessageParams,
  success: {
    200: {
      description: 'The message',
      schema: Message,
      example: { ...messageExample, messageId, channelId: topicId },
    },
  },
  refusals: ['message_not_found'],
})

export const listMessages = operation({
  id: 'listMessages',
  method: 'GET',
  path: '/v2/topics/{topicId}/messages',
  tag: 'Messages',
  summary: 'Read the messages of a topic',
  description:
    'Newest first unless `order=asc`. `before` and `after` are exclusive bounds; give one of them, not both.',
  scope: 'message:read',
  params: Type.Object({ topicId: Uuid('The topic') }),
  query: Type.Object({
    ...PageQuery,
    before: Type.Optional(Timestamp('Only messages sent before')),
    after: Type.Optional(Timestamp('Only messages sent after')),
    senderId: Type.Optional(ProfileId('Only messages of this sender')),
    order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc', description: 'By age' })),
    includeSystem: Type.Optional(Type.Boolean({ default: true, description: 'System messages too' })),
    threadId: Type.Optional(Uuid('Only the replies to this message')),
    includeReactionUsers: Type.Optional(
      Type.Boolean({ default: false, description: 'Returns the members who reacted, not only their number' }),
    ),
  }),
  success: {
    200: {
      description: 'A page of messages',
      schema: Page('messages', Message),
      example: { messages: [messageExample], hasMore: false },
    },
  },
  refusals: ['cursor_invalid', 'fields_conflict.before and after', 'topic_not_found'],
})

export const editMessage = operation({
  id: 'editMessage',
  method: 'PATCH',
  path: '/v2/messages/{messageId}',
  tag: 'Messages',
  summary: 'Edit an own message',
  description:
    'Changes text messages and captions. An unchanged text emits no event. Bots: `actions` replaces the buttons, and a new text clears their answers; `null` removes the buttons. Once a member has answered, the text changes only together with `actions`.',
  scope: 'message:write',
  isHeardByBots: true,
  params: MessageParams,
  body: Type.Object({
    text: Type.Optional(Text(LIMITS.messageText, 'The new text; required, unless `actions` is given')),
    actions: Type.Optional(Type.Union([ActionsInput, Type.Null()])),
  }),
  bodyExample: { text: 'The release is out!' },
  success: {
    200: {
      description: 'Edited',
      schema: Type.Object({ id: Uuid('The message'), updatedAt: Timestamp('When it was edited') }),
      example: { id: messageId, updatedAt: at },
    },
  },
  refusals: [
    'topic_archived',
    'field_required.text',
    'message_not_editable',
    'mention_invalid',
    'mention_too_large',
    'mention_people_full',
    'word_blocked',
    ...CHECK_REFUSALS,
    ...ACTION_REFUSALS,
    'message_not_found',
    'question_answered',
  ],
})

export const deleteMessage = operation({
  id: 'deleteMessage',
  method: 'DELETE',
  path: '/v2/messages/{messageId}',
  tag: 'Messages',
  summary: 'Delete an own message',
  scope: 'message:write',
  isHeardByBots: true,
  params: MessageParams,
  success: { 204: { description: 'Deleted' } },
  refusals: ['message_not_found'],
})

export const markDelivered = operation({
  id: 'markDelivered',
  method: 'POST',
  path: '/v2/messages/{messageId}/delivered',
  tag: 'Messages',
  summary: 'Mark a message delivered',
  description: 'The first time stands.',
  scope: 'message:write',
  isIdempotent: true,
  readPermissionSuffices: true,
  isCountedApart: true,
  params: MessageParams,
  success: {
    200: {
      description: 'Marked',
      schema: Type.Object({ messageId: Uuid('The message'), deliveredAt: Timestamp('The first time') }),
      example: { messageId, deliveredAt: at },
    },
  },
  refusals: ['message_not_found'],
})

export const markRead = operation({
  id: 'markRead',
  method: 'POST',
  path: '/v2/messages/{messageId}/read',
  tag: 'Messages',
  summary: 'Mark a message read',
  description: 'The first time stands. What is read is delivered too.',
  scope: 'message:write',
  isIdempotent: true,
  readPermissionSuffices: true,
  isCountedApart: true,
  params: MessageParams,
  success: {
    200: {
      description: 'Marked',
      schema: Type.Object({ messageId: Uuid('The message'), readAt: Timestamp('The first time') }),
      example: { messageId, readAt: at },
    },
  },
  refusals: ['message_not_found'],
})
