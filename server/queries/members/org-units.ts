import { isAdminRole } from '../../../contract/operation.ts'
import type { OrgUnitType } from '../../../contract/org-units.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'

export type OrgUnitRow = {
  id: string
  name: string
  tag: string
  type: OrgUnitType
  created_at: number
  updated_at: number
  member_ids: string[]
}

/**
 * Units that exist for the caller: all of them, or under the organization's restriction those that the caller is in.
 * Admins see all of them in any case, guests none.
 */
function orgUnitsOf(caller: Caller, condition: Sql, rest: Sql = nothing): Sql {
  return sql`
    select u.id, u.name, u.tag, u.type, u.created_at, u.updated_at,
      array(
        select m.profile_id from org_unit_members m where m.org_id = ${caller.orgId} and m.org_unit_id = u.id
        order by m.joined_at, m.profile_id
      ) as member_ids
    from organizations o
    join org_units u on u.org_id = o.org_id
    where o.org_id = ${caller.orgId} and ${condition}
      ${isAdminRole(caller.role) ? nothing : isGuest(caller) ? sql`and false` : sql`and (not o.restrict_to_org_units or ${isIn(caller)})`}
    ${rest}`
}

const isIn = ({ orgId, profileId }: Caller): Sql => sql`exists (
  select from org_unit_members own
  where own.org_id = ${orgId} and own.org_unit_id = u.id and own.profile_id = ${profileId})`

export async function readOrgUnit(
  caller: Caller,
  db: Queryable,
  orgUnitId: string,
): Promise<OrgUnitRow | undefined> {
  const [row] = await db.query<OrgUnitRow>(orgUnitsOf(caller, sql`u.id = ${orgUnitId}`))
  return row
}

export type OrgUnitPosition = [createdAt: number, id: string]

/** Oldest first; asks for one row more than `limit` to learn whether there is more. */
export function listOrgUnits(
  caller: Caller,
  db: Queryable,
  { after, limit }: { after?: OrgUnitPosition; limit: number },
): Promise<OrgUnitRow[]> {
  return db.query<OrgUnitRow>(
    orgUnitsOf(
      caller,
      after ? sql`(u.created_at, u.id) > (${after[0]}, ${after[1]})` : sql`true`,
      sql`order by u.created_at, u.id limit ${limit + 1}`,
    ),
  )
}

export async function readOrgUnitMemberIds(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  orgUnitId: string,
): Promise<string[]> {
  const rows = await db.query<{ profile_id: string }>(sql`
    select profile_id from org_unit_members where org_id = ${caller.orgId} and org_unit_id = ${orgUnitId}
    order by joined_at, profile_id`)
  return rows.map((row) => row.profile_id)
}

export type NamedOrgUnitRow = OrgUnitRow & { members: { id: string; name: string; type: 'user' | 'bot' }[] }

/** All that exist for the caller with the names of their members, or one of them. The oldest first. */
export function listNamedOrgUnits(
  caller: Caller,
  db: Queryable,
  orgUnitId?: string,
): Promise<NamedOrgUnitRow[]> {
  const condition = orgUnitId === undefined ? sql`true` : sql`u.id = ${orgUnitId}`
  return db.query<NamedOrgUnitRow>(sql`
    select u.*, coalesce((
      select json_agg(json_build_object('id', p.id, 'name', p.name, 'type', p.kind) order by m.number)
      from unnest(u.member_ids) with ordinality as m (id, number)
      join profiles p on p.org_id = ${caller.orgId} and p.id = m.id
    ), '[]') as members
    from (${orgUnitsOf(caller, condition)}) u
    order by u.created_at, u.id`)
}
