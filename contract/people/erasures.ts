import { type Static, Type } from 'typebox'
import { ProfileId } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'

const TAG = 'People: records'
const MEMBER = `${ORGANIZATION}/members/{memberId}` as const

export const PERSON_HELD = 'a legal hold keeps what belongs to this member'
export const ALREADY_ERASED = 'the data of this member has been deleted already'
export const BEING_ERASED = 'the data of this member is being deleted already'
export const NOT_ONESELF = 'you cannot delete your own data'

const params = InOrganization({ memberId: ProfileId('The person') })

export const PersonRecord = Type.Object({
  kind: Type.String({
    description: 'Such as `members`, `messages` or `reactions`, as in an export of the organization',
  }),
  record: Type.Record(Type.String(), Type.Unknown()),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        contentType: Type.String(),
        size: Type.Integer(),
        url: Type.String({ description: 'A link that expires' }),
      }),
      { description: 'Of messages: the files that were sent' },
    ),
  ),
})
export type PersonRecord = Static<typeof PersonRecord>

export const readPersonData = peopleOperation({
  id: 'readPersonData',
  method: 'POST',
  path: `${MEMBER}/data`,
  tag: TAG,
  summary: "Export a person's data",
  description:
    'What the organization has of one person: who they are, where they are, what they wrote, their reactions, votes, tasks, drafts, settings and what the audit log says of them. Nothing that others wrote, and no votes of anonymous polls. A page at a time: go on with `cursor`. That it was read is in the audit log.',
  access: 'admin',
  params,
  body: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`next` of the page before' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.heldPage,
        default: LIMITS.heldPage,
        description: 'Records',
      }),
    ),
  }),
  bodyExample: { limit: 100 },
  success: {
    200: {
      description: 'Some of it',
      schema: Type.Object({
        records: Type.Array(PersonRecord),
        next: Type.Optional(
          Type.String({ description: 'Where the next page begins; missing on the last one' }),
        ),
      }),
      example: {
        records: [
          {
            kind: 'members',
            record: {
              id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
              name: 'Ada Okafor',
              email: 'ada@example.com',
            },
          },
        ],
      },
    },
  },
  refusals: { 400: ['invalid cursor'], 403: ['only owners decide on owners'], 404: ['Member not found'] },
})

export const erasePerson = peopleOperation({
  id: 'erasePerson',
  method: 'POST',
  path: `${MEMBER}/erasure`,
  tag: TAG,
  summary: "Delete a person's data",
  description:
    'Their membership ends, and who they were is erased: name, address, photo, sessions, drafts, saved messages, settings, and their name in the event log and the audit log. What they wrote stays under the name `Deleted member`, or goes as well. An account that is a member of no other organization goes too. It begins at once and goes on by itself; there is no way back.',
  access: 'admin',
  params,
  body: Type.Object({
    withMessages: Type.Optional(
      Type.Boolean({ default: false, description: 'Also what they wrote: messages, files and polls' }),
    ),
  }),
  bodyExample: { withMessages: false },
  success: { 204: { description: 'It has begun' } },
  refusals: {
    400: [NOT_ONESELF, 'an organization needs an owner'],
    403: ['only owners decide on owners'],
    404: ['Member not found'],
    409: [PERSON_HELD, ALREADY_ERASED, BEING_ERASED],
  },
})
