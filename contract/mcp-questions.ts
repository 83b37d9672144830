import { type Static, Type } from 'typebox'
import { OUTCOMES, WHO_MAY_ANSWER } from './actions.ts'
import { Name, ProfileId, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'
import { askQuestion } from './questions.ts'

/* Asking by a tool: the question and the wait for its answer are one call. The tools have no routes. */

const questionId = '0197a1b2-c3e8-7a0b-9c1d-2e3f4a5b6c7d'

const AskResult = Type.Object({
  questionId: Uuid('The question'),
  status: Type.Enum(['open', ...OUTCOMES]),
  answer: Type.Optional(Type.String({ description: 'The answer, or what counts without one' })),
  approved: Type.Optional(Type.Boolean({ description: 'Of an approval that is over' })),
  answeredBy: Type.Array(Type.String(), { description: 'Names of those who answered' }),
})
export type AskResult = Static<typeof AskResult>

const success = {
  200: {
    description: 'The answer, or that there is none yet',
    schema: AskResult,
    example: { questionId, status: 'answered', answer: 'Tomorrow', answeredBy: ['Ada Okafor'] },
  },
}
const timeout = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: LIMITS.toolWaitSeconds,
    default: LIMITS.toolWaitDefaultSeconds,
    description: 'Seconds to wait. While `status` is `open`, go on with wait_for_answer',
  }),
)
const asked = {
  topicId: askQuestion.body.properties.topicId,
  text: askQuestion.body.properties.text,
  people: Type.Optional(
    Type.Array(ProfileId(), {
      minItems: 1,
      maxItems: LIMITS.actionPeople,
      description: 'Profile ids of those who may answer; without it everyone in the topic',
    }),
  ),
  quorum: askQuestion.body.properties.quorum,
  minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.questionDays * 24 * 60,
      default: LIMITS.questionDefaultHours * 60,
      description: 'Minutes after which no answer is taken any more',
    }),
  ),
  timeout,
}
const { tag, scope, isHeardByBots, refusals } = askQuestion
const shared = { method: 'POST', tag, scope, isHeardByBots, success } as const

export const ask = operation({
  ...shared,
  id: 'ask',
  path: '/v2/questions',
  summary: 'Ask people, and wait for the answer',
  description:
    'Asks in a topic with a button for each choice, or for a text where there are no choices, and returns what people answered.',
  body: Type.Object({
    ...asked,
    choices: Type.Optional(
      Type.Array(Name(LIMITS.actionText, 'The label of a button', 'choices'), {
        minItems: 1,
        maxItems: LIMITS.actionElements,
        description: 'Answers to choose from. Without them people write one',
      }),
    ),
    otherwise: Type.Optional(
      Type.String({ description: 'The choice that counts if nobody answers in time' }),
    ),
  }),
  bodyExample: {
    topicId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
    text: 'When?',
    choices: ['Today', 'Tomorrow'],
  },
  refusals,
})

const who = WHO_MAY_ANSWER.filter((each) => each !== 'people')

export const requestApproval = operation({
  ...shared,
  id: 'requestApproval',
  path: '/v2/questions',
  summary: 'Request an approval, and wait for it',
  description:
    'Asks in a topic whether something may be done. Who answers, and with which words, stands in the audit log of the organization. Do nothing unless `approved` is true.',
  body: Type.Object({
    ...asked,
    who: Type.Optional(Type.Enum(who, { default: 'anyone', description: 'Who in the topic may approve' })),
    approve: Type.Optional(Name(LIMITS.actionText, 'The label of the button to approve', 'approve')),
    refuse: Type.Optional(Name(LIMITS.actionText, 'The label of the button to refuse', 'refuse')),
  }),
  bodyExample: { topicId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d', text: 'Deploy 1.4 to production?' },
  refusals,
})

export const waitForAnswer = operation({
  id: 'waitForAnswer',
  method: 'GET',
  path: '/v2/questions/{questionId}',
  tag,
  scope,
  summary: 'Wait for the answer to a question',
  description: 'Goes on waiting for a question that is still open.',
  params: Type.Object({ questionId: Uuid('The question') }),
  query: Type.Object({ timeout }),
  success,
  refusals: ['question_not_found'],
})

/** Elements of the questions that tools ask. */
export const TOOL_ELEMENTS = { text: 'answer', approve: 'approve', refuse: 'refuse' } as const
