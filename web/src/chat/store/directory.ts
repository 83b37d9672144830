import type { EventMessage, Message } from '../../../../contract/message.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatMember, ChatTopic, TopicState } from '../../../../contract/people/chat-records.ts'
import type { Reach } from '../../../../contract/reach.ts'
import type { ChatState } from '../model.ts'
import { dropConversation } from './content.ts'
import { MAX_COUNT } from './counts.ts'
import type { LogEvent } from './events.ts'
import { isMentioned, mentioningOf } from './mentioned.ts'
import { indexAfter } from './order.ts'
import type { StateEdit } from './state-edit.ts'
import { forgetReply, noteReply, readShownReplies } from './threads.ts'

const LAST_MESSAGE_CHARACTERS = 200
/** Files are processed within seconds: a late message stands among so many before the read position, or at the end. */
export const LATE_AMONG = 500
/** Sorts before every message: the read position once the first message is marked unread. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type TopicChanges = Partial<
  Pick<
    ChatTopic,
    'name' | 'description' | 'open' | 'joinedByDefault' | 'announcement' | 'labelId' | 'updatedAt'
  >
> & { archived?: boolean; archivedAt?: number | null }

/**
 * Applies an event to topics, counts and members. `known` is the message that it is about, as it was before, where that
 * was loaded.
 */
export function applyDirectory(edit: StateEdit, event: LogEvent, known: ChatMessage | undefined): void {
  if (event.type === 'moved') return
  if (event.type === 'member.updated') {
    putMember(edit, event.data.member)
    return
  }
  if (event.type === 'emoji.changed') {
    const { name, pictureId } = event.data
    if (pictureId === null) edit.emoji.delete(name)
    else edit.emoji.set(name, pictureId)
    return
  }
  const topic = edit.topics.get('message' in event.data ? event.data.message.topicId : event.data.topicId)
  if (!topic) return
  const put = (changes: Partial<ChatTopic>) => edit.topics.set(topic.id, { ...topic, ...changes })
  switch (event.type) {
    case 'message.created': {
      const { message, threadOnly = false } = event.data
      const { lastMessage, unread, mentions } = topic
      noteReply(edit, event.data)
      if (threadOnly) return
      const isNewest = lastMessage === null || message.id > lastMessage.id
      // A topic that was just read may have it already. A message with files has the id of when it was sent, one that a
      // bot wrote bit by bit that of when it was begun, and both may come after newer ones.
      const isCounted = !isNewest && message.attachments.length === 0 && message.appearedId === undefined
      const isUnread = isForReading(edit, message) && isBehindRead(topic, message) && !isCounted
      const isMention = isUnread && isMentioned(mentioningOf(event.data), edit.me?.id)
      put({
        ...(isNewest && { lastMessage: lastMessageOf(namedOf(message)) }),
        ...(isUnread && { unread: Math.min(MAX_COUNT, unread + 1) }),
        ...(isMention && { mentions: Math.min(MAX_COUNT, mentions + 1) }),
      })
      return
    }
    case 'message.updated': {
      const { message, threadOnly } = event.data
      if (threadOnly) return
      const isUnread = isForReading(edit, message) && isBehindRead(topic, message)
      const now = mentioningOf(event.data)
      const { previousMentions = now.mentions } = message
      const before = { ...(known ?? now), mentions: previousMentions }
      const more = Number(isMentioned(now, edit.me?.id)) - Number(isMentioned(before, edit.me?.id))
      put({
        ...(topic.lastMessage?.id === message.id && { lastMessage: lastMessageOf(namedOf(message)) }),
        ...(isUnread && more && { mentions: Math.min(MAX_COUNT, Math.max(0, topic.mentions + more)) }),
      })
      return
    }
    case 'message.deleted': {
      const { messageId, message, threadOnly = {} } = event.data
      forgetReply(edit, messageId, known, {
        senderId: message.senderId,
        parentId: threadOnly[messageId],
      })
      if (threadOnly[messageId] !== undefined) return
      const isCounted = known ? isForReading(edit, known) : message.senderId !== edit.me?.id
      const isUnread = isCounted && isBehindRead(topic, known ?? { id: messageId })
      const unread = isUnread && topic.unread < MAX_COUNT ? Math.max(0, topic.unread - 1) : topic.unread
      const wasMention = isUnread && known !== undefined && isMentioned(known, edit.me?.id)
      put({
        unread,
        mentions: Math.min(unread, Math.max(0, topic.mentions - (wasMention ? 1 : 0))),
        ...(topic.lastMessage?.id === messageId && { lastMessage: previousMessage(edit, topic) }),
      })
      return
    }
    case 'topic.updated': {
      const { archived, archivedAt, ...changes }: TopicChanges = event.data.changes
      const isArchived = archived ?? topic.archivedAt !== null
      put({
        ...changes,
        archivedAt: isArchived ? (archivedAt ?? topic.archivedAt ?? topic.updatedAt) : null,
      })
      permit(edit, topic.id)
      return
    }
    case 'member.added': {
      const added = event.data.memberIds.filter((id) => !topic.memberIds.includes(id))
      // A list of the first few stays one: new members are not among them.
      const isWhole = topic.memberIds.length >= topic.memberCount
      put({
        memberCount: topic.memberCount + added.length,
        ...(isWhole && { memberIds: [...topic.memberIds, ...added] }),
      })
      return
    }
    case 'member.removed': {
      const { memberIds, createdAt } = event.data
      if (memberIds.includes(edit.me?.id ?? '')) {
        // A person who has come back already has read the topic in a later state than this event.
        if (createdAt >= topic.updatedAt) dropTopic(edit, topic.id)
        return
      }
      const left = topic.memberIds.filter((id) => !memberIds.includes(id))
      // A topic that was read after they had left has them neither in its list nor in its count.
      const isWhole = topic.memberIds.length >= topic.memberCount
      put({
        memberCount: isWhole ? left.length : topic.memberCount - memberIds.length,
        memberIds: left,
        ...(topic.reaches && { reaches: without(topic.reaches, memberIds) }),
      })
      return
    }
    case 'bot.reach_changed': {
      const { botId, reach } = event.data
      const others = without(topic.reaches ?? {}, [botId])
      put({ reaches: reach === 'everything' ? others : { ...others, [botId]: reach } })
      return
    }
    case 'topic.guests_changed':
      put({ guests: event.data.guests })
      return
    case 'bots.stopped':
      put({ botsStoppedAt: event.data.stoppedAt })
      return
    case 'bots.released':
      put({ botsStoppedAt: null })
      return
    case 'message.pinned':
      put({ pins: topic.pins + 1 })
      return
    case 'message.unpinned':
      put({ pins: Math.max(0, topic.pins - 1) })
      return
  }
}

