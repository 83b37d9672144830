import type { readHistory } from '../../../../contract/people/chat.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatTopic } from '../../../../contract/people/chat-records.ts'
import type { ChatApi } from '../../api/chat.ts'
import { ChatError, type ChatFailure, type ConversationKey, type ConversationPlace, keyOf } from '../model.ts'
import {
  applyContent,
  dropConversation,
  emptyConversation,
  forgetUnused,
  type HistoryPage,
  isLong,
  mergeHistory,
  type PageEnd,
  putPage,
  shortenStretch,
  showMessage,
} from '../store/content.ts'
import { putTopic } from '../store/directory.ts'
import { dropArrived } from '../store/outgoing.ts'
import { edited, type StateEdit } from '../store/state-edit.ts'
import type { ChatStore } from '../store/store.ts'
import { showStreaming } from '../store/streaming.ts'

const PAGE = 50
/** More are forgotten, those first that were opened longest ago. */
export const MAX_CONVERSATIONS = 50
/**
 * Number of conversations that are read again after a gap, the last opened first. Others are read when they are
 * opened.
 */
const REPAIRED = 3
const REPAIR_AGAIN_MS = 5000

type Ends = { before?: string; after?: string; around?: string }

const isOfThread = ({ threadId }: ConversationPlace, { messages }: HistoryPage): boolean =>
  threadId === undefined && messages.some(({ threadOnly }) => threadOnly === true)

export type History = ReturnType<typeof historyOf>

