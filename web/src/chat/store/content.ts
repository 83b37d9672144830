import type { EventMessage } from '../../../../contract/message.ts'
import type { ActionNote, ChatTask, PollState } from '../../../../contract/people/card-records.ts'
import type { ThreadSummary } from '../../../../contract/people/chat.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { Conversation, ConversationPlace } from '../model.ts'
import { keyOf } from '../model.ts'
import { applyCards, mergeCards } from './cards.ts'
import type { LogEvent } from './events.ts'
import { indexAfter } from './order.ts'
import type { StateEdit } from './state-edit.ts'

/** A message as reads show it, from how an event carries it. */
export function fromEvent(
  {
    attachments,
    mentions,
    mentionedProfiles,
    reactions,
    ...core
  }: EventMessage & { previousText?: string; previousMentions?: string[] },
  { threadOnly, mentionedPeople }: Pick<ChatMessage, 'threadOnly' | 'mentionedPeople'> = {},
): ChatMessage {
  const { previousText: _text, previousMentions: _mentions, ...message } = core
  return {
    ...message,
    ...(threadOnly && { threadOnly }),
    ...(mentionedPeople && { mentionedPeople }),
    attachments: attachments.map(({ id }) => id),
    ...(attachments.length > 0 && { attachmentDetails: attachments }),
    mentions: mentionedProfiles,
    mentionDetails: mentions,
    reactions,
    replyCount: 0,
  }
}

/** Ids of messages are ordered by time; this one is put where it belongs. A thousand new messages copy the list once. */
function addId(edit: StateEdit, conversation: Conversation, id: string): void {
  const { key, ids } = conversation
  const own = edit.ownIds.get(key)
  const isOwn = own !== undefined && own === ids
  let place = ids.length
  while (place > 0 && id < (ids[place - 1] ?? '')) place -= 1
  if (ids[place - 1] === id) return
  const longer = isOwn ? own : [...ids]
  longer.splice(place, 0, id)
  if (isOwn) return
  edit.ownIds.set(key, longer)
  edit.conversations.set(key, { ...conversation, ids: longer })
}

/** Whether a message with this id belongs into what is loaded, and not beyond an end that has more. */
function isWithin({ ids, hasBefore, hasAfter }: Conversation, id: string): boolean {
  const [first] = ids
  const last = ids.at(-1)
  if (first === undefined || last === undefined || id > last) return !hasAfter
  return id > first || !hasBefore
}

/**
 * Applies an event to messages and the stretches of conversations. It may be told again, and about what is there already
 * in a newer form: then it changes nothing.
 */
export function applyContent(edit: StateEdit, event: LogEvent): void {
  applyCards(edit, event)
  switch (event.type) {
    case 'message.created': {
      edit.streaming.delete(event.data.message.id)
      addMessage(edit, fromEvent(event.data.message, event.data))
      return
    }
    case 'message.updated': {
      const known = edit.messages.get(event.data.message.id)
      if (known) refresh(edit, known, fromEvent(event.data.message, event.data))
      return
    }
    case 'message.previewed': {
      const { messageId, preview } = event.data
      const known = edit.messages.get(messageId)
      if (known) edit.messages.set(messageId, { ...known, preview: preview ?? undefined } as ChatMessage)
      return
    }
    case 'message.deleted':
      removeMessage(edit, event.data.messageId, event.data.threadOnly?.[event.data.messageId])
      return
    case 'reply.shown': {
      const { threadOnly: _only, ...known } = edit.messages.get(event.data.messageId) ?? {}
      if ('id' in known) showMessage(edit, known)
      return
    }
    case 'stream.discarded':
      edit.streaming.delete(event.data.messageId)
      removeMessage(edit, event.data.messageId)
      return
    case 'reaction.added':
      setReaction(edit, { ...event.data, isOn: true })
      return
    case 'reaction.removed':
      setReaction(edit, { ...event.data, isOn: false })
      return
  }
}

/** Messages in events carry no reactions and no reply counts: events of their own change those. */
function refresh(edit: StateEdit, known: ChatMessage, message: ChatMessage): void {
  if (known.updatedAt > message.updatedAt) return
  edit.messages.set(known.id, { ...message, reactions: known.reactions, replyCount: known.replyCount })
}

/** Puts a reply into its topic that stayed in its thread. */
export function showMessage(edit: StateEdit, message: ChatMessage): void {
  if (placeMessage(edit, message) || edit.messages.has(message.id)) edit.messages.set(message.id, message)
}

/** Whether a conversation that is loaded shows it. */
export const hasPlace = (edit: StateEdit, message: ChatMessage): boolean =>
  placesOf(message).some((key) => {
    const conversation = edit.conversations.get(key)
    return conversation !== undefined && isWithin(conversation, message.id)
  })

