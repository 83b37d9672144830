import { Type } from 'typebox'
import { Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'

const answered = { id: '0197a1b2-c3d7-7c9d-8e0f-2a3b4c5d6e7f', createdAt: 1767225600000 }
const Answered = Type.Object({ id: Uuid('The answer'), createdAt: Timestamp('When it was given') })

export const pressAction = peopleOperation({
  id: 'pressAction',
  method: 'POST',
  path: `${CHAT}/actions/{actionMessageId}/press`,
  tag: 'People: chat',
  summary: 'Press a button of a message, choose, or send a form',
  description:
    'The bot that sent the message gets an event. If one answer counts, repeating it changes nothing.',
  access: 'guest',
  params: InOrganization({ actionMessageId: Uuid('The message') }),
  body: Type.Object({
    actionsId: Uuid('The question that was seen, `actions.id` of the message'),
    hash: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          '`actions.hash` of the message as it was seen; without it, only messages are answered whose text never changed',
      }),
    ),
    elementId: Type.String({ maxLength: 64, description: 'The button, choice or form' }),
    value: Type.Optional(
      Type.String({ maxLength: LIMITS.actionValue, description: 'The value of the chosen option' }),
    ),
    values: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: LIMITS.actionFieldValue }), {
        description: 'The values of a form, by the id of the field',
      }),
    ),
  }),
  bodyBytes: LIMITS.jsonBodyBytes,
  bodyExample: {
    actionsId: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
    hash: '9f2c6a1be0d4857390acfe61b7d8425c13e9a6f08b4d72c5e1f39a0d6b8c4e27',
    elementId: 'approve',
  },
  success: {
    200: { description: 'Answered before', schema: Answered, example: answered },
    201: { description: 'Answered', schema: Answered, example: answered },
  },
  refusals: [
    'field_invalid.elementId',
    'field_invalid.value',
    'field_invalid.values',
    'field_out_of_range.values',
    'answer_incomplete',
    'forbidden',
    'topic_archived',
    'message_not_found',
    'answer_given',
    'answer_too_late',
    'question_changed',
    'question_outdated',
    'question_bot_left',
  ],
})
