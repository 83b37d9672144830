import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { nothing, sql } from '../db/sql.ts'
import { type MessageRow, messageColumns } from './messages.ts'

/** Whether the organization lets its admins read topics that they are not in. */
export async function mayAdminsRead({ orgId }: Pick<Caller, 'orgId'>, db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ allowed: boolean }>(
    sql`select admins_may_read as allowed from organizations where org_id = ${orgId}`,
  )
  return row?.allowed ?? false
}

/**
 * Messages of a topic whoever is in it, the newest first. Every other list of messages begins with what its caller may see;
 * callers of this one have asked `mayAdminsRead` before.
 */
export function listMessagesOfAnyone(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  topicId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<MessageRow[]> {
  return db.query<MessageRow>(sql`
    select ${messageColumns}
    from (
      select * from messages m
      where m.org_id = ${orgId} and m.topic_id = ${topicId} ${before === undefined ? nothing : sql`and m.id < ${before}`}
      order by m.topic_id desc, m.id desc limit ${limit}
    ) x
    cross join lateral (select name from profiles where org_id = ${orgId} and id = x.sender_id limit 1) p
    order by x.id desc`)
}
