import type { OrgUnit } from '../../contract/org-units.ts'
import type { ConsoleOrgUnit } from '../../contract/people/org-units.ts'
import type { NamedOrgUnitRow, OrgUnitRow } from '../queries/members/org-units.ts'

export const presentOrgUnit = (row: OrgUnitRow): OrgUnit => ({
  id: row.id,
  name: row.name,
  tag: row.tag,
  type: row.type,
  memberIds: row.member_ids,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentNamedOrgUnit = (row: NamedOrgUnitRow): ConsoleOrgUnit => ({
  ...presentOrgUnit(row),
  members: row.members,
})
