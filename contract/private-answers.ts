import { Type } from 'typebox'
import { CHECK_REFUSALS, ProfileId, Text, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const params = Type.Object({
  messageId: Uuid('A message of one of the bot’s topics'),
  memberId: ProfileId('A person who is in the topic', { pattern: 'private_answer_member_invalid' }),
})

export const answerPrivately = operation({
  id: 'answerPrivately',
  method: 'PUT',
  path: '/v2/messages/{messageId}/private-answers/{memberId}',
  tag: 'Messages',
  summary: 'Answer a message so that one person sees it',
  description:
    'Stands under the message, as Markdown, for this person alone: other members, bots, searches, exports of the organization and notifications do not have it. A person has one under each message; the latest one counts.',
  scope: 'message:send',
  countsInBudget: true,
  params,
  body: Type.Object({ text: Text(LIMITS.privateAnswer, 'The answer') }),
  bodyExample: { text: 'You have 12 days left.' },
  success: { 204: { description: 'Shown' } },
  refusals: [
    'private_answer_member_invalid',
    'word_blocked',
    ...CHECK_REFUSALS,
    'topic_archived',
    'message_not_found',
  ],
})

export const withdrawPrivateAnswer = operation({
  id: 'withdrawPrivateAnswer',
  method: 'DELETE',
  path: '/v2/messages/{messageId}/private-answers/{memberId}',
  tag: 'Messages',
  summary: 'Take back an own private answer',
  scope: 'message:send',
  params,
  success: { 204: { description: 'Gone' } },
  refusals: ['private_answer_member_invalid', 'message_not_found', 'private_answer_not_found'],
})
