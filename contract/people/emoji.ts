import { type Static, Type } from 'typebox'
import type { ErrorCodes } from '../common.ts'
import { ProfileId, Timestamp, Uuid } from '../common.ts'
import { EMOJI_NAME_PATTERN } from '../custom-emoji.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'

const TAG = 'People: chat'
const EMOJI = `${CHAT}/emoji` as const

export const CustomEmoji = Type.Object({
  name: Type.String({ description: 'The name, written between colons, such as `:party_parrot:`' }),
  pictureId: Uuid('The id of the picture, for `/chat/pictures/{fileId}`'),
  createdBy: Type.Optional(ProfileId('The member who added it; guests learn it of members they know')),
  createdAt: Timestamp('When it was added'),
})
export type CustomEmoji = Static<typeof CustomEmoji>

const example: CustomEmoji = {
  name: 'party_parrot',
  pictureId: '0197a1b2-c3d5-7a6b-9c8d-7e6f5a4b3c2d',
  createdBy: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  createdAt: 1767225600000,
}

export const listCustomEmoji = peopleOperation({
  id: 'listCustomEmoji',
  method: 'GET',
  path: EMOJI,
  tag: TAG,
  summary: "List the organization's own emoji",
  access: 'guest',
  params: InOrganization(),
  success: {
    200: {
      description: 'All of them, by name',
      schema: Type.Object({ emoji: Type.Array(CustomEmoji) }),
      example: { emoji: [example] },
    },
  },
})

export const addCustomEmoji = peopleOperation({
  id: 'addCustomEmoji',
  method: 'POST',
  path: EMOJI,
  tag: TAG,
  summary: "Add an emoji of the organization's own",
  description: `A picture that everybody in the organization can write as \`:name:\` and react with. It is made small; one that moves goes on moving.`,
  access: 'member',
  params: InOrganization(),
  body: Type.Object({}),
  bodyExample: {},
  form: {
    metaParts: ['metadata'] as const,
    meta: Type.Object({
      name: Type.String({
        pattern: EMOJI_NAME_PATTERN,
        description: 'The name, without the colons',
        'x-codes': { pattern: 'emoji_name_invalid' } satisfies ErrorCodes,
      }),
    }),
    metaExample: { name: 'party_parrot' },
    description: 'A picture: JPEG, PNG, GIF or WebP',
    files: { minimum: 1 as const, maximum: 1, maxBytes: LIMITS.customEmojiBytes },
  },
  success: { 201: { description: 'The emoji', schema: CustomEmoji, example } },
  refusals: [
    'emoji_name_taken',
    'emoji_limit_reached',
    'emoji_type_unsupported',
    'image_invalid',
    'image_pixels_exceeded',
    'image_too_slow',
    'storage_quota_exceeded',
    'image_queue_full',
  ],
})

export const removeCustomEmoji = peopleOperation({
  id: 'removeCustomEmoji',
  method: 'DELETE',
  path: `${EMOJI}/{emojiName}`,
  tag: TAG,
  summary: "Remove an emoji of the organization's own",
  description: 'Messages and reactions that have it show its name from then on.',
  access: 'member',
  params: InOrganization({
    emojiName: Type.String({ pattern: EMOJI_NAME_PATTERN, description: 'Its name' }),
  }),
  success: { 204: { description: 'Removed' } },
  refusals: ['emoji_of_another', 'emoji_not_found'],
})
