import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

export const GROUP_KINDS = ['group', 'unit'] as const

export const Group = Type.Object({
  id: Uuid('The group, or the org unit'),
  kind: Type.Enum(GROUP_KINDS, {
    description: '`group`: members made it; `unit`: an org unit, which admins manage',
  }),
  name: Type.String(),
  tag: Type.String({ description: 'Mentioned as `<@tag>`' }),
  description: Type.String({ description: 'The purpose of the group; empty for org units' }),
  ownerId: Type.Optional(ProfileId('The owner, who changes the group beside admins; org units have none')),
  memberCount: Type.Integer({ description: 'People and bots' }),
  isMember: Type.Boolean({ description: 'Whether the caller is in it' }),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
})
export type Group = Static<typeof Group>

export const GroupMember = Type.Object({
  id: ProfileId(),
  name: Type.String(),
  type: Type.Enum(['user', 'bot']),
})
export type GroupMember = Static<typeof GroupMember>

export const groupExample: Group = {
  id: '6b7c8d9e-0f1a-4b2c-8d3e-4f5a6b7c8d9e',
  kind: 'group',
  name: 'Design',
  tag: 'design',
  description: 'Reviews of anything with pixels',
  ownerId: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  memberCount: 4,
  isMember: false,
  createdAt: 1767225600000,
  updatedAt: 1767225600000,
}
export const groupMemberExample: GroupMember = {
  id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  name: 'Ada Okafor',
  type: 'user',
}

const GroupParams = Type.Object({ groupId: Uuid('The group, or the org unit') })
const restricted =
  'If the organization keeps communication within org units, members and bots only see groups and org units that they are in or own.'

export const listGroups = operation({
  id: 'listGroups',
  method: 'GET',
  path: '/v2/groups',
  tag: 'Groups',
  summary: 'List groups and org units',
  description: `By tag. ${restricted}`,
  scope: 'member:read',
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(
      Type.String({
        maxLength: LIMITS.groupName,
        description: 'The beginning of the tag, or of a word of the name',
      }),
    ),
  }),
  success: {
    200: {
      description: 'A page of groups',
      schema: Page('groups', Group),
      example: { groups: [groupExample], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readGroup = operation({
  id: 'readGroup',
  method: 'GET',
  path: '/v2/groups/{groupId}',
  tag: 'Groups',
  summary: 'Read a group or an org unit',
  description: restricted,
  scope: 'member:read',
  params: GroupParams,
  success: { 200: { description: 'The group', schema: Group, example: groupExample } },
  refusals: ['group_not_found'],
})

export const listGroupMembers = operation({
  id: 'listGroupMembers',
  method: 'GET',
  path: '/v2/groups/{groupId}/members',
  tag: 'Groups',
  summary: 'List the members of a group or an org unit',
  description: `In the order in which they were added. ${restricted}`,
  scope: 'member:read',
  params: GroupParams,
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of members',
      schema: Page('members', GroupMember),
      example: { members: [groupMemberExample], hasMore: false },
    },
  },
  refusals: ['cursor_invalid', 'group_not_found'],
})
