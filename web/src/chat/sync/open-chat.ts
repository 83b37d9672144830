import { chatApi, type Fetch } from '../../api/chat.ts'
import type { ChatActions, ChatState, Outgoing } from '../model.ts'
import { emptyState, mergeMembers, mergeStreaming } from '../store/apply.ts'
import type { Told } from '../store/events.ts'
import { dropOutgoing, putOutgoing, settleOutgoing } from '../store/outgoing.ts'
import { endTopics, mergeRest, mergeStart, mergeTopics } from '../store/start.ts'
import { ChatStore, type Schedule } from '../store/store.ts'
import { actionsOf } from './actions.ts'
import { historyOf } from './history.ts'
import { membersOf } from './members.ts'
import type { TabPort, ToTab, UploadResult } from './protocol.ts'
import { type EmptiedDrafts, readingOf, withEmptied } from './reading.ts'

/** Storage that outlives the page. */
export type Kept = {
  load(): Promise<Partial<ChatState> | undefined>
  /** Writes a moment later, with what comes until then. */
  save(state: ChatState): void
  /** Writes what is waiting at once. */
  flush(): void
  /** Deletes everything of this organization. */
  forget(): Promise<unknown>
  /** Keeps what is to be sent; false where its files cannot be kept. Deletions from here on come after it. */
  putOutgoing(item: Outgoing): Promise<boolean>
  emptied: EmptiedDrafts
}

export type Upload = { result: Promise<UploadResult>; stop(): void }

export type ChatParts = {
  accountId: string
  organizationId: string
  port: TabPort
  kept: Kept
  fetcher: Fetch
  schedule: Schedule
  upload(item: Outgoing, onProgress: (sentBytes: number) => void): Upload
  /** The topic that the page is about to show. */
  openTopicId?(): string | undefined
  /** Resolves when the first messages are on the screen; until then only what these need is read. */
  painted?: Promise<void>
  /** Shows a notification: asked of one tab of the browser, the one that was looked at last. */
  notify?(event: Told): void
  /** Loads the page again, without the kept copy. */
  reload?(): void
}

export type OpenChat = {
  store: ChatStore
  /** Settles when the stored state has been read, or there is none. */
  keptRead: Promise<void>
  actions: ChatActions
  /** Call it when the tab comes to the front or the network is back. */
  wake(reason: 'front' | 'online'): void
  /** The page goes, perhaps for good; `resume` if it comes back. */
  suspend(): void
  resume(): void
  close(): void
}

