import type { MemberStatus } from '../../../contract/members.ts'
import type { Role } from '../../../contract/operation.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'
import { isKnown } from './known-members.ts'

export type MemberRow = {
  id: string
  kind: 'user' | 'bot'
  role: Role
  guest_until: number | null
  name: string
  email: string
  phone: string
  external_id: string | null
  status: MemberStatus
  created_at: number
  updated_at: number
}

const columns = sql`id, kind, role, guest_until, name, email, phone, external_id, status, created_at, updated_at`

/** Returns the members that exist, in no order. */
export function readMembers(
  db: Queryable,
  orgId: string,
  memberIds: readonly string[],
): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select ${columns} from profiles where org_id = ${orgId} and id = any(${memberIds})`)
}

export type MemberFilters = { status: MemberStatus; emails?: string[] }
export type MemberPosition = [createdAt: number, id: string]

/** A member whom the caller knows. */
export async function readKnownMember(
  caller: Caller,
  db: Queryable,
  memberId: string,
): Promise<MemberRow | undefined> {
  const [row] = await db.query<MemberRow>(sql`
    select ${columns} from profiles
    where org_id = ${caller.orgId} and id = ${memberId} and ${isKnown(caller, sql`profiles.id`)}`)
  return row
}

/** Oldest first; asks for one row more than `limit` to learn whether there is more. */
export function listMembers(
  caller: Caller,
  db: Queryable,
  {
    filters,
    after,
    limit,
    offset,
  }: { filters: MemberFilters; after?: MemberPosition; limit: number; offset: number },
): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select ${columns} from profiles
    where org_id = ${caller.orgId} and status = ${filters.status}
      ${filters.emails ? sql`and email_key = any(${filters.emails})` : nothing}
      ${filters.emails && isGuest(caller) ? sql`and id = ${caller.profileId}` : nothing}
      and ${isKnown(caller, sql`profiles.id`)}
      ${after ? sql`and (created_at, id) > (${after[0]}, ${after[1]})` : nothing}
    order by created_at, id
    limit ${limit + 1} offset ${offset}`)
}
