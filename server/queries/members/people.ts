import { LIMITS } from '../../../contract/limits.ts'
import type { MemberStatus } from '../../../contract/members.ts'
import type { Role } from '../../../contract/operation.ts'
import type { Order } from '../../../contract/people/common.ts'
import type { PEOPLE_SORTS, Person } from '../../../contract/people/members.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'

export type PersonRow = {
  id: string
  name: string
  email: string
  phone: string
  role: Role
  guestUntil: number | null
  status: MemberStatus
  isErased: boolean
  mayReadContent: boolean
  createdAt: number
  updatedAt: number
  lastSeenAt: number | null
  sessions: number
  secondFactor: Person['secondFactor']
  invitationDueAt: number | null
  invitationExpiresAt: number | null
}

const own = sql`p.id, p.name, p.email, p.phone, p.role, p.guest_until as "guestUntil", p.status, p.erased_at is not null as "isErased",
  p.reading_allowed_by is not null as "mayReadContent",
  p.created_at as "createdAt",
  p.updated_at as "updatedAt", p.last_seen_at as "lastSeenAt",
  case when p.status = 'Pending' then p.invite_at end as "invitationDueAt"`

/** Columns about a person from tables in the center, for a row of `profiles` p. */
const central = sql`(
    select count(*)::int from sessions s
    where s.account_id = p.account_id and p.status = 'Active' and s.created_at > coalesce(p.sessions_ended_at, 0)
      and s.expires_at > extract(epoch from now()) * 1000
  ) as sessions, (case
    when exists (select from second_factors f where f.account_id = p.account_id and f.enabled_at is not null) then 'code'
    when exists (select from passkeys k where k.account_id = p.account_id) then 'passkey'
    else 'none' end) as "secondFactor", (
    select max(i.expires_at) from invitations i
    where i.org_id = p.org_id and i.profile_id = p.id and i.accepted_at is null and p.status = 'Pending'
  ) as "invitationExpiresAt"`

const onOneMachine = sql`${own}, ${central}`
/** Columns of the organization's machine, with the keys for asking the center. */
const onSeveral = sql`${own}, p.org_id as "orgId", p.account_id as "accountId", p.sessions_ended_at as "sessionsEndedAt"`

type Central = Pick<PersonRow, 'id' | 'sessions' | 'secondFactor' | 'invitationExpiresAt'>
type Asked = { orgId: string; accountId: string | null; sessionsEndedAt: number }

