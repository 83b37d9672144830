import type { MessageType } from '../../../contract/message.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { StoredAttachment } from '../../queries/messages/messages.ts'
import { MAX_PINS } from './pins.ts'

export type ImportedRow = {
  id: string
  topic_id: string
  sender_id: string
  type: MessageType
  text: string
  mentions: string[]
  parent_id: string | null
  thread_only: boolean
  is_edited: boolean
  reactions: { emoji: string; count: number }[]
  attachments?: StoredAttachment[] | null
  created_at: number
  updated_at: number
}

export type ImportedReaction = {
  id: string
  message_id: string
  profile_id: string
  emoji: string
  created_at: number
}
export type ImportedPin = { topic_id: string; message_id: string; pinned_by: string; pinned_at: number }

/** Inserts messages of an export with the ids and times that they had. No event tells of them. */
export async function insertImported(db: Queryable, orgId: string, rows: readonly ImportedRow[]) {
  if (rows.length === 0) return
  const rest = rows.map(({ type, is_edited, thread_only, reactions, attachments, updated_at }) =>
    JSON.stringify({
      type,
      isEdited: is_edited,
      ...(thread_only && { threadOnly: true }),
      reactions,
      ...(attachments && { attachments }),
      updatedAt: updated_at,
    }),
  )
  await db.query(sql`
    select insert_messages(${orgId}, ${rows.map(() => orgId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.topic_id)}::uuid[],
      ${rows.map((row) => row.sender_id)}::text[], ${rows.map(({ text }) => text)}::text[],
      ${rows.map(({ mentions }) => `{${mentions.join(',')}}`)}::text[], ${rows.map((row) => row.parent_id)}::uuid[], null,
      ${rows.map((row) => row.created_at)}::bigint[], ${rest}::text[]::jsonb[])`)
}

/** Counts replies among inserted messages at the messages that they reply to. */
export async function countImportedReplies(db: Queryable, orgId: string, rows: readonly ImportedRow[]) {
  await db.query(sql`
    update messages m set reply_count = m.reply_count + x.replies
    from (select parent_id, count(*) as replies from unnest(${rows.flatMap(({ parent_id }) => parent_id ?? [])}::uuid[]) as r (parent_id)
      group by parent_id) x
    where m.org_id = ${orgId} and m.id = x.parent_id`)
}

export async function insertImportedReactions(
  db: Queryable,
  orgId: string,
  reactions: readonly ImportedReaction[],
) {
  await db.query(sql`
    insert into reactions (org_id, id, message_id, profile_id, emoji, created_at)
    select ${orgId}, x.* from jsonb_to_recordset(${JSON.stringify(reactions)}::jsonb)
      as x (id uuid, message_id uuid, profile_id text, emoji text, created_at bigint)
    on conflict do nothing`)
}

/** Inserts pins up to the limit of each topic, the oldest messages first. */
export async function insertImportedPins(db: Queryable, orgId: string, pins: readonly ImportedPin[]) {
  await db.query(sql`
    insert into pins (org_id, topic_id, message_id, pinned_by, pinned_at)
    select ${orgId}, x.topic_id, x.message_id, x.pinned_by, x.pinned_at from (
      select y.*, row_number() over (partition by y.topic_id order by y.message_id) as number
      from jsonb_to_recordset(${JSON.stringify(pins)}::jsonb)
        as y (topic_id uuid, message_id uuid, pinned_by text, pinned_at bigint)) x
    where (select count(*) from pins p where p.org_id = ${orgId} and p.topic_id = x.topic_id) + x.number <= ${MAX_PINS}
    on conflict do nothing`)
}
