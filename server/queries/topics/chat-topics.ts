import type { MessageType } from '../../../contract/message.ts'
import type { Role } from '../../../contract/operation.ts'
import { COUNTED_UNREAD, type Level, NAMED_MEMBERS } from '../../../contract/people/chat-records.ts'
import type { Reach } from '../../../contract/reach.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, type Sql, sql } from '../../db/sql.ts'
import { FIRST_ID, LAST_ID } from '../../ids.ts'
import { isMentionedByGroup } from '../messages/group-mentions.ts'
import { guestsIn } from './guests.ts'
import { isOpenTo, maySee } from './open-topics.ts'

export type ChatTopicRow = {
  id: string
  type: 'topic' | 'dm'
  name: string
  description: string
  announcement: boolean
  open: boolean
  joined_by_default: boolean
  archived_at: number | null
  label_id: string | null
  cover_file_id: string | null
  created_by: string
  created_at: number
  updated_at: number
  member_count: number
  member_ids: string[]
  reaches: Record<string, Reach> | null
  bots_stopped_at: number | null
  keep_messages_days: number | null
  guests: number
  pins: number
  is_member: boolean
  role: Role
  last_id: string | null
  last_sender_id: string
  last_text: string
  last_title: string | null
  last_type: MessageType
  last_created_at: number
} & TopicStateRow

export type TopicStateRow = {
  topic_id: string
  read_to: string | null
  unread_after: string | null
  late_read_to: string | null
  unread: number
  mentions: number
  muted: boolean
  favourite: boolean
  section_id: string | null
  place: number | null
  level: Level
}

const PREVIEW_LENGTH = 200
/** Messages searched for unread ones of others, because many of the caller's own can come before them, and mentions for those in the topic. */
const LOOKED_AT = 1000

/** The first possible id of a message sent after they joined (`m`). */
export const joinedAt = sql`(lpad(to_hex(m.joined_at), 12, '0') || '70008000000000000000')::uuid`

/** The start of unread messages: behind the read position (`s`), or, for people who have none, the time they joined (`m`). */
const readTo = sql`coalesce(s.read_to, ${joinedAt})`

/**
 * Messages of others that appeared after newer ones, behind the late read position; those behind the read position too are
 * counted with the others.
 */
const lateOnes = ({ orgId }: Caller, condition: Sql) => sql`
  select from (
    select x.id, x.sender_id, x.mentions, x.details, x.thread_only from messages x
    where x.org_id = ${orgId} and x.appeared_id is not null
      and (x.topic_id, x.appeared_id) > (m.topic_id, greatest(${readTo}, s.late_read_to))
      and (x.topic_id, x.appeared_id) <= (m.topic_id, ${LAST_ID}::uuid)
    order by x.topic_id, x.appeared_id limit ${LOOKED_AT}
  ) y where y.sender_id <> m.profile_id and y.id <= ${readTo} and not y.thread_only and ${condition} limit ${COUNTED_UNREAD}`

/** The notification level, for rows of `topics` t and `topic_states` s. */
export const levelOf = sql`coalesce(s.level, case t.type when 'dm' then 'everything' else 'mentions' end)`

/**
 * Unread counts, for rows of `topic_members` m, `topics` t and `topic_states` s. Each count is a range of one index
 * from the read position on that ends after 100 finds, and one of late messages. The range and the order name the
 * index's columns (see `messagePage`); without an order, the mentions of a long topic were read one by one.
 */
