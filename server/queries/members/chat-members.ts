import type { MemberStatus } from '../../../contract/members.ts'
import type { Role } from '../../../contract/operation.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { isKnown } from './known-members.ts'

export type ChatMemberRow = {
  id: string
  kind: 'user' | 'bot'
  name: string
  email: string
  role: Role
  guest_until: number | null
  status: MemberStatus
  is_erased: boolean
  /** How a bot gets its events; null for people. */
  delivery: 'polling' | 'webhook' | null
  paused: boolean
  photo_file_id: string | null
  title: string
  status_text: string
  status_emoji: string
  status_until: number | null
  dnd_until: number | null
  appears_away: boolean
  /** Whether the organization shows presence and status. */
  show_presence: boolean
  time_zone: string
  created_at: number
}

/** Members (`p`) of an organization as the caller sees them. Guests see those they know, and no address but their own. */
export const chatMembers = (caller: Caller, condition: Sql): Sql =>
  isGuest(caller)
    ? membersOf(
        caller.orgId,
        sql`case when p.id = ${caller.profileId} then p.email else '' end`,
        sql`${isKnown(caller, sql`p.id`)} and ${condition}`,
      )
    : membersOf(caller.orgId, sql`p.email`, condition)

const membersOf = (orgId: string, email: Sql, condition: Sql): Sql => sql`
  select p.id, p.kind, p.name, ${email} as email, p.role, p.guest_until, p.status, p.erased_at is not null as is_erased, p.photo_file_id, p.title, p.status_text, p.status_emoji, p.status_until,
    p.dnd_until, p.appears_away, o.show_presence, p.time_zone,
    b.delivery, b.paused_at is not null as paused, p.created_at
  from profiles p join organizations o on o.org_id = p.org_id left join bots b on b.org_id = p.org_id and b.id = p.id
  where p.org_id = ${orgId} and ${condition}`

export type ChatMemberPosition = [createdAt: number, id: string]

/** Everybody, whatever their state, the oldest first; one row more than `limit`. */
export function listChatMembers(
  caller: Caller,
  db: Queryable,
  { after, limit }: { after?: ChatMemberPosition; limit: number },
): Promise<ChatMemberRow[]> {
  const isNext = after ? sql`(p.created_at, p.id) > (${after[0]}, ${after[1]})` : sql`true`
  return db.query<ChatMemberRow>(
    sql`${chatMembers(caller, isNext)} order by p.created_at, p.id limit ${limit + 1}`,
  )
}

export async function readChatMember(
  caller: Caller,
  db: Queryable,
  profileId: string,
): Promise<ChatMemberRow | undefined> {
  const [row] = await db.query<ChatMemberRow>(chatMembers(caller, sql`p.id = ${profileId}`))
  return row
}