export function addMessage(edit: StateEdit, message: ChatMessage): void {
  const { id, topicId, parentId } = message
  const known = edit.messages.get(id)
  const wasSaid = known !== undefined && known.stream?.status !== 'streaming'
  if (parentId !== undefined) noteLine(edit, parentId, message)
  if (known) refresh(edit, known, message)
  // A message that was sent here did not know yet whether its topic shows it.
  if (message.threadOnly && known && !known.threadOnly) dropId(edit, topicId, id)
  if (placeMessage(edit, message) && !known) edit.messages.set(id, message)
  if (!wasSaid && parentId !== undefined && (edit.messages.has(id) || isNews(edit, parentId, id)))
    countReply(edit, parentId, 1)
}

/** The topic, the thread, or both. */
const placesOf = ({ topicId, parentId, threadOnly }: ChatMessage): string[] =>
  parentId === undefined ? [topicId] : threadOnly ? [parentId] : [topicId, parentId]

function dropId(edit: StateEdit, key: string, id: string): void {
  const conversation = edit.conversations.get(key)
  if (!conversation?.ids.includes(id)) return
  edit.conversations.set(key, { ...conversation, ids: conversation.ids.filter((other) => other !== id) })
}

/** Puts it into the conversations that it belongs to; false where none of them is loaded so far. */
export function placeMessage(edit: StateEdit, message: ChatMessage): boolean {
  const { id } = message
  let isShown = false
  for (const key of placesOf(message)) {
    const conversation = edit.conversations.get(key)
    if (!conversation || !isWithin(conversation, id)) continue
    isShown = true
    addId(edit, conversation, id)
  }
  return isShown
}

export function removeMessage(edit: StateEdit, id: string, parentId?: string): void {
  const known = edit.messages.get(id)
  if (!known) {
    if (parentId !== undefined && isNews(edit, parentId, id, 'gone')) countReply(edit, parentId, -1)
    return
  }
  edit.messages.delete(id)
  for (const key of [known.topicId, known.parentId ?? '']) dropId(edit, key, id)
  if (known.parentId !== undefined && known.stream?.status !== 'streaming')
    countReply(edit, known.parentId, -1)
}

/** Faces below a message that was replied to; the server sends as many. */
const FACES = 3

/** Puts the sender of a reply into the line below the message that it replies to. */
function noteLine(edit: StateEdit, parentId: string, { senderId, createdAt }: ChatMessage): void {
  if (!edit.messages.has(parentId)) return
  const line = edit.threadLines.get(parentId)
  if (line && line.lastReplyAt > createdAt) return
  const others = line?.replierIds.filter((other) => other !== senderId) ?? []
  const replierIds = [senderId, ...others].slice(0, FACES)
  edit.threadLines.set(parentId, { lastReplyId: '', ...line, lastReplyAt: createdAt, replierIds })
}

/** Number of events that are remembered for each thread: they repeat only while a page is read. */
const TOLD_AGAIN = 100

/** Whether the count of a thread does not have this yet: a reply that is in no loaded conversation, or its end. */
function isNews(edit: StateEdit, parentId: string, id: string, what: 'new' | 'gone' = 'new'): boolean {
  if (!edit.messages.has(parentId)) return false
  const line = edit.threadLines.get(parentId) ?? { lastReplyId: '', lastReplyAt: 0, replierIds: [] }
  const name = `${what} ${id}`
  const told = line.told ?? []
  if (told.includes(name) || (what === 'new' && id <= line.lastReplyId)) return false
  edit.threadLines.set(parentId, { ...line, told: [...told, name].slice(-TOLD_AGAIN) })
  return true
}

function countReply(edit: StateEdit, parentId: string, change: 1 | -1): void {
  const parent = edit.messages.get(parentId)
  if (parent) edit.messages.set(parentId, { ...parent, replyCount: Math.max(0, parent.replyCount + change) })
}

export type ReactionChange = { messageId: string; emoji: string; userId: string; isOn: boolean }

/** Keeps emoji in the order of first use, and removes one with its last reaction. */
export function setReaction(edit: StateEdit, { messageId, emoji, userId, isOn }: ReactionChange): void {
  const message = edit.messages.get(messageId)
  if (!message) return
  const entry = message.reactions.find((one) => one.emoji === emoji)
  const users = entry?.userIds ?? []
  if (users.includes(userId) === isOn) return
  const userIds = isOn ? [...users, userId] : users.filter((one) => one !== userId)
  const changed = { emoji, count: (entry?.count ?? 0) + (isOn ? 1 : -1), userIds }
  const reactions = entry
    ? message.reactions.map((one) => (one === entry ? changed : one)).filter(({ count }) => count > 0)
    : [...message.reactions, changed]
  edit.messages.set(messageId, { ...message, reactions })
}

