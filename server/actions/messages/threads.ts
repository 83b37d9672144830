import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { readThreadState } from '../../queries/messages/inbox-lists.ts'
import { readMessage } from '../../queries/messages/messages.ts'

export type ThreadChange = { following?: boolean; readTo?: string }

/** Follows or unfollows a thread, and moves its read position. Both are private, so the log has no event for them. */
export async function setThreadState(
  db: Queryable,
  caller: Caller,
  parentId: string,
  { following, readTo }: ThreadChange,
): Promise<{ parentId: string; topicId: string; following: boolean; unread: number }> {
  const parent = await readMessage(caller, db, parentId)
  if (!parent) throw refusal('message_not_found')
  // A reply that is there: a position in the future would hide what has not been said yet.
  const newest = sql`(
    select x.id from messages x
    where x.org_id = ${caller.orgId} and x.parent_id is not null
      and (x.parent_id, x.id) >= (${parent.id}::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
      and (x.parent_id, x.id) <= (${parent.id}::uuid, ${readTo ?? null}::uuid)
    order by x.parent_id desc, x.id desc limit 1)`
  await db.query(sql`
    insert into thread_follows as f (org_id, profile_id, parent_id, topic_id, last_reply_id, read_to, following)
    select l.org_id, ${caller.profileId}, ${parent.id}, ${parent.topic_id}, coalesce((
      select x.id from messages x
      where x.org_id = ${caller.orgId} and x.parent_id is not null
        and (x.parent_id, x.id) >= (${parent.id}::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
        and (x.parent_id, x.id) <= (${parent.id}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
      order by x.parent_id desc, x.id desc limit 1
    ), ${parent.id}::uuid), ${newest}, ${following ?? false}
    from organization_logs l where l.org_id = ${caller.orgId}
    on conflict (org_id, profile_id, parent_id) do update set
      read_to = greatest(f.read_to, excluded.read_to),
      following = ${following === undefined ? sql`f.following` : sql`excluded.following`}`)
  const state = await readThreadState(caller, db, parent.id)
  return { parentId: parent.id, topicId: parent.topic_id, ...(state ?? { following: false, unread: 0 }) }
}
