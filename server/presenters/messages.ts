import type { EventMessage, Message } from '../../contract/message.ts'
import type { Links } from '../files/links.ts'
import type { MessageRow, ReactionUsers } from '../queries/messages.ts'
import { attachmentId, presentAttachment, presentEventAttachment } from './attachments.ts'

type Names = ReadonlyMap<string, string>
type Parts = { names: Names; now: number; links: Links; users?: ReactionUsers | undefined }

/** As reads show it: ids, with details beside them. */
export function presentMessage(row: MessageRow, { names, now, links, users }: Parts): Message {
  return {
    ...core(row, now),
    attachments: row.attachments?.map(({ id }) => attachmentId(id)) ?? [],
    ...(row.attachments && {
      attachmentDetails: row.attachments.map((attachment) => presentAttachment(attachment, links)),
    }),
    mentions: row.mentions,
    mentionDetails: mentionsOf(row, names),
    reactions: row.reactions.map(({ emoji, count }) => ({
      emoji,
      count,
      ...(users && { userIds: users.get(row.id)?.get(emoji) ?? [] }),
    })),
    replyCount: row.reply_count,
  }
}

/** As events carry it: objects in place of ids. Links are put in when the event is handed out. */
export function presentEventMessage(row: MessageRow, names: Names, now: number): EventMessage {
  const attachments = row.attachments?.map(presentEventAttachment) ?? []
  return {
    ...core(row, now),
    truncated: attachments.some(({ truncated }) => truncated),
    attachments: attachments.map(({ attachment }) => attachment),
    mentions: mentionsOf(row, names),
    mentionedProfiles: row.mentions,
    reactions: row.reactions,
  }
}

const mentionsOf = (row: MessageRow, names: Names) =>
  row.mentions.map((id) => ({ id, name: names.get(id) ?? '' }))

function core(row: MessageRow, now: number) {
  const { poll, ...details } = row.details ?? {}
  return {
    id: row.id,
    topicId: row.topic_id,
    senderId: row.sender_id,
    senderName: row.sender_name,
    senderType: row.sender_id.startsWith('b@') ? ('bot' as const) : ('user' as const),
    type: row.type,
    text: row.text,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isEdited: row.is_edited,
    isSystem: row.is_system,
    truncated: false,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...details,
    ...(poll && { poll: hasExpired(poll.expiresAt, now) ? { ...poll, status: 'closed' as const } : poll }),
  }
}

const hasExpired = (expiresAt: number | undefined, now: number) => expiresAt !== undefined && expiresAt <= now
