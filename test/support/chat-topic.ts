import type { ChatTopic } from '../../contract/people/chat-records.ts'

/** A plain topic as `startChat` lists it: an open one without messages. */
export const plainChatTopic = (
  topic: Pick<ChatTopic, 'id' | 'name' | 'createdBy' | 'createdAt' | 'memberIds'> & Partial<ChatTopic>,
): ChatTopic => ({
  description: '',
  type: 'topic',
  announcement: false,
  open: true,
  joinedByDefault: false,
  archivedAt: null,
  labelId: null,
  updatedAt: topic.createdAt,
  memberCount: topic.memberIds.length,
  isMember: true,
  mayWrite: true,
  maySet: false,
  pins: 0,
  lastMessage: null,
  readTo: null,
  unreadAfter: '00000000-0000-0000-0000-000000000000',
  lateReadTo: null,
  unread: 0,
  mentions: 0,
  muted: false,
  favourite: false,
  level: 'mentions',
  ...topic,
})
