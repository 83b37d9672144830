import type { ServerResponse } from 'node:http'
import { isAdminRole } from '../../contract/operation.ts'
import { endOf, type PersonCaller } from '../auth/sessions.ts'
import { ChunkedAnswer } from '../http/chunked-answer.ts'
import { endOfLife, LONGEST_LIFE_MS } from '../http/stream-life.ts'
import type { Parley } from '../parley.ts'
import { withPageLinks } from '../presenters/event-links.ts'
import { fingerprintDeliveries, type LivePage, readLiveEvents } from '../queries/events/live-events.ts'

type Parts = Pick<Parley, 'clock' | 'db' | 'links' | 'log' | 'tail'>

/** Events in one read, and how far into the log it looks for them: most of a busy log may be for others. */
const PAGE = { limit: 50, span: 5000 }
/** Events within this time go into one read. */
const COALESCE_MS = 50
const HEARTBEAT_MS = 15_000
const ACTIVITY_MS = 2000
/** Time after which browsers reconnect. */
const RETRY_MS = 1000

/** The position before the log's beginning. A stream that starts here gets `reset`, and continues at the log's end. */
export const NOWHERE = -1

export type StreamOptions = {
  caller: PersonCaller
  /** The browser has everything up to this number. */
  position: number
  /** A bot whose deliveries the page shows. */
  watch: string | undefined
  response: ServerResponse
}

export type StreamListener = {
  /** Whether the person is still admitted; checked together with others. */
  isStillThere(caller: PersonCaller): Promise<boolean>
  onCaughtUp(): void
  onEnd(): void
}

/**
 * One open browser. It reads the log from its position on, as fast as the browser takes it; once it has caught up,
 * `LiveFeed` sends it new events.
 */
export class LiveStream {
  readonly caller: PersonCaller
  #parley: Parts
  #options: StreamOptions
  #answer: ChunkedAnswer
  #listener: StreamListener
  #position: number
  #isAdmin = false
  #isGuest = false
  #isReading = false
  #isWoken = false
  #isTicking = false
  #isOver = false
  #readAt = 0
  #timer: NodeJS.Timeout | undefined
  /** Ephemeral frames of this moment. */
  #ephemeral = ''
  #passTimer: NodeJS.Immediate | undefined
  #heardAt: number
  #endsAt: number
  #activity = { seq: 0, at: 0, isLast: true }
  #fingerprint: string | undefined

  constructor(parley: Parts, options: StreamOptions, listener: StreamListener) {
    this.#parley = parley
    this.#options = options
    this.#answer = new ChunkedAnswer(options.response)
    this.#listener = listener
    this.caller = options.caller
    this.#position = options.position
    this.#heardAt = parley.clock()
    this.#endsAt = Math.min(endOfLife(this.#heardAt, LONGEST_LIFE_MS.page), endOf(options.caller))
    this.#send(`retry: ${RETRY_MS}\n\n`)
    this.wake()
  }

  get position(): number {
    return this.#position
  }

  /** Whether the person was a guest at the last read of the log. */
  get isGuest(): boolean {
    return this.#isGuest
  }

  /** The role as of the last read of the log. */
  get isAdmin(): boolean {
    return this.#isAdmin
  }

  /** Whether it has caught up, and gets new events directly. */
  get isCurrent(): boolean {
    return !this.#isOver && !this.#isReading && !this.#timer && this.#position !== NOWHERE
  }

  /** Sends the events up to here that this person may see. A browser that does not take it reads the log when it does. */
  tell(frames: string, lastSeq: number): void {
    if (frames !== '') {
      // Whether it is full costs more than all the rest for the thousands that get nothing.
      if (this.#answer.isFull) {
        this.wake()
        return
      }
      this.#send(frames)
    }
    this.#position = Math.max(this.#position, lastSeq)
    this.#tellActivity(lastSeq)
  }

