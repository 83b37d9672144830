import { type Static, Type } from 'typebox'
import { PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { MEMBER_STATUSES } from '../members.ts'
import { peopleOperation, ROLES } from '../operation.ts'
import { Email, InOrganization, ListPage, Name, ORDERS, ORGANIZATION } from './common.ts'

const TAG = 'People: members'

export const Person = Type.Object({
  id: ProfileId('The person'),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String({ description: 'May be empty' }),
  role: Type.Enum(ROLES),
  guestUntil: Type.Optional(Timestamp("When a guest's access ends, if that is set")),
  status: Type.Enum(MEMBER_STATUSES),
  erased: Type.Optional(
    Type.Literal(true, { description: 'Their data was deleted, and nothing identifies them' }),
  ),
  mayReadContent: Type.Boolean({
    description:
      'Whether an owner allowed this admin to read content that they are not part of, with a reason. Owners need no permission',
  }),
  secondFactor: Type.Enum(['code', 'passkey', 'none'], {
    description: 'The sign-in method besides a password: a code of an app, or else a passkey',
  }),
  invitationDueAt: Type.Optional(
    Timestamp('When the invitation that an admin asked for goes out at the earliest; while pending'),
  ),
  invitationExpiresAt: Type.Optional(
    Timestamp('The time until which the newest invitation works; while pending'),
  ),
  lastSeenAt: Type.Optional(Timestamp('The last visit, to the hour; missing before the first')),
  sessions: Type.Integer({
    description: 'The number of browsers that are signed in to this organization',
  }),
  createdAt: Timestamp('When the profile was made'),
  updatedAt: Timestamp('When it last changed'),
})
export type Person = Static<typeof Person>

const person: Person = {
  id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  name: 'Ada Okafor',
  email: 'ada@example.com',
  phone: '',
  role: 'owner',
  status: 'Active',
  mayReadContent: false,
  secondFactor: 'code',
  sessions: 2,
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}
/** When a guest's access ends; null: no end. */
const GuestUntil = Type.Optional(Type.Union([Timestamp("When a guest's access ends"), Type.Null()]))
/** Fields of an invitation that are for guests alone. */
const guestTerms = {
  topicIds: Type.Optional(
    Type.Array(Uuid('A topic'), {
      maxItems: LIMITS.guestTopics,
      description: 'Topics in which a guest begins',
    }),
  ),
  guestUntil: GuestUntil,
}
const GUEST_REFUSALS = [
  'guest_terms_for_guests',
  'guest_end_past',
  'topic_not_found',
  'topic_archived',
  'topic_is_direct',
  'closed_topic_addition',
] as const
const params = InOrganization({ memberId: ProfileId('The person') })
export const PEOPLE_SORTS = ['createdAt', 'name', 'lastSeen'] as const

export const listPeople = peopleOperation({
  id: 'listPeople',
  method: 'GET',
  path: `${ORGANIZATION}/members`,
  tag: TAG,
  summary: 'List the people of an organization',
  description: 'The oldest first, unless told otherwise. Names are compared without regard to case.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    status: Type.Optional(
      Type.Enum(MEMBER_STATUSES, { description: 'Only those in this state; all but the deleted by default' }),
    ),
    role: Type.Optional(Type.Enum(ROLES, { description: 'Only those with this role' })),
    search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a name or an address' })),
    sort: Type.Optional(Type.Enum(PEOPLE_SORTS, { default: 'createdAt' })),
    order: Type.Optional(Type.Enum(ORDERS, { default: 'asc' })),
  }),
  success: {
    200: {
      description: 'A page of people',
      schema: ListPage('members', Person),
      example: { members: [person], hasMore: false, from: 0, total: 1 },
    },
  },
  refusals: ['cursor_invalid'],
})

