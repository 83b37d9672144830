import type { ChatTask } from '../../../../contract/people/card-records.ts'
import type { FollowedThread, START_LISTS } from '../../../../contract/people/chat.ts'
import type {
  ChatMember,
  ChatTopic,
  Draft,
  SidebarSection,
} from '../../../../contract/people/chat-records.ts'
import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import { type ChatState, type ConversationKey, keyOf } from '../model.ts'
import { eachOf, putDraft, same } from './apply.ts'
import { applyCards, putOwnTasks } from './cards.ts'
import { MAX_COUNT } from './counts.ts'
import { applyDirectory, dropTopic, moveRead } from './directory.ts'
import type { LogEvent } from './events.ts'
import { edited } from './state-edit.ts'
import { replaceStreaming } from './streaming.ts'

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
  members?: ChatMember[]
  manyMembers?: boolean
  more?: StartList[]
  sections?: SidebarSection[]
}
type StartList = (typeof START_LISTS)[number]

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
  const { me, more = [] } = start
  const isWhole = (list: StartList) => !more.includes(list)
  const organization = { ...start.organization, ...(start.manyMembers && { manyMembers: true }) }
  const fresh: ChatState = {
    ...state,
    status: 'ready',
    failure: undefined,
    hasAllTopics: isWhole('topics') || state.hasAllTopics,
    me: same(state.me, me),
    organization: same(state.organization, organization),
  }
  return edited(fresh, (edit) => {
    edit.startPosition = start.position
    if (isGap) edit.position = start.position
    // The answer leaves out open topics that the person only visits, and those that are still to be listed.
    const others = [...state.topics.values()].filter(({ isMember }) => !isMember || !isWhole('topics'))
    const topics = [...others, ...start.topics.map((topic) => listedTopic(state, topic))]
    edit.topics.replace(new Map(topics.map((topic) => [topic.id, topic])))
    for (const [topicId, readTo] of state.unsavedReads) moveRead(edit, topicId, readTo)
    // Drafts that are not saved yet stay as they are here; all others are the server's.
    if (isWhole('drafts')) {
      const listed = new Set(start.drafts.map(draftKey))
      for (const key of state.drafts.keys())
        if (!listed.has(key) && !state.unsavedDrafts.has(key)) edit.drafts.delete(key)
    }
    for (const draft of start.drafts) putDraft(edit, draft)
    if (isWhole('labels')) edit.labels.replace(new Map())
    for (const { id, name } of start.labels) edit.labels.set(id, name)
    if (isWhole('emoji')) edit.emoji.replace(new Map())
    for (const { name, pictureId } of start.emoji ?? []) edit.emoji.set(name, pictureId)
    edit.online = organization.showPresence === false ? undefined : new Set(start.online)
    edit.sections = same(state.sections, start.sections ?? [])
    edit.failedLater = start.failedLater ?? 0
    edit.later += 1 // `later` events may have passed unheard
    for (const member of [me, ...(start.members ?? [])])
      edit.members.set(member.id, same(state.members.get(member.id), member))
    if (isWhole('streaming')) replaceStreaming(edit, start.streaming ?? [])
    if (isWhole('tasks')) putOwnTasks(edit, start.tasks ?? [], MAX_COUNT)
    edit.threads.replace(new Map(start.threads?.map(({ parentId, ...thread }) => [parentId, thread])))
    for (const event of recent) {
      if (event.position <= start.position) continue
      for (const one of eachOf(event)) applyDirectory(edit, one, undefined)
      applyCards(edit, event)
    }
  })
}

export const draftKey = ({ topicId, parentId }: Draft): ConversationKey =>
  keyOf({ topicId, threadId: parentId })

/** A list names the first few members: more of them, where they were read before and their number is the same. */
function listedTopic({ topics }: ChatState, topic: ChatTopic): ChatTopic {
  const before = topics.get(topic.id)
  const knowsMore =
    before && before.memberCount === topic.memberCount && before.memberIds.length > topic.memberIds.length
  return same(before, knowsMore ? { ...topic, memberIds: before.memberIds } : topic)
}

/** A page of the topics that the person is in. */
export type TopicPage = {
  position: number
  topics: ChatTopic[]
  drafts: Draft[]
  members: ChatMember[]
}

/** Merges a page of topics. `recent` are events that came while it was read, and that the page does not have. */
export const mergeTopics = (
  state: ChatState,
  page: TopicPage,
  recent: readonly LogEvent[] = [],
): ChatState => {
  const listed = new Set(page.topics.map(({ id }) => id))
  return edited(state, (edit) => {
    for (const topic of page.topics) edit.topics.set(topic.id, listedTopic(state, topic))
    for (const { id } of page.topics) moveRead(edit, id, state.unsavedReads.get(id))
    for (const draft of page.drafts) putDraft(edit, draft)
    for (const member of page.members) edit.members.set(member.id, same(state.members.get(member.id), member))
    for (const event of recent) {
      if (event.position <= page.position || !listed.has(topicOf(event) ?? '')) continue
      for (const one of eachOf(event)) applyDirectory(edit, one, undefined)
    }
    // Replies in topics that were known have been counted when they came.
    for (const [id, thread] of edit.threads.result) {
      const before = state.threads.get(id)
      if (thread === before || !state.topics.has(thread.topicId)) continue
      if (before) edit.threads.set(id, before)
      else edit.threads.delete(id)
    }
  })
}

function topicOf(event: LogEvent): string | undefined {
  if (event.type === 'moved') return undefined
  if ('message' in event.data && event.data.message) return event.data.message.topicId
  return 'topicId' in event.data ? event.data.topicId : undefined
}

/** All topics and drafts have been listed: those that were there when that began, `before`, and were not listed are gone. */
export function endTopics(
  state: ChatState,
  before: Pick<ChatState, 'topics' | 'drafts'>,
  listed: { topicIds: readonly string[]; draftKeys: readonly string[] },
): ChatState {
  const [topicIds, draftKeys] = [new Set(listed.topicIds), new Set(listed.draftKeys)]
  const after = edited(state, (edit) => {
    for (const id of before.topics.keys())
      if (!topicIds.has(id) && edit.topics.get(id)?.isMember) dropTopic(edit, id)
    for (const [key, draft] of before.drafts) {
      const isSame = edit.drafts.get(key) === draft && !edit.unsavedDrafts.has(key)
      if (isSame && !draftKeys.has(key)) edit.drafts.delete(key)
    }
  })
  return after.hasAllTopics ? after : { ...after, hasAllTopics: true }
}

export type StartRest = Partial<Pick<StartAnswer, 'emoji' | 'tasks' | 'labels'>>

/** Takes over lists that a start had only a part of. */
export const mergeRest = (state: ChatState, rest: StartRest): ChatState =>
  edited(state, (edit) => {
    if (rest.labels) edit.labels.replace(new Map(rest.labels.map(({ id, name }) => [id, name])))
    if (rest.emoji) edit.emoji.replace(new Map(rest.emoji.map(({ name, pictureId }) => [name, pictureId])))
    if (rest.tasks) putOwnTasks(edit, rest.tasks, MAX_COUNT)
  })
