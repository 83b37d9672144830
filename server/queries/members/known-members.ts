import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'

/**
 * Whether a guest knows a member: themselves, members of their topics, and former members who wrote there, as their messages name them.
 */
const isKnownToGuest = (
  orgId: string,
  guestId: Sql,
  memberId: Sql,
): Sql => sql`(${memberId} = ${guestId} or exists (
  select from topic_members own
  where own.org_id = ${orgId} and own.profile_id = ${guestId} and (
    exists (select from topic_members m
      where m.org_id = ${orgId} and m.topic_id = own.topic_id and m.profile_id = ${memberId})
    or exists (select from messages x
      where x.org_id = ${orgId} and x.topic_id = own.topic_id and x.sender_id = ${memberId}))))`

/** Whether a member exists for the caller: everybody does, but for guests. */
export const isKnown = (caller: Caller, memberId: Sql): Sql =>
  isGuest(caller) ? isKnownToGuest(caller.orgId, sql`${caller.profileId}::text`, memberId) : sql`true`

/** Whether a guest (`p`) knows a member. */
export const guestKnows = (orgId: string, memberId: Sql): Sql => isKnownToGuest(orgId, sql`p.id`, memberId)

/** Members among these whom each of these guests knows, by guest. */
export async function readKnownToGuests(
  orgId: string,
  db: Queryable,
  { guestIds, memberIds }: { guestIds: readonly string[]; memberIds: readonly string[] },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db.query<{ guest_id: string; member_ids: string[] }>(sql`
    select g.id as guest_id, array_agg(k.id) as member_ids
    from unnest(${guestIds}::text[]) as g (id) cross join unnest(${memberIds}::text[]) as k (id)
    where ${isKnownToGuest(orgId, sql`g.id`, sql`k.id`)} group by g.id`)
  return new Map(rows.map(({ guest_id: id, member_ids: ids }) => [id, new Set(ids)]))
}
