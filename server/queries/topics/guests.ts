import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, type Sql, sql } from '../../db/sql.ts'

/** How many guests are in a topic. Where an organization has none, that is one look at an empty range of an index. */
export const guestsIn = (orgId: string, topicId: Sql): Sql => sql`(
  select count(*)::integer from profiles g
  join topic_members gm on gm.org_id = ${orgId} and gm.topic_id = ${topicId} and gm.profile_id = g.id
  where g.org_id = ${orgId} and g.role = 'guest' and g.status in ('Active', 'Pending'))`

export async function countGuests(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  topicId: string,
): Promise<number> {
  const [row] = await db.query<{ guests: number }>(
    sql`select ${guestsIn(orgId, sql`${topicId}::uuid`)} as guests`,
  )
  return row?.guests ?? 0
}

/** Guests whose access has ended, and who are not archived yet. */
export function listDueGuests(db: Queryable, range: DueRange, limit: number): Promise<DuePlace[]> {
  const { where, order } = inRange(range, { dueAt: sql`guest_until`, id: sql`id` })
  return db.query<DuePlace>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", id, guest_until as "dueAt" from profiles
    where guest_until is not null and status in ('Active', 'Pending') and ${where} order by ${order} limit ${literal(limit)}`)
}

/** Whether the access of a guest is over. */
export const isGuestDue = (until: number): Sql =>
  sql`exists (select from profiles where guest_until <= ${until} and status in ('Active', 'Pending'))`

/** The first time after this one at which a guest's access ends. */
export async function readNextGuestEnd(db: Queryable, time: number): Promise<number | undefined> {
  const [row] = await db.query<{
    dueAt: number
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select guest_until as "dueAt" from profiles
    where guest_until > ${time} and status in ('Active', 'Pending') order by guest_until limit 1`)
  return row?.dueAt
}
