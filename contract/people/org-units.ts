import { type Static, Type } from 'typebox'
import { MemberIds, ProfileId, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { NAME_PATTERN, noControlCharacters } from '../names.ts'
import { peopleOperation } from '../operation.ts'
import { ORG_UNIT_TYPES, OrgUnit } from '../org-units.ts'
import { InOrganization, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: org units'

/** An organizational unit with its members' names, so that a page needs one request. */
export const ConsoleOrgUnit = Type.Object({
  ...OrgUnit.properties,
  members: Type.Array(
    Type.Object({ id: ProfileId(), name: Type.String(), type: Type.Enum(['user', 'bot']) }),
  ),
})
export type ConsoleOrgUnit = Static<typeof ConsoleOrgUnit>

const example: ConsoleOrgUnit = {
  id: '4c5d6e7f-8091-4a2b-93c4-d5e6f7081920',
  name: 'Field engineering',
  tag: 'field',
  type: 'Team',
  memberIds: ['3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'],
  members: [{ id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor', type: 'user' }],
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}
const params = InOrganization({ orgUnitId: Uuid('The org unit') })
const unit = { description: 'The org unit', schema: ConsoleOrgUnit, example }
const Tag = Type.String({
  pattern: '^[^\\s@]+$',
  maxLength: LIMITS.orgUnitTag,
  description: 'Mentioned as `@tag`',
  'x-errors': { pattern: 'tag must be one word without @' },
  allOf: [{ pattern: NAME_PATTERN, 'x-errors': { pattern: noControlCharacters('tag') } }],
})

export const listConsoleOrgUnits = peopleOperation({
  id: 'listConsoleOrgUnits',
  method: 'GET',
  path: `${ORGANIZATION}/org-units`,
  tag: TAG,
  summary: 'List all org units',
  description: 'The oldest first.',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'All org units',
      schema: Type.Object({ orgUnits: Type.Array(ConsoleOrgUnit) }),
      example: { orgUnits: [example] },
    },
  },
})

export const createConsoleOrgUnit = peopleOperation({
  id: 'createConsoleOrgUnit',
  method: 'POST',
  path: `${ORGANIZATION}/org-units`,
  tag: TAG,
  summary: 'Create an org unit',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    name: Name(LIMITS.orgUnitName, 'Name of the team or location'),
    tag: Tag,
    type: Type.Enum(ORG_UNIT_TYPES),
  }),
  bodyExample: { name: 'Field engineering', tag: 'field', type: 'Team' },
  success: { 201: unit },
  refusals: ['org_unit_tag_taken'],
})

export const updateOrgUnit = peopleOperation({
  id: 'updateOrgUnit',
  method: 'PATCH',
  path: `${ORGANIZATION}/org-units/{orgUnitId}`,
  tag: TAG,
  summary: 'Change the name, tag or type of an org unit',
  access: 'admin',
  params,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.orgUnitName, 'Name of the team or location')),
    tag: Type.Optional(Tag),
    type: Type.Optional(Type.Enum(ORG_UNIT_TYPES)),
  }),
  bodyExample: { name: 'Field' },
  success: { 200: unit },
  refusals: ['org_unit_tag_taken', 'org_unit_not_found'],
})

export const deleteOrgUnit = peopleOperation({
  id: 'deleteOrgUnit',
  method: 'DELETE',
  path: `${ORGANIZATION}/org-units/{orgUnitId}`,
  tag: TAG,
  summary: 'Delete an org unit',
  description: 'Deletes the unit. Its members stay in the organization.',
  access: 'admin',
  params,
  success: { 204: { description: 'Deleted' } },
  refusals: ['org_unit_not_found'],
})

export const addConsoleOrgUnitMembers = peopleOperation({
  id: 'addConsoleOrgUnitMembers',
  method: 'POST',
  path: `${ORGANIZATION}/org-units/{orgUnitId}/members`,
  tag: TAG,
  summary: 'Add people and bots to an org unit',
  access: 'admin',
  params,
  body: Type.Object({ memberIds: MemberIds }),
  bodyExample: { memberIds: example.memberIds },
  success: { 200: unit },
  refusals: ['member_invalid', 'org_unit_not_found'],
})

export const removeConsoleOrgUnitMembers = peopleOperation({
  id: 'removeConsoleOrgUnitMembers',
  method: 'DELETE',
  path: `${ORGANIZATION}/org-units/{orgUnitId}/members`,
  tag: TAG,
  summary: 'Remove people and bots from an org unit',
  access: 'admin',
  params,
  body: Type.Object({ memberIds: MemberIds }),
  bodyExample: { memberIds: example.memberIds },
  success: { 200: unit },
  refusals: ['member_invalid', 'org_unit_not_found'],
})