/** Messages of others count as unread; system messages do not. */
const isForReading = (
  { me }: StateEdit,
  { senderId, isSystem }: Pick<Message, 'senderId' | 'isSystem'>,
): boolean => senderId !== me?.id && !isSystem

/** The fields that tell whether a message was read: its id, and the place where it appeared if newer ones were there already. */
type Placed = { id: string; appearedId?: string | undefined }
type ReadPositions = Pick<ChatTopic, 'unreadAfter' | 'lateReadTo'>

const later = (one: string | null, other: string | null): string =>
  (one ?? '') > (other ?? '') ? (one ?? '') : (other ?? '')

/** Whether a message that appeared after newer ones is unread, although what stands behind it may have been read. */
export const isLateUnread = ({ unreadAfter, lateReadTo }: ReadPositions, { appearedId }: Placed): boolean =>
  appearedId !== undefined && appearedId > later(unreadAfter, lateReadTo)

const isBehindRead = (positions: ReadPositions, message: Placed): boolean =>
  message.id > (positions.unreadAfter ?? '') || isLateUnread(positions, message)

type LastMessage = NonNullable<ChatTopic['lastMessage']>

/** A message as events and reads have it: files stand in the one as `attachments`, in the other as `attachmentDetails`. */
type Named = LastMessage & Pick<ChatMessage, 'task' | 'poll' | 'location' | 'contact' | 'attachmentDetails'>

function lastMessageOf({ id, senderId, type, text, createdAt, ...message }: Named): LastMessage {
  const { task, poll, location, contact, attachmentDetails: [file] = [] } = message
  const title = task?.title ?? poll?.title ?? location?.name ?? contact?.name ?? file?.name
  return {
    id,
    senderId,
    ...(type && { type }),
    text: beginning(text),
    ...(title && { title: beginning(title) }),
    createdAt,
  }
}

const namedOf = ({ attachments, ...message }: EventMessage): Named => ({
  ...message,
  attachmentDetails: attachments,
})

