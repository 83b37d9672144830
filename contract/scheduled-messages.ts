import { type Static, Type } from 'typebox'
import { CHECK_REFUSALS, Page, PageQuery, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const id = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c'
const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const at = 1767225600000
const sendAt = 1767258000000

export const ScheduledMessage = Type.Object({
  id: Uuid('The scheduled message; the message that it becomes has another id'),
  topicId: Uuid('The topic'),
  text: Type.String(),
  hasActions: Type.Optional(Type.Literal(true, { description: 'The message is sent with its `actions`' })),
  parentId: Type.Optional(Uuid('The message that it replies to')),
  externalId: Type.Optional(Type.String({ description: 'Your own id for it' })),
  sendAt: Timestamp('When it is sent'),
  state: Type.Enum(['scheduled', 'failed', 'held'], {
    description: '`failed`: it could not be sent, and is not tried again; `held`: it waits for a review',
  }),
  heldReason: Type.Optional(Type.String({ description: 'Why it waits for a review' })),
  reason: Type.Optional(
    Type.String({ description: 'The refusal that sending it would have got, if it failed' }),
  ),
  reasonCode: Type.Optional(Type.String({ description: 'The code of that refusal' })),
  createdAt: Timestamp('When it was scheduled'),
  updatedAt: Timestamp('When it was last changed, or failed'),
})
export type ScheduledMessage = Static<typeof ScheduledMessage>

const example: ScheduledMessage = {
  id,
  topicId,
  text: 'The release is out.',
  sendAt,
  state: 'scheduled',
  createdAt: at,
  updatedAt: at,
}

const ScheduledParams = Type.Object({ scheduledMessageId: Uuid('The scheduled message') })

export const listScheduledMessages = operation({
  id: 'listScheduledMessages',
  method: 'GET',
  path: '/v2/scheduled-messages',
  tag: 'Scheduled messages',
  summary: 'List own scheduled messages',
  description: 'Sorted by time, the next one first. Failed messages are listed for 30 days, with the reason.',
  scope: 'message:read',
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of scheduled messages',
      schema: Page('scheduledMessages', ScheduledMessage),
      example: { scheduledMessages: [example], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const updateScheduledMessage = operation({
  id: 'updateScheduledMessage',
  method: 'PATCH',
  path: '/v2/scheduled-messages/{scheduledMessageId}',
  tag: 'Scheduled messages',
  summary: 'Change an own scheduled message',
  description: 'A new `sendAt` schedules a failed message again.',
  scope: 'message:send',
  params: ScheduledParams,
  body: Type.Object({
    text: Type.Optional(Text(LIMITS.messageText, 'The new text')),
    sendAt: Type.Optional(Timestamp('The new time')),
  }),
  bodyExample: { text: 'The release is out!' },
  success: {
    200: {
      description: 'The scheduled message',
      schema: ScheduledMessage,
      example: { ...example, text: 'The release is out!' },
    },
  },
  refusals: [
    'topic_archived',
    'bots_stopped',
    'fields_missing.text or sendAt',
    'send_time_invalid',
    'mention_invalid',
    'mention_too_large',
    'mention_people_full',
    'word_blocked',
    ...CHECK_REFUSALS,
    'scheduled_message_held',
    'scheduled_message_not_found',
    'topic_not_found',
  ],
})

export const cancelScheduledMessage = operation({
  id: 'cancelScheduledMessage',
  method: 'DELETE',
  path: '/v2/scheduled-messages/{scheduledMessageId}',
  tag: 'Scheduled messages',
  summary: 'Cancel an own scheduled message',
  scope: 'message:send',
  params: ScheduledParams,
  success: { 204: { description: 'The message is not sent' } },
  refusals: ['scheduled_message_not_found'],
})

export const sendScheduledMessage = operation({
  id: 'sendScheduledMessage',
  method: 'POST',
  path: '/v2/scheduled-messages/{scheduledMessageId}/send',
  tag: 'Scheduled messages',
  summary: 'Send an own scheduled message now',
  scope: 'message:send',
  isHeardByBots: true,
  params: ScheduledParams,
  success: {
    201: {
      description: 'Sent',
      schema: Type.Object({
        id: Uuid('The message'),
        topicId: Uuid('The topic'),
        createdAt: Timestamp('When it was sent'),
      }),
      example: { id: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', topicId, createdAt: at },
    },
  },
  refusals: [
    'topic_archived',
    'word_blocked',
    ...CHECK_REFUSALS,
    'scheduled_message_held',
    'field_invalid.parentId',
    'mention_invalid',
    'mention_too_large',
    'mention_people_full',
    'command_ambiguous',
    'command_argument_missing',
    'command_argument_wrong',
    'command_form_missing',
    'expiry_not_in_future',
    'action_people_invalid',
    'scheduled_message_not_found',
    'topic_not_found',
  ],
})
