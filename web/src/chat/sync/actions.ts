import type { deleteMessage, editMessage } from '../../../../contract/messages.ts'
import type {
  createChatTopic,
  joinTopic,
  leaveTopic,
  listChatMembers,
  listOpenTopics,
  listPins,
  openDirectMessage,
  pinMessage,
  readChatTopic,
  readReceipts,
  setBotReach,
  unpinMessage,
  updateChatTopic,
} from '../../../../contract/people/chat.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatTopic } from '../../../../contract/people/chat-records.ts'
import type { listTopicCommands, sendCommandForm } from '../../../../contract/people/commands.ts'
import type { saveMessage, unsaveMessage } from '../../../../contract/people/saved.ts'
import type { stopStreaming } from '../../../../contract/people/streaming.ts'
import type { addReaction, removeReaction } from '../../../../contract/reactions.ts'
import type { addTopicMembers, removeTopicMembers } from '../../../../contract/topics.ts'
import type { ChatApi } from '../../api/chat.ts'
import { type ChatActions, ChatError, type Outgoing } from '../model.ts'
import { mergeMembers } from '../store/apply.ts'
import { addMessage, removeMessage, setReaction } from '../store/content.ts'
import { dropTopic } from '../store/directory.ts'
import { dropOutgoing, mentionsIn, putOutgoing } from '../store/outgoing.ts'
import { edited } from '../store/state-edit.ts'
import type { ChatStore } from '../store/store.ts'
import { cardActionsOf } from './card-actions.ts'
import type { History } from './history.ts'
import { newId, Queues } from './pacing.ts'
import type { ToHub } from './protocol.ts'
import type { Reading } from './reading.ts'
import { sectionActionsOf } from './sections.ts'

/** Most members that one request takes. */
const MEMBERS_AT_ONCE = 5

type Parts = {
  store: ChatStore
  api: ChatApi
  history: History
  reading: Reading
  /** The hub holds the outbox. */
  hub: { post(message: ToHub): void }
  /**
   * Begins to keep what is to be sent before the hub hears of it: begun later, it could come back after the hub has sent it
   * and deleted it, and would be sent again.
   */
  keep(item: Outgoing): Promise<boolean>
}

const FOUND_MEMBERS = 50

