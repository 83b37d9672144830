import { type Static, Type } from 'typebox'
import { PageQuery, ProfileId, Timestamp } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ListPage, ORGANIZATION } from './common.ts'
import { CONTENT_REFUSALS } from './readings.ts'

const TAG = 'People: records'
const MEMBER = `${ORGANIZATION}/members/{memberId}` as const

const params = InOrganization({ memberId: ProfileId('The person') })

export const PersonRecord = Type.Object({
  kind: Type.String({
    description:
      'The kind, such as `members`, `messages` or `reactions`, as in an export of the organization',
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
      { description: 'The files of a message' },
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
    'All data of one person: profile, memberships, messages, reactions, votes, tasks, drafts, settings and audit entries about them. It contains nothing that others wrote, and no votes of anonymous polls. Continue with `cursor`; data newer than the first page is in no later one. Needs an open reading of the person, except for oneself; each page is in the audit log, with its reason.',
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
          Type.String({ description: 'The cursor of the next page; missing on the last one' }),
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
  refusals: ['cursor_invalid', 'owners_are_for_owners', ...CONTENT_REFUSALS, 'member_not_found'],
})

export const ERASURE_STATES = ['running', 'held', 'failing', 'done'] as const

export const Erasure = Type.Object({
  memberId: ProfileId('The member whose data was deleted; their name is gone'),
  withMessages: Type.Boolean({ description: 'Whether what they wrote goes too' }),
  state: Type.Enum(ERASURE_STATES, {
    description:
      '`running`: some of it is left; `held`: a legal hold keeps their messages, and the rest goes once it ends; `failing`: it failed several times in a row, and goes on being tried; `done`: all of it is deleted',
  }),
  askedAt: Timestamp('When it was asked for'),
  askedBy: Type.Optional(
    Type.Object(
      { id: ProfileId('Who asked for it'), name: Type.String({ description: 'The name they have now' }) },
      { description: 'Missing: a command on the server' },
    ),
  ),
  nextAttemptAt: Type.Optional(Timestamp('`held` and `failing`: when it is tried again')),
  finishedAt: Type.Optional(Timestamp('`done`: since when')),
})
export type Erasure = Static<typeof Erasure>

export const listErasures = peopleOperation({
  id: 'listErasures',
  method: 'GET',
  path: `${ORGANIZATION}/erasures`,
  tag: TAG,
  summary: 'List deletions of data, the newest first',
  description: 'People whose data was to be deleted, and how far that has come.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of deletions',
      schema: ListPage('erasures', Erasure),
      example: {
        erasures: [
          {
            memberId: '6e5d4c3b-2a19-4807-96f5-e4d3c2b1a098',
            withMessages: false,
            state: 'done',
            askedAt: 1767225600000,
            askedBy: { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
            finishedAt: 1767225660000,
          },
        ],
        hasMore: false,
        from: 0,
        total: 1,
      },
    },
  },
  refusals: ['cursor_invalid'],
})

export const erasePerson = peopleOperation({
  id: 'erasePerson',
  method: 'POST',
  path: `${MEMBER}/erasure`,
  tag: TAG,
  summary: "Delete a person's data",
  description:
    'Ends the membership and erases the identity: name, address, photo, sessions, drafts, saved messages, settings, and the name in the event log and the audit log. Messages stay under the name `Deleted member`, or are deleted as well. An account without another organization is deleted too. It runs in the background (`listErasures` shows the progress) and cannot be undone.',
  access: 'admin',
  params,
  body: Type.Object({
    withMessages: Type.Optional(
      Type.Boolean({ default: false, description: 'Deletes their messages, files and polls as well' }),
    ),
  }),
  bodyExample: { withMessages: false },
  success: { 204: { description: 'The erasure has begun' } },
  refusals: [
    'member_erasure_of_self',
    'owner_required',
    'owners_are_for_owners',
    'owners_fixed',
    'member_not_found',
    'member_held',
    'member_erased',
    'member_erasure_running',
  ],
})
