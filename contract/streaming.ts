import { Type } from 'typebox'
import { ACTION_REFUSALS, ActionsInput } from './actions.ts'
import { CHECK_REFUSALS, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { MessageSources, MessageSteps } from './message-progress.ts'
import { operation } from './operation.ts'

const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const at = 1767225600000

const MessageParams = Type.Object({ messageId: Uuid('The message') })
const refusals = ['topic_archived', 'message_not_found'] as const

export const appendToMessage = operation({
  id: 'appendToMessage',
  method: 'POST',
  path: '/v2/messages/{messageId}/append',
  tag: 'Messages',
  summary: 'Append to a message that is being streamed',
  description: `Up to ${LIMITS.appendsPerSecond} times a second for each message; these requests do not count towards the limit of the organization. An empty text says that the bot is still working.\n\nAs \`text/plain\`, the body is the text, and is appended as it comes in: one request for a whole answer. It needs an access token. If the server is about to stop, it answers before the end of the body; continue with another request after the \`length\` in the answer.`,
  scope: 'message:send',
  isUncounted: true,
  params: MessageParams,
  body: Type.Object({
    text: Type.String({ maxLength: LIMITS.messageText, description: 'The text to append' }),
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.messageText,
        description:
          'The length of the text before it, in code points: text of the message beyond that is replaced, so that a request can be repeated safely',
      }),
    ),
  }),
  bodyExample: { text: ' All checks passed.', from: 19 },
  streamedText: {
    query: Type.Object({
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LIMITS.messageText,
          description: 'Plain text only: the length of the text before it, as `from` of the JSON',
        }),
      ),
    }),
    description: 'The text to append, in UTF-8, which may come in any number of pieces',
    example: ' All checks passed.',
  },
  success: {
    200: {
      description: 'Appended',
      schema: Type.Object({
        id: Uuid('The message'),
        length: Type.Integer({ description: 'The length of its text now, in code points' }),
        bodyMs: Type.Optional(
          Type.Integer({
            description:
              'Milliseconds in which a body of plain text came in. Far fewer than sending it took: a proxy holds bodies back until they are whole',
          }),
        ),
      }),
      example: { id: messageId, length: 38 },
    },
  },
  refusals: [
    ...refusals,
    'field_too_long.text',
    'word_blocked',
    'stream_stopped',
    'stream_finished',
    'stream_gap',
    'stream_taken_over',
  ],
})

export const setProgress = operation({
  id: 'setProgress',
  method: 'PUT',
  path: '/v2/messages/{messageId}/progress',
  tag: 'Messages',
  summary: 'Show steps and sources of a message that is being streamed',
  description:
    'Takes the place of what was shown before: what is left out is gone. Steps and sources stay with the message when it is finished, for people and bots.',
  scope: 'message:send',
  params: MessageParams,
  body: Type.Object({
    steps: Type.Optional(MessageSteps),
    sources: Type.Optional(MessageSources),
    activity: Type.Optional(
      Type.String({
        maxLength: LIMITS.streamActivity,
        description:
          'The present activity of the bot, such as “searches the handbook”; gone when the message is finished',
      }),
    ),
  }),
  bodyExample: {
    steps: [
      { id: 'search', title: 'Search the handbook', status: 'done', output: '3 pages' },
      { id: 'write', title: 'Write the answer', status: 'in_progress' },
    ],
    sources: [{ title: 'Handbook: releases', url: 'https://example.com/handbook/releases' }],
    activity: 'writes the answer',
  },
  success: { 204: { description: 'Shown' } },
  refusals: [
    ...refusals,
    'step_ids_repeated',
    'progress_too_large',
    'word_blocked',
    ...CHECK_REFUSALS,
    'stream_stopped',
    'stream_finished',
  ],
})

export const finishMessage = operation({
  id: 'finishMessage',
  method: 'POST',
  path: '/v2/messages/{messageId}/finish',
  tag: 'Messages',
  summary: 'Finish a message that is being streamed',
  description:
    'Turns it into an ordinary message, and emits its `message.created`. `actions` are buttons, choices and forms, as in `sendMessage`.',
  scope: 'message:send',
  params: MessageParams,
  body: Type.Object({
    text: Type.Optional(Text(LIMITS.messageText, 'The whole text, in place of what was streamed')),
    status: Type.Optional(
      Type.Enum(['finished', 'failed'], {
        default: 'finished',
        description: '`failed`: people see that it ends too early',
      }),
    ),
    actions: Type.Optional(ActionsInput),
  }),
  bodyExample: {},
  success: {
    200: {
      description: 'Finished',
      schema: Type.Object({
        id: Uuid('The message'),
        topicId: Uuid('The topic'),
        createdAt: Timestamp('When it was begun'),
      }),
      example: { id: messageId, topicId, createdAt: at },
    },
  },
  refusals: [
    ...refusals,
    ...ACTION_REFUSALS,
    'field_required.text',
    'mention_invalid',
    'word_blocked',
    ...CHECK_REFUSALS,
    'stream_stopped',
    'stream_finished',
  ],
})