export function actionsOf({ store, api, history, reading, hub, keep }: Parts): ChatActions {
  const queues = new Queues()
  /** Ids of the person's own reactions, by message and emoji. */
  const reactionIds = new Map<string, string>()

  const keepTopic = (topic: ChatTopic): ChatTopic => {
    history.putTopic(topic)
    return topic
  }

  async function tellReaction(messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const name = `${messageId} ${emoji}`
    const params = { messageId }
    // Adding a reaction that exists answers its id; so it can be removed without knowing the id before.
    const reactionId =
      (isOn ? undefined : reactionIds.get(name)) ??
      (
        await api<typeof addReaction>('POST', '/messages/{messageId}/reactions', {
          params,
          body: { reaction: emoji },
        })
      ).id
    reactionIds.set(name, reactionId)
    if (isOn) return
    reactionIds.delete(name)
    await api<typeof removeReaction>('DELETE', '/messages/{messageId}/reactions/{reactionId}', {
      params: { messageId, reactionId },
    })
  }

  async function inParts(memberIds: string[], work: (part: string[]) => Promise<unknown>): Promise<void> {
    for (let from = 0; from < memberIds.length; from += MEMBERS_AT_ONCE) {
      await work(memberIds.slice(from, from + MEMBERS_AT_ONCE))
    }
  }

  function enqueue(
    sent: Pick<Outgoing, 'topicId' | 'parentId' | 'alsoInTopic' | 'text' | 'files' | 'waveform' | 'card'>,
  ): void {
    const last = store.getSnapshot().outbox.at(-1)?.createdAt ?? 0
    const createdAt = Math.max(Date.now(), last + 1)
    const item: Outgoing = { ...sent, localId: newId(), createdAt, state: 'queued' }
    store.update((state) => putOutgoing(state, item))
    void keep(item).then((isKept) => {
      const isWanted = store.getSnapshot().outbox.some(({ localId }) => localId === item.localId)
      const given = item.files && !isKept ? { ...item, isVolatile: true } : item
      hub.post(isWanted ? { type: 'send', item: given } : { type: 'discard', localId: item.localId })
    })
  }

  /** The form that was sent last, while nothing is known of its arrival. */
  let unanswered: { content: string; key: string } | undefined

  return {
    openConversation: history.open,
    loadBefore: history.before,
    loadAfter: history.after,
    shortenConversation: history.shorten,
    loadMessage: history.message,
    refreshFiles: history.refreshFiles,
    jumpToNewest: history.newest,

    ...cardActionsOf(store, api, history),
    ...sectionActionsOf(store, api),

    send({ topicId, threadId, text, parentId = threadId, alsoInTopic, files, waveform }) {
      enqueue({
        topicId,
        ...(parentId !== undefined && { parentId }),
        ...(alsoInTopic && { alsoInTopic }),
        text,
        ...(files && files.length > 0 && { files }),
        ...(waveform && { waveform }),
      })
      // Text begun beside a voice message is not part of it, and stays.
      if (!waveform) reading.saveDraft({ topicId, threadId }, '')
    },

    sendCard({ topicId, threadId }, card) {
      enqueue({ topicId, ...(threadId !== undefined && { parentId: threadId }), text: '', card })
    },

    sendAgain(localId) {
      const item = store.getSnapshot().outbox.find((one) => one.localId === localId)
      if (item?.state !== 'failed') return
      store.update((state) => putOutgoing(state, { ...item, state: 'queued', failure: undefined }))
      hub.post({ type: 'sendAgain', localId })
    },

    discard(localId) {
      const item = store.getSnapshot().outbox.find((one) => one.localId === localId)
      // A text that is just going out may have arrived; files can be stopped until the server has them.
      if (!item || item.state === 'accepted' || (item.state === 'sending' && !item.files)) return undefined
      store.update((state) => dropOutgoing(state, localId))
      hub.post({ type: 'discard', localId })
      return item
    },

    async listCommands(topicId) {
      const { commands } = await api<typeof listTopicCommands>('GET', '/topics/{topicId}/commands', {
        params: { topicId },
      })
      return commands
    },

    async sendCommandForm({ topicId, ...body }) {
      const content = JSON.stringify([topicId, body])
      const key = unanswered?.content === content ? unanswered.key : newId()
      try {
        await api<typeof sendCommandForm>('POST', '/topics/{topicId}/commands', {
          params: { topicId },
          body,
          key,
        })
        unanswered = undefined
      } catch (error) {
        const { status } = error instanceof ChatError ? error.failure : { status: 0 }
        unanswered = status >= 400 && status < 500 ? undefined : { content, key }
        throw error
      }
    },

    async stopStreaming(messageId) {
      await api<typeof stopStreaming>('POST', '/streaming/{streamingId}/stop', {
        params: { streamingId: messageId },
        key: newId(),
      })
    },

    async editMessage(messageId, text) {
      const before = store.getSnapshot().messages.get(messageId)
      const change = { text, isEdited: true, ...mentionsIn(store.getSnapshot(), text) }
      const put = (changes: Partial<ChatMessage>) =>
        store.update((state) =>
          edited(state, (edit) => {
            const now = edit.messages.get(messageId)
            // A message that an event has changed since is newer than both.
            if (now && now.updatedAt === before?.updatedAt)
              edit.messages.set(messageId, { ...now, ...changes })
          }),
        )
      put(change)
      try {
        await api<typeof editMessage>('PATCH', '/messages/{messageId}', {
          params: { messageId },
          body: { text },
        })
      } catch (error) {
        if (before) {
          const { text: former, isEdited, mentions, mentionDetails } = before
          put({ text: former, isEdited, mentions, mentionDetails })
        }
        throw error
      }
    },

    async deleteMessage(messageId) {
      const before = store.getSnapshot().messages.get(messageId)
      store.update((state) => edited(state, (edit) => removeMessage(edit, messageId)))
      try {
        await api<typeof deleteMessage>('DELETE', '/messages/{messageId}', { params: { messageId } })
      } catch (error) {
        if (before) store.update((state) => edited(state, (edit) => addMessage(edit, before)))
        throw error
      }
    },

    async react(messageId, emoji, isOn) {
      const userId = store.getSnapshot().me?.id ?? ''
      const set = (to: boolean) =>
        store.update((state) =>
          edited(state, (edit) => setReaction(edit, { messageId, emoji, userId, isOn: to })),
        )
      set(isOn)
      try {
        await queues.run(`${messageId} ${emoji}`, () => tellReaction(messageId, emoji, isOn))
      } catch (error) {
        set(!isOn)
        throw error
      }
    },

    async pin(messageId, isOn) {
      const params = { messageId }
      if (isOn) await api<typeof pinMessage>('POST', '/messages/{messageId}/pin', { params })
      else await api<typeof unpinMessage>('DELETE', '/messages/{messageId}/pin', { params })
    },

    async save(messageId) {
      const path = '/saved-messages/{messageId}'
      return api<typeof saveMessage>('PATCH', path, { params: { messageId }, body: {} })
    },

    async unsave(messageId) {
      const path = '/saved-messages/{messageId}'
      await api<typeof unsaveMessage>('DELETE', path, { params: { messageId } })
    },

    async readPins(topicId) {
      const { messages } = await api<typeof listPins>('GET', '/topics/{topicId}/pins', {
        params: { topicId },
      })
      return messages
    },

    readReceipts: (messageId) =>
      api<typeof readReceipts>('GET', '/messages/{messageId}/receipts', { params: { messageId } }),

    markRead: reading.markRead,
    markUnread(topicId, messageId) {
      const message = store.getSnapshot().messages.get(messageId)
      if (!message?.threadOnly || message.parentId === undefined)
        return reading.markUnread(topicId, messageId)
      return reading.markReplyUnread({ topicId, threadId: message.parentId }, messageId)
    },
    markAllRead: reading.markAllRead,
    readThread: reading.readThread,
    followThread: reading.followThread,
    markThreadRead: reading.markThreadRead,
    setTopicState: reading.setTopicState,
    saveDraft: reading.saveDraft,
    tellTyping: reading.tellTyping,

    createTopic: async (topic) =>
      keepTopic(await api<typeof createChatTopic>('POST', '/topics', { body: topic, key: newId() })),

    async updateTopic(topicId, change) {
      keepTopic(
        await api<typeof updateChatTopic>('PATCH', '/topics/{topicId}', {
          params: { topicId },
          body: change,
        }),
      )
    },

    readTopic: async (topicId) =>
      keepTopic(await api<typeof readChatTopic>('GET', '/topics/{topicId}', { params: { topicId } })),

    async findOpenTopics(search) {
      const { topics } = await api<typeof listOpenTopics>('GET', '/open-topics', { query: { search } })
      return topics
    },

    async findMembers({ search = '', limit = FOUND_MEMBERS, ...wanted }) {
      const query = { search, limit, ...wanted }
      const page = await api<typeof listChatMembers>('GET', '/members', { query })
      store.update((state) => mergeMembers(state, page.members, page.online))
      return page
    },

    async join(topicId) {
      keepTopic(await api<typeof joinTopic>('POST', '/topics/{topicId}/join', { params: { topicId } }))
    },

    async leave(topicId) {
      await api<typeof leaveTopic>('POST', '/topics/{topicId}/leave', { params: { topicId } })
      store.update((state) => edited(state, (edit) => dropTopic(edit, topicId)))
    },

    addMembers: (topicId, memberIds, reach) =>
      inParts(memberIds, (part) =>
        api<typeof addTopicMembers>('POST', '/topics/{topicId}/members', {
          params: { topicId },
          body: { memberIds: part, ...(reach && { reach }) },
        }),
      ),

    async setReach(topicId, botId, reach) {
      await api<typeof setBotReach>('PATCH', '/topics/{topicId}/members/{botId}', {
        params: { topicId, botId },
        body: { reach },
      })
    },

    async releaseBots(topicId) {
      const body = { botsStopped: false as const }
      keepTopic(
        await api<typeof updateChatTopic>('PATCH', '/topics/{topicId}', { params: { topicId }, body }),
      )
    },

    removeMembers: (topicId, memberIds) =>
      inParts(memberIds, (part) =>
        api<typeof removeTopicMembers>('DELETE', '/topics/{topicId}/members', {
          params: { topicId },
          body: { memberIds: part },
        }),
      ),

    openDirectMessage: async (memberIds) =>
      keepTopic(await api<typeof openDirectMessage>('POST', '/direct-messages', { body: { memberIds } })),
  }
}
