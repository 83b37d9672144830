import { type Static, Type } from 'typebox'
import { ACTION_REFUSALS, ActionsInput, OUTCOMES } from './actions.ts'
import { CHECK_REFUSALS, ProfileId, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const questionId = '0197a1b2-c3e8-7a0b-9c1d-2e3f4a5b6c7d'
const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const at = 1767225600000
const untilNextDay = 1767312000000

const QuestionAnswer = Type.Object({
  userId: ProfileId('The person who answered'),
  userName: Type.String(),
  elementId: Type.String({ description: 'The button, choice or form' }),
  value: Type.Optional(Type.String({ description: 'The value of the button or of the chosen option' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The values of a form, by the id of the field',
    }),
  ),
  createdAt: Timestamp('When'),
})

export const Question = Type.Object({
  id: Uuid('The question'),
  messageId: Uuid('The message that shows it'),
  topicId: Uuid('The topic'),
  status: Type.Enum(['open', ...OUTCOMES], {
    description:
      '`answered`: enough people gave the same answer; `expired`: its time was over, and `otherwise` counts; `withdrawn`: the message was deleted, or asks something else',
  }),
  elementId: Type.Optional(
    Type.String({
      description: 'The element that counts: the answer, or `otherwise` of a question that expired',
    }),
  ),
  value: Type.Optional(Type.String({ description: 'The value of it' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Contents of the form, of the answer that decided',
    }),
  ),
  quorum: Type.Integer(),
  approval: Type.Boolean({ description: 'Answers stand in the audit log of the organization' }),
  answers: Type.Array(QuestionAnswer, {
    description: `The first ${LIMITS.actionAnswersShown} answers, from first to last`,
  }),
  expiresAt: Timestamp('No answer is taken from then on'),
  createdAt: Timestamp('When it was asked'),
  closedAt: Type.Optional(Timestamp('When it was answered, expired or was withdrawn')),
})
export type Question = Static<typeof Question>

const { title, facts, elements, who, people, approval } = ActionsInput.properties

const open: Question = {
  id: questionId,
  messageId,
  topicId,
  status: 'open',
  quorum: 1,
  approval: true,
  answers: [],
  expiresAt: untilNextDay,
  createdAt: at,
}
const QuestionParams = Type.Object({ questionId: Uuid('The question') })

export const askQuestion = operation({
  id: 'askQuestion',
  method: 'POST',
  path: '/v2/questions',
  tag: 'Questions',
  summary: 'Ask people, and count their answers',
  description:
    'Sends a message with buttons, choices or forms into a topic. The question is over when enough people have given the same answer, or its time is. `readQuestion` waits for that, and the event `question.closed` tells it.',
  scope: 'message:send',
  isHeardByBots: true,
  countsInBudget: true,
  body: Type.Object({
    topicId: Uuid('The topic'),
    text: Text(LIMITS.messageText, 'The question'),
    title,
    facts,
    elements,
    who,
    people,
    approval,
    quorum: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.questionQuorum,
        default: 1,
        description: 'The number of people who must give the same answer',
      }),
    ),
    decisive: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: LIMITS.actionElements,
        description: 'Ids of elements that end the question as soon as one person answers with them',
      }),
    ),
    expiresAt: Type.Optional(
      Timestamp(
        `No answer is taken from then on: up to ${LIMITS.questionDays} days ahead, in ${LIMITS.questionDefaultHours} hours by default`,
      ),
    ),
    otherwise: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The id of the button that counts if the time is over without an answer',
      }),
    ),
    parentId: Type.Optional(Uuid('The message of the same topic that this replies to')),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Your own name for the question. Asked again with it, by a bot that was restarted, it is the question that is there, however long ago',
      }),
    ),
  }),
  bodyExample: {
    topicId,
    text: 'Deploy 1.4 to production?',
    elements: [
      { id: 'approve', text: 'Deploy', style: 'primary' },
      { id: 'refuse', text: 'Not now' },
    ],
    approval: true,
    quorum: 2,
    decisive: ['refuse'],
    otherwise: 'refuse',
  },
  success: {
    200: {
      description: 'Asked before, with the same key',
      schema: Question,
      example: { ...open, quorum: 2 },
    },
    201: { description: 'Asked', schema: Question, example: { ...open, quorum: 2 } },
  },
  refusals: [
    ...ACTION_REFUSALS,
    'field_invalid.parentId',
    'field_invalid.quorum',
    'field_invalid.decisive',
    'field_invalid.otherwise',
    'question_expiry_too_far',
    'questions_full',
    'question_key_taken',
    'mention_invalid',
    'mention_too_large',
    'mention_people_full',
    'word_blocked',
    ...CHECK_REFUSALS,
    'topic_archived',
    'topic_not_found',
  ],
})

export const readQuestion = operation({
  id: 'readQuestion',
  method: 'GET',
  path: '/v2/questions/{questionId}',
  tag: 'Questions',
  summary: 'Read an own question, and wait for its answer',
  description:
    'With `wait`, answers as soon as the question is over, or when the time is up. Call it again while `status` is `open`.',
  scope: 'message:send',
  isCountedApart: true,
  params: QuestionParams,
  query: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.questionWaitSeconds,
        default: 0,
        description: 'Seconds to wait while it is open',
      }),
    ),
  }),
  success: {
    200: {
      description: 'The question',
      schema: Question,
      example: {
        ...open,
        status: 'answered',
        elementId: 'approve',
        answers: [{ userId: person, userName: 'Ada Okafor', elementId: 'approve', createdAt: at }],
        closedAt: at,
      },
    },
  },
  refusals: ['question_not_found', 'polls_waiting'],
})

export const withdrawQuestion = operation({
  id: 'withdrawQuestion',
  method: 'DELETE',
  path: '/v2/questions/{questionId}',
  tag: 'Questions',
  summary: 'Withdraw an own question',
  description: 'No answer is taken any more; the message stays. A question that is over stays as it is.',
  scope: 'message:send',
  params: QuestionParams,
  success: { 204: { description: 'Withdrawn, or over' } },
  refusals: ['question_not_found'],
})
