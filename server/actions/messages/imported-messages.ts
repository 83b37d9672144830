import type { MessageType } from '../../../contract/message.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { StoredAttachment } from '../../queries/messages/messages.ts'

export type ImportedRow = {
  id: string
  topic_id: string
  sender_id: string
  type: MessageType
  text: string
  mentions: string[]
  parent_id: string | null
  is_edited: boolean
  reactions: { emoji: string; count: number }[]
  attachments?: StoredAttachment[] | null
  created_at: number
  updated_at: number
}

/** Inserts messages of an export with the ids and times that they had. No event tells of them. */
export async function insertImported(db: Queryable, orgId: string, rows: readonly ImportedRow[]) {
  if (rows.length === 0) return
  const rest = rows.map(({ type, is_edited: isEdited, reactions, attachments, updated_at: updatedAt }) =>
    JSON.stringify({ type, isEdited, reactions, ...(attachments && { attachments }), updatedAt }),
  )
  await db.query(sql`
    select insert_messages(${orgId}, ${rows.map(() => orgId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.topic_id)}::uuid[],
      ${rows.map((row) => row.sender_id)}::text[], ${rows.map(({ text }) => text)}::text[],
      ${rows.map(({ mentions }) => `{${mentions.join(',')}}`)}::text[], ${rows.map((row) => row.parent_id)}::uuid[], null,
      ${rows.map((row) => row.created_at)}::bigint[], ${rest}::text[]::jsonb[])`)
}
