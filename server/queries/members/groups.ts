import { caseKey } from '../../../contract/case-key.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'

export type GroupRow = {
  id: string
  kind: 'group' | 'unit'
  name: string
  tag: string
  tag_key: string
  description: string
  owner_id: string | null
  created_at: number
  updated_at: number
  member_count: number
  is_member: boolean
}

/**
 * Groups and org units (`g`) that exist for the caller: all of them, or, where communication stays within org units, those that
 * they are in or own. Admins see all of them in any case, guests none.
 */
function groupsOf(caller: Caller, condition: Sql, rest: Sql = nothing): Sql {
  const { orgId, profileId } = caller
  const isVisible = isAdminRole(caller.role)
    ? nothing
    : isGuest(caller)
      ? sql`and false`
      : sql`and (g.is_member or g.owner_id = ${profileId}
        or not (select o.restrict_to_org_units from organizations o where o.org_id = ${orgId}))`
  return sql`
    select g.* from (
      select x.id, 'group' as kind, x.name, x.tag, x.tag_key, x.description, x.owner_id, x.created_at, x.updated_at, (
          select count(*)::integer from member_group_members m where m.org_id = ${orgId} and m.group_id = x.id) as member_count,
        exists (select from member_group_members m
          where m.org_id = ${orgId} and m.group_id = x.id and m.profile_id = ${profileId}) as is_member
      from member_groups x where x.org_id = ${orgId}
      union all
      select x.id, 'unit', x.name, x.tag, x.tag_key, '', null, x.created_at, x.updated_at, (
          select count(*)::integer from org_unit_members m where m.org_id = ${orgId} and m.org_unit_id = x.id),
        exists (select from org_unit_members m
          where m.org_id = ${orgId} and m.org_unit_id = x.id and m.profile_id = ${profileId})
      from org_units x where x.org_id = ${orgId}
    ) g
    where ${condition} ${isVisible} ${rest}`
}

export async function readGroup(
  caller: Caller,
  db: Queryable,
  groupId: string,
): Promise<GroupRow | undefined> {
  const [row] = await db.query<GroupRow>(groupsOf(caller, sql`g.id = ${groupId}`))
  return row
}

export type GroupPosition = [tagKey: string, id: string]

/** Groups in the order of their tags, one row more than `limit`. `search` is the beginning of a tag, or of a word of a name. */
export function listGroups(
  caller: Caller,
  db: Queryable,
  { search = '', after, limit }: { search?: string; after?: GroupPosition; limit: number },
): Promise<GroupRow[]> {
  const beginning = `${caseKey(search).replace(/[\\%_]/g, '\\$&')}%`
  const isFound =
    search === ''
      ? sql`true`
      : sql`(g.tag_key like ${beginning} or lower(' ' || g.name) like ${`% ${beginning}`})`
  const isNext = after ? sql`(g.tag_key, g.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`
  return db.query<GroupRow>(
    groupsOf(caller, sql`${isFound} and ${isNext}`, sql`order by g.tag_key, g.id limit ${limit + 1}`),
  )
}

export type MentionableGroup = { id: string; tag: string }

/** The groups of these tags. A group goes before an org unit that has got the same tag since. */
export async function findGroupsByTag(
  caller: Caller,
  db: Queryable,
  tagKeys: readonly string[],
): Promise<MentionableGroup[]> {
  const rows = await db.query<GroupRow>(
    groupsOf(caller, sql`g.tag_key = any(${tagKeys}::text[])`, sql`order by g.kind desc`),
  )
  return [...new Map(rows.map((row) => [row.tag_key, { id: row.id, tag: row.tag }])).values()]
}

export type GroupMemberRow = { id: string; name: string; type: 'user' | 'bot'; joined_at: number }
export type GroupMemberPosition = [joinedAt: number, id: string]

/** Members in the order in which they joined; one row more than `limit`. Whether the caller sees the group was checked before. */
export function listGroupMembers(
  { orgId }: Caller,
  db: Queryable,
  groupId: string,
  { after, limit }: { after?: GroupMemberPosition; limit: number },
): Promise<GroupMemberRow[]> {
  return db.query<GroupMemberRow>(sql`
    select p.id, p.name, p.kind as type, m.joined_at from (
      select profile_id, joined_at from member_group_members where org_id = ${orgId} and group_id = ${groupId}
      union all
      select profile_id, joined_at from org_unit_members where org_id = ${orgId} and org_unit_id = ${groupId}
    ) m
    join profiles p on p.org_id = ${orgId} and p.id = m.profile_id
    where ${after ? sql`(m.joined_at, p.id) > (${after[0]}, ${after[1]})` : sql`true`}
    order by m.joined_at, p.id limit ${limit + 1}`)
}
