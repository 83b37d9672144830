import type { listChatMembers, readChatTopic, startChat } from '../../../../contract/people/chat.ts'
import type { listStreaming } from '../../../../contract/people/streaming.ts'
import { type ChatApi, chatApi, type Fetch } from '../../api/chat.ts'
import { ChatError, type ChatState } from '../model.ts'
import { type ChatEvent, isLogEvent, type LogEvent, readEvent } from '../store/events.ts'
import type { StartAnswer } from '../store/start.ts'
import { Outbox, type OutboxStorage } from './outbox.ts'
import { waitBefore } from './pacing.ts'
import { Pieces } from './pieces.ts'
import type { HubPort, ToHub, ToTab, UploadResult } from './protocol.ts'
import { StartLists } from './start-lists.ts'
import { type Frame, LiveConnection } from './stream.ts'

/** Number of recent events that are kept for tabs that open later. */
const KEPT_EVENTS = 2000
/** Events are passed on at once, and those that come within this time together. */
const TOGETHER_MS = 16
/** The connection outlives the last tab by this long, so that a reload finds it open. */
const LINGER_MS = 3000
const PAGE = 100

type Tab = { port: HubPort; isWaiting: boolean }
type Attach = Extract<ToHub, { type: 'attach' }>

export type HubOptions = {
  fetcher: Fetch
  storage(accountId: string, organizationId: string): OutboxStorage
}

/** All that is connected in this browser: for each organization one live stream and one outbox, however many tabs. */
export class Hub {
  #options: HubOptions
  #accountId: string | undefined
  #organizations = new Map<string, OrganizationHub>()

  constructor(options: HubOptions) {
    this.#options = options
  }

  /** A tab has come; its first message names the organization it shows. */
  connect(port: HubPort): void {
    let hub: OrganizationHub | undefined
    port.listen((message) => {
      if (message.type !== 'attach') {
        hub?.hear(port, message)
        return
      }
      hub?.hear(port, { type: 'leave' })
      hub = this.#organization(message)
      hub.attach(port, message)
    })
  }

