import { type TSchema, Type } from 'typebox'
import { LIMITS } from './limits.ts'
import { NAME_PATTERN, noControlCharacters } from './names.ts'
import { REACHES } from './reach.ts'
import type { RefusalCode } from './refusals/index.ts'

/**
 * `x-errors` gives the exact text of a refusal, by the keyword that failed. Without it the text is
 * derived from the field's name ("name too long"); see server/http/validate.ts.
 */
export type ErrorTexts = Record<string, string>

/** `x-codes` names the refusal, by the keyword that failed; its text is the declared one. Without it the code follows from the keyword. */
export type ErrorCodes = Record<string, RefusalCode>

export const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

export const Uuid = (description: string, example = '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11') =>
  Type.String({ pattern: `^${UUID}$`, description, examples: [example] })

/** A profile id as it stands in patterns. */
export const PROFILE_ID = `(b@)?${UUID}`
/** Stands before a person's id in requests of some bots; answers never have it. */
export const PERSON_PREFIX = 'u@'

/** A person's profile id is a UUID, a bot's has `b@` in front. */
export const ProfileId = (description = 'A person (`<uuid>`) or a bot (`b@<uuid>`)', codes?: ErrorCodes) =>
  Type.String({
    pattern: `^${PROFILE_ID}$`,
    description,
    examples: ['b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060'],
    ...(codes && { 'x-codes': codes }),
  })

export const Timestamp = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description, examples: [1767225600000] })

/** Required text: an empty one counts as missing. */
export const Text = (maxLength: number, description: string, options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength, description, ...options })

/** The name of anything: one line without hidden characters. `field` is what requests call it. */
export const Name = (maxLength: number, description: string, field = 'name', errors: ErrorTexts = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: NAME_PATTERN,
    description,
    'x-errors': { pattern: noControlCharacters(field), ...errors },
  })

export const MemberIds = Type.Array(
  ProfileId(undefined, { pattern: 'member_invalid', type: 'member_invalid' }),
  {
    minItems: 1,
    maxItems: LIMITS.memberIdsPerRequest,
    description: 'Profile ids, 1 to 5; duplicates are removed',
  },
)

/** The query of every list. */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageMax,
      default: LIMITS.pageDefault,
      description: 'Items per page',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before' })),
}

/** The answer of every list: `nextCursor` is there exactly when `hasMore` is true. */
export const Page = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  Type.Object({
    ...({ [name]: Type.Array(item) } as Record<Name, ReturnType<typeof Type.Array<Item>>>),
    nextCursor: Type.Optional(Type.String()),
    hasMore: Type.Boolean(),
  })

export const BotReach = Type.Enum(REACHES, {
  description:
    'Events that bots get from the topic. `everything`; `threads`: messages that mention them, and replies in threads that they wrote in; `mentions`: messages that mention them; `commands`: only their commands, and answers to their buttons. People are not affected',
})

/** Refusals by the message check of an organization, and its absence. */
export const CHECK_REFUSALS = [
  'message_refused.a card number',
  'message_held.a card number',
  'message_check_away',
] as const
