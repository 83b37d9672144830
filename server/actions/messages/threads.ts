import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { FIRST_ID, LAST_ID } from '../../ids.ts'
import { readMessage } from '../../queries/messages/messages.ts'
import { readThreadState, type ThreadRow } from '../../queries/messages/threads.ts'

export type ThreadChange = { following?: boolean; readTo?: string; unreadFrom?: string }

/** Follows or leaves a thread, and moves its read position. All of it is private, so the log has no event for it. */
export async function setThreadState(
  db: Queryable,
  caller: Caller,
  parentId: string,
  { following, readTo, unreadFrom }: ThreadChange,
): Promise<ThreadRow> {
  if (readTo !== undefined && unreadFrom !== undefined)
    throw refusal('fields_conflict', { fields: 'readTo and unreadFrom' })
  const parent = await readMessage(caller, db, parentId)
  if (!parent) throw refusal('message_not_found')
  const { orgId, profileId } = caller
  const newest = (upTo: string) => sql`
    select x.id, greatest(x.id, x.appeared_id) as place from messages x
    where x.org_id = ${orgId} and x.parent_id is not null
      and (x.parent_id, x.id) >= (${parent.id}::uuid, ${FIRST_ID}::uuid) and (x.parent_id, x.id) <= (${parent.id}::uuid, ${upTo}::uuid)
    order by x.parent_id desc, x.id desc limit 1`
  const back = unreadFrom && (await positionBefore(db, caller, parent.id, unreadFrom))
  // A reply that is there: a position in the future would hide what has not been said yet.
  const position = back
    ? sql`${back}::uuid`
    : readTo === undefined
      ? sql`null::uuid`
      : sql`(select place from (${newest(readTo)}) n)`
  await db.query(sql`
    insert into thread_follows as f (org_id, profile_id, parent_id, topic_id, last_reply_id, read_to, following)
    select l.org_id, ${profileId}, ${parent.id}, ${parent.topic_id}, coalesce((select id from (${newest(LAST_ID)}) n), ${parent.id}::uuid),
      ${following ? sql`coalesce(${position}, (select place from (${newest(LAST_ID)}) n))` : position}, ${following ?? false}
    from organization_logs l where l.org_id = ${orgId}
    on conflict (org_id, profile_id, parent_id) do update set
      read_to = ${back ? sql`excluded.read_to` : readTo === undefined ? sql`f.read_to` : sql`greatest(f.read_to, excluded.read_to)`},
      following = ${following === undefined ? sql`f.following` : sql`excluded.following`}`)
  const state = await readThreadState(caller, db, parent.id)
  if (!state) throw refusal('message_not_found')
  return state
}

/** The place before this reply of the thread. */
async function positionBefore(
  db: Queryable,
  { orgId }: Caller,
  parentId: string,
  replyId: string,
): Promise<string> {
  const [row] = await db.query<{ before: string | null }>(sql`
    select (
      select o.id from messages o
      where o.org_id = ${orgId} and o.parent_id is not null
        and (o.parent_id, o.id) >= (x.parent_id, ${FIRST_ID}::uuid) and (o.parent_id, o.id) < (x.parent_id, x.id)
      order by o.parent_id desc, o.id desc limit 1
    ) as before
    from messages x where x.org_id = ${orgId} and x.id = ${replyId} and x.parent_id = ${parentId}`)
  if (!row) throw refusal('message_not_found')
  return row.before ?? parentId
}

/** Marks all replies of all followed threads as read. */
export async function readAllThreads(db: Queryable, { orgId, profileId }: Caller): Promise<void> {
  await db.query(sql`
    update thread_follows f set read_to = greatest(f.last_reply_id, (
      select x.appeared_id from messages x
      where x.org_id = ${orgId} and x.appeared_id is not null and (x.topic_id, x.appeared_id) >= (f.topic_id, f.last_reply_id)
        and (x.topic_id, x.appeared_id) <= (f.topic_id, ${LAST_ID}::uuid)
      order by x.topic_id desc, x.appeared_id desc limit 1))
    where f.org_id = ${orgId} and f.profile_id = ${profileId} and f.following
      and (f.read_to is null or f.read_to < f.last_reply_id)`)
}
