import { Type } from 'typebox'
import { ProfileId, Uuid } from '../common.ts'
import { Group, groupExample } from '../groups.ts'
import { LIMITS } from '../limits.ts'
import { NAME_PATTERN, noControlCharacters } from '../names.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization, Name } from './common.ts'

const TAG = 'People: groups'

const params = InOrganization({ groupId: Uuid('The group') })
const group = { description: 'The group', schema: Group, example: groupExample }
const Tag = Type.String({
  pattern: '^[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}._-]*[\\p{L}\\p{M}\\p{N}])?$',
  maxLength: LIMITS.groupTag,
  description: 'Mentioned as `<@tag>`: letters and digits, with hyphens, dots and underscores between them',
  'x-errors': { pattern: 'tag must be letters and digits, with hyphens, dots or underscores between them' },
})
const Description = Type.String({
  maxLength: LIMITS.groupDescription,
  description: 'What the group is for',
  allOf: [{ pattern: `^$|${NAME_PATTERN}`, 'x-errors': { pattern: noControlCharacters('description') } }],
})
const People = Type.Array(ProfileId('A person', { pattern: 'member_invalid', type: 'member_invalid' }), {
  maxItems: LIMITS.groupMemberIds,
  description: `Up to ${LIMITS.groupMemberIds} people; duplicates are removed`,
})
const change =
  'For its owner and admins. Org units are groups, too, but are changed by admins in the console.'

export const createGroup = peopleOperation({
  id: 'createGroup',
  method: 'POST',
  path: `${CHAT}/groups`,
  tag: TAG,
  summary: 'Create a group',
  description: 'Who creates it owns it, and is in it.',
  access: 'member',
  params: InOrganization(),
  body: Type.Object({
    name: Name(LIMITS.groupName, 'Name of the group'),
    tag: Tag,
    description: Type.Optional(Description),
    memberIds: Type.Optional(People),
  }),
  bodyExample: { name: 'Design', tag: 'design' },
  success: { 201: group },
  refusals: ['group_tag_taken', 'group_tag_reserved', 'member_invalid', 'groups_full'],
})

export const updateGroup = peopleOperation({
  id: 'updateGroup',
  method: 'PATCH',
  path: `${CHAT}/groups/{groupId}`,
  tag: TAG,
  summary: 'Change a group, or give it another owner',
  description: `${change} Messages keep the tag that they were sent with.`,
  access: 'member',
  params,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.groupName, 'Name of the group')),
    tag: Type.Optional(Tag),
    description: Type.Optional(Description),
    ownerId: Type.Optional(ProfileId('The new owner, a member of the group')),
  }),
  bodyExample: { name: 'Design and research' },
  success: { 200: group },
  refusals: [
    'group_tag_taken',
    'group_tag_reserved',
    'group_owner_not_member',
    'group_not_found',
    'forbidden',
  ],
})

export const deleteGroup = peopleOperation({
  id: 'deleteGroup',
  method: 'DELETE',
  path: `${CHAT}/groups/{groupId}`,
  tag: TAG,
  summary: 'Delete a group',
  description: `${change} Messages that mentioned it stay as they are.`,
  access: 'member',
  params,
  success: { 204: { description: 'Deleted' } },
  refusals: ['group_not_found', 'forbidden'],
})

export const addGroupMembers = peopleOperation({
  id: 'addGroupMembers',
  method: 'POST',
  path: `${CHAT}/groups/{groupId}/members`,
  tag: TAG,
  summary: 'Add people to a group',
  description: `${change} Present members are ignored.`,
  access: 'member',
  params,
  body: Type.Object({ memberIds: People }),
  bodyExample: { memberIds: [groupExample.ownerId] },
  success: { 200: group },
  refusals: ['member_invalid', 'group_full', 'group_not_found', 'forbidden'],
})

export const removeGroupMembers = peopleOperation({
  id: 'removeGroupMembers',
  method: 'DELETE',
  path: `${CHAT}/groups/{groupId}/members`,
  tag: TAG,
  summary: 'Remove people from a group, or leave it',
  description: `${change} Everybody may remove themselves; an owner gives the group to somebody else first. Absent members are ignored.`,
  access: 'member',
  params,
  body: Type.Object({ memberIds: People }),
  bodyExample: { memberIds: [groupExample.ownerId] },
  success: { 200: group },
  refusals: ['member_invalid', 'group_owner_not_member', 'group_not_found', 'forbidden'],
})

export const previewMentions = peopleOperation({
  id: 'previewMentions',
  method: 'POST',
  path: `${CHAT}/topics/{topicId}/mentions`,
  tag: TAG,
  summary: 'Count whom a text would mention',
  description:
    'Everyone, those present and groups, and who is mentioned by name: each person once, without the sender. Nothing is sent.',
  access: 'guest',
  params: InOrganization({ topicId: Uuid('The topic') }),
  body: Type.Object({
    text: Type.String({ maxLength: LIMITS.messageText }),
    parentId: Type.Optional(Uuid('The message that it would reply to')),
    alsoInTopic: Type.Optional(Type.Boolean()),
  }),
  bodyExample: { text: '<@design> <@here>' },
  success: {
    200: {
      description: 'The numbers',
      schema: Type.Object({
        people: Type.Integer({ description: 'People whom it would notify' }),
        outsiders: Type.Integer({
          description: 'Members of the groups who are not in the topic: they are not notified',
        }),
        isAllowed: Type.Boolean({ description: 'Whether they may mention so many' }),
      }),
      example: { people: 34, outsiders: 2, isAllowed: true },
    },
  },
  refusals: ['topic_not_found'],
})
