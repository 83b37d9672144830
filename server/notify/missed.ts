import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Listener } from './audience.ts'
import type { NoticeMessage } from './notices.ts'

const MINUTE_MS = 60_000

/** Keeps messages that people may miss, for those who want a mail about them. */
export async function keepMissed(
  tx: Queryable & { now(): number },
  orgId: string,
  listeners: readonly Listener[],
  messages: ReadonlyMap<string, NoticeMessage>,
): Promise<void> {
  const missed = listeners.flatMap(({ profileId, messageId, mailAfterMinutes }) => {
    const message = messages.get(messageId)
    if (!message || mailAfterMinutes === 0) return []
    const { topicId, readAt } = message
    return [{ profileId, messageId, topicId, readAt, dueAt: tx.now() + mailAfterMinutes * MINUTE_MS }]
  })
  if (missed.length === 0) return
  await tx.query(sql`
    insert into missed_messages (org_id, profile_id, message_id, topic_id, read_at, due_at)
    select ${orgId}, x.* from unnest(${missed.map(({ profileId }) => profileId)}::text[],
      ${missed.map(({ messageId }) => messageId)}::uuid[], ${missed.map(({ topicId }) => topicId)}::uuid[],
      ${missed.map(({ readAt }) => readAt)}::uuid[], ${missed.map(({ dueAt }) => dueAt)}::bigint[]) as x
    on conflict do nothing`)
}

export type MissedTopic = {
  topicId: string
  isDirect: boolean
  name: string
  senders: string[]
  count: number
}

/** Takes one person's missed messages out of the list: those still there, unread, and theirs to see, by topic. */
export function takeMissed(
  tx: Queryable,
  { orgId, profileId }: { orgId: string; profileId: string },
): Promise<MissedTopic[]> {
  return tx.query<MissedTopic>(sql`
    with taken as (
      delete from missed_messages where org_id = ${orgId} and profile_id = ${profileId}
      returning org_id, profile_id, topic_id, message_id, read_at
    )
    select t.id as "topicId", t.type = 'dm' as "isDirect", t.name, array_agg(distinct p.name) as senders,
      count(*)::integer as count
    from taken k
    join messages x on x.org_id = ${orgId} and x.id = k.message_id
    join topics t on t.org_id = ${orgId} and t.id = k.topic_id
    join topic_members m on m.org_id = ${orgId} and m.topic_id = k.topic_id and m.profile_id = k.profile_id
    join profiles p on p.org_id = ${orgId} and p.id = x.sender_id
    left join topic_states s on s.org_id = ${orgId} and s.profile_id = k.profile_id and s.topic_id = k.topic_id
    left join thread_follows f on f.org_id = ${orgId} and f.profile_id = k.profile_id and f.parent_id = x.parent_id
    where k.read_at > coalesce(case when x.thread_only then f.read_to else greatest(s.read_to, s.late_read_to) end,
      '00000000-0000-0000-0000-000000000000')
    group by t.id, t.type, t.name
    order by t.type, max(x.created_at) desc`)
}
