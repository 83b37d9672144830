import type { ChatMessage } from '../../contract/people/chat-message.ts'
import type { StreamingRow } from '../queries/messages/streamed-messages.ts'

/** The message as people see it while it grows: without a text that is to be checked first. Its mentions count when it has ended. */
export function presentStreaming(row: StreamingRow): ChatMessage {
  const { steps, sources, activity } = row.progress ?? {}
  return {
    id: row.id,
    topicId: row.topic_id,
    senderId: row.sender_id,
    senderName: row.sender_name,
    senderType: 'bot',
    type: 'text',
    text: row.message_check == null ? row.text : '',
    createdAt: row.created_at,
    updatedAt: row.created_at,
    isEdited: false,
    isSystem: false,
    truncated: false,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.thread_only && { threadOnly: true as const }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    stream: { status: 'streaming', ...(activity !== undefined && { activity }) },
    ...(steps && { steps }),
    ...(sources && { sources }),
    attachments: [],
    mentions: [],
    mentionDetails: [],
    reactions: [],
    replyCount: 0,
  }
}
