import { type Static, Type } from 'typebox'
import { MemberIds, Page, PageQuery, ProfileId, Timestamp, Uuid } from './common.ts'
import { operation } from './operation.ts'

export const ORG_UNIT_TYPES = ['Team', 'Location'] as const
export type OrgUnitType = (typeof ORG_UNIT_TYPES)[number]

export const OrgUnit = Type.Object({
  id: Uuid('The org unit'),
  name: Type.String(),
  tag: Type.String({ description: 'Unique in the organization; mentioned as `@tag`' }),
  type: Type.Enum(ORG_UNIT_TYPES),
  memberIds: Type.Array(ProfileId()),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
})
export type OrgUnit = Static<typeof OrgUnit>

const bot = 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const example: OrgUnit = {
  id: '4c5d6e7f-8091-4a2b-93c4-d5e6f7081920',
  name: 'Field engineering',
  tag: 'field',
  type: 'Team',
  memberIds: [bot, person],
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}

const OrgUnitParams = Type.Object({ orgUnitId: Uuid('The org unit') })
const restricted = 'If the organization keeps communication within org units, a bot only sees its own.'

export const listOrgUnits = operation({
  id: 'listOrgUnits',
  method: 'GET',
  path: '/v2/org-units',
  tag: 'Org units',
  summary: 'List the org units of the organization',
  description: `Oldest first. ${restricted}`,
  scope: 'member:read',
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of org units',
      schema: Page('orgUnits', OrgUnit),
      example: { orgUnits: [example], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readOrgUnit = operation({
  id: 'readOrgUnit',
  method: 'GET',
  path: '/v2/org-units/{orgUnitId}',
  tag: 'Org units',
  summary: 'Read an org unit',
  description: restricted,
  scope: 'member:read',
  params: OrgUnitParams,
  success: { 200: { description: 'The org unit', schema: OrgUnit, example } },
  refusals: ['org_unit_not_found'],
})

const MembersAnswer = Type.Object({
  id: Uuid('The org unit'),
  memberIds: Type.Array(ProfileId(), { description: 'All current members' }),
})
const budget =
  'Adding and removing share one budget: one request a minute for each bot, unless set otherwise.'

export const addOrgUnitMembers = operation({
  id: 'addOrgUnitMembers',
  method: 'POST',
  path: '/v2/org-units/{orgUnitId}/members',
  tag: 'Org units',
  summary: 'Add members to an org unit',
  description: `Present members are ignored. ${budget}`,
  scope: 'member:write',
  isIdempotent: true,
  params: OrgUnitParams,
  body: Type.Object({ memberIds: MemberIds }),
  bodyExample: { memberIds: [person] },
  success: {
    200: {
      description: 'The members',
      schema: MembersAnswer,
      example: { id: example.id, memberIds: [bot, person] },
    },
  },
  refusals: ['member_invalid', 'org_unit_not_found'],
})

export const removeOrgUnitMembers = operation({
  id: 'removeOrgUnitMembers',
  method: 'DELETE',
  path: '/v2/org-units/{orgUnitId}/members',
  tag: 'Org units',
  summary: 'Remove members from an org unit',
  description: `Absent members are ignored. ${budget}`,
  scope: 'member:write',
  params: OrgUnitParams,
  body: Type.Object({ memberIds: MemberIds }),
  bodyExample: { memberIds: [person] },
  success: {
    200: { description: 'The members', schema: MembersAnswer, example: { id: example.id, memberIds: [bot] } },
  },
  refusals: ['member_invalid', 'org_unit_not_found'],
})
