import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp } from './common.ts'
import { operation } from './operation.ts'

export const MEMBER_STATUSES = ['Pending', 'Active', 'Deleted', 'Archived'] as const
export type MemberStatus = (typeof MEMBER_STATUSES)[number]
/** The name of every member whose data was erased. */
export const NAMELESS = 'Deleted member'

export const Member = Type.Object({
  id: ProfileId(),
  type: Type.Enum(['user', 'bot']),
  name: Type.String(),
  email: Type.String({ description: 'Empty for bots' }),
  phone: Type.String({ description: 'May be empty' }),
  externalId: Type.Optional(Type.String({ description: 'Set by the integration' })),
  guest: Type.Optional(
    Type.Literal(true, { description: 'A guest: they see their own topics alone, and the members of those' }),
  ),
  status: Type.Enum(MEMBER_STATUSES),
  createdAt: Timestamp('When the profile was made'),
  updatedAt: Timestamp('When it last changed'),
})
export type Member = Static<typeof Member>

const person: Member = {
  id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  type: 'user',
  name: 'Ada Okafor',
  email: 'ada@example.com',
  phone: '',
  status: 'Active',
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}
const bot: Member = {
  ...person,
  id: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060',
  type: 'bot',
  name: 'Deploy bot',
  email: '',
}

export const listMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/v2/members',
  tag: 'Members',
  summary: 'List the members of the organization',
  description: 'People and bots, oldest first. Page with `cursor`, or with `offset`; not with both.',
  scope: 'member:read',
  query: Type.Object({
    ...PageQuery,
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'The number of members to skip' }),
    ),
    emails: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'Only these addresses, comma-separated' }),
    ),
    status: Type.Optional(
      Type.Enum(MEMBER_STATUSES, { default: 'Active', description: 'Only members in this state' }),
    ),
  }),
  success: {
    200: {
      description: 'A page of members',
      schema: Page('members', Member),
      example: { members: [person, bot], hasMore: false },
    },
  },
  refusals: ['cursor_invalid', 'fields_conflict.cursor and offset'],
})

export const readMe = operation({
  id: 'readMe',
  method: 'GET',
  path: '/v2/members/me',
  tag: 'Members',
  summary: 'Read the calling bot itself',
  scope: 'member:read',
  success: { 200: { description: 'The calling bot', schema: Member, example: bot } },
})

export const readMember = operation({
  id: 'readMember',
  method: 'GET',
  path: '/v2/members/{memberId}',
  tag: 'Members',
  summary: 'Read one member, whatever its status',
  scope: 'member:read',
  params: Type.Object({ memberId: ProfileId() }),
  success: { 200: { description: 'The member', schema: Member, example: person } },
  refusals: ['member_not_found'],
})