export const invitePerson = peopleOperation({
  id: 'invitePerson',
  method: 'POST',
  path: `${ORGANIZATION}/members`,
  tag: TAG,
  summary: 'Invite a person',
  description: `Mails an invitation. A deleted member comes back under the same id. An organization sends at most ${LIMITS.invitationsPerHour} invitations an hour, and an address gets ${LIMITS.mailsToAddressPerDay} a day from all organizations.`,
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    email: Email,
    name: Type.Optional(Name(LIMITS.profileName, 'The name to begin with')),
    role: Type.Optional(Type.Enum(ROLES, { default: 'member' })),
    ...guestTerms,
  }),
  bodyExample: { email: 'ben@example.com', role: 'member' },
  success: {
    201: { description: 'The pending member', schema: Person, example: { ...person, status: 'Pending' } },
  },
  refusals: [
    'email_known',
    'owners_are_for_owners',
    'owners_fixed',
    'invitations_limited',
    ...GUEST_REFUSALS,
  ],
})

/** Lines of a list that are invited together. */
export const MAX_INVITED = 200
/** People that are changed together. */
export const MAX_CHANGED = 100

const Refused = {
  refusal: Type.Optional(Type.String({ description: 'The reason for a refusal; missing on success' })),
  code: Type.Optional(Type.String({ description: 'The code of this refusal' })),
}

export const invitePeople = peopleOperation({
  id: 'invitePeople',
  method: 'POST',
  path: `${ORGANIZATION}/members/invitations`,
  tag: TAG,
  summary: 'Invite many people',
  description: `Each line is invited or refused separately, and the answer says which, in the order of the lines. If the server sends no mail, each line gets a link to pass on, which is shown once. The limits of ${LIMITS.invitationsPerHour} invitations an hour and ${LIMITS.mailsToAddressPerDay} mails a day to an address apply.`,
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    people: Type.Array(
      Type.Object({
        email: Type.String({ maxLength: 1000, description: 'An invalid address is refused in the report' }),
        name: Type.Optional(Type.String({ maxLength: 1000 })),
      }),
      { minItems: 1, maxItems: MAX_INVITED },
    ),
    role: Type.Optional(Type.Enum(ROLES, { default: 'member' })),
    ...guestTerms,
  }),
  bodyBytes: 128 * 1024,
  bodyExample: { people: [{ email: 'cleo@example.com', name: 'Cleo Marsh' }], role: 'member' },
  success: {
    200: {
      description: 'The result of each line',
      schema: Type.Object({
        results: Type.Array(
          Type.Object({
            email: Type.String(),
            memberId: Type.Optional(ProfileId('The invited member')),
            url: Type.Optional(Type.String({ description: 'A link to pass on, where no mail goes out' })),
            ...Refused,
          }),
        ),
      }),
      example: { results: [{ email: 'ben@example.com', memberId: person.id }] },
    },
  },
  refusals: ['owners_are_for_owners', 'guest_terms_for_guests', 'guest_end_past'],
})

export const changePeople = peopleOperation({
  id: 'changePeople',
  method: 'POST',
  path: `${ORGANIZATION}/members/changes`,
  tag: TAG,
  summary: 'Change many people',
  description:
    'Archives them, gives them a role or signs them out, each by the rules for one person; who is refused stays as they are, and the answer says why.',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    memberIds: Type.Array(ProfileId('A person'), { minItems: 1, maxItems: MAX_CHANGED }),
    role: Type.Optional(Type.Enum(ROLES)),
    status: Type.Optional(Type.Enum(['Active', 'Archived'])),
    endSessions: Type.Optional(Type.Boolean({ description: 'Signs them out everywhere' })),
  }),
  bodyExample: { memberIds: [person.id], status: 'Archived' },
  success: {
    200: {
      description: 'The result of each',
      schema: Type.Object({
        results: Type.Array(Type.Object({ memberId: Type.String(), ...Refused })),
      }),
      example: { results: [{ memberId: person.id }] },
    },
  },
})