  /**
   * Sends an ephemeral frame: a browser that cannot take it now does not get it. Frames of several topics at one moment
   * are one write to the socket.
   */
  pass(frame: string): void {
    if (frame === '' || this.#isOver || this.#answer.isFull) return
    this.#ephemeral += frame
    this.#passTimer ??= setImmediate(() => this.#send(''))
  }

  /** Reads the log again. */
  wake(): void {
    if (this.#isOver || this.#timer) return
    if (this.#isReading) {
      this.#isWoken = true
      return
    }
    const wait = Math.max(0, this.#readAt + COALESCE_MS - performance.now())
    this.#timer = setTimeout(() => void this.#work(() => this.#catchUp()), wait)
  }

  /** Checks a changed session or membership. */
  checkSession(): void {
    void this.#work(async () => {
      if (!(await this.#listener.isStillThere(this.caller))) this.end()
    })
  }

  /** Runs every second, for quiet connections and changes without an event. */
  tick(lastSeq: number): void {
    if (this.#options.response.destroyed || this.#parley.clock() >= this.#endsAt) this.end()
    if (this.#isOver || this.#isTicking) return
    const isBeatDue = this.#parley.clock() - this.#heardAt >= HEARTBEAT_MS
    if (!isBeatDue && !this.#isAdmin) return // activity and deliveries are for admins
    this.#isTicking = true
    void this.#work(async () => {
      if (isBeatDue) await this.#beat()
      if (this.#isOver || this.#answer.isFull) return
      this.#tellActivity(lastSeq)
      await this.#tellDeliveries()
    }).finally(() => {
      this.#isTicking = false
    })
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    const { response } = this.#options
    if (this.#answer.isFull)
      response.destroy() // its rest would never be taken
    else response.end(this.#takePassing())
    clearImmediate(this.#passTimer)
    this.#listener.onEnd()
  }

  /** A failure ends the stream: the browser reconnects and continues where it was. */
  async #work(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#isOver) this.#parley.log.warn({ err: error }, 'a live stream was cut off')
      this.end()
    }
  }

  async #catchUp(): Promise<void> {
    this.#timer = undefined
    this.#isReading = true
    let lastSeq = 0
    do {
      this.#isWoken = false
      this.#readAt = performance.now()
      const page = await this.#read()
      if (!page?.isOpen) return this.end()
      this.#show(page)
      lastSeq = page.lastSeq
      this.#parley.tail.readTo(this.caller.orgId, lastSeq)
      // Reads nothing for a browser that does not take its data.
      await this.#answer.drained()
    } while (!this.#isOver && this.#position < lastSeq)
    this.#isReading = false
    if (this.#isWoken) this.wake()
    else this.#listener.onCaughtUp()
  }

  #read(): Promise<LivePage | undefined> {
    const limit = this.#position === NOWHERE ? 0 : PAGE.limit
    const { db, clock } = this.#parley
    return readLiveEvents(this.caller, db, { ...PAGE, limit, position: this.#position, now: clock() })
  }

  #show({ events, lastSeq, floorSeq, role }: LivePage): void {
    this.#isAdmin = isAdminRole(role)
    this.#isGuest = role === 'guest'
    if (this.#position < floorSeq || this.#position > lastSeq) {
      this.#position = this.#activity.seq = lastSeq
      this.#send(`event: reset\nid: ${lastSeq}\ndata: {}\n\n`)
      return
    }
    const { profileId } = this.caller
    const link = this.#parley.links.for(this.caller)
    this.#send(
      events
        .map(
          (event) =>
            `event: ${event.type}\nid: ${event.seq}\ndata: ${withPageLinks(event, link, { role, profileId })}\n\n`,
        )
        .join(''),
    )
    const last = events.length === PAGE.limit ? events.at(-1)?.seq : undefined
    this.#position = last ?? Math.min(this.#position + PAGE.span, lastSeq)
    this.#tellActivity(lastSeq)
  }

  /**
   * Sends the position along, so that a browser that sees little of a busy log need not start over. A stalled browser
   * is disconnected: if it is still there, it connects again and continues where it was.
   */
  async #beat(): Promise<void> {
    this.#heardAt = this.#parley.clock()
    if (this.#answer.isFull) return this.end()
    if (!(await this.#listener.isStillThere(this.caller))) return this.end()
    if (this.#position !== NOWHERE) this.#send(`: still here\nid: ${this.#position}\n\n`)
  }

  /** Once more when it has become quiet: the overview may have answered from memory, at most as old as this interval. */
  #tellActivity(lastSeq: number): void {
    if (!this.#isAdmin) return
    const now = performance.now()
    const { seq, at, isLast } = this.#activity
    const isMore = lastSeq > seq
    if ((isLast && !isMore) || now - at < ACTIVITY_MS || this.#answer.isFull) return
    this.#activity = { seq: lastSeq, at: now, isLast: !isMore }
    this.#send('event: activity\ndata: {}\n\n')
  }

  async #tellDeliveries(): Promise<void> {
    const { watch } = this.#options
    if (watch === undefined || !this.#isAdmin) return
    const before = this.#fingerprint
    this.#fingerprint = await fingerprintDeliveries(
      { orgId: this.caller.orgId, botId: watch },
      this.#parley.db,
    )
    // The first one too: something may have happened between the reading of the page and the opening of its stream.
    if (before !== this.#fingerprint)
      this.#send(`event: deliveries\ndata: ${JSON.stringify({ botId: watch })}\n\n`)
  }

  /** Writes queued ephemeral frames first, then `text`. */
  #send(text: string): void {
    const all = this.#takePassing() + text
    if (!this.#isOver && all !== '') this.#answer.write(all)
  }

  #takePassing(): string {
    const ephemeral = this.#ephemeral
    this.#ephemeral = ''
    clearImmediate(this.#passTimer)
    this.#passTimer = undefined
    return ephemeral
  }
}
