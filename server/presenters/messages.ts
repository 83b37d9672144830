import type { GroupMentions } from '../../contract/group-mentions.ts'
import type { EventMessage, LinkPreview, Message, MessageForward } from '../../contract/message.ts'
import type { ChatMessage } from '../../contract/people/chat-message.ts'
import { isBotId } from '../../contract/profile-ids.ts'
import { type Link, linkPlaceholder } from '../files/links.ts'
import type {
  MessageRow,
  ReactionUsers,
  StoredForward,
  StoredGroupMentions,
  StoredPreview,
} from '../queries/messages/messages.ts'
import { attachmentId, presentAttachment, presentEventAttachment, previewTarget } from './attachments.ts'
import { presentActions } from './questions.ts'

type Names = ReadonlyMap<string, string>
type Parts = { names: Names; now: number; link: Link; users?: ReactionUsers | undefined }

/** The message as reads return it: ids, with details beside them. */
export function presentMessage(row: MessageRow, { names, now, link, users }: Parts): Message {
  return Object.assign(core(row, { names, now, link }), {
    attachments: row.attachments?.map(({ id }) => attachmentId(id)) ?? [],
    ...(row.attachments && {
      attachmentDetails: row.attachments.map((attachment) => presentAttachment(attachment, link)),
    }),
    mentions: row.mentions,
    mentionDetails: mentionsOf(row, names),
    reactions: row.reactions.map(({ emoji, count }) => ({
      emoji,
      count,
      ...(users && { userIds: users.get(row.id)?.get(emoji) ?? [] }),
    })),
    replyCount: row.reply_count,
  })
}

/** The message as pages get it. */
export const presentChatMessage = (row: MessageRow, parts: Parts): ChatMessage => ({
  ...presentMessage(row, parts),
  ...(row.thread_only && { threadOnly: true as const }),
  ...(row.details?.groupMentions?.people && { mentionedPeople: row.details.groupMentions.people }),
})

/** The message as events carry it: objects in place of ids. Links are added when the event is delivered. */
export function presentEventMessage(row: MessageRow, names: Names, now: number): EventMessage {
  const attachments = row.attachments?.map(presentEventAttachment) ?? []
  return Object.assign(core(row, { names, now, link: linkPlaceholder }), {
    truncated: attachments.some(({ truncated }) => truncated),
    attachments: attachments.map(({ attachment }) => attachment),
    mentions: mentionsOf(row, names),
    mentionedProfiles: row.mentions,
    reactions: row.reactions,
  })
}

const mentionsOf = (row: MessageRow, names: Names) =>
  row.mentions.map((id) => ({ id, name: names.get(id) ?? '' }))

/** Fields that reads and events have in common. */
type Core = Omit<EventMessage, 'attachments' | 'mentions' | 'mentionedProfiles' | 'reactions'>

function core(row: MessageRow, { names, now, link }: { names: Names; now: number; link: Link }) {
  const shown: Core = {
    id: row.id,
    topicId: row.topic_id,
    senderId: row.sender_id,
    senderName: row.sender_name,
    senderType: senderTypeOf(row.sender_id),
    type: row.type,
    text: row.text,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isEdited: row.is_edited,
    isSystem: row.is_system,
    truncated: false,
  }
  if (row.appeared_id) shown.appearedId = row.appeared_id
  if (row.parent_id !== null) shown.parentId = row.parent_id
  if (row.external_id !== null) shown.externalId = row.external_id
  if (row.details) Object.assign(shown, row.details)
  if (row.details?.groupMentions) shown.groupMentions = withoutPeople(row.details.groupMentions)
  if (row.details?.forwarded) shown.forwarded = presentForward(row.details.forwarded, names)
  if (row.details?.actions) shown.actions = presentActions(row.text, row.details.actions)
  if (row.details?.preview) shown.preview = presentPreview(row.details.preview, link)
  const { poll } = shown
  if (poll && hasExpired(poll.expiresAt, now)) shown.poll = { ...poll, status: 'closed' }
  return shown
}

/** Leaves out the people whom groups mention. Pages alone get them: bots are not told who was present. */
const withoutPeople = ({ people: _people, ...groupMentions }: StoredGroupMentions): GroupMentions =>
  groupMentions

const senderTypeOf = (senderId: string) => (isBotId(senderId) ? 'bot' : 'user')

const presentForward = (forwarded: StoredForward, names: Names): MessageForward => ({
  ...forwarded,
  senderName: names.get(forwarded.senderId) ?? '',
  senderType: senderTypeOf(forwarded.senderId),
})

export const presentPreview = ({ imageId, ...facts }: StoredPreview, link: Link): LinkPreview => ({
  ...facts,
  ...(imageId !== undefined && {
    imageId: attachmentId(imageId),
    thumbnailUrl: link(previewTarget(attachmentId(imageId))),
  }),
})

const hasExpired = (expiresAt: number | undefined, now: number) => expiresAt !== undefined && expiresAt <= now
