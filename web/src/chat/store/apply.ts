import type { EventMessage } from '../../../../contract/message.ts'
import type { ChatTask } from '../../../../contract/people/card-records.ts'
import type { FollowedThread } from '../../../../contract/people/chat.ts'
import type { ChatMember, ChatTopic, Draft } from '../../../../contract/people/chat-records.ts'
import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import { type ChatState, type ConversationKey, keyOf } from '../model.ts'
import { applyCards, putOwnTasks } from './cards.ts'
import { applyContent } from './content.ts'
import { applyDirectory, MAX_COUNT, moveRead, putStates } from './directory.ts'
import { type ChatEvent, isLogEvent, type LogEvent, type PassingEvent } from './events.ts'
import { edited, type StateEdit } from './state-edit.ts'
import { applyPieces, putStreaming, replaceStreaming } from './streaming.ts'
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
const eachOf = (event: LogEvent): LogEvent[] =>
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
      if (!edit.online || edit.online.has(profileId) === online) return
      const others = [...edit.online].filter((id) => id !== profileId)
      edit.online = new Set(online ? [...others, profileId] : others)
      return
    }
    case 'state':
      putStates(edit, event.data.states ?? [])
      if (event.data.draft) putDraft(edit, event.data.draft)
      if (event.data.thread) putThread(edit, event.data.thread)
      if (event.data.threadsRead) readAllThreads(edit)
      return
    case 'streaming':
      applyPieces(edit, event.data.texts)
      for (const { message } of event.data.texts) if (message) settle(edit, message)
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

/** A draft as the server has it: an older one, or one that is being written here, stays as it is. */
export function putDraft(edit: StateEdit, draft: Draft): void {
  const key = keyOf({ topicId: draft.topicId, threadId: draft.parentId })
  if (edit.unsavedDrafts.has(key) || (edit.drafts.get(key)?.updatedAt ?? 0) > draft.updatedAt) return
  if (draft.text === '') edit.drafts.delete(key)
  else edit.drafts.set(key, draft)
}

export type StartAnswer = {
  position: number
  me: ChatMember
  organization: NonNullable<ChatState['organization']>
  topics: ChatTopic[]
  drafts: Draft[]
  labels: { id: string; name: string }[]
  online: string[]
  /** A server of a version before has none of these. */
  emoji?: { name: string; pictureId: string }[]
  streaming?: StreamingMessage[]
  failedLater?: number
  tasks?: ChatTask[]
  threads?: FollowedThread[]
}

/**
 * Merges a start answer. After a gap in the events (`isGap`) messages count as current from here on, too, and the
 * caller must read the conversations again. Without a gap the events up to here still arrive and change only messages.
 * `recent` are events that arrived during the read.
 */
export function mergeStart(
  state: ChatState,
  start: StartAnswer,
  { isGap, recent = [] }: { isGap: boolean; recent?: readonly LogEvent[] },
): ChatState {
  const { me, organization } = start
  const fresh: ChatState = {
    ...state,
    status: 'ready',
    failure: undefined,
    me: same(state.me, me),
    organization: same(state.organization, organization),
  }
  return edited(fresh, (edit) => {
    edit.startPosition = start.position
    if (isGap) edit.position = start.position
    // The answer leaves out open topics that the person only visits.
    const visited = [...state.topics.values()].filter(({ isMember }) => !isMember)
    const topics = [
      ...visited,
      ...start.topics.map((topic) => withMembers(state.topics.get(topic.id), topic)),
    ]
    edit.topics.replace(new Map(topics.map((topic) => [topic.id, same(state.topics.get(topic.id), topic)])))
    for (const [topicId, readTo] of state.unsavedReads) moveRead(edit, topicId, readTo)
    // Drafts that are not saved yet stay as they are here; all others are the server's.
    const drafts = new Map(
      start.drafts.map((one) => [draftKey(one), same(state.drafts.get(draftKey(one)), one)]),
    )
    for (const key of state.unsavedDrafts) {
      const own = state.drafts.get(key)
      if (own) drafts.set(key, own)
    }
    edit.drafts.replace(drafts)
    edit.labels.replace(new Map(start.labels.map(({ id, name }) => [id, name])))
    edit.emoji.replace(new Map(start.emoji?.map(({ name, pictureId }) => [name, pictureId])))
    edit.online = organization.showPresence === false ? undefined : new Set(start.online)
    edit.failedLater = start.failedLater ?? 0
    edit.later += 1 // `later` events may have passed unheard
    edit.members.set(me.id, same(state.members.get(me.id), me))
    replaceStreaming(edit, start.streaming ?? [])
    putOwnTasks(edit, start.tasks ?? [], MAX_COUNT)
    edit.threads.replace(new Map(start.threads?.map(({ parentId, ...thread }) => [parentId, thread])))
    for (const event of recent) {
      if (event.position <= start.position) continue
      for (const one of eachOf(event)) applyDirectory(edit, one, undefined)
      applyCards(edit, event)
    }
  })
}

const draftKey = ({ topicId, parentId }: Draft): ConversationKey => keyOf({ topicId, threadId: parentId })

/** A list names the first few members: all of them, where they were read before and their number is the same. */
const withMembers = (before: ChatTopic | undefined, topic: ChatTopic): ChatTopic =>
  before && before.memberCount === topic.memberCount && before.memberIds.length > topic.memberIds.length
    ? { ...topic, memberIds: before.memberIds }
    : topic

/** Returns the old object if nothing in it differs, so that no view draws again. */
function same<Value>(before: Value | undefined, after: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after
}

export const mergeStreaming = (state: ChatState, streaming: readonly StreamingMessage[]): ChatState =>
  edited(state, (edit) => putStreaming(edit, streaming))

export const mergeMembers = (state: ChatState, members: readonly ChatMember[]): ChatState =>
  edited(state, (edit) => {
    for (const member of members) edit.members.set(member.id, same(state.members.get(member.id), member))
  })
