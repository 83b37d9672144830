import { caseKey } from '../../../contract/case-key.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import type { UserRow } from '../../scim/users.ts'
import { emailKey } from '../../text.ts'

type InOrganization = { orgId: string }

/** People as an identity provider sees them: all but bots, deleted and erased members. `people` chooses among profiles p. */
const peopleOf = ({ orgId }: InOrganization, people: Sql, rest: Sql = nothing): Sql => sql`
  select p.id, p.name, p.email, p.phone, p.title, p.time_zone as "timeZone", p.external_id as "externalId", p.status, p.role,
    s.user_name as "userName", coalesce(s.given_name, '') as "givenName", coalesce(s.family_name, '') as "familyName",
    p.created_at as "createdAt", p.updated_at as "updatedAt",
    coalesce((
      select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.created_at, u.id)
      from org_unit_members m join org_units u on u.org_id = m.org_id and u.id = m.org_unit_id
      where m.org_id = ${orgId} and m.profile_id = p.id
    ), '[]') as groups
  from profiles p left join scim_people s on s.org_id = p.org_id and s.profile_id = p.id
  where p.org_id = ${orgId} and p.kind = 'user' and p.status <> 'Deleted' and ${people} ${rest}`

export async function readScimPerson(
  caller: InOrganization,
  db: Queryable,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(peopleOf(caller, sql`p.id = ${id}`))
  return row
}

/** The ways to find the few people that a filter can mean by an index. Their statements are always the same, whatever the filter. */
export const FOUND_BY = {
  id: (value: string) => sql`p.id = ${value}`,
  externalId: (value: string) => sql`p.external_id = ${value}`,
  email: (value: string) => sql`p.email_key = ${emailKey(value)}`,
  userName: (value: string, { orgId }: InOrganization) => sql`(p.email_key = ${emailKey(value)} or p.id in (
    select n.profile_id from scim_people n where n.org_id = ${orgId} and n.user_name_key = ${caseKey(value)}))`,
} as const

export const findScimPeople = (
  caller: InOrganization,
  db: Queryable,
  by: keyof typeof FOUND_BY,
  value: string,
): Promise<UserRow[]> => db.query<UserRow>(peopleOf(caller, FOUND_BY[by](value, caller)))

/** People behind `after`, in the order of their ids. */
export const listScimPeopleAfter = (
  caller: InOrganization,
  db: Queryable,
  after: string,
  limit: number,
): Promise<UserRow[]> =>
  db.query<UserRow>(peopleOf(caller, sql`p.id > ${after}`, sql`order by p.id limit ${limit}`))

const SORTS = {
  created: sql`p.created_at`,
  lastmodified: sql`p.updated_at`,
  id: sql`p.id`,
  externalid: sql`coalesce(p.external_id, '')`,
  username: sql`lower(coalesce(s.user_name, p.email))`,
  displayname: sql`lower(p.name)`,
  familyname: sql`lower(coalesce(s.family_name, ''))`,
} as const
export type PeopleSort = keyof typeof SORTS
export const isPeopleSort = (name: string): name is PeopleSort => Object.hasOwn(SORTS, name)

export const listScimPeople = (
  caller: InOrganization,
  db: Queryable,
  {
    sort,
    isDescending,
    offset,
    limit,
  }: { sort: PeopleSort; isDescending: boolean; offset: number; limit: number },
): Promise<UserRow[]> => {
  const direction = isDescending ? sql`desc` : sql`asc`
  return db.query<UserRow>(
    peopleOf(
      caller,
      sql`true`,
      sql`order by ${SORTS[sort]} ${direction}, p.id ${direction} limit ${limit} offset ${offset}`,
    ),
  )
}

export async function countScimPeople({ orgId }: InOrganization, db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from profiles where org_id = ${orgId} and kind = 'user' and status <> 'Deleted'`)
  return row?.total ?? 0
}

/** Whether another person has this user name, as the name that the provider gave or as the address. */
export async function isUserNameTaken(
  { orgId }: InOrganization,
  db: Queryable,
  userName: string,
  exceptId?: string,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from profiles p left join scim_people s on s.org_id = p.org_id and s.profile_id = p.id
    where p.org_id = ${orgId} and p.kind = 'user' and p.status <> 'Deleted' and p.id is distinct from ${exceptId ?? null}
      and (p.id in (select n.profile_id from scim_people n where n.org_id = ${orgId} and n.user_name_key = ${caseKey(userName)})
        or (s.profile_id is null and p.email_key = ${emailKey(userName)}))
    limit 1`)
  return row !== undefined
}

/** How many of these are people whom a group can have. */
export async function countPeopleAmong(
  { orgId }: InOrganization,
  db: Queryable,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from profiles
    where org_id = ${orgId} and id = any(${ids}) and kind = 'user' and status <> 'Deleted'`)
  return row?.total ?? 0
}
