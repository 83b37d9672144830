import type { Invitations } from '../../../contract/people/invitations.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, type Sql, sql } from '../../db/sql.ts'
import { isWanted, type PeopleFilters } from './people.ts'

/** A pending person: when their invitation goes out, if one was asked for, and when the newest that went out ends. */
export type PendingPerson = { id: string; dueAt: number | null; expiresAt: number | null }

type Filters = Pick<PeopleFilters, 'role' | 'search'>

/** Pending people, in the order of their ids. In two steps: profiles and invitations can be on different machines. */
export async function listPendingPeople(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  filters: Filters,
): Promise<PendingPerson[]> {
  const people = await db.query<Omit<PendingPerson, 'expiresAt'>>(sql`
    select p.id, p.invite_at as "dueAt" from profiles p
    where p.status = 'Pending' and p.email <> '' and ${isWanted(caller, filters)} order by p.id`)
  const sent = await db.query<{ id: string; expiresAt: number }>(sql`
    select profile_id as id, max(expires_at) as "expiresAt" from invitations
    where org_id = ${caller.orgId} and profile_id = any(${people.map(({ id }) => id)}) and accepted_at is null
    group by profile_id`)
  const ends = new Map(sent.map(({ id, expiresAt }) => [id, expiresAt]))
  return people.map((person) => ({ ...person, expiresAt: ends.get(person.id) ?? null }))
}

export type InvitationState = 'missing' | 'expired' | 'waiting' | 'open'

export function stateOf({ dueAt, expiresAt }: PendingPerson, now: number): InvitationState {
  if (dueAt !== null) return 'waiting'
  if (expiresAt === null) return 'missing'
  return expiresAt > now ? 'open' : 'expired'
}

export async function countInvitations(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  filters: Filters,
  now: number,
): Promise<Invitations> {
  const people = await listPendingPeople(caller, db, filters)
  const count = (state: InvitationState) => people.filter((person) => stateOf(person, now) === state).length
  const dues = people.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]))
  return {
    missing: count('missing'),
    expired: count('expired'),
    waiting: dues.length,
    ...(dues.length > 0 && { nextAt: Math.max(now, Math.min(...dues)) }),
  }
}

/** Pending people of all organizations whose invitation is to go out. */
export function listDueInvitations(db: Queryable, range: DueRange, limit: number): Promise<DuePlace[]> {
  const { where, order } = inRange(range, { dueAt: sql`invite_at`, id: sql`id` })
  return db.query<DuePlace>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", id, invite_at as "dueAt" from profiles
    where invite_at is not null and status = 'Pending' and ${where} order by ${order} limit ${literal(limit)}`)
}

/** Whether an invitation that an admin asked for is to be sent. */
export const isInvitationDue = (until: number): Sql =>
  sql`exists (select from profiles where invite_at <= ${until} and invite_at is not null and status = 'Pending')`
