import type {
  readEverything,
  saveDraft,
  setTopicState,
  tellTyping,
} from '../../../../contract/people/chat.ts'
import type { ChatTopic } from '../../../../contract/people/chat-records.ts'
import type { readThread, setThreadState } from '../../../../contract/people/places.ts'
import type { ChatApi } from '../../api/chat.ts'
import {
  ChatError,
  type ChatState,
  type ConversationKey,
  type ConversationPlace,
  keyOf,
  type OwnChoice,
  type ThreadPlace,
} from '../model.ts'
import { putDraft } from '../store/apply.ts'
import { isLateUnread, moveRead, moveUnread, putStates, recount } from '../store/directory.ts'
import { edited, type StateEdit } from '../store/state-edit.ts'
import type { ChatStore } from '../store/store.ts'
import { readAllThreads, readReplies } from '../store/threads.ts'
import { Queues } from './pacing.ts'

/** Read positions within this time are sent in one request. */
const READ_MS = { first: 300, next: 1000 }
/** A draft is saved `quiet` after the last letter, and at the latest `most` after the first. */
const DRAFT_MS = { quiet: 1000, most: 5000 }
const TYPING_EVERY_MS = 3000
/** Calls that failed are repeated after so long, and when the connection is back. */
const AGAIN_MS = 5000

/** A conversation whose draft was sent or taken back here; with the server's time, once it knows that. */
export type EmptiedDraft = ConversationPlace & { updatedAt?: number }

export type EmptiedDrafts = {
  all(): EmptiedDraft[]
  add(place: ConversationPlace): void
  /** The server knows it. A page that comes next may still find the draft in what this one kept. */
  told(place: ConversationPlace, updatedAt: number): void
  remove(place: ConversationPlace): void
  forget(): void
}

export type Reading = ReturnType<typeof readingOf>

/**
 * A person's private changes: reading, muting, drafts, typing. Each is in the store at once, goes to the server a
 * moment later, and is kept until the server has it.
 */
