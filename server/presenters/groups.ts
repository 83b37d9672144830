import type { Group, GroupMember } from '../../contract/groups.ts'
import type { GroupMemberRow, GroupRow } from '../queries/members/groups.ts'

export const presentGroup = (row: GroupRow): Group => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  tag: row.tag,
  description: row.description,
  ...(row.owner_id !== null && { ownerId: row.owner_id }),
  memberCount: row.member_count,
  isMember: row.is_member,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentGroupMember = ({ id, name, type }: GroupMemberRow): GroupMember => ({ id, name, type })
