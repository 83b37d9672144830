import type { Ceiling, Ceilings } from '../limits/ceilings.ts'

/** Shares of `QUEUE_MS` after which a turn of the event loop begins no further message: for a burst, and while more comes than can be done. */
const BURST_SHARE = 1 / 4
const STANDING_SHARE = 1 / 40
/** The share that refusals may take of each turn. */
const REFUSING_SHARE = 1 / 100
/** After a refusal, so many times `QUEUE_MS` count as the same overload. */
const STANDING_FACTOR = 10
/** Owners that may begin one more message in a turn that is over its time. */
const MAX_LATECOMERS = 64

/**
 * Decides right after the headers whether a message is begun at all. Node reads all connections that have something to say in one turn of
 * its event loop, and whatever the database has answered waits for the next one: with 3,000 senders a turn took up to 3.7 s, in which 2,400
 * messages were read, checked and put into the queue to be refused there, and 128 were written. So a turn has a bound; beyond it, messages are
 * refused for the price of their headers. Each owner (an organization) may still begin one, so that nobody is crowded out by somebody else's flood.
 */
export class Shedding {
  readonly #queueMs: number
  readonly #now: () => number
  readonly #ceiling: Ceiling
  #turnAt: number | undefined
  #lastTurnMs = 0
  #standingUntil = 0
  readonly #latecomers = new Set<string>()
  #refusals: (() => void)[] = []

  /** `queueMs` 0: nothing is refused. */
  constructor(queueMs: number, ceilings: Ceilings, now = () => performance.now()) {
    this.#queueMs = queueMs
    this.#now = now
    this.#ceiling = ceilings.add('turn_ms', queueMs * BURST_SHARE, () => this.#lastTurnMs)
  }

  /** A request of whatever kind has come: its turn has begun with the first of them. */
  noteRequest(): void {
    if (this.#turnAt !== undefined || this.#queueMs === 0) return
    this.#turnAt = this.#now()
    setImmediate(() => this.#endTurn())
  }

  /** Whether a message is begun in this turn; `owner` is asked for only where that is in doubt. */
  admits(owner: () => string): boolean {
    if (this.#turnAt === undefined) return true
    const now = this.#now()
    const share = now < this.#standingUntil ? STANDING_SHARE : BURST_SHARE
    if (now - this.#turnAt <= this.#queueMs * share) return true
    if (this.#latecomers.size < MAX_LATECOMERS) {
      const name = owner()
      if (!this.#latecomers.has(name)) {
        this.#latecomers.add(name)
        return true
      }
    }
    this.#standingUntil = now + this.#queueMs * STANDING_FACTOR
    this.#ceiling.refusals += 1
    return false
  }

  /**
   * Refuses at the end of this turn or of one of the next, some in each. A refusal brings the next request of the same sender, which would be read in
   * the same turn: it would go on for as long as all of them do.
   */
  later(refuse: () => void): void {
    this.#refusals.push(refuse)
    if (this.#refusals.length === 1) setImmediate(() => this.#refuseSome())
  }

  #refuseSome(): void {
    const until = this.#now() + this.#queueMs * REFUSING_SHARE
    let done = 0
    do this.#refusals[done++]?.()
    while (done < this.#refusals.length && this.#now() < until)
    this.#refusals = this.#refusals.slice(done)
    if (this.#refusals.length > 0) setImmediate(() => this.#refuseSome())
  }

  #endTurn(): void {
    if (this.#turnAt !== undefined) this.#lastTurnMs = this.#now() - this.#turnAt
    this.#turnAt = undefined
    this.#latecomers.clear()
  }
}
