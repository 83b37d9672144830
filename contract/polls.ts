import { type Static, Type } from 'typebox'
import type { ErrorCodes } from './common.ts'
import { CHECK_REFUSALS, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

export const SELECTION_TYPES = ['single', 'multiple'] as const
export type SelectionType = (typeof SELECTION_TYPES)[number]

export const Poll = Type.Object({
  id: Uuid('The poll'),
  topicId: Uuid('Its topic'),
  question: Type.String(),
  subtitle: Type.Optional(Type.String()),
  options: Type.Array(
    Type.Object({ id: Type.String({ description: '6 lowercase letters and digits' }), text: Type.String() }),
  ),
  selectionType: Type.Enum(SELECTION_TYPES),
  anonymous: Type.Boolean(),
  status: Type.Enum(['active', 'closed']),
  expiresAt: Type.Optional(Timestamp('When it stops taking votes')),
  createdAt: Timestamp('When it was created'),
})
export type Poll = Static<typeof Poll>

export const PollVote = Type.Object({
  id: Type.String({ description: '`<attachmentId>_<optionId>_<voterProfileId>`' }),
  attachmentId: Uuid('The poll'),
  optionId: Type.String(),
  createdAt: Timestamp('When the vote was cast'),
})
export type PollVote = Static<typeof PollVote>

/** One member has one vote for one option at most, so the three make its id. */
export const pollVoteId = (pollId: string, optionId: string, voterId: string): string =>
  `${pollId}_${optionId}_${voterId}`

const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const pollId = '0197a1b2-c3d8-7a1b-9c2d-3e4f5a6b7c8d'
const bot = 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060'
const at = 1767225600000

const pollExample: Poll = {
  id: pollId,
  topicId,
  question: 'When do we ship?',
  options: [
    { id: 'k3x9q2', text: 'Today' },
    { id: 'p7m4za', text: 'Tomorrow' },
  ],
  selectionType: 'single',
  anonymous: false,
  status: 'active',
  createdAt: at,
}
const voteExample: PollVote = {
  id: pollVoteId(pollId, 'k3x9q2', bot),
  attachmentId: pollId,
  optionId: 'k3x9q2',
  createdAt: at,
}

const finished = ['poll_closed', 'poll_expired'] as const
const selectionTypeError = 'selectionType must be "single" or "multiple"'

export const createPoll = operation({
  id: 'createPoll',
  method: 'POST',
  path: '/v2/polls',
  tag: 'Polls',
  summary: 'Create a poll in a topic',
  description: 'Posts the poll as a message of type `poll`.',
  scope: 'poll:write',
  isHeardByBots: true,
  countsInBudget: true,
  // Errors are reported in the order of these fields.
  body: Type.Object({
    topicId: Uuid('The topic'),
    question: Text(LIMITS.pollQuestion, 'The question to decide'),
    selectionType: Type.Enum(SELECTION_TYPES, {
      description: 'Whether a member has one vote or several',
      'x-errors': { required: selectionTypeError, enum: selectionTypeError },
    }),
    options: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.pollOptionText,
        'x-errors': {
          type: 'option text must be a string',
          minLength: 'option text cannot be empty',
          maxLength: 'option text too long',
        },
      }),
      {
        minItems: LIMITS.pollOptionsMin,
        maxItems: LIMITS.pollOptionsMax,
        description: 'The texts to choose from',
        'x-errors': {
          required: 'at least 2 options are required',
          minItems: 'at least 2 options are required',
          maxItems: 'too many options',
        },
      },
    ),
    anonymous: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Voters stay secret; takes no votes through the API',
      }),
    ),
    subtitle: Type.Optional(
      Type.String({ maxLength: LIMITS.pollSubtitle, description: 'Stands below the question' }),
    ),
    expiresAt: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 8_640_000_000_000_000,
        description: 'Unix time in ms, in the future: when it stops taking votes',
        examples: [at],
        'x-codes': { minimum: 'expiry_not_in_future' } satisfies ErrorCodes,
      }),
    ),
  }),
  bodyExample: {
    topicId,
    question: 'When do we ship?',
    selectionType: 'single',
    options: ['Today', 'Tomorrow'],
  },
  success: { 201: { description: 'The poll', schema: Poll, example: pollExample } },
  refusals: [
    'topic_archived',
    'field_too_long.question',
    'expiry_not_in_future',
    'word_blocked',
    ...CHECK_REFUSALS,
    'topic_not_found',
  ],
})

export const castVote = operation({
  id: 'castVote',
  method: 'POST',
  path: '/v2/polls/{pollId}/votes',
  tag: 'Polls',
  summary: 'Vote in a poll',
  description:
    'Another option of a `single` poll moves the vote. 201 when the vote is new, 200 when the bot already has it.',
  scope: 'poll:write',
  isHeardByBots: true,
  isIdempotent: true,
  params: Type.Object({ pollId: Uuid('The poll') }),
  body: Type.Object({
    optionId: Type.String({
      minLength: LIMITS.pollOptionId,
      maxLength: LIMITS.pollOptionId,
      description: 'Id of an option of this poll',
      'x-codes': { minLength: 'option_id_invalid', maxLength: 'option_id_invalid' } satisfies ErrorCodes,
    }),
  }),
  bodyExample: { optionId: 'k3x9q2' },
  success: {
    200: { description: 'The vote existed already', schema: PollVote, example: voteExample },
    201: { description: 'The vote', schema: PollVote, example: voteExample },
  },
  refusals: ['topic_archived', 'poll_anonymous', ...finished, 'poll_not_found'],
})

export const retractVote = operation({
  id: 'retractVote',
  method: 'DELETE',
  path: '/v2/polls/{pollId}/votes/{voteId}',
  tag: 'Polls',
  summary: 'Take back an own vote',
  description: 'Possible while the poll is open; after that votes are final.',
  scope: 'poll:write',
  isHeardByBots: true,
  params: Type.Object({
    pollId: Uuid('The poll'),
    voteId: Type.String({ description: 'The `id` of the vote', examples: [voteExample.id] }),
  }),
  success: { 204: { description: 'Retracted' } },
  refusals: ['topic_archived', ...finished, 'poll_not_found', 'vote_not_found'],
})