const beginning = (text: string): string =>
  [...text.slice(0, 2 * LAST_MESSAGE_CHARACTERS)].slice(0, LAST_MESSAGE_CHARACTERS).join('')

/** The loaded stretch tells which message is newest now; without it only the time of the deleted one is kept, for sorting. */
function previousMessage(edit: StateEdit, { id, lastMessage }: ChatTopic): ChatTopic['lastMessage'] {
  const conversation = edit.conversations.get(id)
  const newest = edit.messages.get(conversation?.ids.at(-1) ?? '')
  if (conversation && !conversation.hasAfter) {
    if (newest) return lastMessageOf(newest)
    if (!conversation.hasBefore) return null
  }
  if (!lastMessage) return null
  const { title: _title, ...place } = lastMessage
  return { ...place, text: '' }
}

export function dropTopic(edit: StateEdit, topicId: string): void {
  edit.topics.delete(topicId)
  edit.unsavedReads.delete(topicId)
  for (const { key, topicId: its } of edit.conversations.result.values()) {
    if (its === topicId) dropConversation(edit, key)
  }
}

/** Whether the person may create topics. */
export const mayCreateTopics = ({ me, organization }: ChatState): boolean =>
  isAdmin(me) || (me?.role !== 'guest' && organization?.membersCreateTopics !== false)

/** Whether the person may invite guests to a topic that they are in. */
export const mayInviteGuests = ({ me, organization }: ChatState): boolean =>
  isAdmin(me) || (me?.role === 'member' && organization?.membersInviteGuests === true)

export function putMember(edit: StateEdit, member: ChatMember): void {
  // Pages of a large organization keep the members that they show.
  if (edit.hasManyMembers && member.id !== edit.me?.id && !edit.members.has(member.id)) return
  edit.members.set(member.id, member)
  if (member.id !== edit.me?.id) return
  edit.me = member
  for (const id of edit.topics.result.keys()) permit(edit, id)
}

const isAdmin = (me: ChatMember | undefined): boolean => me?.role === 'admin' || me?.role === 'owner'

/** Sets the person's permissions in a topic, by the rules that the server enforces. */
function permit(edit: StateEdit, topicId: string): void {
  const topic = edit.topics.get(topicId)
  if (!topic) return
  const { me } = edit
  const mayWrite = topic.isMember && topic.archivedAt === null && (!topic.announcement || isAdmin(me))
  const isOwn = topic.createdBy === me?.id && me.role !== 'guest'
  const maySet = topic.type === 'topic' && topic.isMember && (isOwn || isAdmin(me))
  if (mayWrite !== topic.mayWrite || maySet !== topic.maySet) {
    edit.topics.set(topicId, { ...topic, mayWrite, maySet })
  }
}

/** A topic that was read by itself. Reads that the server has not heard of yet stay read. */
export function putTopic(edit: StateEdit, topic: ChatTopic): void {
  edit.topics.set(topic.id, topic)
  moveRead(edit, topic.id, edit.unsavedReads.get(topic.id))
}

/**
 * Takes over the server's state of topics after a change by the person. The server wins, unless more was read here
 * since: that is sent next.
 */
export function putStates(edit: StateEdit, states: readonly TopicState[]): void {
  for (const { topicId, ...given } of states) {
    const known = edit.topics.get(topicId)
    if (!known) continue
    const { sectionId: _section, place: _place, ...topic } = known
    const unsaved = edit.unsavedReads.get(topicId)
    const isReadFurther = unsaved !== undefined && unsaved > (given.unreadAfter ?? '')
    const isMoved = given.unreadAfter !== topic.unreadAfter || given.lateReadTo !== topic.lateReadTo
    // The count of this browser wins, unless it looks into the past: an answer may have counted a message whose event is
    // still to come, and counts by itself.
    const isCountedHere = !isMoved && edit.conversations.get(topicId)?.hasAfter !== true
    if (isReadFurther || isCountedHere) {
      const { muted, favourite, level, sectionId, place } = given
      edit.topics.set(topicId, {
        ...topic,
        muted,
        favourite,
        level,
        ...(sectionId !== undefined && { sectionId }),
        ...(place !== undefined && { place }),
      })
      continue
    }
    const isAllRead = topic.lastMessage !== null && (given.unreadAfter ?? '') >= topic.lastMessage.id
    const { unread, mentions } = isMoved ? { unread: 0, mentions: 0 } : topic
    edit.topics.set(topicId, { ...topic, ...given, ...(isAllRead && { unread, mentions }) })
    recount(edit, topicId)
    if (isAllRead) readShownReplies(edit, topicId)
  }
}