  #organization({ accountId, organizationId }: Attach): OrganizationHub {
    // Another account has signed in: the present state is not theirs.
    if (this.#accountId !== accountId) {
      for (const hub of this.#organizations.values()) hub.close()
      this.#organizations.clear()
      this.#accountId = accountId
    }
    const known = this.#organizations.get(organizationId)
    if (known && !known.isOver) return known
    known?.close()
    const made = new OrganizationHub(organizationId, {
      fetcher: this.#options.fetcher,
      storage: this.#options.storage(accountId, organizationId),
      onEmpty: () => {
        if (this.#organizations.get(organizationId) === made) this.#organizations.delete(organizationId)
      },
    })
    this.#organizations.set(organizationId, made)
    return made
  }
}

/** Longer than a tab waits before it writes what it keeps. */
const UNKEPT_MS = 5000

type OrganizationOptions = {
  fetcher: Fetch
  storage: OutboxStorage
  onEmpty(): void
}

class OrganizationHub {
  #organizationId: string
  #options: OrganizationOptions
  #api: ChatApi
  #outbox: Outbox
  #tabs = new Map<HubPort, Tab>()
  #stream: LiveConnection | undefined
  #connection: ChatState['connection'] = 'connecting'
  #profileId: string | undefined
  /** Up to where the stream has been read. */
  #position = -1
  /** Events after `#keptFrom`, for tabs that come later. */
  #kept: LogEvent[] = []
  #keptFrom = -1
  /** When a change of the person's own state was last heard: no event of the log brings it again. */
  #stateHeardAt = 0
  #unsent: ChatEvent[] = []
  #unsentTimer: ReturnType<typeof setTimeout> | undefined
  #sentAt = 0
  #isStarting = false
  #isStartStale = false
  #isFresh = false
  /** Unknown until a start has been read. */
  #hasManyMembers: boolean | undefined
  /** A tab has not got the members yet. */
  #wantsMembers = false
  #isReadingMembers = false
  /** The topic that was opened last. */
  #topicId: string | undefined
  #lists: StartLists
  #topicsUnderWay = new Set<string>()
  #pieces = new Pieces(() => this.#readStreaming())
  #uploads = new Map<string, { port: HubPort | undefined; done(result: UploadResult): void }>()
  #keeper: HubPort | undefined
  #linger: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(organizationId: string, options: OrganizationOptions) {
    this.#organizationId = organizationId
    this.#options = options
    this.#api = chatApi(organizationId, options.fetcher)
    this.#outbox = new Outbox({
      api: this.#api,
      storage: options.storage,
      onItem: (item) => this.#tell({ type: 'outgoing', item }),
      onSent: (item, answer) => this.#tell({ type: 'sent', item, answer }),
      onGone: (localId) => this.#tell({ type: 'gone', localId }),
      upload: (item) => new Promise((done) => this.#assign(item.localId, done)),
      stopUpload: (localId) => this.#stopUpload(localId),
    })
    this.#lists = new StartLists({
      api: this.#api,
      isOver: () => this.isOver,
      readStreaming: () => this.#readStreaming(),
      tell: (message) => {
        this.#flush()
        this.#tell(message)
      },
    })
    void this.#outbox.load()
  }

  get isOver(): boolean {
    return this.#isClosed || this.#connection === 'ended'
  }

  attach(port: HubPort, { position, hasMembers, hasTopics, topicId, profileId }: Attach): void {
    clearTimeout(this.#linger)
    this.#profileId ??= profileId
    this.#topicId = topicId ?? this.#topicId
    const tab: Tab = { port, isWaiting: false }
    this.#tabs.set(port, tab)
    this.#keep(port)
    port.post({ type: 'connection', connection: this.#connection })
    for (const item of this.#outbox.items) port.post({ type: 'outgoing', item })
    this.#resumeUploads()
    this.#wantsMembers ||= !hasMembers
    if (this.#hasManyMembers !== undefined) this.#readWantedMembers()

    const isFirst = this.#position < 0 && !this.#isStarting
    if (isFirst && position !== undefined) {
      this.#position = this.#keptFrom = position
      this.#open()
    } else if (position !== undefined && hasTopics && this.#position >= 0 && position >= this.#keptFrom) {
      this.#post(tab, this.#eventsAfter(position))
      this.#pieces.read() // pieces that passed before it came
      // The kept copy is written a moment late, and lacks the person's own state of that moment, as events do.
      if (Date.now() - this.#stateHeardAt < UNKEPT_MS) void this.#start()
    } else {
      tab.isWaiting = true
      void this.#start()
    }
  }

  hear(port: HubPort, message: Exclude<ToHub, Attach>): void {
    switch (message.type) {
      case 'leave':
        this.#leave(port)
        return
      case 'painted':
        this.#lists.painted()
        return
      case 'front':
        this.#keep(port)
        this.#wake()
        return
      case 'online':
        this.#wake()
        return
      case 'send':
        this.#outbox.add(message.item)
        return
      case 'sendAgain':
        this.#outbox.sendAgain(message.localId)
        return
      case 'discard':
        this.#outbox.discard(message.localId)
        return
      case 'progress':
        this.#outbox.progress(message.localId, message.sentBytes)
        return
      case 'uploaded': {
        const upload = this.#uploads.get(message.localId)
        this.#uploads.delete(message.localId)
        upload?.done(message.result)
      }
    }
  }

  close(): void {
    this.#isClosed = true
    this.#stream?.close()
    this.#outbox.pause()
    clearTimeout(this.#unsentTimer)
    clearTimeout(this.#linger)
    this.#pieces.stop()
    this.#options.onEmpty()
  }

  #leave(port: HubPort): void {
    if (!this.#tabs.delete(port)) return
    for (const [localId, upload] of this.#uploads) {
      if (upload.port === port) this.#uploads.set(localId, { ...upload, port: undefined })
    }
    const [next] = this.#tabs.keys()
    if (this.#keeper === port) {
      this.#keeper = undefined
      if (next) this.#keep(next)
    }
    this.#resumeUploads()
    if (this.#tabs.size === 0) this.#linger = setTimeout(() => this.close(), LINGER_MS)
  }

  /** Lets the visible tab alone write the stored chat: one writer, and the one with the newest views. */
  #keep(port: HubPort): void {
    if (this.#keeper === port) return
    this.#keeper?.post({ type: 'keeper', isKeeper: false })
    this.#keeper = port
    port.post({ type: 'keeper', isKeeper: true })
  }

  #wake(): void {
    this.#stream?.wake()
    this.#outbox.wake()
  }

  #open(): void {
    this.#stream = new LiveConnection({
      fetcher: this.#options.fetcher,
      url: () => `/people/organizations/${this.#organizationId}/stream?after=${this.#position}`,
      onOpen: () => this.#opened(),
      onFrame: (frame) => this.#take(frame),
      onLost: () => this.#connect('offline'),
      onEnded: () => this.#end(),
    })
  }

  /** Passing events may have been missed before: read positions, drafts, presence. */
  #opened(): void {
    this.#connect('live')
    this.#outbox.wake()
    if (!this.#isFresh) void this.#start()
    // A bot may have begun a message since the start was read.
    else this.#pieces.read()
    this.#isFresh = false
  }

  #connect(connection: ChatState['connection']): void {
    if (this.#connection === connection) return
    this.#connection = connection
    this.#tell({ type: 'connection', connection })
  }

  #end(): void {
    this.#stream?.close()
    this.#outbox.pause()
    this.#connect('ended')
  }

  #take({ type, id, data }: Frame): void {
    if (id !== '') this.#position = Number(id)
    if (type === 'reset') {
      // The log no longer reaches back to this browser's position: everything is read again.
      this.#flush()
      this.#kept = []
      this.#keptFrom = this.#position
      for (const tab of this.#tabs.values()) tab.isWaiting = true
      this.#wantsMembers = true
      void this.#start()
      return
    }
    const event = readEvent(type, id, data, Date.now())
    if (!event) return
    if (isLogEvent(event)) {
      this.#kept.push(event)
      if (this.#kept.length > 2 * KEPT_EVENTS) {
        this.#keptFrom = this.#kept[KEPT_EVENTS - 1]?.position ?? this.#keptFrom
        this.#kept.splice(0, KEPT_EVENTS)
      }
    }
    if (event.type === 'state') this.#stateHeardAt = Date.now()
    this.#pieces.hear(event)
    this.#outbox.hear([event], this.#profileId)
    this.#noticeTopic(event)
    this.#unsent.push(event)
    const wait = this.#sentAt + TOGETHER_MS - Date.now()
    if (wait <= 0) this.#flush()
    else this.#unsentTimer ??= setTimeout(() => this.#flush(), wait)
  }

  #flush(): void {
    clearTimeout(this.#unsentTimer)
    this.#unsentTimer = undefined
    this.#sentAt = Date.now()
    const events = this.#unsent.splice(0)
    for (const tab of this.#tabs.values()) if (!tab.isWaiting) this.#post(tab, events)
  }

  #post({ port }: Tab, events: ChatEvent[]): void {
    if (events.length > 0) port.post({ type: 'events', events })
  }

  #eventsAfter(position: number): LogEvent[] {
    return this.#kept.filter((event) => event.position > position)
  }

  #tell(message: ToTab): void {
    for (const port of this.#tabs.keys()) port.post(message)
  }

  /** Reads what the chat starts with, until it is there, for tabs that wait for it and to refresh the others. */
  async #start(): Promise<void> {
    this.#isStartStale = true
    if (this.#isStarting) return
    this.#isStarting = true
    let failures = 0
    while (this.#isStartStale && !this.isOver) {
      this.#isStartStale = false
      try {
        const isUsed = this.#started(
          await this.#api<typeof startChat>('GET', '/start', {
            query: { ...(this.#topicId !== undefined && { topicId: this.#topicId }) },
          }),
        )
        failures = 0
        if (!isUsed) await new Promise((resolve) => setTimeout(resolve, waitBefore(1)))
      } catch (error) {
        if (!(error instanceof ChatError)) throw error
        const { failure, retryAfterMs } = error
        if ([401, 403, 404].includes(failure.status)) {
          this.#tell({ type: 'failed', failure })
          this.#end()
          break
        }
        this.#isStartStale = true
        failures += 1
        if (failure.status === 0) this.#connect('offline')
        else this.#tell({ type: 'failed', failure })
        const wait = retryAfterMs ?? waitBefore(failures)
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
    this.#isStarting = false
  }

  #started(start: StartAnswer): boolean {
    this.#profileId = start.me.id
    this.#flush()
    if (this.#position < 0) {
      this.#position = this.#keptFrom = start.position
      this.#isFresh = true
      this.#open()
    }
    // Read before the log was cut: it would leave a gap behind it.
    if (start.position < this.#keptFrom) {
      this.#isStartStale = true
      return false
    }
    this.#pieces.know(start.streaming ?? [])
    const outgoing = this.#outbox.items.map(({ localId }) => localId)
    for (const tab of this.#tabs.values()) {
      tab.port.post({ type: 'start', start, isGap: tab.isWaiting, outgoing })
      if (!tab.isWaiting) continue
      tab.isWaiting = false
      this.#post(tab, this.#eventsAfter(start.position))
    }
    void this.#outbox.check()
    this.#hasManyMembers = start.manyMembers === true
    this.#readWantedMembers()
    void this.#lists.read(start)
    return true
  }

  #readWantedMembers(): void {
    if (this.#wantsMembers && this.#hasManyMembers === false) void this.#readMembers()
    this.#wantsMembers = false
  }

  async #readStreaming(): Promise<void> {
    const { streaming = [] } = await this.#api<typeof listStreaming>('GET', '/streaming', {})
    this.#flush()
    this.#pieces.know(streaming)
    this.#tell({ type: 'streaming', streaming })
  }

  async #readMembers(): Promise<void> {
    if (this.#isReadingMembers) return
    this.#isReadingMembers = true
    let cursor: string | undefined
    try {
      do {
        const page = await this.#api<typeof listChatMembers>('GET', '/members', {
          query: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
        })
        this.#tell({ type: 'members', members: page.members })
        cursor = page.nextCursor
      } while (cursor !== undefined && !this.isOver)
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      const isRefused = error.failure.status >= 400 && error.failure.status < 500
      if (!isRefused && !this.isOver) setTimeout(() => void this.#readMembers(), waitBefore(4))
    }
    this.#isReadingMembers = false
  }

  /** Events do not say what a topic is: one that the person has just come into is read once, for all tabs. */
  #noticeTopic(event: ChatEvent): void {
    if (event.type === 'topic.created') void this.#readTopic(event.data.topicId)
    if (event.type !== 'member.added') return
    const { memberIds, topicId } = event.data
    if (this.#profileId === undefined || memberIds.includes(this.#profileId)) void this.#readTopic(topicId)
  }

  async #readTopic(topicId: string): Promise<void> {
    if (this.#topicsUnderWay.has(topicId)) return
    this.#topicsUnderWay.add(topicId)
    try {
      const params = { topicId }
      const topic = await this.#api<typeof readChatTopic>('GET', '/topics/{topicId}', { params })
      this.#flush()
      this.#tell({ type: 'topic', topic })
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      // A 404 means that the topic is gone again. Any other failure is repaired by a fresh start.
      if (error.failure.status !== 404) void this.#start()
    }
    this.#topicsUnderWay.delete(topicId)
  }

  #assign(localId: string, done: (result: UploadResult) => void): void {
    this.#uploads.set(localId, { port: undefined, done })
    this.#resumeUploads()
  }

  /** Gives uploads without a tab to one. */
  #resumeUploads(): void {
    const [first] = this.#tabs.keys()
    const port = this.#keeper ?? first
    if (!port) return
    for (const [localId, upload] of this.#uploads) {
      const item = this.#outbox.items.find((one) => one.localId === localId)
      if (upload.port !== undefined || !item) continue
      this.#uploads.set(localId, { ...upload, port })
      port.post({ type: 'upload', item })
    }
  }

  #stopUpload(localId: string): void {
    const upload = this.#uploads.get(localId)
    this.#uploads.delete(localId)
    upload?.port?.post({ type: 'stopUpload', localId })
    upload?.done({ failure: { status: 0, code: '', text: '' } })
  }
}