export const inviteAgain = peopleOperation({
  id: 'inviteAgain',
  method: 'POST',
  path: `${ORGANIZATION}/members/{memberId}/invitation`,
  tag: TAG,
  summary: 'Send the invitation again',
  description: 'Sends a new link; earlier ones stop working. One a minute for each person.',
  access: 'admin',
  params,
  success: {
    200: { description: 'The pending member', schema: Person, example: { ...person, status: 'Pending' } },
  },
  refusals: ['member_not_pending', 'member_not_found', 'invitations_limited'],
})

export const makeInvitationLink = peopleOperation({
  id: 'makeInvitationLink',
  method: 'POST',
  path: `${ORGANIZATION}/members/{memberId}/invitation-link`,
  tag: TAG,
  summary: 'Make an invitation link to pass on by hand',
  description:
    'Anyone who opens the link becomes this member, so it is shown once, ends earlier ones, even mailed ones, and is recorded in the audit log. It does not prove the address. Only owners get one for an invited owner.',
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The link; only a hash of it is kept',
      schema: Type.Object({ url: Type.String(), expiresAt: Timestamp('The time until which it works') }),
      example: {
        url: 'https://parley.example.com/join#Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
        expiresAt: 1767830400000,
      },
    },
  },
  refusals: ['member_not_pending', 'owners_are_for_owners', 'owners_fixed', 'member_not_found'],
})

export const updatePerson = peopleOperation({
  id: 'updatePerson',
  method: 'PATCH',
  path: `${ORGANIZATION}/members/{memberId}`,
  tag: TAG,
  summary: 'Change the role or the state of a person',
  description:
    'An archived or deleted person cannot sign in and is in no list of active members; what they wrote stays. `Active` brings an archived one back. Only owners decide on owners, and an organization keeps one. `mayReadContent` is for owners to give to admins; it ends with that role. `guestUntil` is for guests: their access ends at that moment, and with another role the end is gone.',
  access: 'admin',
  params,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.profileName, 'The name')),
    mayReadContent: Type.Optional(Type.Boolean()),
    guestUntil: GuestUntil,
    role: Type.Optional(Type.Enum(ROLES)),
    status: Type.Optional(Type.Enum(['Active', 'Archived', 'Deleted'])),
  }),
  bodyExample: { status: 'Archived' },
  success: { 200: { description: 'The person', schema: Person, example: { ...person, status: 'Archived' } } },
  refusals: [
    'owner_required',
    'member_is_self',
    'member_pending',
    'member_deleted',
    'reading_right_for_admins',
    'guest_terms_for_guests',
    'guest_end_past',
    'owners_are_for_owners',
    'reading_right_for_owners',
    'owners_fixed',
    'member_not_found',
  ],
})

export const endPersonSessions = peopleOperation({
  id: 'endPersonSessions',
  method: 'DELETE',
  path: `${ORGANIZATION}/members/{memberId}/sessions`,
  tag: TAG,
  summary: 'Sign a person out everywhere',
  description:
    'Their live streams end at once. Members of other organizations stay signed in there, and must sign in again to return to this one. Only owners do this to owners.',
  access: 'admin',
  params,
  success: { 204: { description: 'Signed out' } },
  refusals: ['owners_are_for_owners', 'member_not_found'],
})

export const resetSecondFactor = peopleOperation({
  id: 'resetSecondFactor',
  method: 'DELETE',
  path: `${ORGANIZATION}/members/{memberId}/second-factor`,
  tag: TAG,
  summary: "Remove a person's second factor",
  description:
    'Removes the second factor of a person who has lost their device and recovery codes. They are signed out everywhere, get a mail, and sign in with their password alone until they set up another. Refused for active members of other organizations. Only owners do this to owners.',
  access: 'admin',
  params,
  success: { 204: { description: 'Removed' } },
  refusals: ['second_factor_missing', 'member_elsewhere', 'owners_are_for_owners', 'member_not_found'],
})
