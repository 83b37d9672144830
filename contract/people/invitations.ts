import { type Static, Type } from 'typebox'
import { Timestamp } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation, ROLES } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'

const TAG = 'People: members'
const MISSING = `${ORGANIZATION}/members/invitations/missing` as const
const params = InOrganization()
/** Filters that the list of people has, too. */
const filters = {
  role: Type.Optional(Type.Enum(ROLES, { description: 'Only those with this role' })),
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a name or an address' })),
}

const count = (description: string) => Type.Integer({ minimum: 0, description })
export const Invitations = Type.Object({
  missing: count('Pending people who were never invited, and do not wait for it'),
  expired: count('Pending people whose invitations have all ended, and who do not wait for another'),
  waiting: count('Pending people whose invitation was asked for and is still to go out'),
  nextAt: Type.Optional(Timestamp('When the next of these goes out at the earliest')),
})
export type Invitations = Static<typeof Invitations>
const example: Invitations = { missing: 0, expired: 12, waiting: 191, nextAt: 1767229200000 }

export const readInvitations = peopleOperation({
  id: 'readInvitations',
  method: 'GET',
  path: MISSING,
  tag: TAG,
  summary: 'Count pending people without an invitation',
  access: 'admin',
  params,
  query: Type.Object(filters),
  success: { 200: { description: 'The counts', schema: Invitations, example } },
})

export const inviteMissing = peopleOperation({
  id: 'inviteMissing',
  method: 'POST',
  path: MISSING,
  tag: TAG,
  summary: 'Invite all pending people without an invitation',
  description: `As after an import. The invitations go out one after another, in the name of the caller while they are an admin: up to ${LIMITS.askedInvitationsPerHour} in an hour, with all others of the organization, and the rest follow by themselves.`,
  access: 'admin',
  params,
  body: Type.Object({
    ...filters,
    expired: Type.Optional(
      Type.Boolean({ default: false, description: 'Also those whose invitations have all ended' }),
    ),
  }),
  bodyExample: { expired: true },
  success: { 200: { description: 'The counts afterwards', schema: Invitations, example } },
})

export const stopInvitations = peopleOperation({
  id: 'stopInvitations',
  method: 'DELETE',
  path: MISSING,
  tag: TAG,
  summary: 'Stop the invitations that wait',
  description: 'Those that have gone out stay open.',
  access: 'admin',
  params,
  success: { 204: { description: 'None waits any more' } },
})
