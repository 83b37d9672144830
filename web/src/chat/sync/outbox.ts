import type { readMessage, sendMessage } from '../../../../contract/messages.ts'
import type { readSent } from '../../../../contract/people/chat.ts'
import type { ChatApi } from '../../api/chat.ts'
import { ChatError, type ChatFailure, type Outgoing } from '../model.ts'
import type { ChatEvent } from '../store/events.ts'
import { sendCard } from './cards.ts'
import { FILES_LOST, NOT_PROCESSED } from './failures.ts'
import { waitBefore } from './pacing.ts'
import type { SentAnswer, UploadResult } from './protocol.ts'
import { isFinal } from './reading.ts'

/** Files that the server has taken and not shown after this time will not be shown any more. */
const PROCESSED_WITHIN_MS = 600_000

/** Storage of the outbox; without it, messages wait only as long as their holder lives. */
export type OutboxStorage = {
  load(): Promise<Outgoing[]>
  put(item: Outgoing): Promise<void>
  delete(localId: string): Promise<void>
}

export type OutboxOptions = {
  api: ChatApi
  storage: OutboxStorage
  /** How it stands now. */
  onItem(item: Outgoing): void
  /** A text was taken: it is a message now. */
  onSent(item: Outgoing, answer: SentAnswer): void
  onGone(localId: string): void
  /** Files are uploaded elsewhere: progress can only be seen in a tab. */
  upload(item: Outgoing): Promise<UploadResult>
  stopUpload(localId: string): void
  waitBefore?: (failures: number) => number
}

/**
 * Sends what waits, in each topic one after the other, until the server has it or refuses it. The key of the request is the
 * item's own id, so that a request whose answer was lost can be sent again, also by another browser process.
 */
export class Outbox {
  #options: OutboxOptions
  #items = new Map<string, Outgoing>()
  /** Topics that are being sent to. */
  #lanes = new Set<string>()
  #waiting = new Set<() => void>()
  #isPaused = false
  #checkTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  get items(): Outgoing[] {
    return [...this.#items.values()]
  }

