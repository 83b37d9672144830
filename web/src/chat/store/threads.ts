import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { PageEvents, ThreadChange } from '../../../../contract/people/stream.ts'
import type { KnownThread } from '../model.ts'
import { MAX_COUNT } from './counts.ts'
import { isMentioned, mentioningOf } from './mentioned.ts'
import type { StateEdit } from './state-edit.ts'

/** The place of a reply among those that were read: a file may appear after newer replies. */
const placeOf = ({ id, appearedId }: { id: string; appearedId?: string | undefined }): string =>
  (appearedId ?? '') > id ? (appearedId ?? id) : id

const later = (one: string, other: string): string => (one > other ? one : other)

/** Counts a new reply in its thread. Who writes has read the thread. */
export function noteReply(edit: StateEdit, told: PageEvents['message.created']): void {
  const { message, threadOnly = false } = told
  const { id, topicId, parentId, senderId } = message
  if (!parentId || !edit.me) return
  const known = edit.threads.get(parentId)
  const lastReplyId = later(known?.lastReplyId ?? '', id)
  if (senderId === edit.me.id) {
    edit.threads.set(parentId, {
      topicId,
      lastReplyId,
      readTo: placeOf(message),
      unread: 0,
      unreadInTopic: 0,
      mentions: 0,
    })
    return
  }
  // The server tells followers of a thread that this page does not know.
  if (!known) return
  const isRead =
    placeOf(message) <= known.readTo || (!threadOnly && id <= (edit.topics.get(topicId)?.unreadAfter ?? ''))
  const isMention = threadOnly && isMentioned(mentioningOf(told), edit.me.id)
  const more = (count: number, isMore: boolean) => Math.min(MAX_COUNT, count + Number(!isRead && isMore))
  edit.threads.set(parentId, {
    ...known,
    lastReplyId,
    unread: more(known.unread, true),
    unreadInTopic: more(known.unreadInTopic, !threadOnly),
    mentions: more(known.mentions, isMention),
  })
}

/** A message was deleted: the thread that hung on it, or a reply. `known` is the message as it was, where that was loaded. */
export function forgetReply(
  edit: StateEdit,
  messageId: string,
  known: ChatMessage | undefined,
  { senderId, parentId }: { senderId: string; parentId: string | undefined },
): void {
  edit.threads.delete(messageId)
  edit.threadLines.delete(messageId)
  const threadId = known?.parentId ?? parentId
  const thread = edit.threads.get(threadId ?? '')
  if (threadId === undefined || !thread || (known ? placeOf(known) : messageId) <= thread.readTo) return
  if (senderId === edit.me?.id || thread.unread >= MAX_COUNT) return
  const wasMention = known !== undefined && isMentioned(known, edit.me?.id)
  edit.threads.set(threadId, {
    ...thread,
    unread: Math.max(0, thread.unread - 1),
    mentions: Math.max(0, thread.mentions - Number(wasMention)),
  })
}

/** Puts a thread that the person changed, here or in another browser, or that has a new reply. */
export function putThread(
  edit: StateEdit,
  { parentId, following, isTold, ...thread }: ThreadChange & { isTold?: true },
): void {
  const known = edit.threads.get(parentId)
  if (!following) edit.threads.delete(parentId)
  // The events of the log have counted the reply already.
  else if (!isTold || !known)
    edit.threads.set(parentId, { ...thread, readTo: later(known?.readTo ?? '', thread.readTo) })
}

/** Marks the replies up to this one as read, and counts what is left where all of it is loaded. */
export function readReplies(edit: StateEdit, threadId: string, replyId: string): void {
  const thread = edit.threads.get(threadId)
  const reply = edit.messages.get(replyId)
  const readTo = reply ? placeOf(reply) : replyId
  if (!thread || readTo <= thread.readTo) return
  const conversation = edit.conversations.get(threadId)
  const isWhole = conversation?.hasAfter === false
  const left = conversation?.ids
    .flatMap((id) => edit.messages.get(id) ?? [])
    .filter((message) => isUnreadIn(edit, { ...thread, readTo }, message))
  const unread = isWhole ? Math.min(MAX_COUNT, left?.length ?? 0) : thread.unread
  const mentions = isWhole ? (left?.filter(mentionsMe(edit)).length ?? 0) : thread.mentions
  edit.threads.set(threadId, {
    ...thread,
    readTo,
    unread,
    mentions,
    unreadInTopic: Math.min(unread, thread.unreadInTopic),
  })
}

const mentionsMe =
  ({ me }: StateEdit) =>
  (message: ChatMessage): boolean =>
    message.threadOnly === true && isMentioned(message, me?.id)

const isUnreadIn = (
  { me, topics }: StateEdit,
  { readTo, topicId }: KnownThread,
  message: ChatMessage,
): boolean =>
  message.senderId !== me?.id &&
  placeOf(message) > readTo &&
  (message.threadOnly === true || message.id > (topics.get(topicId)?.unreadAfter ?? ''))

/** Marks replies as read that a topic shows which was read to its end. */
export function readShownReplies(edit: StateEdit, topicId: string): void {
  for (const [id, thread] of edit.threads.result)
    if (thread.topicId === topicId && thread.unreadInTopic > 0)
      edit.threads.set(id, {
        ...thread,
        unread: Math.max(0, thread.unread - thread.unreadInTopic),
        unreadInTopic: 0,
      })
}

export function readAllThreads(edit: StateEdit): void {
  for (const [id, thread] of edit.threads.result) {
    const readTo = later(thread.readTo, thread.lastReplyId)
    if (thread.unread > 0 || thread.mentions > 0)
      edit.threads.set(id, { ...thread, readTo, unread: 0, unreadInTopic: 0, mentions: 0 })
  }
}
