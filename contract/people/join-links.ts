import { type Static, Type } from 'typebox'
import type { ErrorCodes } from '../common.ts'
import { Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { Email, InOrganization, LinkToken, ORGANIZATION } from './common.ts'
import { TAG as ACCOUNT_TAG } from './session.ts'

const TAG = 'People: members'
const LINKS = `${ORGANIZATION}/join-links` as const

export const JoinLink = Type.Object({
  id: Uuid('The link'),
  url: Type.String({ description: 'The link to pass on' }),
  domains: Type.Array(Type.String(), { description: 'The domains whose addresses can join' }),
  maxUses: Type.Optional(
    Type.Integer({ description: 'The number of people who can join; unlimited if missing' }),
  ),
  uses: Type.Integer({ description: 'The number of people who have proved their address so far' }),
  isOpen: Type.Boolean({ description: 'Whether it works now: it has not ended, and is not used up' }),
  expiresAt: Timestamp('The time until which it works'),
  createdByName: Type.String({ description: 'The name of its creator' }),
  createdAt: Timestamp('When it was made'),
})
export type JoinLink = Static<typeof JoinLink>

const link: JoinLink = {
  id: '6c7d8e9f-0a1b-4c2d-8e3f-405162738495',
  url: 'https://parley.example.com/invite#Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
  domains: ['example.com'],
  maxUses: 50,
  uses: 3,
  isOpen: true,
  expiresAt: 1767830400000,
  createdByName: 'Ada Okafor',
  createdAt: 1767225600000,
}

export const listJoinLinks = peopleOperation({
  id: 'listJoinLinks',
  method: 'GET',
  path: LINKS,
  tag: TAG,
  summary: 'List the links by which people of a domain can join',
  description: 'Working links first, then the newest; 200 at most. Revoked links are not listed.',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'The links',
      schema: Type.Object({ joinLinks: Type.Array(JoinLink) }),
      example: { joinLinks: [link] },
    },
  },
})

export const createJoinLink = peopleOperation({
  id: 'createJoinLink',
  method: 'POST',
  path: LINKS,
  tag: TAG,
  summary: 'Make a link by which people of a domain can join',
  description:
    'A person with the link and an address of one of the domains becomes a member, never more than that. A domain is exact: `example.com` does not let in `mail.example.com`.',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    domains: Type.Array(
      Type.String({
        maxLength: 253,
        description: 'A domain, such as `example.com`',
        'x-codes': { maxLength: 'domain_invalid' } satisfies ErrorCodes,
      }),
      { minItems: 1, maxItems: LIMITS.joinLinkDomains },
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.joinLinkDays,
        default: 7,
        description: 'The number of days until it ends',
      }),
    ),
    maxUses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.joinLinkUses,
        description: 'The number of people who can join; unlimited if missing',
      }),
    ),
  }),
  bodyExample: { domains: ['example.com'], days: 7, maxUses: 50 },
  success: { 201: { description: 'The link', schema: JoinLink, example: link } },
  refusals: ['domain_invalid', 'join_links_full'],
})

export const revokeJoinLink = peopleOperation({
  id: 'revokeJoinLink',
  method: 'DELETE',
  path: `${LINKS}/{joinLinkId}`,
  tag: TAG,
  summary: 'Revoke a join link',
  description:
    'At once, also for who has asked and not yet proved their address. Who has joined by it stays a member.',
  access: 'admin',
  params: InOrganization({ joinLinkId: Uuid('The link') }),
  success: { 204: { description: 'Revoked' } },
  refusals: ['join_link_not_found'],
})

export const lookAtJoinLink = peopleOperation({
  id: 'lookAtJoinLink',
  method: 'POST',
  path: '/people/join-links/look',
  tag: ACCOUNT_TAG,
  summary: 'Read a join link',
  access: 'anyone',
  body: Type.Object({ token: LinkToken }),
  bodyExample: { token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y' },
  success: {
    200: {
      description: 'An open link',
      schema: Type.Object({
        organizationName: Type.String(),
        domains: Type.Array(Type.String(), { description: 'The domains whose addresses can join' }),
      }),
      example: { organizationName: 'Lighthouse Labs', domains: ['example.com'] },
    },
  },
  refusals: ['link_not_valid', 'attempts_limited'],
})

export const askToJoin = peopleOperation({
  id: 'askToJoin',
  method: 'POST',
  path: '/people/join-links/ask',
  tag: ACCOUNT_TAG,
  summary: 'Ask to join by a link for a domain',
  description: `Mails a link to the address that proves it and works for ${LIMITS.joinRequestHours} hours. The person becomes a member only after that. The answer is the same for every address of the domains: a present member gets a mail that says so, and an archived or deleted one gets none. An address gets one mail a minute and ${LIMITS.mailsToAddressPerDay} a day, and a link sends ${LIMITS.joinRequestsPerHour} an hour.`,
  access: 'anyone',
  body: Type.Object({ token: LinkToken, email: Email }),
  bodyExample: { token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y', email: 'ben@example.com' },
  success: { 204: { description: 'Heard' } },
  refusals: ['email_domain_foreign', 'link_not_valid', 'attempts_limited', 'invitations_limited'],
})

export const confirmAddress = peopleOperation({
  id: 'confirmAddress',
  method: 'POST',
  path: '/people/join-links/confirm',
  tag: ACCOUNT_TAG,
  summary: 'Prove the address, and get an invitation',
  description:
    'Takes the token of the mail. The person becomes `Pending` and counts as a use of the link; with the invitation they choose a name and a password. A repeated request returns another invitation, which ends the former one.',
  access: 'anyone',
  body: Type.Object({ token: LinkToken }),
  bodyExample: { token: 'Qm4rT8vYx1zA3cE5gH7jKLmN9pR2sU4w' },
  success: {
    200: {
      description: 'The address of the invitation',
      schema: Type.Object({ url: Type.String() }),
      example: { url: 'https://parley.example.com/join#Zb4Nc6Pg1Ms0yVd8Jk2Rf5Ht9Lq3Xw7' },
    },
  },
  refusals: ['link_not_valid', 'attempts_limited'],
})