  /** Goes on with what was left. */
  async load(): Promise<void> {
    const kept = (await this.#options.storage.load()).sort((one, other) => one.createdAt - other.createdAt)
    for (const item of kept) {
      if (this.#items.has(item.localId)) continue
      this.#items.set(item.localId, item)
      // A tab that came before this was read sees also what waits behind the first.
      this.#options.onItem(item)
    }
    for (const { topicId } of kept) void this.#send(topicId)
  }

  add(item: Outgoing): void {
    if (this.#items.has(item.localId)) return
    this.#put(item)
    void this.#send(item.topicId)
  }

  sendAgain(localId: string): void {
    const item = this.#items.get(localId)
    if (item?.state !== 'failed') return
    this.#put({ ...item, state: 'queued', failure: undefined })
    void this.#send(item.topicId)
  }

  discard(localId: string): void {
    const item = this.#items.get(localId)
    if (item?.state === 'accepted') return
    this.#remove(localId)
    if (!item) return
    if (item.files) this.#options.stopUpload(localId)
    this.wake()
  }

  progress(localId: string, sentBytes: number): void {
    const item = this.#items.get(localId)
    if (item?.state !== 'sending') return
    this.#items.set(localId, { ...item, sentBytes })
    this.#options.onItem({ ...item, sentBytes })
  }

  /** Messages that arrived leave the outbox; their event tells the tabs. */
  hear(events: readonly ChatEvent[], profileId: string | undefined): void {
    if (this.#items.size === 0) return
    for (const event of events) {
      if (event.type !== 'message.created') continue
      const { id, externalId, senderId } = event.data.message
      for (const item of this.items) {
        if (item.id === id || (item.localId === externalId && senderId === profileId))
          this.#forget(item.localId)
      }
    }
  }

  /** Looks up accepted files after a gap: their messages may have been missed. */
  async check(now = Date.now()): Promise<void> {
    for (const item of this.items) {
      if (item.state !== 'accepted' || item.id === undefined) continue
      const params = { messageId: item.id }
      try {
        await this.#options.api<typeof readMessage>('GET', '/messages/{messageId}', { params })
        this.#remove(item.localId)
      } catch (error) {
        if (!isFinal(error) || now - item.createdAt < PROCESSED_WITHIN_MS) continue
        const failure = { status: 404, code: NOT_PROCESSED, text: '' }
        this.#put({ ...item, state: 'failed', failure })
      }
    }
  }

  /** There is reason to believe that it would work now. */
  wake(): void {
    for (const goOn of [...this.#waiting]) goOn()
  }

  /** Stops sending at the end of the session or when the last tab closes. Waiting messages stay stored. */
  pause(): void {
    this.#isPaused = true
    clearTimeout(this.#checkTimer)
    this.wake()
  }

  async #send(topicId: string): Promise<void> {
    if (this.#lanes.has(topicId)) return
    this.#lanes.add(topicId)
    let failures = 0
    for (;;) {
      const item = this.items.find(
        (one) => one.topicId === topicId && (one.state === 'queued' || one.state === 'sending'),
      )
      if (!item || this.#isPaused) break
      const result = await this.#attempt(item)
      const now = this.#items.get(item.localId)
      if (!now) {
        failures = 0 // it was discarded, or its event was faster than its answer
      } else if ('answer' in result) {
        failures = 0
        this.#accept(now, result.answer)
      } else if (isFinal(new ChatError(result.failure)) && result.failure.status !== 401) {
        failures = 0
        this.#put({ ...now, state: 'failed', failure: result.failure })
      } else {
        failures += 1
        this.#put({ ...now, state: 'queued' })
        const wait = this.#options.waitBefore ?? waitBefore
        await this.#pause(result.retryAfterMs ?? wait(failures))
      }
    }
    this.#lanes.delete(topicId)
  }

  async #attempt(item: Outgoing): Promise<UploadResult> {
    this.#put({ ...item, state: 'sending', isTried: true })
    if (item.files) return this.#uploadOnce(item)
    const { topicId, text, parentId, alsoInTopic, localId } = item
    try {
      if (item.card) return { answer: await sendCard(this.#options.api, item, item.card) }
      const answer = await this.#options.api<typeof sendMessage>('POST', '/messages', {
        body: {
          topicId,
          text,
          ...(parentId !== undefined && { parentId }),
          ...(alsoInTopic && { alsoInTopic }),
          externalId: localId,
        },
        key: localId,
      })
      return { answer }
    } catch (error) {
      return failedWith(error)
    }
  }

  /** The server is asked first for an upload that it may have already: a lost answer costs no second upload. */
  async #uploadOnce(item: Outgoing): Promise<UploadResult> {
    if (item.isTried) {
      try {
        const query = { key: item.localId }
        const { sent } = await this.#options.api<typeof readSent>('GET', '/sent', { query })
        if (sent) return { answer: sent }
      } catch (error) {
        return failedWith(error)
      }
    }
    const isWhole = item.files?.every(({ blob }) => blob !== undefined)
    return isWhole ? this.#options.upload(item) : { failure: { status: 400, code: FILES_LOST, text: '' } }
  }

  #accept(item: Outgoing, answer: SentAnswer): void {
    if (item.files) {
      this.#put({ ...item, state: 'accepted', id: answer.id })
      clearTimeout(this.#checkTimer)
      this.#checkTimer = setTimeout(() => void this.check(), PROCESSED_WITHIN_MS)
      return
    }
    // The list of scheduled messages has it; a live event says so.
    if (answer.held) {
      this.#remove(item.localId)
      return
    }
    this.#forget(item.localId)
    this.#options.onSent(item, answer)
  }

  #put(item: Outgoing): void {
    this.#items.set(item.localId, item)
    void this.#options.storage.put(item)
    this.#options.onItem(item)
  }

  #forget(localId: string): void {
    this.#items.delete(localId)
    void this.#options.storage.delete(localId)
  }

  #remove(localId: string): void {
    this.#forget(localId)
    this.#options.onGone(localId)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        this.#waiting.delete(goOn)
        resolve()
      }
      const timer = setTimeout(goOn, ms)
      this.#waiting.add(goOn)
    })
  }
}

export function failedWith(error: unknown): { failure: ChatFailure; retryAfterMs?: number | undefined } {
  if (error instanceof ChatError) return { failure: error.failure, retryAfterMs: error.retryAfterMs }
  return { failure: { status: 0, code: '', text: String(error) } }
}