/** Adds the center's data of people who were read from their organization's machine. */
async function complete<Person extends PersonRow>(
  db: Queryable,
  people: readonly (Person & Asked)[],
): Promise<Person[]> {
  const rows = await db.query<Central>(sql`
    select p.id, ${central} from unnest(${people.map(({ orgId }) => orgId)}::uuid[], ${people.map(({ id }) => id)}::text[],
      ${people.map(({ accountId }) => accountId)}::uuid[], ${people.map(({ status }) => status)}::text[],
      ${people.map(({ sessionsEndedAt }) => sessionsEndedAt)}::bigint[])
      as p (org_id, id, account_id, status, sessions_ended_at)`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return people.map((person) => ({ ...person, ...byId.get(person.id) }))
}

/** A person of the caller's organization in any state; no bot. */
export async function readPerson(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  personId: string,
): Promise<PersonRow | undefined> {
  const rows = await db.query<PersonRow & Asked>(sql`
    select ${db.isSpread ? onSeveral : onOneMachine} from profiles p
    where p.org_id = ${orgId} and p.id = ${personId} and p.kind = 'user'`)
  return (db.isSpread ? await complete(db, rows) : rows)[0]
}

export type PeopleFilters = {
  statuses: MemberStatus[]
  role?: Role
  search?: string
  sort: (typeof PEOPLE_SORTS)[number]
  order: Order
}

const SORT_KEYS: Record<PeopleFilters['sort'], Sql> = {
  createdAt: sql`p.created_at`,
  name: sql`lower(p.name)`,
  lastSeen: sql`coalesce(p.last_seen_at, 0)`,
}

/** The condition for people of the organization that a filter lets through, for `profiles` p. */
export const isWanted = (
  { orgId }: Pick<Caller, 'orgId'>,
  { role, search }: Pick<PeopleFilters, 'role' | 'search'>,
): Sql => sql`
  p.org_id = ${orgId} and p.kind = 'user'
  ${role ? sql`and p.role = ${role}` : nothing}
  ${search ? sql`and position(lower(${search}) in lower(p.name || ' ' || p.email)) > 0` : nothing}`

/** The statement of a page. Each state is a range of an index; a list of several merges them. */
export function peoplePage(
  caller: Pick<Caller, 'orgId'>,
  filters: PeopleFilters,
  start: { at: [key: string | number, id: string]; isBackwards: boolean } | undefined,
  limit: number,
  columns: Sql = onOneMachine,
): Sql {
  const key = SORT_KEYS[filters.sort]
  const isUp = (filters.order === 'asc') !== (start?.isBackwards === true)
  const direction = isUp ? sql`asc` : sql`desc`
  const behind = start && sql`and (${key}, p.id) ${isUp ? sql`>` : sql`<`} (${start.at[0]}, ${start.at[1]})`
  return sql`
    select ${columns}, ${key} as "sortKey"
    from unnest(${filters.statuses}::text[]) as wanted (status)
    cross join lateral (
      select p.* from profiles p
      where p.status = wanted.status and ${isWanted(caller, filters)} ${behind ?? nothing}
      order by ${key} ${direction}, p.id ${direction} limit ${limit}
    ) p
    order by ${key} ${direction}, p.id ${direction} limit ${limit}`
}

export type ListedPerson = PersonRow & { sortKey: string | number }

type Page = [Pick<Caller, 'orgId'>, PeopleFilters, Parameters<typeof peoplePage>[2], number]

export async function listPeople(db: Queryable, ...page: Page): Promise<ListedPerson[]> {
  if (!db.isSpread) return db.query<ListedPerson>(peoplePage(...page))
  return complete(db, await db.query<ListedPerson & Asked>(peoplePage(...page, onSeveral)))
}

export async function countPeople(caller: Caller, db: Queryable, filters: PeopleFilters): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from profiles p
    where p.status = any(${filters.statuses}::text[]) and ${isWanted(caller, filters)}`)
  return row?.total ?? 0
}

/** Whether another person is an active owner. */
export async function hasOtherOwner(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  personId: string,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from profiles
    where org_id = ${orgId} and status = 'Active' and role = 'owner' and id <> ${personId} limit 1`)
  return row !== undefined
}

/** Whether they were invited and have not accepted. People who were added as active members never were invited. */
export async function isStillInvited(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  personId: string,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from invitations where org_id = ${orgId} and profile_id = ${personId} having bool_and(accepted_at is null)`)
  return row !== undefined
}

/** Milliseconds until this member, who is no admin, may invite a guest; 0: now. */
export async function waitForOwnInvitation(
  { orgId, profileId }: Caller,
  db: Queryable,
  now: number,
): Promise<number> {
  const [row] = await db.query<{ at: number }>(sql`
    select at from audit_log
    where org_id = ${orgId} and actor_id = ${profileId} and id > ${firstUuidAt(now - HOUR_MS)} and action = 'member.invited'
    order by id desc offset ${LIMITS.guestInvitationsPerHour - 1} limit 1`)
  return row ? Math.max(0, row.at + HOUR_MS - now) : 0
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Milliseconds until this person may be invited by an admin, where an organization sends so many in an hour; 0: now. The audit log has every invitation; those of operators
 * count for the person only.
 */
export async function waitForInvitation(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  personId: string,
  { now, perHour }: { now: number; perHour: number },
): Promise<number> {
  const [row] = await db.query<{ newest: number | null; last: number | null }>(sql`
    select (
      select at from audit_log
      where org_id = ${orgId} and target_id = ${personId} and id > ${firstUuidAt(now - MINUTE_MS)}
        and action = 'member.invited'
      order by id desc limit 1
    ) as newest, (
      select at from audit_log
      where org_id = ${orgId} and target_type = 'member' and id > ${firstUuidAt(now - HOUR_MS)}
        and action = 'member.invited' and actor_kind = 'person'
      order by id desc offset ${perHour - 1} limit 1
    ) as last`)
  const endOf = (at: number | null | undefined, span: number) => (typeof at === 'number' ? at + span : 0)
  return Math.max(0, endOf(row?.newest, MINUTE_MS) - now, endOf(row?.last, HOUR_MS) - now)
}
