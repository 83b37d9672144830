import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { isIn } from '../topics/open-topics.ts'

const MAX_SHOWN = 200

export type Receipts = { readBy: string[]; deliveredTo: string[] }

/**
 * Members besides the sender who have read a message of one of the caller's topics, by their read position or their own
 * mark (bots), and those who only received it.
 */
export async function readReceipts(
  caller: Caller,
  db: Queryable,
  messageId: string,
): Promise<Receipts | undefined> {
  const [row] = await db.query<Receipts>(receiptsOf(caller, messageId))
  return row
}

const receiptsOf = (caller: Caller, messageId: string) => sql`
  with x as (
    select x.org_id, x.id, x.topic_id, x.sender_id, x.appeared_id, x.parent_id, x.thread_only from messages x
    where x.org_id = ${caller.orgId} and x.id = ${messageId} and ${isIn(caller, sql`x.topic_id`)}
  ), receipts as (
    select m.profile_id, r.is_passed or k.read_at is not null as is_read
    from x
    join topic_members m on m.org_id = ${caller.orgId} and m.topic_id = x.topic_id and m.profile_id <> x.sender_id
    left join topic_states s on s.org_id = m.org_id and s.profile_id = m.profile_id and s.topic_id = m.topic_id
    left join thread_follows f on f.org_id = m.org_id and f.profile_id = m.profile_id and f.parent_id = x.parent_id
    left join message_marks k on k.org_id = ${caller.orgId} and k.message_id = x.id and k.profile_id = m.profile_id
    cross join lateral (
      select case when x.thread_only then (f.read_to >= coalesce(x.appeared_id, x.id)) is true
        else (s.read_to >= x.id) is true
          and (x.appeared_id is null or greatest(s.read_to, s.late_read_to) >= x.appeared_id) end as is_passed
    ) r
    where r.is_passed or k.message_id is not null
  )
  select
    array(select r.profile_id from receipts r where r.is_read order by 1 limit ${MAX_SHOWN}) as "readBy",
    array(select r.profile_id from receipts r where not r.is_read order by 1 limit ${MAX_SHOWN}) as "deliveredTo"
  from x`
