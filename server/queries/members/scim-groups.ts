import type { OrgUnitType } from '../../../contract/org-units.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import type { GroupRow } from '../../scim/groups.ts'

type InOrganization = { orgId: string }

/** Org units as groups. Bots in them are none of the identity provider's business. */
const groupsOf = ({ orgId }: InOrganization, condition: Sql, rest: Sql = nothing): Sql => sql`
  select u.id, u.name, u.tag, u.type, u.external_id as "externalId", u.created_at as "createdAt", u.updated_at as "updatedAt", (
      select count(*)::int from org_unit_members m where m.org_id = ${orgId} and m.org_unit_id = u.id) as size
  from org_units u where u.org_id = ${orgId} and ${condition} ${rest}`

export type SizedGroup = GroupRow & { tag: string; type: OrgUnitType; size: number }

export async function readScimGroup(
  caller: InOrganization,
  db: Queryable,
  id: string,
): Promise<SizedGroup | undefined> {
  const [row] = await db.query<SizedGroup>(groupsOf(caller, sql`u.id = ${id}`))
  return row
}

/** The oldest first. An organization has as many units as people have made by hand or at their provider. */
export const listScimGroups = (caller: InOrganization, db: Queryable): Promise<SizedGroup[]> =>
  db.query<SizedGroup>(groupsOf(caller, sql`true`, sql`order by u.created_at, u.id`))

export const findScimGroups = (
  caller: InOrganization,
  db: Queryable,
  by: 'externalId' | 'displayName',
  value: string,
): Promise<SizedGroup[]> =>
  db.query<SizedGroup>(
    groupsOf(
      caller,
      by === 'externalId' ? sql`u.external_id = ${value}` : sql`lower(u.name) = lower(${value})`,
      sql`order by u.created_at, u.id`,
    ),
  )

/** The units that a person is in. */
export const listGroupsOfPerson = (
  caller: InOrganization,
  db: Queryable,
  profileId: string,
): Promise<SizedGroup[]> =>
  db.query<SizedGroup>(
    groupsOf(
      caller,
      sql`u.id in (select m.org_unit_id from org_unit_members m where m.org_id = ${caller.orgId} and m.profile_id = ${profileId})`,
      sql`order by u.created_at, u.id`,
    ),
  )

/** The people of these units, by unit. */
export async function readPeopleOfGroups(
  { orgId }: InOrganization,
  db: Queryable,
  groupIds: readonly string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  const rows = await db.query<{ unit: string; id: string; name: string }>(sql`
    select m.org_unit_id as unit, p.id, p.name from org_unit_members m
    join profiles p on p.org_id = m.org_id and p.id = m.profile_id
    where m.org_id = ${orgId} and m.org_unit_id = any(${groupIds}::uuid[]) and p.kind = 'user' and p.status <> 'Deleted'
    order by m.joined_at, p.id`)
  const people = new Map<string, { id: string; name: string }[]>()
  for (const { unit, id, name } of rows) {
    const known = people.get(unit)
    if (known) known.push({ id, name })
    else people.set(unit, [{ id, name }])
  }
  return people
}

/** Whether a tag is free in the organization. */
export async function isTagFree({ orgId }: InOrganization, db: Queryable, tagKey: string): Promise<boolean> {
  const [row] = await db.query(sql`select 1 from org_units where org_id = ${orgId} and tag_key = ${tagKey}`)
  return row === undefined
}
