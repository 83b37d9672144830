import { isAdminRole } from '../../contract/operation.ts'
import type { FollowedThread } from '../../contract/people/chat.ts'
import type {
  ChatMember,
  ChatTopic,
  Draft,
  SidebarSection,
  TopicState,
} from '../../contract/people/chat-records.ts'
import { type Link, linkTarget } from '../files/links.ts'
import type { ChatMemberRow } from '../queries/members/chat-members.ts'
import type { BotFacts } from '../queries/members/profiles.ts'
import type { DraftRow } from '../queries/messages/drafts.ts'
import type { ThreadRow } from '../queries/messages/threads.ts'
import type { ChatTopicRow, TopicStateRow } from '../queries/topics/chat-topics.ts'
import type { SectionRow } from '../queries/topics/sections.ts'
import { attachmentId } from './attachments.ts'

/** A topic as one person sees it, with the actions that they may take. */
export function presentChatTopic(row: ChatTopicRow, profileId: string, link: Link): ChatTopic {
  const isAdmin = isAdminRole(row.role)
  const { topicId: _topicId, ...state } = presentTopicState({ ...row, topic_id: row.id })
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    announcement: row.announcement,
    open: row.open,
    joinedByDefault: row.joined_by_default,
    archivedAt: row.archived_at,
    labelId: row.label_id,
    ...(row.cover_file_id !== null && {
      coverId: row.cover_file_id,
      coverUrl: link(linkTarget(attachmentId(row.cover_file_id), 'cover.jpg')),
    }),
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    memberCount: row.member_count,
    memberIds: row.member_ids,
    ...(row.reaches !== null && { reaches: row.reaches }),
    ...(row.bots_stopped_at !== null && { botsStoppedAt: row.bots_stopped_at }),
    ...(row.guests > 0 && { guests: row.guests }),
    ...(row.keep_messages_days !== null && { keepMessagesDays: row.keep_messages_days }),
    isMember: row.is_member,
    mayWrite: row.is_member && row.archived_at === null && (!row.announcement || isAdmin),
    maySet:
      row.is_member &&
      row.type === 'topic' &&
      (isAdmin || (row.created_by === profileId && row.role !== 'guest')),
    pins: row.pins,
    lastMessage:
      row.last_id === null
        ? null
        : {
            id: row.last_id,
            senderId: row.last_sender_id,
            type: row.last_type,
            text: row.last_text,
            ...(row.last_title && { title: row.last_title }),
            createdAt: row.last_created_at,
          },
    ...state,
  }
}

export const presentTopicState = (row: TopicStateRow): TopicState => ({
  topicId: row.topic_id,
  readTo: row.read_to,
  unreadAfter: row.unread_after,
  lateReadTo: row.late_read_to,
  unread: row.unread,
  mentions: row.mentions,
  muted: row.muted,
  favourite: row.favourite,
  ...(row.section_id !== null && { sectionId: row.section_id }),
  ...(row.place !== null && { place: row.place }),
  level: row.level,
})

export const presentSection = ({ id, name, folded, sorting }: SectionRow): SidebarSection => ({
  id,
  ...(name !== null && { name }),
  folded,
  order: sorting,
})

export const presentFollowedThread = (row: ThreadRow): FollowedThread => ({
  parentId: row.parent_id,
  topicId: row.topic_id,
  lastReplyId: row.last_reply_id,
  readTo: row.read_to,
  unread: row.unread,
  unreadInTopic: row.unread_in_topic,
  mentions: row.mentions,
})

export const presentThreadState = ({ following, read_to: readTo, unread, mentions }: ThreadRow) => ({
  following,
  readTo,
  unread,
  mentions,
})

export const presentChatMember = (row: ChatMemberRow, now: number): ChatMember => ({
  id: row.id,
  type: row.kind,
  name: row.name,
  email: row.email,
  role: row.kind === 'bot' ? null : row.role,
  ...(row.guest_until !== null && { guestUntil: row.guest_until }),
  status: row.status,
  ...(row.is_erased && { erased: true as const }),
  ...(row.photo_file_id !== null && { photoId: row.photo_file_id }),
  ...(row.title !== '' && { title: row.title }),
  ...(row.show_presence && presentStatus(row, now)),
  ...(row.time_zone !== '' && { timeZone: row.time_zone }),
  ...(row.delivery !== null && { delivery: row.delivery }),
  ...(row.paused && { paused: true as const }),
})

type StatusRow = Pick<
  ChatMemberRow,
  'status_text' | 'status_emoji' | 'status_until' | 'dnd_until' | 'appears_away'
>

/** Leaves out a status that has ended, so that it need not be cleared. */
function presentStatus(row: StatusRow, now: number) {
  const { status_text: text, status_emoji: emoji, status_until: until, dnd_until: dndUntil } = row
  const isOver = until !== null && until <= now
  return {
    ...(text !== '' && !isOver && { statusText: text }),
    ...(emoji !== '' && !isOver && { statusEmoji: emoji }),
    ...(until !== null && !isOver && { statusUntil: until }),
    ...(dndUntil !== null && dndUntil > now && { dndUntil }),
    ...(row.appears_away && { appearsAway: true as const }),
  }
}

export const presentBotFacts = ({ credential, permission, scopes, ...facts }: Omit<BotFacts, 'prompts'>) => ({
  ...facts,
  mayWrite:
    credential === 'oauth' ? scopes.some((scope) => !/:(read|list)$/.test(scope)) : permission === 'write',
  scopes: credential === 'oauth' ? scopes : null,
})

export const presentDraft = (row: DraftRow): Draft => ({
  topicId: row.topic_id,
  ...(row.parent_id !== null && { parentId: row.parent_id }),
  text: row.text,
  updatedAt: row.updated_at,
})
