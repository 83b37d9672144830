import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'
import { type MessageRow, messageColumns } from '../messages/messages.ts'

/**
 * Messages of a topic regardless of its members, the newest first. Every other list of messages begins with what its
 * caller may see; callers of this one have an open reading of the topic.
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
