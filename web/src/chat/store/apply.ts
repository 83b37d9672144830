import type { EventMessage } from '../../../../contract/message.ts'
import type { ChatMember, Draft } from '../../../../contract/people/chat-records.ts'
import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import { type ChatState, type ConversationKey, keyOf } from '../model.ts'
import { applyContent } from './content.ts'
import { applyDirectory, putStates } from './directory.ts'
import { type ChatEvent, isLogEvent, type LogEvent, type PassingEvent } from './events.ts'
import { edited, type StateEdit } from './state-edit.ts'
import { applyPieces, applyProgress, putStreaming } from './streaming.ts'
import { putThread, readAllThreads } from './threads.ts'

/** How long a "typing" sign lasts. It is repeated every 3 seconds. */
export const TYPING_MS = 6000

export const emptyState = (organizationId: string): ChatState => ({
  organizationId,
  status: 'empty',
  failure: undefined,
  connection: 'connecting',
  position: 0,
  startPosition: 0,
  me: undefined,
  organization: undefined,
  topics: new Map(),
  hasAllTopics: false,
  sections: [],
  members: new Map(),
  labels: new Map(),
  emoji: new Map(),
  messages: new Map(),
  conversations: new Map(),
  polls: new Map(),
  tasks: new Map(),
  taskPosition: 0,
  notes: new Map(),
  streaming: new Map(),
  drafts: new Map(),
  threads: new Map(),
  threadLines: new Map(),
  unsavedDrafts: new Set(),
  unsavedReads: new Map(),
  online: new Set(),
  later: 0,
  failedLater: 0,
  typing: new Map(),
  outbox: [],
})

/** The state after an event. An event of the log that is in it already changes nothing. */
export const apply = (state: ChatState, event: ChatEvent): ChatState => applyAll(state, [event])

export const applyAll = (state: ChatState, events: readonly ChatEvent[]): ChatState =>
  edited(state, (edit) => {
    for (const event of events) {
      if (!isLogEvent(event)) applyPassing(edit, event)
      else if (event.position > edit.position) applyLogged(edit, event)
    }
  })

function applyLogged(edit: StateEdit, event: LogEvent): void {
  for (const one of eachOf(event)) {
    const known = edit.messages.get(messageIdOf(one) ?? '')
    applyContent(edit, one)
    if (event.position > edit.startPosition) applyDirectory(edit, one, known)
  }
  if (event.type === 'message.created') settle(edit, event.data.message)
  edit.position = event.position
}

const messageIdOf = (event: LogEvent): string | undefined =>
  event.type === 'message.deleted' ? event.data.messageId : undefined

/** Splits a deletion of several expired messages into one event for each. */
export const eachOf = (event: LogEvent): LogEvent[] =>
  event.type === 'message.deleted' && event.data.messages
    ? event.data.messages.map((message) => ({
        ...event,
        data: { ...event.data, messageId: message.id, message },
      }))
    : [event]

/** Removes an arrived message from the outbox, and its sender's "typing" sign. */
function settle(
  edit: StateEdit,
  message: Pick<EventMessage, 'id' | 'topicId' | 'senderId' | 'parentId' | 'externalId' | 'poll' | 'task'>,
): void {
  const { id, senderId, externalId } = message
  const isItsOutgoing = (item: { localId: string; id?: string | undefined }) =>
    (item.id !== undefined && [id, message.poll?.id, message.task?.id].includes(item.id)) ||
    (item.localId === externalId && senderId === edit.me?.id)
  if (edit.outbox.some(isItsOutgoing)) edit.outbox = edit.outbox.filter((item) => !isItsOutgoing(item))
  for (const key of [message.topicId, message.parentId ?? '']) {
    const typing = edit.typing.get(key)
    if (typing?.some(({ profileId }) => profileId === senderId)) stopTyping(edit, key, senderId)
  }
}

function stopTyping(edit: StateEdit, key: ConversationKey, profileId: string): void {
  const left = edit.typing.get(key)?.filter((one) => one.profileId !== profileId) ?? []
  if (left.length > 0) edit.typing.set(key, left)
  else edit.typing.delete(key)
}

function applyPassing(edit: StateEdit, event: PassingEvent): void {
  switch (event.type) {
    case 'typing': {
      const { topicId, parentId, profileId, forMs = TYPING_MS } = event.data
      if (profileId === edit.me?.id) return
      const key = keyOf({ topicId, threadId: parentId })
      stopTyping(edit, key, profileId)
      edit.typing.set(key, [...(edit.typing.get(key) ?? []), { profileId, until: event.at + forMs }])
      return
    }
    case 'presence': {
      const { profileId, online } = event.data
      // Pages of a large organization follow the members that they show.
      if (edit.hasManyMembers && !edit.members.has(profileId)) return
      if (!edit.online || edit.online.has(profileId) === online) return
      putOnline(edit, [profileId], online)
      return
    }
    case 'state':
      putStates(edit, event.data.states ?? [])
      if (event.data.draft) putDraft(edit, event.data.draft)
      if (event.data.thread) putThread(edit, event.data.thread)
      if (event.data.threadsRead) readAllThreads(edit)
      if (event.data.sections) edit.sections = event.data.sections
      return
    case 'streaming':
      applyPieces(edit, event.data.texts)
      for (const { message } of event.data.texts) if (message) settle(edit, message)
      return
    case 'progress':
      applyProgress(edit, event.data.messageId, event.data.progress)
      return
    case 'later':
      edit.later += 1
      edit.failedLater = event.data.failed ?? edit.failedLater
      return
    case 'notification':
      return // shown beside the page
  }
}

/** Forgets who has not said for a while that they are typing. */
export const forgetTyping = (state: ChatState, now: number): ChatState =>
  edited(state, (edit) => {
    for (const [key, people] of state.typing) {
      for (const { profileId, until } of people) if (until <= now) stopTyping(edit, key, profileId)
    }
  })

/**
 * A draft as the server has it: an older one, or one that is being written here, stays as it is. An empty one is kept too, so
 * that an answer which was on its way before it was emptied does not bring it back.
 */
export function putDraft(edit: StateEdit, draft: Draft): void {
  const key = keyOf({ topicId: draft.topicId, threadId: draft.parentId })
  if (edit.unsavedDrafts.has(key) || (edit.drafts.get(key)?.updatedAt ?? 0) > draft.updatedAt) return
  edit.drafts.set(key, same(edit.drafts.get(key), draft))
}

/** Returns the old object if nothing in it differs, so that no view draws again. */
export function same<Value>(before: Value | undefined, after: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after
}

export const mergeStreaming = (state: ChatState, streaming: readonly StreamingMessage[]): ChatState =>
  edited(state, (edit) => putStreaming(edit, streaming))

/** `online` says which of them are there. */
export const mergeMembers = (
  state: ChatState,
  members: readonly ChatMember[],
  online?: readonly string[],
): ChatState =>
  edited(state, (edit) => {
    for (const member of members) edit.members.set(member.id, same(state.members.get(member.id), member))
    if (!online || !edit.online) return
    const here = new Set(online)
    putOnline(edit, online, true)
    const away = members.flatMap(({ id }) => (here.has(id) || id === edit.me?.id ? [] : [id]))
    putOnline(edit, away, false)
  })

function putOnline(edit: StateEdit, ids: readonly string[], isHere: boolean): void {
  if (!edit.online || ids.every((id) => edit.online?.has(id) === isHere)) return
  const online = new Set(edit.online)
  for (const id of ids) {
    if (isHere) online.add(id)
    else online.delete(id)
  }
  edit.online = online
}