export type HistoryPage = {
  messages: ChatMessage[]
  hasBefore: boolean
  hasAfter: boolean
  polls: PollState[]
  tasks: ChatTask[]
  /** A server of the version before has none. */
  notes?: ActionNote[]
  threads?: ThreadSummary[]
}

export const emptyConversation = ({ topicId, threadId }: ConversationPlace): Conversation => ({
  topicId,
  ...(threadId !== undefined && { threadId }),
  key: keyOf({ topicId, threadId }),
  ids: [],
  hasBefore: true,
  hasAfter: true,
  loading: undefined,
  failure: undefined,
})

/** `whole` takes the place of what was loaded; `before` and `after` lengthen it at one end. */
export type PageEnd = 'whole' | 'before' | 'after'

/** The messages of a page, with the polls and tasks that they show, whether or not a conversation has them. */
export function putPage(edit: StateEdit, page: HistoryPage, isRepair = false): void {
  for (const message of page.messages) {
    if (isRepair || !edit.messages.has(message.id)) edit.messages.set(message.id, message)
  }
  for (const { parentId, ...line } of page.threads ?? []) {
    const known = edit.threadLines.get(parentId)
    if (isRepair || !known || line.lastReplyAt >= known.lastReplyAt)
      edit.threadLines.set(parentId, { ...known, ...line })
  }
  mergeCards(edit, page)
}

/**
 * Puts a page that was read into its conversation. A message that is known stays as it is, since events have kept it current;
 * with `isRepair`, after events that were missed, the page knows better.
 */
export function mergeHistory(
  edit: StateEdit,
  place: ConversationPlace,
  page: HistoryPage,
  { end, isRepair = false }: { end: PageEnd; isRepair?: boolean },
): void {
  const before = edit.conversations.get(keyOf(place)) ?? emptyConversation(place)
  putPage(edit, page, isRepair)
  const read = page.messages.map(({ id }) => id)
  const [first = ''] = before.ids
  const last = before.ids.at(-1) ?? ''
  const ids = {
    whole: () => read,
    before: () => [...read.filter((id) => id < first), ...before.ids],
    after: () => [...before.ids, ...read.filter((id) => id > last)],
  }[end]()
  edit.conversations.set(before.key, {
    ...before,
    ids,
    hasBefore: end === 'after' ? before.hasBefore : page.hasBefore,
    hasAfter: end === 'before' ? before.hasAfter : page.hasAfter,
    loading: undefined,
    failure: undefined,
  })
  if (end === 'whole') forgetUnused(edit, before.ids)
}

export function dropConversation(edit: StateEdit, key: string): void {
  const conversation = edit.conversations.get(key)
  if (!conversation) return
  edit.conversations.delete(key)
  forgetUnused(edit, conversation.ids)
}

/** Forgets those of these messages that are in no conversation any more, unless a thread hangs on them. */
export function forgetUnused(edit: StateEdit, ids: Iterable<string>): void {
  for (const id of ids) {
    const message = edit.messages.get(id)
    if (!message || isUsed(edit, message)) continue
    edit.messages.delete(id)
    edit.threadLines.delete(id)
  }
}

function isUsed(edit: StateEdit, { id, topicId, parentId = '' }: ChatMessage): boolean {
  const isIn = (key: string) => {
    const ids = edit.conversations.get(key)?.ids ?? []
    return ids[indexAfter(ids, id) - 1] === id
  }
  return edit.conversations.has(id) || isIn(topicId) || isIn(parentId)
}

/** Messages that a stretch keeps when it is cut. So it costs the same after a day and after a year. */
export const STRETCH = 1000
/** A stretch may grow by this many messages before it is cut. */
export const STRETCH_SLACK = 500

export const isLong = ({ ids }: Conversation): boolean => ids.length > STRETCH + STRETCH_SLACK

/** Lets go of the end that is farther from the message at `index`, where a stretch has got long. It is loaded again when it is wanted. */
export function shortenStretch(edit: StateEdit, key: string, index: number): void {
  const conversation = edit.conversations.get(key)
  if (!conversation || !isLong(conversation)) return
  const { ids } = conversation
  const [kept, gone, end] =
    index < ids.length / 2
      ? [ids.slice(0, STRETCH), ids.slice(STRETCH), { hasAfter: true }]
      : [ids.slice(-STRETCH), ids.slice(0, -STRETCH), { hasBefore: true }]
  edit.conversations.set(key, { ...conversation, ids: kept, ...end })
  forgetUnused(edit, gone)
}