export function readingOf(store: ChatStore, api: ChatApi, emptied: EmptiedDrafts) {
  const queues = new Queues()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const readToldAt = new Map<string, number>()
  const draftBegunAt = new Map<ConversationKey, number>()
  const typingToldAt = new Map<ConversationKey, number>()
  /** Read positions in threads that the server does not have yet. */
  const unsavedThreads = new Map<string, { place: ThreadPlace; readTo: string }>()

  function later(name: string, ms: number, work: () => void): void {
    clearTimeout(timers.get(name))
    timers.set(
      name,
      setTimeout(() => {
        timers.delete(name)
        work()
      }, ms),
    )
  }

  const patchState = (topicId: string, body: Parameters<typeof patch>[1]) =>
    queues.run(topicId, () => patch(topicId, body))
  const patch = (
    topicId: string,
    body: { readTo?: string; unreadFrom?: string } & OwnChoice,
    keepalive = false,
  ) => api<typeof setTopicState>('PATCH', '/topics/{topicId}/state', { params: { topicId }, body, keepalive })

  async function tellRead(topicId: string): Promise<void> {
    const readTo = store.getSnapshot().unsavedReads.get(topicId)
    if (readTo === undefined) return
    readToldAt.set(topicId, Date.now())
    try {
      const told = await patchState(topicId, { readTo })
      store.update((state) =>
        edited(state, (edit) => {
          if (edit.unsavedReads.get(topicId) === readTo) edit.unsavedReads.delete(topicId)
          putStates(edit, [told])
        }),
      )
    } catch (error) {
      if (isFinal(error)) {
        store.update((state) => edited(state, (edit) => edit.unsavedReads.delete(topicId)))
      } else later(`read ${topicId}`, AGAIN_MS, () => void tellRead(topicId))
    }
  }

  async function tellDraft(key: ConversationKey, keepalive = false): Promise<void> {
    const draft = store.getSnapshot().drafts.get(key)
    if (!draft || !store.getSnapshot().unsavedDrafts.has(key)) return
    draftBegunAt.delete(key)
    const { topicId, parentId, text } = draft
    const place = { topicId, threadId: parentId }
    try {
      const saved = await queues.run(`draft ${key}`, () =>
        api<typeof saveDraft>('POST', '/drafts', {
          body: { topicId, ...(parentId !== undefined && { parentId }), text },
          keepalive,
        }),
      )
      store.update((state) =>
        edited(state, (edit) => {
          if (edit.drafts.get(key)?.text !== text) return // more was written since
          edit.unsavedDrafts = without(edit.unsavedDrafts, key)
          edit.drafts.delete(key)
          putDraft(edit, saved)
        }),
      )
      if (text === '') emptied.told(place, saved.updatedAt)
    } catch (error) {
      if (isFinal(error)) {
        store.update((state) => ({ ...state, unsavedDrafts: without(state.unsavedDrafts, key) }))
        if (text === '') emptied.remove(place)
      } else later(`draft ${key}`, AGAIN_MS, () => void tellDraft(key))
    }
  }

  const threadPath = '/messages/{messageId}/thread'
  const patchThread = async (
    { topicId, threadId }: ThreadPlace,
    body: { following?: boolean; readTo?: string; unreadFrom?: string },
    keepalive = false,
  ): Promise<void> => {
    const told = await queues.run(`thread ${threadId}`, () =>
      api<typeof setThreadState>('PATCH', threadPath, { params: { messageId: threadId }, body, keepalive }),
    )
    const { following, readTo, ...counts } = told
    store.update((state) =>
      edited(state, (edit) => {
        const known = edit.threads.get(threadId)
        const lastReplyId = known?.lastReplyId ?? edit.conversations.get(threadId)?.ids.at(-1) ?? threadId
        if (!following) edit.threads.delete(threadId)
        // More may have been read, or have come, since: then this page counts by itself.
        else if (!known || body.readTo === undefined)
          edit.threads.set(threadId, {
            topicId,
            lastReplyId,
            readTo: readTo ?? threadId,
            unreadInTopic: 0,
            ...counts,
          })
      }),
    )
  }

  async function tellThreadRead(place: ThreadPlace): Promise<void> {
    const readTo = unsavedThreads.get(place.threadId)?.readTo
    if (readTo === undefined) return
    readToldAt.set(place.threadId, Date.now())
    try {
      await patchThread(place, { readTo })
      if (unsavedThreads.get(place.threadId)?.readTo === readTo) unsavedThreads.delete(place.threadId)
    } catch (error) {
      if (isFinal(error)) unsavedThreads.delete(place.threadId)
      else later(`read ${place.threadId}`, AGAIN_MS, () => void tellThreadRead(place))
    }
  }

  /** Changes a topic at once, and takes that back where the server refuses it. */
  async function optimistic(
    topicId: string,
    change: (state: ChatState) => ChatState,
    fields: readonly (keyof ChatTopic)[],
    body: Parameters<typeof patch>[1],
  ): Promise<void> {
    const before = store.getSnapshot().topics.get(topicId)
    store.update(change)
    try {
      const told = await patchState(topicId, body)
      store.update((state) => edited(state, (edit) => putStates(edit, [told])))
    } catch (error) {
      if (before) store.update((state) => edited(state, (edit) => restore(edit, [before], fields)))
      throw error
    }
  }

  return {
    markRead(topicId: string, messageId: string): void {
      const { topics, messages } = store.getSnapshot()
      const topic = topics.get(topicId)
      const message = messages.get(messageId)
      if (!topic?.isMember) return
      const isFurther = messageId > (topic.unreadAfter ?? '')
      const isLate = message !== undefined && isLateUnread(topic, message)
      if (!isFurther && !isLate) return
      store.update((state) =>
        edited(state, (edit) => {
          moveRead(edit, topicId, messageId)
          if (isFurther) edit.unsavedReads.set(topicId, messageId)
        }),
      )
      // A late message is marked by itself, beside the position for all others. If this fails, it stays unread.
      if (isLate) void patchState(topicId, { readTo: messageId }).catch(() => {})
      if (!isFurther) return
      if (timers.has(`read ${topicId}`)) return
      const wait = (readToldAt.get(topicId) ?? 0) + READ_MS.next - Date.now()
      later(`read ${topicId}`, Math.max(READ_MS.first, wait), () => void tellRead(topicId))
    },

    markUnread(topicId: string, messageId: string): Promise<void> {
      clearTimeout(timers.get(`read ${topicId}`))
      timers.delete(`read ${topicId}`)
      return optimistic(
        topicId,
        (state) => edited(state, (edit) => moveUnread(edit, topicId, messageId)),
        READ_FIELDS,
        { unreadFrom: messageId },
      )
    },

    async markAllRead(): Promise<void> {
      const { topics: before, threads } = store.getSnapshot()
      store.update((state) =>
        edited(state, (edit) => {
          for (const { id, lastMessage } of state.topics.values()) moveRead(edit, id, lastMessage?.id)
          readAllThreads(edit)
        }),
      )
      try {
        const { states } = await api<typeof readEverything>('POST', '/read-all', {})
        store.update((state) => edited(state, (edit) => putStates(edit, states)))
      } catch (error) {
        store.update((state) =>
          edited(state, (edit) => {
            restore(edit, before.values(), READ_FIELDS)
            edit.threads.replace(threads)
          }),
        )
        throw error
      }
    },

    async readThread({ topicId, threadId }: ThreadPlace): Promise<void> {
      if (store.getSnapshot().threads.has(threadId)) return
      const { following, readTo, ...counts } = await api<typeof readThread>('GET', threadPath, {
        params: { messageId: threadId },
      })
      if (!following || readTo === null) return
      store.update((state) =>
        edited(state, (edit) => {
          const lastReplyId = edit.conversations.get(threadId)?.ids.at(-1) ?? threadId
          if (!edit.threads.has(threadId))
            edit.threads.set(threadId, { topicId, lastReplyId, readTo, unreadInTopic: 0, ...counts })
        }),
      )
    },

    followThread: (place: ThreadPlace, following: boolean): Promise<void> =>
      patchThread(place, { following }),

    markReplyUnread: (place: ThreadPlace, replyId: string): Promise<void> =>
      patchThread(place, { unreadFrom: replyId, following: true }),

    markThreadRead(place: ThreadPlace, replyId: string): void {
      const { threadId } = place
      const before = store.getSnapshot().threads.get(threadId)?.readTo
      store.update((state) => edited(state, (edit) => readReplies(edit, threadId, replyId)))
      const readTo = store.getSnapshot().threads.get(threadId)?.readTo
      if (readTo === undefined || readTo === before) return
      unsavedThreads.set(threadId, { place, readTo: replyId })
      if (timers.has(`read ${threadId}`)) return
      const wait = (readToldAt.get(threadId) ?? 0) + READ_MS.next - Date.now()
      later(`read ${threadId}`, Math.max(READ_MS.first, wait), () => void tellThreadRead(place))
    },

    setTopicState: (topicId: string, change: OwnChoice): Promise<void> =>
      optimistic(
        topicId,
        (state) =>
          edited(state, (edit) => {
            const topic = edit.topics.get(topicId)
            if (topic) edit.topics.set(topicId, { ...topic, ...change })
          }),
        ['muted', 'favourite', 'level'],
        change,
      ),

    saveDraft(place: ConversationPlace, text: string): void {
      const key = keyOf(place)
      if ((store.getSnapshot().drafts.get(key)?.text ?? '') === text) return
      store.update((state) => withDraft(state, place, text))
      if (text === '') emptied.add(place)
      else emptied.remove(place)
      if (text === '') {
        draftBegunAt.delete(key)
        later(`draft ${key}`, 0, () => void tellDraft(key, true))
        return
      }
      const begunAt = draftBegunAt.get(key) ?? Date.now()
      draftBegunAt.set(key, begunAt)
      const wait = Math.min(DRAFT_MS.quiet, begunAt + DRAFT_MS.most - Date.now())
      later(`draft ${key}`, wait, () => void tellDraft(key))
    },

    tellTyping({ topicId, threadId }: ConversationPlace): void {
      const key = keyOf({ topicId, threadId })
      const now = Date.now()
      if (!store.getSnapshot().online || now - (typingToldAt.get(key) ?? 0) < TYPING_EVERY_MS) return
      typingToldAt.set(key, now)
      const body = { topicId, ...(threadId !== undefined && { parentId: threadId }) }
      // A lost typing signal costs nothing.
      api<typeof tellTyping>('POST', '/typing', { body }).catch(() => {})
    },

    /** Tells the server what it has not heard yet: the connection is back, or what was kept was read. */
    tellAll(): void {
      const { unsavedReads, unsavedDrafts } = store.getSnapshot()
      for (const topicId of unsavedReads.keys()) {
        if (!timers.has(`read ${topicId}`)) later(`read ${topicId}`, 0, () => void tellRead(topicId))
      }
      for (const key of unsavedDrafts) {
        if (!draftBegunAt.has(key)) later(`draft ${key}`, 0, () => void tellDraft(key))
      }
    },

    /** The page is about to go: tells what there is at once, in requests that outlive it. */
    flush(): void {
      const { unsavedReads, unsavedDrafts } = store.getSnapshot()
      for (const [topicId, readTo] of unsavedReads) void patch(topicId, { readTo }, true).catch(() => {})
      for (const { place, readTo } of unsavedThreads.values())
        void patchThread(place, { readTo }, true).catch(() => {})
      for (const key of unsavedDrafts) void tellDraft(key, true)
    },

    close(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

const READ_FIELDS = ['readTo', 'unreadAfter', 'lateReadTo', 'unread', 'mentions'] as const

/** Gives these fields of topics the values from before. */
function restore(edit: StateEdit, topics: Iterable<ChatTopic>, fields: readonly (keyof ChatTopic)[]): void {
  for (const before of topics) {
    const topic = edit.topics.get(before.id)
    const former = Object.fromEntries(fields.map((field) => [field, before[field]]))
    if (!topic) continue
    edit.topics.set(before.id, { ...topic, ...former })
    recount(edit, before.id) // messages that arrived since stay counted
  }
}

/** A refusal is final; any other failure may work later. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ChatError &&
  error.failure.status >= 400 &&
  error.failure.status < 500 &&
  error.failure.status !== 429

export const without = <Item>(set: ReadonlySet<Item>, item: Item): ReadonlySet<Item> =>
  set.has(item) ? new Set([...set].filter((one) => one !== item)) : set

/** Empties drafts that were sent or taken back here, whatever was kept of them, but for newer ones from elsewhere. */
export function withEmptied(state: ChatState, emptied: readonly EmptiedDraft[]): ChatState {
  let after = state
  for (const { updatedAt, ...place } of emptied) {
    const key = keyOf(place)
    if (updatedAt === undefined) {
      after = withDraft(after, place, '')
      continue
    }
    const known = after.drafts.get(key)
    if (known && known.updatedAt > updatedAt && !after.unsavedDrafts.has(key)) continue
    const { drafts } = withDraft(after, place, '', updatedAt)
    after = { ...after, drafts, unsavedDrafts: without(after.unsavedDrafts, key) }
  }
  return after
}

/** Stays in the list, empty, until the server has heard that it is gone. */
export function withDraft<State extends Pick<ChatState, 'drafts' | 'unsavedDrafts'>>(
  state: State,
  place: ConversationPlace,
  text: string,
  updatedAt = Date.now(),
): State {
  const key = keyOf(place)
  const draft = {
    topicId: place.topicId,
    ...(place.threadId !== undefined && { parentId: place.threadId }),
    text,
    updatedAt,
  }
  return {
    ...state,
    drafts: new Map(state.drafts).set(key, draft),
    unsavedDrafts: new Set(state.unsavedDrafts).add(key),
  }
}