/** Loads stretches of conversations into the store. Failures stand in the conversation. */
export function historyOf(store: ChatStore, api: ChatApi) {
  const underWay = new Map<string, Promise<void>>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const conversation = (key: ConversationKey) => store.getSnapshot().conversations.get(key)

  const read = ({ topicId, threadId }: ConversationPlace, ends: Ends, limit = PAGE): Promise<HistoryPage> =>
    api<typeof readHistory>('GET', '/topics/{topicId}/history', {
      params: { topicId },
      query: { ...ends, ...(threadId !== undefined && { threadId }), limit },
    })

  /** Events that came while a page was read may not be in it: they are applied to it once more. */
  const update = (from: number, change: (edit: StateEdit) => void) =>
    store.update((state) =>
      dropArrived(
        edited(state, (edit) => {
          change(edit)
          for (const event of store.since(from)) applyContent(edit, event)
        }),
      ),
    )

  const mark = (place: ConversationPlace, loading: PageEnd | undefined, failure?: ChatFailure) =>
    store.update((state) =>
      edited(state, (edit) => {
        const now = edit.conversations.get(keyOf(place)) ?? emptyConversation(place)
        edit.conversations.set(now.key, { ...now, loading, failure })
      }),
    )

  async function load(
    place: ConversationPlace,
    end: PageEnd,
    ends: Ends,
    { isRepair = false }: { isRepair?: boolean } = {},
  ): Promise<void> {
    const name = JSON.stringify([keyOf(place), end, ends, isRepair])
    const begun =
      underWay.get(name) ?? loadOnce(place, end, ends, isRepair).finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }

  async function loadOnce(
    place: ConversationPlace,
    end: PageEnd,
    ends: Ends,
    isRepair: boolean,
  ): Promise<void> {
    const key = keyOf(place)
    const from = store.getSnapshot().position
    mark(place, end)
    try {
      const [page, root] = await Promise.all([
        read(place, ends),
        end === 'whole' && place.threadId !== undefined ? readOne(place.topicId, place.threadId) : undefined,
      ])
      update(from, (edit) => {
        if (root) putPage(edit, root, isRepair)
        const now = edit.conversations.get(key)
        // Around a reply that the topic does not show, the server reads its thread.
        if (now && isOfThread(place, page)) {
          putPage(edit, page, isRepair)
          edit.conversations.set(key, { ...now, loading: undefined })
          return
        }
        // The stretch may be another one by now: what would lengthen it no longer fits.
        const fits =
          end === 'whole' ||
          now?.ids[0] === ends.before ||
          (end === 'after' && now?.ids.at(-1) === ends.after)
        if (now && fits) {
          mergeHistory(edit, place, page, { end, isRepair })
          showStreaming(edit)
        } else if (now) edit.conversations.set(key, { ...now, loading: undefined })
      })
      const isEmpty = conversation(key)?.ids.length === 0 && ends.around !== undefined
      if (isEmpty && isOfThread(place, page)) await load(place, 'whole', {})
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      if (conversation(key)) mark(place, undefined, error.failure)
    }
  }

  /** Reads one message as a page, which includes who reacted. A reply that stays in its thread is read there. */
  async function readOne(topicId: string, messageId: string): Promise<HistoryPage | undefined> {
    const page = await read({ topicId }, { around: messageId }, 1).catch((error: unknown) => {
      if (error instanceof ChatError && error.failure.status === 404) return undefined
      throw error
    })
    return page?.messages.some(({ id }) => id === messageId) ? page : undefined
  }

  /** The last one in the map is the one that was opened last. */
  function moveToFront(key: ConversationKey): void {
    store.update((state) =>
      edited(state, (edit) => {
        const opened = edit.conversations.get(key)
        if (!opened) return
        edit.conversations.delete(key)
        edit.conversations.set(key, opened)
        for (const oldest of [...edit.conversations.result.keys()].slice(0, -MAX_CONVERSATIONS)) {
          dropConversation(edit, oldest)
        }
      }),
    )
  }

  function shorten(key: ConversationKey, index: number): void {
    const now = conversation(key)
    if (now && isLong(now)) store.update((state) => edited(state, (edit) => shortenStretch(edit, key, index)))
  }

  return {
    async open(place: ConversationPlace, around?: string): Promise<void> {
      const key = keyOf(place)
      const now = conversation(key)
      const isThere = around === undefined ? now && !now.hasAfter : now?.ids.includes(around)
      if (!isThere) {
        const begun = load(place, 'whole', around === undefined ? {} : { around })
        moveToFront(key)
        return begun
      }
      shorten(key, around === undefined ? Number.POSITIVE_INFINITY : (now?.ids.indexOf(around) ?? 0))
      moveToFront(key)
    },

    async before(key: ConversationKey): Promise<void> {
      const now = conversation(key)
      const [first] = now?.ids ?? []
      if (!now?.hasBefore || now.loading || first === undefined) return
      return load(now, 'before', { before: first })
    },

    async after(key: ConversationKey): Promise<void> {
      const now = conversation(key)
      const last = now?.ids.at(-1)
      if (!now?.hasAfter || now.loading || last === undefined) return
      return load(now, 'after', { after: last })
    },

    /** Lets go of what is far from the message at `index`, unless events wait: a list can follow a change at one end at a time. */
    shorten(key: ConversationKey, index: number): void {
      if (!store.isHearing) shorten(key, index)
    },

    newest: (place: ConversationPlace): Promise<void> => load(place, 'whole', {}),

    async message(topicId: string, messageId: string): Promise<ChatMessage | undefined> {
      const known = store.getSnapshot().messages.get(messageId)
      if (known) return known
      const from = store.getSnapshot().position
      const page = await readOne(topicId, messageId)
      if (!page) return undefined
      update(from, (edit) => putPage(edit, page))
      return store.getSnapshot().messages.get(messageId)
    },

    /** Reads a message that is known once more: what it says here may be outdated. */
    async rereadMessage(topicId: string, messageId: string): Promise<void> {
      const from = store.getSnapshot().position
      const page = await readOne(topicId, messageId)
      const message = page?.messages.find(({ id }) => id === messageId)
      update(from, (edit) => {
        if (message && edit.messages.has(messageId)) edit.messages.set(messageId, message)
      })
    },

    /** Puts a reply into its topic that stayed in its thread until now. */
    async showReply(topicId: string, messageId: string): Promise<void> {
      if (!conversation(topicId) || store.getSnapshot().messages.has(messageId)) return
      const from = store.getSnapshot().position
      const page = await readOne(topicId, messageId)
      update(from, (edit) => {
        for (const message of page?.messages ?? []) if (message.id === messageId) showMessage(edit, message)
      })
    },

    async refreshFiles(topicId: string, messageId: string): Promise<void> {
      const from = store.getSnapshot().position
      const page = await readOne(topicId, messageId)
      const message = page?.messages.find(({ id }) => id === messageId)
      update(from, (edit) => {
        const known = edit.messages.get(messageId)
        if (!known || !message) return
        const { attachmentDetails, preview } = message
        edit.messages.set(messageId, {
          ...known,
          ...(attachmentDetails && { attachmentDetails }),
          ...(preview && { preview }),
        })
      })
    },

    /** Stores a topic. A person who has just joined missed its events while only visiting, so it is read again. */
    putTopic(topic: ChatTopic): void {
      const wasMember = store.getSnapshot().topics.get(topic.id)?.isMember
      store.update((state) => edited(state, (edit) => putTopic(edit, topic)))
      if (topic.isMember && wasMember !== true) void repairOne({ key: topic.id })
    },

    /** Reads conversations again after a gap that cannot be filled: none of the loaded ones can be trusted. */
    async repair(): Promise<void> {
      const all = [...store.getSnapshot().conversations.values()]
      store.update((state) =>
        edited(state, (edit) => {
          for (const { key } of all.slice(0, -REPAIRED)) dropConversation(edit, key)
          forgetUnused(edit, [...edit.messages.result.keys()])
        }),
      )
      await Promise.all(all.slice(-REPAIRED).map(repairOne))
    },

    close(): void {
      for (const timer of timers) clearTimeout(timer)
    },
  }

  async function repairOne({ key }: { key: ConversationKey }): Promise<void> {
    const now = conversation(key)
    if (!now) return
    const middle = now.hasAfter ? now.ids[Math.floor(now.ids.length / 2)] : undefined
    await load(now, 'whole', middle === undefined ? {} : { around: middle }, { isRepair: true })
    const failure = conversation(key)?.failure
    if (!failure) return
    // The message in the middle may be gone: then the newest are shown. Without a connection it tries until there is one.
    if (failure.status === 404 && middle !== undefined) return load(now, 'whole', {}, { isRepair: true })
    if (failure.status >= 400 && failure.status < 500) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void repairOne({ key })
    }, REPAIR_AGAIN_MS)
    timers.add(timer)
  }
}