const stateColumns = (caller: Caller): Sql => sql`
  m.topic_id, nullif(s.read_to, ${FIRST_ID}) as read_to, ${readTo} as unread_after, s.late_read_to, coalesce(s.muted, false) as muted,
  coalesce(s.favourite, false) as favourite, s.section_id, s.place, ${levelOf} as level,
  least(${COUNTED_UNREAD}, (select count(*)::integer from (
    select from (
      select x.sender_id, x.is_system from messages x
      where x.org_id = ${caller.orgId} and not x.thread_only
        and (x.topic_id, x.id) > (m.topic_id, ${readTo}) and (x.topic_id, x.id) <= (m.topic_id, ${LAST_ID}::uuid)
      order by x.topic_id, x.id limit ${LOOKED_AT}
    ) y where y.sender_id <> m.profile_id and not y.is_system limit ${COUNTED_UNREAD}
  ) z) + (select count(*)::integer from (${lateOnes(caller, sql`true`)}) z)) as unread,
  least(${COUNTED_UNREAD}, (select count(*)::integer from (
    select y.message_id from (
      select n.message_id, n.parent_id from mentions n
      where n.org_id = ${caller.orgId} and n.profile_id = m.profile_id
        and (n.topic_id, n.message_id) > (m.topic_id, ${readTo}) and (n.topic_id, n.message_id) <= (m.topic_id, ${LAST_ID}::uuid)
      order by n.topic_id, n.message_id limit ${LOOKED_AT}
    ) y where y.parent_id is null
    union
    select y.id from (
      select x.id, x.sender_id, x.details, x.thread_only from messages x
      where x.org_id = ${caller.orgId} and x.details ? 'groupMentions'
        and (x.topic_id, x.id) > (m.topic_id, greatest(${readTo}, ${joinedAt})) and (x.topic_id, x.id) <= (m.topic_id, ${LAST_ID}::uuid)
      order by x.topic_id, x.id limit ${LOOKED_AT}
    ) y where y.sender_id <> m.profile_id and not y.thread_only and ${isMentionedByGroup(sql`y.details`, sql`m.profile_id`)}
    limit ${COUNTED_UNREAD}
  ) z) + (select count(*)::integer from (${lateOnes(
    caller,
    sql`(m.profile_id = any(y.mentions) or y.details ? 'groupMentions' and ${isMentionedByGroup(sql`y.details`, sql`m.profile_id`)})`,
  )}) z)) as mentions`

/** The states of the caller's topics; `m` is the membership. `stored` joins rows `s` other than those of the table, such as new ones. */
export const statesOf = (
  caller: Caller,
  condition: Sql,
  stored: Sql = sql`left join topic_states s`,
): Sql => sql`
  select ${stateColumns(caller)}
  from topic_members m
  join topics t on t.org_id = m.org_id and t.id = m.topic_id
  ${stored} on s.org_id = m.org_id and s.profile_id = m.profile_id and s.topic_id = m.topic_id
  where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} and ${condition}`

/** Topics (`t`) as a person sees them, whether they are in them (`m`) or not. */
function chatTopics(caller: Caller, condition: Sql, options: { members: number; rest?: Sql }): Sql {
  const { members, rest = nothing } = options
  return sql`
    select t.id, t.type, t.description, t.announcement, t.open, t.joined_by_default, t.archived_at, t.bots_stopped_at, t.label_id,
      t.cover_file_id, t.created_by, t.created_at, t.updated_at, ${topicName(caller)} as name,
      (select count(*)::integer from topic_members o where o.org_id = ${caller.orgId} and o.topic_id = t.id) as member_count,
      array(
        select o.profile_id from topic_members o where o.org_id = ${caller.orgId} and o.topic_id = t.id
        order by o.joined_at, o.profile_id limit ${members}
      ) as member_ids,
      ${guestsIn(caller.orgId, sql`t.id`)} as guests,
      (select json_object_agg(o.profile_id, o.reach) from topic_members o
        where o.org_id = ${caller.orgId} and o.topic_id = t.id and o.profile_id >= 'b@' and o.profile_id < 'bA'
          and o.reach <> 'everything') as reaches,
      nullif(coalesce(t.keep_messages_days,
        (select o.keep_messages_days from organizations o where o.org_id = ${caller.orgId})), 0) as keep_messages_days,
      (select count(*)::integer from pins p where p.org_id = ${caller.orgId} and p.topic_id = t.id) as pins,
      m.topic_id is not null as is_member, me.role,
      l.id as last_id, l.sender_id as last_sender_id, l.text as last_text, l.type as last_type, l.title as last_title,
      l.created_at as last_created_at,
      ${stateColumns(caller)}
    from profiles me
    join topics t on t.org_id = me.org_id
    left join topic_members m on m.org_id = t.org_id and m.topic_id = t.id and m.profile_id = me.id
    left join topic_states s on s.org_id = t.org_id and s.profile_id = me.id and s.topic_id = t.id
    left join lateral (
      select x.id, x.sender_id, x.type, left(x.text, ${PREVIEW_LENGTH}) as text, x.created_at,
        left(coalesce(x.details->x.type->>'title', x.details->x.type->>'name', x.attachments->0->>'name'), ${PREVIEW_LENGTH}) as title
      from messages x
      where x.org_id = ${caller.orgId} and not x.thread_only
        and (x.topic_id, x.id) >= (t.id, ${FIRST_ID}::uuid) and (x.topic_id, x.id) <= (t.id, ${LAST_ID}::uuid)
      order by x.topic_id desc, x.id desc limit 1
    ) l on true
    where me.org_id = ${caller.orgId} and me.id = ${caller.profileId} and ${condition}
    ${rest}`
}

