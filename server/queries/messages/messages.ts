import type { MessageActions } from '../../../contract/actions.ts'
import type { GroupMentions } from '../../../contract/group-mentions.ts'
import type {
  Attachment,
  EventMessage,
  LinkPreview,
  MessageForward,
  MessageType,
} from '../../../contract/message.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { join, literal, nothing, type Sql, sql } from '../../db/sql.ts'
import { FIRST_ID, firstUuidAt, LAST_ID, lastUuidAt } from '../../ids.ts'
import { isIn, maySee } from '../topics/open-topics.ts'

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
  /** Whether it is a reply that its topic does not show. */
  thread_only: boolean
  reactions: { emoji: string; count: number }[]
  details: MessageDetails | null
  attachments: StoredAttachment[] | null
  /** The place in the order of appearance, set if the message appeared after newer ones. */
  appeared_id?: string | null
  created_at: number
  updated_at: number
}

/** Details by message type, under their names in the contract. */
export type MessageDetails = Pick<
  EventMessage,
  'poll' | 'task' | 'call' | 'location' | 'contact' | 'stream' | 'steps' | 'sources' | 'assistant'
> & {
  actions?: StoredActions
  forwarded?: StoredForward
  preview?: StoredPreview
  groupMentions?: StoredGroupMentions
}

/** `people` is who is mentioned; without it, everyone who was in the topic. */
export type StoredGroupMentions = GroupMentions & { people?: string[] }

/** The hash is computed on reading. */
export type StoredActions = Omit<MessageActions, 'hash'>

/** Names are looked up on reading, like those of senders. */
export type StoredForward = Omit<MessageForward, 'senderName' | 'senderType'>

/** `imageId` is the file's id. */
export type StoredPreview = Omit<LinkPreview, 'thumbnailUrl'>

/** The files that a message refers to. */
export const filesOf = ({ attachments, details }: Pick<MessageRow, 'attachments' | 'details'>): string[] => [
  ...(attachments?.map(({ id }) => id) ?? []),
  ...(details?.preview?.imageId === undefined ? [] : [details.preview.imageId]),
]

/** An attachment as it is kept: without links, which are made when it is shown. */
export type StoredAttachment = Omit<Attachment, 'url' | 'thumbnailUrl'> & { thumbnail?: boolean }

/** Columns of a message `x`. */
const ownColumns = sql`x.id, x.topic_id, x.sender_id, x.type, x.text, x.mentions, x.parent_id, x.external_id, x.is_system,
  x.is_edited, x.reply_count, x.thread_only, x.reactions, x.details, x.attachments, x.appeared_id, x.created_at, x.updated_at`

/** Columns of a message `x` and its sender `p`. */
export const messageColumns = sql`${ownColumns}, p.name as sender_name`

/** A message of one of the caller's topics. */
export async function readMessage(
  caller: Caller,
  db: Queryable,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(messageBy(caller, messageId, isIn(caller, sql`x.topic_id`)))
  return row
}

/** A message of a topic that the caller may read. */
export async function readVisibleMessage(
  caller: Caller,
  db: Queryable,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(messageBy(caller, messageId, maySee(caller, sql`x.topic_id`)))
  return row
}

const messageBy = (caller: Caller, messageId: string, condition: Sql): Sql => sql`
  select ${messageColumns}
  from messages x join profiles p on p.org_id = x.org_id and p.id = x.sender_id
  where x.org_id = ${caller.orgId} and x.id = ${messageId} and ${condition}`

/** A message of the caller's topics whose files are still being processed. */
export type PendingRow = Pick<
  MessageRow,
  'id' | 'topic_id' | 'sender_id' | 'text' | 'mentions' | 'parent_id' | 'external_id' | 'created_at'
> & {
  attachments: StoredAttachment[]
  compress_images: boolean
  also_in_topic: boolean
  marks: Record<string, PendingMark>
}

export type PendingMark = { deliveredAt: number; readAt: number | null }

