import { type Static, Type } from 'typebox'
import type { ErrorCodes } from './common.ts'
import { Text, Timestamp, Uuid } from './common.ts'
import { operation } from './operation.ts'

/** Longest sequence that is still one emoji on screen, with room to spare. */
const MAX_EMOJI_CODE_POINTS = 32

export const Reaction = Type.Object({
  id: Uuid('The reaction'),
  messageId: Uuid('The message'),
  reaction: Type.String({ description: 'The emoji' }),
  createdAt: Timestamp('When it was added'),
})
export type Reaction = Static<typeof Reaction>

const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const example: Reaction = {
  id: '0197a1b2-c3d5-7a6b-9c8d-7e6f5a4b3c2d',
  messageId,
  reaction: '🎉',
  createdAt: 1767225600000,
}

export const addReaction = operation({
  id: 'addReaction',
  method: 'POST',
  path: '/v2/messages/{messageId}/reactions',
  tag: 'Reactions',
  summary: 'React to a message',
  description:
    "One emoji, or `:name:` of one of the organization's own. 201 when it is new, 200 when the bot already has it there.",
  scope: 'reaction:write',
  isHeardByBots: true,
  isIdempotent: true,
  params: Type.Object({ messageId: Uuid('The message') }),
  body: Type.Object({
    reaction: Text(MAX_EMOJI_CODE_POINTS, 'One emoji', {
      'x-codes': { maxLength: 'reaction_not_emoji' } satisfies ErrorCodes,
    }),
  }),
  bodyExample: { reaction: '🎉' },
  success: {
    200: { description: 'The reaction existed already', schema: Reaction, example },
    201: { description: 'Added', schema: Reaction, example },
  },
  refusals: ['topic_archived', 'reaction_not_emoji', 'message_not_found'],
})

export const removeReaction = operation({
  id: 'removeReaction',
  method: 'DELETE',
  path: '/v2/messages/{messageId}/reactions/{reactionId}',
  tag: 'Reactions',
  summary: 'Take back an own reaction',
  scope: 'reaction:write',
  isHeardByBots: true,
  params: Type.Object({ messageId: Uuid('The message'), reactionId: Uuid('The reaction') }),
  success: { 204: { description: 'Removed' } },
  refusals: ['topic_archived', 'reaction_not_found'],
})
