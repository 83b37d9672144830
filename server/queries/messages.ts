import type { EventMessage, MessageType } from '../../contract/message.ts'
import type { Caller } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'
import { firstUuidAt, lastUuidAt } from '../ids.ts'

export type MessageRow = {
  id: string
  topic_id: string
  sender_id: string
  sender_name: string
  type: MessageType
  text: string
  mentions: string[]
  parent_id: string | null
  external_id: string | null
  is_system: boolean
  is_edited: boolean
  reply_count: number
  reactions: { emoji: string; count: number }[]
  details: MessageDetails | null
  created_at: number
  updated_at: number
}

/** What is particular to a message's type, under the name that the contract gives it. */
export type MessageDetails = Pick<EventMessage, 'poll' | 'task' | 'call' | 'location' | 'contact'>

const isIn = (caller: Caller, topicId: Sql): Sql => sql`exists (
  select from topic_members tm
  where tm.org_id = ${caller.orgId} and tm.topic_id = ${topicId} and tm.profile_id = ${caller.profileId})`

const columns = sql`x.id, x.topic_id, x.sender_id, p.name as sender_name, x.type, x.text, x.mentions, x.parent_id,
  x.external_id, x.is_system, x.is_edited, x.reply_count, x.reactions, x.details, x.created_at, x.updated_at`

/** A message of a topic that the caller is in. */
export async function readMessage(
  caller: Caller,
  db: Queryable,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(sql`
    select ${columns}
    from messages x join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    where x.org_id = ${caller.orgId} and x.id = ${messageId} and ${isIn(caller, sql`x.topic_id`)}`)
  return row
}

export type MessageFilters = {
  order: 'asc' | 'desc'
  includeSystem: boolean
  includeReactionUsers: boolean
  senderId?: string | undefined
  threadId?: string | undefined
  before?: number | undefined
  after?: number | undefined
}

/**
 * By age; one row more than `limit`. Each filter has an index that ends in the id, so a page touches as many rows as
 * it shows, however long the topic is. The limit stands inside, before names are joined, to keep it that way.
 */
export function listMessages(
  caller: Caller,
  db: Queryable,
  topicId: string,
  { filters, after, limit }: { filters: MessageFilters; after?: string; limit: number },
): Promise<MessageRow[]> {
  const ascending = filters.order === 'asc'
  const direction = ascending ? sql`asc` : sql`desc`
  return db.query<MessageRow>(sql`
    select ${columns}
    from (
      select * from messages m
      where m.org_id = ${caller.orgId} and m.topic_id = ${topicId} and ${isIn(caller, sql`${topicId}`)}
        ${filters.includeSystem ? nothing : sql`and not m.is_system`}
        ${filters.senderId === undefined ? nothing : sql`and m.sender_id = ${filters.senderId}`}
        ${filters.threadId === undefined ? nothing : sql`and m.parent_id = ${filters.threadId}`}
        ${filters.before === undefined ? nothing : sql`and m.id < ${firstUuidAt(filters.before)}`}
        ${filters.after === undefined ? nothing : sql`and m.id > ${lastUuidAt(filters.after)}`}
        ${after === undefined ? nothing : ascending ? sql`and m.id > ${after}` : sql`and m.id < ${after}`}
      order by m.id ${direction} limit ${limit + 1}
    ) x
    join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    order by x.id ${direction}`)
}

export async function isTopicMember(caller: Caller, db: Queryable, topicId: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select ${isIn(caller, sql`${topicId}`)} as found`)
  return row?.found ?? false
}

/** Names of profiles, for mentions; asks nothing when there are none. */
export async function readNames(
  caller: Pick<Caller, 'orgId'>,
  db: Queryable,
  profileIds: readonly string[],
): Promise<Map<string, string>> {
  if (profileIds.length === 0) return new Map()
  const rows = await db.query<{ id: string; name: string }>(sql`
    select id, name from profiles where org_id = ${caller.orgId} and id = any(${[...new Set(profileIds)]})`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type ReactionUsers = Map<string, Map<string, string[]>>

/** Who reacted, by message and emoji, in the order in which they did. */
export async function readReactionUsers(
  caller: Caller,
  db: Queryable,
  messageIds: readonly string[],
): Promise<ReactionUsers> {
  const users: ReactionUsers = new Map()
  if (messageIds.length === 0) return users
  const rows = await db.query<{ message_id: string; emoji: string; user_ids: string[] }>(sql`
    select message_id, emoji, array_agg(profile_id order by id) as user_ids from reactions
    where org_id = ${caller.orgId} and message_id = any(${messageIds}::uuid[])
    group by message_id, emoji`)
  for (const { message_id, emoji, user_ids } of rows) {
    const byEmoji = users.get(message_id) ?? new Map<string, string[]>()
    users.set(message_id, byEmoji.set(emoji, user_ids))
  }
  return users
}
