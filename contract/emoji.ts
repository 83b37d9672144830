import { type Static, Type } from 'typebox'
import { ProfileId, Timestamp } from './common.ts'
import { operation } from './operation.ts'

export const Emoji = Type.Object({
  name: Type.String({ description: 'The name, written between colons, such as `:party_parrot:`' }),
  url: Type.String({ description: 'A link to the picture, which expires' }),
  createdBy: ProfileId('The member who added it'),
  createdAt: Timestamp('When it was added'),
})
export type Emoji = Static<typeof Emoji>

export const listEmoji = operation({
  id: 'listEmoji',
  method: 'GET',
  path: '/v2/emoji',
  tag: 'Reactions',
  summary: "List the organization's own emoji",
  description:
    'All custom emoji that texts and reactions name as `:name:`, sorted by name, with their pictures.',
  scope: 'message:read',
  success: {
    200: {
      description: 'The emoji',
      schema: Type.Object({ emoji: Type.Array(Emoji) }),
      example: {
        emoji: [
          {
            name: 'party_parrot',
            url: 'https://chat.example.com/attachments/att_0197a1b2-c3d5-7a6b-9c8d-7e6f5a4b3c2d/party_parrot?expires=1767229200000&signature=…',
            createdBy: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
            createdAt: 1767225600000,
          },
        ],
      },
    },
  },
})