/** The name of a topic (`t`) for the caller; a direct message has the names of the others. */
export const topicName = ({ orgId, profileId }: Caller): Sql => sql`case when t.type = 'dm' then coalesce((
    select string_agg(p.name, ', ' order by o.joined_at, p.name, p.id)
    from topic_members o join profiles p on p.org_id = o.org_id and p.id = o.profile_id
    where o.org_id = ${orgId} and o.topic_id = t.id and o.profile_id <> ${profileId}
  ), t.name) else t.name end`

/** Reads topics by id; the caller's own alone. */
export function readChatTopics(
  caller: Caller,
  db: Queryable,
  topicIds: readonly string[],
): Promise<ChatTopicRow[]> {
  if (topicIds.length === 0) return Promise.resolve([])
  const isMine = sql`t.id = any(${topicIds}::uuid[]) and m.topic_id is not null`
  return db.query<ChatTopicRow>(chatTopics(caller, isMine, { members: NAMED_MEMBERS.inLists }))
}

export type OwnTopicPosition = [createdAt: number, id: string]
export type OwnTopicPlace = { topic_id: string; created_at: number }

/** Ids of the caller's topics, the newest first; one row more than `limit`. */
export function listOwnTopicIds(
  caller: Caller,
  db: Queryable,
  { after, limit }: { after?: OwnTopicPosition; limit: number },
): Promise<OwnTopicPlace[]> {
  const isNext = after
    ? sql`and (m.topic_created_at, m.topic_id) < (${after[0]}, ${after[1]}::uuid)`
    : nothing
  return db.query<OwnTopicPlace>(sql`
    select m.topic_id, m.topic_created_at as created_at from topic_members m
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} ${isNext}
    order by m.topic_created_at desc, m.topic_id desc limit ${limit + 1}`)
}

/** A topic that they are in or may read, with its first members. */
export async function readChatTopic(
  caller: Caller,
  db: Queryable,
  topicId: string,
): Promise<ChatTopicRow | undefined> {
  const isVisible = sql`t.id = ${topicId} and (m.topic_id is not null or ${isOpenTo(sql`${caller.orgId}`, sql`me.id`)})`
  const [row] = await db.query<ChatTopicRow>(chatTopics(caller, isVisible, { members: NAMED_MEMBERS.alone }))
  return row
}

/** Ids of the caller's topics whose names have this part, by name; one row more than `limit`. */
export function findOwnTopicIds(
  caller: Caller,
  db: Queryable,
  { search, after, limit }: { search: string; after?: OpenTopicPosition; limit: number },
): Promise<{ topic_id: string; name_key: string }[]> {
  return db.query<{ topic_id: string; name_key: string }>(sql`
    select t.id as topic_id, lower(t.name) as name_key from topic_members m
    join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} and t.type = 'topic' and t.archived_at is null
      and ${hasInName(search)} and ${after ? sql`(lower(t.name), t.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`}
    order by lower(t.name), t.id limit ${limit + 1}`)
}

/** Whether the name of a topic (`t`) has this part. */
const hasInName = (search: string): Sql =>
  search === '' ? sql`true` : sql`lower(t.name) like lower(${`%${search.replace(/[\\%_]/g, '\\$&')}%`})`

/** Whether they are in a topic, or may look into it. */
export async function mayReadTopic(caller: Caller, db: Queryable, topicId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from topics x where x.org_id = ${caller.orgId} and x.id = ${topicId} and ${maySee(caller, sql`x.id`)}`)
  return rows.length > 0
}

export type OpenTopicPosition = [name: string, id: string]

/** Open topics that they are not in, by name; one row more than `limit`. */
export function listOpenTopics(
  caller: Caller,
  db: Queryable,
  { search, after, limit }: { search: string; after?: OpenTopicPosition; limit: number },
): Promise<(ChatTopicRow & { name_key: string })[]> {
  const isFound = sql`t.open and t.archived_at is null and m.topic_id is null
    and ${hasInName(search)}
    and ${after ? sql`(lower(t.name), t.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`}
    and ${isOpenTo(sql`${caller.orgId}`, sql`me.id`)}`
  return db.query<ChatTopicRow & { name_key: string }>(sql`
    select x.*, lower(x.name) as name_key from (${chatTopics(caller, isFound, {
      members: NAMED_MEMBERS.inLists,
      rest: sql`order by lower(t.name), t.id limit ${limit + 1}`,
    })}) x order by lower(x.name), x.id`)
}