/** Moves the read position to this message, only forward, and counts what is left. */
export function moveRead(edit: StateEdit, topicId: string, messageId: string | undefined): void {
  const topic = edit.topics.get(topicId)
  if (!topic || messageId === undefined) return
  const message: Placed = edit.messages.get(messageId) ?? { id: messageId }
  if (!isBehindRead(topic, message)) return
  const unreadAfter = later(topic.unreadAfter, messageId)
  const positions = {
    readTo: later(topic.readTo, messageId),
    unreadAfter,
    lateReadTo:
      message.appearedId === undefined ? topic.lateReadTo : later(topic.lateReadTo, message.appearedId),
  }
  const before = unreadOthers(edit, topic)
  const left = before.filter((other) => isBehindRead(positions, other))
  const passed = before.filter((other) => !isBehindRead(positions, other))
  const isAllRead = topic.lastMessage === null || unreadAfter >= topic.lastMessage.id
  const unread = isAllRead ? left.length : Math.max(0, topic.unread - passed.length)
  const mentions = Math.min(unread, topic.mentions - passed.filter(mentionsMe(edit)).length)
  edit.topics.set(topicId, { ...topic, ...positions, unread, mentions: Math.max(0, mentions) })
  recount(edit, topicId)
  if (isAllRead) readShownReplies(edit, topicId)
}

/** Moves the read position back to before this message. */
export function moveUnread(edit: StateEdit, topicId: string, messageId: string): void {
  const topic = edit.topics.get(topicId)
  const ids = edit.conversations.get(topicId)?.ids ?? []
  const place = ids.indexOf(messageId)
  if (!topic || place < 0) return
  edit.unsavedReads.delete(topicId)
  const readTo = ids[place - 1] ?? null
  const lateReadTo = later(topic.readTo, topic.lateReadTo) || null
  const left = others(edit, topicId).filter(({ id }) => id >= messageId)
  edit.topics.set(topicId, {
    ...topic,
    readTo,
    unreadAfter: readTo ?? FIRST_ID,
    lateReadTo,
    unread: Math.min(MAX_COUNT, left.length),
    mentions: Math.min(MAX_COUNT, left.filter(mentionsMe(edit)).length),
  })
}

/** Counts exactly, where everything after the read position is loaded. */
export function recount(edit: StateEdit, topicId: string): void {
  const topic = edit.topics.get(topicId)
  const conversation = edit.conversations.get(topicId)
  if (!topic || !conversation || conversation.hasAfter || topic.unreadAfter === null) return
  const [first] = conversation.ids
  if (conversation.hasBefore && (first === undefined || first > topic.unreadAfter)) return
  const left = unreadOthers(edit, topic)
  const unread = Math.min(MAX_COUNT, left.length)
  const mentions = Math.min(MAX_COUNT, left.filter(mentionsMe(edit)).length)
  if (unread !== topic.unread || mentions !== topic.mentions) {
    edit.topics.set(topicId, { ...topic, unread, mentions })
  }
}

const mentionsMe =
  ({ me }: StateEdit) =>
  (message: Message): boolean =>
    isMentioned(message, me?.id)

/** Loaded messages that count and were not read. Before the read position these are only some that came late. */
function unreadOthers(edit: StateEdit, topic: ChatTopic): Message[] {
  const ids = edit.conversations.get(topic.id)?.ids ?? []
  const from = Math.max(0, indexAfter(ids, topic.unreadAfter) - LATE_AMONG)
  return others(edit, topic.id, from).filter((message) => isBehindRead(topic, message))
}

/** The loaded messages that count, from this place on. */
function others(edit: StateEdit, topicId: string, from = 0): Message[] {
  const ids = edit.conversations.get(topicId)?.ids ?? []
  return ids.slice(from).flatMap((id) => {
    const message = edit.messages.get(id)
    return message && isForReading(edit, message) ? [message] : []
  })
}

const without = (reaches: Record<string, Reach>, ids: readonly string[]): Record<string, Reach> =>
  Object.fromEntries(Object.entries(reaches).filter(([id]) => !ids.includes(id)))
