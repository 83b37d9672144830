import { COUNTED_UNREAD } from '../../../contract/people/chat-records.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { LAST_ID } from '../../ids.ts'
import { joinedAt } from '../topics/chat-topics.ts'
import { isInEach } from '../topics/open-topics.ts'
import { isMentionedByGroup } from './group-mentions.ts'
import type { IdPage } from './inbox-lists.ts'

/** Replies searched for unread ones, the newest first: many of one's own, or that were read in the topic, can be among them. */
const LOOKED_AT = 1000

export type ThreadRow = {
  profile_id: string
  parent_id: string
  topic_id: string
  last_reply_id: string
  following: boolean
  /** Replies up to here were read. */
  read_to: string
  unread: number
  /** Unread replies that the topic shows. */
  unread_in_topic: number
  mentions: number
}

/**
 * Threads of people who are in the topic: rows of `thread_follows` f with a position for each person, and what is unread behind
 * it. Before they joined, nothing is unread. A reply that its topic shows is read there, too. Each count is a range of one
 * index that ends after a bounded number of rows.
 */
const threadStates = (orgId: string, condition: Sql, rest: Sql = nothing): Sql => sql`
  select f.profile_id, f.parent_id, f.topic_id, f.last_reply_id, f.following, r.read_to,
    u.in_topic as unread_in_topic, least(${COUNTED_UNREAD}, u.count + (select count(*)::integer from (
      select from (
        select x.id, x.sender_id, x.parent_id, x.thread_only from messages x
        where x.org_id = ${orgId} and x.appeared_id is not null
          and (x.topic_id, x.appeared_id) > (f.topic_id, r.read_to) and (x.topic_id, x.appeared_id) <= (f.topic_id, ${LAST_ID}::uuid)
        order by x.topic_id, x.appeared_id limit ${LOOKED_AT}
      ) y
      where y.parent_id = f.parent_id and y.thread_only and y.sender_id <> f.profile_id and y.id <= r.read_to
    ) z)) as unread,
    (select least(${COUNTED_UNREAD}, count(*)::integer) from (
      (select n.message_id from mentions n
      where n.org_id = ${orgId} and n.parent_id is not null
        and (n.profile_id, n.parent_id, n.message_id) > (f.profile_id, f.parent_id, r.read_to)
        and (n.profile_id, n.parent_id, n.message_id) <= (f.profile_id, f.parent_id, ${LAST_ID}::uuid)
      order by n.profile_id, n.parent_id, n.message_id limit ${COUNTED_UNREAD})
      union
      select y.id from (
        select x.id, x.sender_id, x.details, x.thread_only from messages x
        where x.org_id = ${orgId} and x.details ? 'groupMentions' and x.parent_id is not null
          and (x.parent_id, x.id) > (f.parent_id, r.read_to) and (x.parent_id, x.id) <= (f.parent_id, ${LAST_ID}::uuid)
        order by x.parent_id, x.id limit ${LOOKED_AT}
      ) y where y.sender_id <> f.profile_id and y.thread_only and ${isMentionedByGroup(sql`y.details`, sql`f.profile_id`)}
    ) z) as mentions
  from (
    select * from thread_follows f where f.org_id = ${orgId} and ${condition} ${rest}
  ) f
  join topic_members m on m.org_id = ${orgId} and m.topic_id = f.topic_id and m.profile_id = f.profile_id
  left join topic_states s on s.org_id = ${orgId} and s.topic_id = f.topic_id and s.profile_id = f.profile_id
  cross join lateral (select greatest(f.read_to, ${joinedAt}) as read_to) r
  cross join lateral (
    select count(*)::integer as count, count(*) filter (where not z.thread_only)::integer as in_topic
    from (
      select y.thread_only from (
        select x.id, x.sender_id, x.thread_only from messages x
        where x.org_id = ${orgId} and x.parent_id is not null
          and (x.parent_id, x.id) > (f.parent_id, r.read_to) and (x.parent_id, x.id) <= (f.parent_id, ${LAST_ID}::uuid)
        order by x.parent_id desc, x.id desc limit ${LOOKED_AT}
      ) y
      where y.sender_id <> f.profile_id and (y.thread_only or y.id > coalesce(s.read_to, r.read_to)) limit ${COUNTED_UNREAD}
    ) z
  ) u`

/** Threads of the caller's topics that they follow, the newest reply first. */
export function listThreads(
  caller: Caller,
  db: Queryable,
  { after = LAST_ID, limit }: IdPage,
): Promise<ThreadRow[]> {
  const { orgId, profileId } = caller
  return db.query<ThreadRow>(sql`
    ${threadStates(
      orgId,
      sql`f.following and f.profile_id = ${profileId} and f.last_reply_id < ${after}::uuid and ${isInEach(caller, sql`f.topic_id`)}`,
      sql`order by f.last_reply_id desc limit ${limit + 1}`,
    )}
    order by f.last_reply_id desc`)
}

/** The caller's state of a thread; undefined if they never followed it. */
export async function readThreadState(
  { orgId, profileId }: Caller,
  db: Queryable,
  parentId: string,
): Promise<ThreadRow | undefined> {
  const [row] = await db.query<ThreadRow>(
    threadStates(orgId, sql`f.profile_id = ${profileId} and f.parent_id = ${parentId}`),
  )
  return row
}

/** Followers that are looked at for one page of replies. */
const MAX_FOLLOWERS = 1000

/** The states of those who follow these threads and are among `online`. */
export async function readFollowers(
  db: Queryable,
  orgId: string,
  parentIds: readonly string[],
  online: ReadonlySet<string>,
): Promise<ThreadRow[]> {
  if (parentIds.length === 0 || online.size === 0) return []
  const followers = await db.query<{ profile_id: string }>(sql`
    select distinct f.profile_id from thread_follows f
    where f.org_id = ${orgId} and f.parent_id = any(${parentIds}::uuid[]) and f.following limit ${MAX_FOLLOWERS}`)
  const profileIds = followers.map(({ profile_id: id }) => id).filter((id) => online.has(id))
  if (profileIds.length === 0) return []
  return db.query<ThreadRow>(
    threadStates(
      orgId,
      sql`f.following and f.parent_id = any(${parentIds}::uuid[]) and f.profile_id = any(${profileIds}::text[])`,
    ),
  )
}
