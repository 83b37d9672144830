import type { ActionsInput } from '../../../contract/actions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { MessageStream } from '../../../contract/message.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, sql } from '../../db/sql.ts'
import { together } from '../../db/together.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Refusal, refusal } from '../../errors.ts'
import { readMessage } from '../../queries/messages/messages.ts'
import { isThreadOnly, type StreamingRow } from '../../queries/messages/streamed-messages.ts'
import { textRules } from '../../queries/topics/topics.ts'
import { mentionsIn } from '../../text.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn } from '../topics/written-texts.ts'
import { checkMentions, checkParent, postMessage } from './messages.ts'
import { actionsOf } from './questions.ts'

/* Everything that the row of a message goes through while its bot writes it (`Streaming` has its text). */

export type NewStream = {
  topicId: string
  text?: string
  parentId?: string
  alsoInTopic?: boolean
  externalId?: string
}

export async function beginStreaming(
  tx: Transaction,
  caller: Caller,
  { topicId, text: given = '', parentId, alsoInTopic = false, externalId }: NewStream,
  holder: string,
): Promise<StreamingRow> {
  const topic = await requireTopicToWriteIn(tx, caller, topicId, [given], { maskable: given, held: 'pass' })
  const text = maskedIn(tx, given)
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  const { id, at } = tx.moment()
  const [open] = await tx.query<{ count: number }>(sql`
    select count(*) from streaming_messages where org_id = ${tx.orgId} and sender_id = ${caller.profileId}`)
  if ((open?.count ?? 0) >= LIMITS.streamingMessages) throw refusal('streams_full')
  const [row] = await tx.query<StreamingRow>(sql`
    with s as (
      insert into streaming_messages (org_id, id, topic_id, sender_id, parent_id, external_id, also_in_topic, text, version,
        holder, created_at, touched_at)
      values (${tx.orgId}, ${id}, ${topic.id}, ${caller.profileId}, ${parentId}, ${externalId}, ${alsoInTopic}, ${text}, 0,
        ${holder}, ${at}, ${tx.now()})
      returning *
    )
    select s.*, p.name as sender_name, l.last_seq, ${isThreadOnly(tx.orgId)}
    from s join profiles p on p.org_id = ${tx.orgId} and p.id = s.sender_id
    join organization_logs l on l.org_id = ${tx.orgId}`)
  if (!row) throw new Error('a message must have a sender')
  return { ...row, blocked_words: topic.blocked_words, message_check: topic.message_check }
}

/** A node taken for dead may have shown more pieces than it stored, but fewer than this. */
const FORCED_VERSIONS = 1000

/** Takes a message that no other node holds, or `isForced`; undefined where one does, or it is not being written. */
export async function takeStreaming(
  db: Queryable,
  { orgId, id }: { orgId: string; id: string },
  { holder, isForced }: { holder: string; isForced: boolean },
): Promise<StreamingRow | undefined> {
  const [row] = await db.query<StreamingRow>(sql`
    with s as (
      update streaming_messages s
      set holder = ${holder}, version = s.version + case when ${isForced} and s.holder <> ${holder} then ${FORCED_VERSIONS}::integer else 0 end
      where s.org_id = ${orgId} and s.id = ${id} and (s.holder is null or s.holder = ${holder} or ${isForced})
      returning *
    )
    select s.*, p.name as sender_name, l.last_seq, ${isThreadOnly(orgId)}, t.archived_at is not null as is_archived, ${textRules}, exists (
      select from topic_members m
      where m.org_id = ${orgId} and m.topic_id = s.topic_id and m.profile_id = s.sender_id) as is_member
    from s join profiles p on p.org_id = ${orgId} and p.id = s.sender_id
    join organization_logs l on l.org_id = ${orgId}
    join topics t on t.org_id = ${orgId} and t.id = s.topic_id`)
  return row
}

/** Returns the node that holds the message: undefined if it is not being written, null if no node holds it. */
export async function readHolder(
  db: Queryable,
  { orgId, id }: { orgId: string; id: string },
): Promise<string | null | undefined> {
  const [row] = await db.query<{ holder: string | null }>(sql`
    select holder from streaming_messages where org_id = ${orgId} and id = ${id}`)
  return row?.holder
}