/** One organization's chat in one tab: what was kept, then what the hub tells. */
export function openChat(parts: ChatParts): OpenChat {
  const { accountId, organizationId, port, kept, fetcher, schedule } = parts
  const api = chatApi(organizationId, fetcher)
  const store: ChatStore = new ChatStore(emptyState(organizationId), schedule, (id) => members.want(id))
  const members = membersOf(store, api)
  const history = historyOf(store, api)
  const reading = readingOf(store, api, kept.emptied)
  const uploads = new Map<string, Upload>()
  let isKeeper = false
  let isAttached = false
  let isClosed = false
  let savedState: ChatState | undefined
  /** The state when the topics began to be listed. */
  let beforeListing: ChatState | undefined

  const actions = actionsOf({ store, api, history, reading, hub: port, keep: kept.putOutgoing })

  function attach(): void {
    const { status, position, organization, members: known, hasAllTopics, me, outbox } = store.getSnapshot()
    port.post({
      type: 'attach',
      accountId,
      organizationId,
      position: status === 'ready' ? position : undefined,
      hasMembers: known.size > 1 || organization?.manyMembers === true,
      hasTopics: hasAllTopics,
      topicId: parts.openTopicId?.(),
      profileId: me?.id,
    })
    isAttached = true
    void Promise.resolve(parts.painted).then(() => isAttached && port.post({ type: 'painted' }))
    // Messages that were stored nowhere, or that another hub may not have taken; the hub ignores items it knows.
    for (const item of outbox)
      if (item.state === 'queued' || item.state === 'sending') port.post({ type: 'send', item })
    reading.tellAll()
  }

  function hear(message: ToTab): void {
    if (isClosed) return
    switch (message.type) {
      case 'hello':
        if (isAttached) attach()
        return
      case 'connection':
        store.update((state) =>
          state.connection === message.connection ? state : { ...state, connection: message.connection },
        )
        if (message.connection === 'live') reading.tellAll()
        return
      case 'failed':
        store.update((state) =>
          state.status === 'ready' ? state : { ...state, status: 'failed', failure: message.failure },
        )
        if (message.failure.status === 404) void kept.forget()
        return
      case 'start':
        void begin(message)
        return
      case 'members':
        store.update((state) => mergeMembers(state, message.members))
        return
      case 'topics':
        store.update((state) => mergeTopics(state, message.page, store.since(message.page.position)))
        return
      case 'topicsEnd':
        if (beforeListing) store.update((state) => endTopics(state, beforeListing ?? state, message))
        return
      case 'rest':
        store.update((state) => mergeRest(state, message.rest))
        return
      case 'streaming':
        store.update((state) => mergeStreaming(state, message.streaming))
        return
      case 'topic':
        history.putTopic(message.topic)
        return
      case 'events':
        renewed(() => store.hear(message.events))
        for (const event of message.events)
          if (event.type === 'reply.shown')
            void history.showReply(event.data.topicId, event.data.messageId).catch(() => {}) // read with the topic
        if (!isKeeper) return
        for (const event of message.events)
          if (event.type === 'notification' || event.type === 'later') parts.notify?.(event)
        return
      case 'outgoing':
        store.update((state) => putOutgoing(state, message.item))
        return
      case 'sent':
        store.update((state) => settleOutgoing(state, message.item, message.answer))
        return
      case 'gone':
        store.update((state) => dropOutgoing(state, message.localId))
        return
      case 'upload':
        upload(message.item)
        return
      case 'stopUpload':
        uploads.get(message.localId)?.stop()
        uploads.delete(message.localId)
        return
      case 'keeper':
        isKeeper = message.isKeeper
        savedState = undefined
        save()
    }
  }

  /** A person who has become a guest, or is none any more, begins with an empty page: a guest's has nothing of the others. */
  function renewed(change: () => void): void {
    const before = store.getSnapshot().me
    change()
    const { me } = store.getSnapshot()
    if (!before || !me || (before.role === 'guest') === (me.role === 'guest')) return
    isKeeper = false
    void kept.forget().finally(() => parts.reload?.())
  }

  async function begin({ start, isGap, outgoing }: Extract<ToTab, { type: 'start' }>): Promise<void> {
    const { messages, outbox } = store.getSnapshot()
    renewed(() =>
      store.update((state) => mergeStart(state, start, { isGap, recent: store.since(start.position) })),
    )
    beforeListing = store.getSnapshot()
    if (start.manyMembers)
      void Promise.resolve(parts.painted).then(() => members.refresh(start.members ?? []))
    if (!isGap) return
    if (messages.size > 0) await history.repair()
    // Messages that were sent since are in the loaded pages.
    for (const { localId } of outbox) {
      if (!outgoing.includes(localId)) store.update((state) => dropOutgoing(state, localId))
    }
  }

  function upload(item: Outgoing): void {
    const { localId } = item
    const begun = parts.upload(item, (sentBytes) => port.post({ type: 'progress', localId, sentBytes }))
    uploads.set(localId, begun)
    void begun.result.then((result) => {
      if (uploads.get(localId) !== begun) return
      uploads.delete(localId)
      port.post({ type: 'uploaded', localId, result })
    })
  }

  function save(): void {
    const state = store.getSnapshot()
    if (!isKeeper || state.status !== 'ready' || state.connection === 'ended' || state === savedState) return
    savedState = state
    kept.save(state)
  }

  port.listen(hear)
  store.subscribe(save)
  const keptRead = kept.load().then((state) => {
    if (isClosed) return
    if (state) store.update((empty) => ({ ...empty, ...state, outbox: empty.outbox, status: 'ready' }))
    store.update((known) => withEmptied(known, kept.emptied.all()))
    attach()
  })

  return {
    store,
    keptRead,
    actions,
    wake(reason) {
      if (isAttached) port.post({ type: reason })
    },
    suspend() {
      reading.flush()
      save()
      kept.flush()
      port.post({ type: 'leave' })
    },
    resume: attach,
    close() {
      reading.flush()
      kept.flush()
      isClosed = true
      for (const begun of uploads.values()) begun.stop()
      port.post({ type: 'leave' })
      history.close()
      reading.close()
      members.close()
      store.close()
    },
  }
}