export async function readPendingMessage(
  caller: Caller,
  db: Queryable,
  messageId: string,
): Promise<PendingRow | undefined> {
  const [row] = await db.query<PendingRow>(sql`
    select x.* from pending_messages x
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

/** `after` is the message before the page, in its order; with `isIncluded` the page begins with it. */
export type MessagePlace = {
  filters: MessageFilters
  after?: string
  isIncluded?: boolean
  limit: number
  /** Pages get a topic without replies that stay in their threads, and each message says whether it stays. */
  forPages?: true
}

/** A page by age: each message as JSON, ready to be sent, or as the row that it is made from. */
export type MessageList = {
  messages: (string | MessageRow)[]
  /** The last message, if there are more. */
  lastId: string | undefined
}

export async function listMessages(
  caller: Caller,
  db: Queryable,
  topicId: string,
  place: MessagePlace,
): Promise<MessageList> {
  const [page] = await db.query<PageRow>(messagePage(caller, topicId, place))
  return listOf(page, topicId, place)
}

export function listOf(page: PageRow | undefined, topicId: string, { limit }: MessagePlace): MessageList {
  if (!page || page.pieces === null) return { messages: [], lastId: undefined }
  const pieces = page.pieces.split(PIECE_END)
  const isMore = pieces.length > limit
  const names = page.names ?? {}
  const messages = pieces
    .slice(0, limit)
    .map((piece): string | MessageRow =>
      piece.startsWith('{') ? wholeRow(piece, names) : plainJson(piece, topicId, names),
    )
  const last = isMore ? messages.at(-1) : undefined
  const lastId = typeof last === 'string' ? pieces[limit - 1]?.slice(0, UUID_LENGTH) : last?.id
  return { messages, lastId }
}

/** Messages joined into one text, and the names of their senders. */
export type PageRow = { pieces: string | null; names: SenderNames | null }
type SenderNames = Readonly<Record<string, string>>

const UUID_LENGTH = 36
/** Control characters that occur nowhere else: JSON escapes them. */
const PIECE_END = '\x1e'
const FIELD_END = '\x1f'

/** Whether `presentMessage` needs only the row. */
const isPlain = sql`x.details is null and x.attachments is null and cardinality(x.mentions) = 0
  and jsonb_array_length(x.reactions) = 0`

/**
 * Fields of a plain message, from which `plainJson` makes exactly what `presentMessage` and the contract's serializer
 * write. Most messages are plain. A page of fifty as one text of such fields takes PostgreSQL two thirds of the time
 * for writing the JSON.
 */
const plainFields = (
  more: Sql,
): Sql => sql`concat_ws(${FIELD_END}, x.id, x.sender_id, x.type, to_json(x.text), x.created_at, x.updated_at,
  x.is_edited, x.is_system, x.reply_count, ',"parentId":"' || x.parent_id || '"', ',"externalId":' || to_json(x.external_id) ${more})`
const threadOnlyField = sql`, case when x.thread_only then ',"threadOnly":true' end`
/** Fields that every plain message has. A reply has its parent behind them, and a message with an external id has that. */
const PLAIN_FIELDS = 9

function plainJson(piece: string, topicId: string, names: SenderNames): string {
  const fields = piece.split(FIELD_END)
  const [id, senderId = '', type, text, createdAt, updatedAt, edited, system, replyCount] = fields
  const name = JSON.stringify(names[senderId] ?? '')
  const senderType = isBotId(senderId) ? 'bot' : 'user'
  const references = fields.length > PLAIN_FIELDS ? fields.slice(PLAIN_FIELDS).join('') : ''
  return (
    `{"id":"${id}","topicId":"${topicId.toLowerCase()}","senderId":"${senderId}","senderName":${name},"senderType":"${senderType}",` +
    `"type":"${type}","text":${text},"createdAt":${createdAt},"updatedAt":${updatedAt},` +
    `"isEdited":${edited === 't'},"isSystem":${system === 't'},"truncated":false,"attachments":[],"mentions":[],"mentionDetails":[],` +
    `"reactions":[],"replyCount":${replyCount}${references}}`
  )
}

function wholeRow(piece: string, names: SenderNames): MessageRow {
  const row: Omit<MessageRow, 'sender_name'> = JSON.parse(piece)
  return { ...row, sender_name: names[row.sender_id] ?? '' }
}

/**
 * A page of messages by age; one more than `limit`. A page is a range of one index, and touches as many rows as it
 * shows, however long the topic is.
 *
 * The range and the order name the index's columns, so that statistics do not choose the index. Written as `topic_id =
 * …`, the planner was free to walk the primary key, and did so for a topic with most of an organization's messages,
 * past those of all other topics. Names are looked up after the limit, once for each sender: a join was free to read
 * every profile of the server. So one plan serves all pages, and is kept. `beside` makes more columns of the messages shown.
 */
export function messagePage(
  caller: Caller,
  topicId: string,
  place: MessagePlace,
  beside?: (shown: Sql) => Sql,
): Sql {
  const { order, includeSystem, senderId, threadId } = place.filters
  const { forPages } = place
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const [first, last] = idRange(place)
  const range = rangeFor(topicId, place.filters)
  const columns = [...range.map(({ column }) => column), sql`m.id`]
  const values = range.map(({ value }) => sql`${value}`)
  const comma = sql`, `
  const shown = sql`(select * from page order by id ${direction} limit ${literal(place.limit)})`
  return sql`
    with page as materialized (
      select * from messages m
      where m.org_id = ${caller.orgId} and ${maySee(caller, sql`${topicId}`)}
        and (${join(columns, comma)}) >= (${join([...values, sql`${first}`], comma)})
        and (${join(columns, comma)}) <= (${join([...values, sql`${last}`], comma)})
        ${threadId === undefined ? nothing : sql`and m.parent_id is not null and m.topic_id = ${topicId}`}
        ${threadId === undefined || senderId === undefined ? nothing : sql`and m.sender_id = ${profileKey(senderId)}`}
        ${includeSystem ? nothing : sql`and not m.is_system`}
        ${forPages && threadId === undefined ? sql`and not m.thread_only` : nothing}
      order by ${join(
        columns.map((column) => sql`${column} ${direction}`),
        comma,
      )} limit ${literal(place.limit + 1)}
    )
    select string_agg(y.piece, ${PIECE_END}) as pieces,
      (select json_object_agg(p.id, p.name) from profiles p
        where p.org_id = ${caller.orgId} and p.id = any(array(select sender_id from page))) as names
      ${beside ? sql`, ${beside(shown)}` : nothing}
    from (
      select case when ${isPlain} then ${plainFields(forPages ? threadOnlyField : nothing)}
        else (select row_to_json(r) from (select ${ownColumns}) r)::text end as piece
      from page x order by x.id ${direction}
    ) y`
}

const profileKey = (profileId: string) => profileId.toLowerCase()

/** The columns in the filter's index between the organization and the id: messages_thread, _sender or _topic. */
function rangeFor(topicId: string, { senderId, threadId }: MessageFilters): { column: Sql; value: string }[] {
  if (threadId !== undefined) return [{ column: sql`m.parent_id`, value: threadId }]
  const inTopic = { column: sql`m.topic_id`, value: topicId }
  if (senderId === undefined) return [inTopic]
  return [inTopic, { column: sql`m.sender_id`, value: profileKey(senderId) }]
}

/** Ids have 48 bits for the time, until the year 10889; a bound beyond that is as good as the last moment. */
const LAST_MOMENT = 2 ** 48 - 1
const LAST_NUMBER = 2n ** 128n - 1n
const numberOf = (id: string): bigint => BigInt(`0x${id.replaceAll('-', '')}`)
const idOf = (number: bigint): string => number.toString(16).padStart(32, '0')

/** The first and the last id that can be on the page: times and cursor exclude themselves, the range does not. */
function idRange({
  filters: { order, before, after },
  after: cursor,
  isIncluded,
}: MessagePlace): [string, string] {
  const lower = [0n]
  const upper = [LAST_NUMBER]
  if (after !== undefined) lower.push(numberOf(lastUuidAt(Math.min(after, LAST_MOMENT))) + 1n)
  if (before !== undefined) upper.push(numberOf(firstUuidAt(Math.min(before, LAST_MOMENT))) - 1n)
  const step = isIncluded ? 0n : 1n
  if (cursor !== undefined && order === 'asc') lower.push(numberOf(cursor) + step)
  if (cursor !== undefined && order === 'desc') upper.push(numberOf(cursor) - step)
  const first = lower.reduce((one, other) => (one > other ? one : other))
  const last = upper.reduce((one, other) => (one < other ? one : other))
  return first > LAST_NUMBER || last < 0n ? [LAST_ID, FIRST_ID] : [idOf(first), idOf(last)]
}

/** Sorted, the latest pin first; there are few. */
export function listPinnedMessages(caller: Caller, db: Queryable, topicId: string): Promise<MessageRow[]> {
  return db.query<MessageRow>(sql`
    select ${messageColumns}
    from pins n
    join messages x on x.org_id = n.org_id and x.id = n.message_id
    join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    where n.org_id = ${caller.orgId} and n.topic_id = ${topicId} and ${maySee(caller, sql`${topicId}`)}
    order by n.pinned_at desc, n.message_id desc`)
}

/** Whether the caller may read a topic. */
export async function isTopicVisible(caller: Caller, db: Queryable, topicId: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select ${maySee(caller, sql`${topicId}`)} as found`)
  return row?.found ?? false
}

export async function isTopicMember(caller: Caller, db: Queryable, topicId: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select ${isIn(caller, sql`${topicId}`)} as found`)
  return row?.found ?? false
}

/** Profiles named in a message, besides its sender. */
export const namedIn = ({
  mentions,
  details,
}: Pick<MessageRow, 'mentions' | 'details'>): readonly string[] =>
  details?.forwarded ? [...mentions, details.forwarded.senderId] : mentions

/** Names of profiles, for mentions and forwards; asks nothing when there are none. */
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

/** People who reacted, by message and emoji, in the order of reacting. */
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