/** Returns why the caller cannot continue a message that is not being written. */
export async function refusalOfEnded(db: Queryable, caller: Caller, messageId: string): Promise<Refusal> {
  const message = await readMessage(caller, db, messageId)
  if (!message) return refusal('message_not_found')
  const isBot = isBotId(caller.profileId)
  if (isBot && message.sender_id !== caller.profileId) return refusal('forbidden')
  return refusal(
    isBot && message.details?.stream?.status === 'stopped' ? 'stream_stopped' : 'stream_finished',
  )
}

export type SavedText = {
  orgId: string
  id: string
  text: string
  version: number
  lastKey: string | null
  touchedAt: number
}

/** Keeps texts that this node holds; gives the ids of those that it still does. With `isLeft` it lets go of them. */
export async function saveStreaming(
  db: Queryable,
  holder: string,
  saved: readonly SavedText[],
  { isLeft }: { isLeft: boolean },
): Promise<Set<string>> {
  const rows = await together<{ id: string }, SavedText>(
    db,
    saved,
    (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
    update streaming_messages s
    set text = x.text, version = x.version, last_key = x.last_key, touched_at = x.touched_at,
      holder = ${isLeft ? sql`null` : sql`s.holder`}
    from unnest(${some.map((one) => one.orgId)}::uuid[], ${some.map(({ id }) => id)}::uuid[],
      ${some.map(({ text }) => text)}::text[], ${some.map(({ version }) => version)}::integer[],
      ${some.map(({ lastKey }) => lastKey)}::text[], ${some.map(({ touchedAt }) => touchedAt)}::bigint[])
      as x (org_id, id, text, version, last_key, touched_at)
    where s.org_id = ${orgId} and s.id = x.id and s.holder = ${holder}
    returning s.id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Turns the written text into a message; returns false if another node holds it. A stream that ends by itself is posted
 * with any mentions, because its bot can no longer correct them.
 */
export async function endStreaming(
  tx: Transaction,
  holder: string,
  { id, text, actions }: { id: string; text: string; actions?: ActionsInput | undefined },
  stream: MessageStream | undefined,
): Promise<boolean> {
  const [row] = await tx.query<StreamingRow>(sql`
    delete from streaming_messages where org_id = ${tx.orgId} and id = ${id} and holder = ${holder} returning *`)
  if (!row) return false
  const { steps, sources } = row.progress ?? {}
  const details = {
    ...(stream && { stream }),
    ...(steps && { steps }),
    ...(sources && { sources }),
    ...(actions && { actions: await actionsOf(tx, row.topic_id, actions) }),
  }
  const mentions = stream
    ? await membersIn(tx, row.topic_id, text)
    : await checkMentions(tx, row.topic_id, text)
  await postMessage(tx, {
    topicId: row.topic_id,
    senderId: row.sender_id,
    type: 'text',
    text,
    mentions,
    parentId: row.parent_id ?? undefined,
    alsoInTopic: row.also_in_topic,
    externalId: row.external_id ?? undefined,
    ...(Object.keys(details).length > 0 && { details }),
    sent: { id: row.id, at: row.created_at },
  })
  return true
}

async function membersIn(tx: Transaction, topicId: string, text: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select profile_id as id from topic_members
    where org_id = ${tx.orgId} and topic_id = ${topicId} and profile_id = any(${mentionsIn(text)})`)
  return rows.map(({ id }) => id)
}

/** Messages whose bots have said nothing for longest, of all organizations; `dueAt` is when they last did. */
export function listSilent(db: Queryable, range: DueRange, limit: number): Promise<DuePlace[]> {
  const { where, order } = inRange(range, { dueAt: sql`touched_at`, id: sql`id` })
  return db.query<DuePlace>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", id, touched_at as "dueAt" from streaming_messages
    where ${where} order by ${order} limit ${literal(limit)}`)
}
