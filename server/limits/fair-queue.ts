/** How much less patience there is for what waits while the queue does not get empty. */
const STANDING_FACTOR = 10
/** Work is stalled if it has not come back after this time: a disk, a failover or a lock holds it up. */
const STALLED_AFTER_MS = 500

/** The fields of a waiting item, set by `arrival()`. */
export type Waiting = {
  /** Number in the order of arrival. */
  arrival: number
  /** The time of arrival: by the clock, and by the queue's moving time. */
  at: number
  movingAt: number
  /** Whether it was taken once and came back: such an item is not given up. */
  hasBegun: boolean
}

export type Patience = {
  /** Milliseconds that an item may wait to be begun while work comes back; 0: nothing is given up. */
  queueMs: number
  /** Milliseconds that an item may wait to be begun, stalls included. */
  stallMs: number
}

/**
 * Waiting items by name, such as an organization's id. Each name is served in the order of arrival, and the names take
 * turns, so that one with thousands in the queue delays another's first by one place.
 *
 * **An overload**: more comes than can be done. No item waits longer than `queueMs` to be begun, since its caller could
 * do better elsewhere or later. A burst may use all of that. If the queue has not been empty for that long, every item
 * would wait that long: then a tenth is the limit, so that served items are served quickly, and a full queue refuses
 * new ones. That lasts until none was refused for as long.
 *
 * **A stall**: work that was taken does not come back. That says nothing about how much comes, so these times stand
 * still, until the queue was empty once, or for as long again as the stall has lasted. No item waits longer than
 * `stallMs` in all. In the middle of an overload the times go on at once, and the queue stays as short as it was.
 */
export class FairQueue<Item extends Waiting> {
  #patience: Patience
  #giveUp: (item: Item) => void
  #queues = new Map<string, Item[]>()
  #size = 0
  #arrivals = 0
  /** When the running work was taken. */
  #takenAt: number | undefined
  /** Start of the current stall, and the length of all earlier ones. */
  #stalledAt: number | undefined
  #stalledMs = 0
  /** End of the time for catching up after a stall. */
  #catchUpUntil: number | undefined
  #emptyAt: number
  #refusedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(patience: Patience, giveUp: (item: Item) => void) {
    this.#patience = patience
    this.#giveUp = giveUp
    this.#emptyAt = performance.now()
  }

  get size(): number {
    return this.#size
  }

  /** Milliseconds that the oldest item has waited while the queue moved. */
  get oldestMs(): number {
    const now = this.#movingTime()
    let oldest = 0
    for (const [first] of this.#queues.values()) if (first) oldest = Math.max(oldest, now - first.movingAt)
    return oldest
  }

  /** Whether more comes than can be done. */
  get isCrowded(): boolean {
    const { queueMs } = this.#patience
    if (queueMs === 0) return false
    const now = this.#movingTime()
    const isStanding = this.#size > 0 && now - this.#emptyAt > queueMs
    return isStanding || now - this.#refusedAt < queueMs
  }

  /** Turns a newcomer away if it is crowded and its name has its share of the room already; tells whether. */
  turnsAway(name: string, room: number): boolean {
    if (!this.isCrowded) return false
    const waiting = this.#queues.get(name)?.length ?? 0
    if (waiting * Math.max(1, this.#queues.size) < room) return false
    this.#refusedAt = this.#movingTime()
    return true
  }

  arrival(): Waiting {
    this.#arrivals += 1
    return { arrival: this.#arrivals, at: performance.now(), movingAt: this.#movingTime(), hasBegun: false }
  }

  /** An item that was taken before returns to its place: before all of its name that came after it. */
  add(name: string, item: Item): void {
    const queue = this.#queueOf(name)
    const isLast = (queue.at(-1)?.arrival ?? 0) < item.arrival
    const place = isLast ? queue.length : queue.findIndex(({ arrival }) => arrival > item.arrival)
    queue.splice(place, 0, item)
    this.#grow()
  }

  /**
   * Takes one of each name in turn, up to `limit`, of at most `maxNames` names. A name that was served goes to the end. The work counts as
   * under way until `done`.
   */
  take(limit: number, maxNames = Number.POSITIVE_INFINITY): Item[] {
    this.#giveUpLate()
    const shares = new Map<string, number>()
    let candidates = [...this.#queues.keys()].slice(0, Math.min(limit, maxNames))
    for (let room = limit; room > 0 && candidates.length > 0; ) {
      candidates = candidates.slice(0, room)
      room -= candidates.length
      candidates = candidates.filter((name) => {
        const share = (shares.get(name) ?? 0) + 1
        shares.set(name, share)
        return share < (this.#queues.get(name)?.length ?? 0)
      })
    }
    const taken = [...shares].flatMap(([name, share]) => this.#takeOf(name, share))
    if (taken.length > 0) this.#takenAt = performance.now()
    return taken
  }

  /** Marks the taken work as finished. */
  done(): void {
    const { isCrowded } = this
    const now = performance.now()
    const tookMs = now - (this.#takenAt ?? now)
    const hasStalled = this.#noticeStall()
    this.#takenAt = undefined
    if (!hasStalled) return
    this.#catchUpUntil = now + tookMs
    if (isCrowded || this.#size === 0) this.#endStall(now)
  }

  /** Stops the clock of the queue if the running work has stalled. Returns whether it has. */
  #noticeStall(): boolean {
    if (this.#takenAt === undefined) return false
    const stalledAt = this.#takenAt + STALLED_AFTER_MS
    if (performance.now() <= stalledAt) return false
    this.#stalledAt ??= stalledAt
    this.#catchUpUntil = undefined
    return true
  }

  #endStall(at: number): void {
    if (this.#stalledAt === undefined) return
    this.#stalledMs += at - this.#stalledAt
    this.#stalledAt = undefined
    this.#catchUpUntil = undefined
  }

  #movingTime(): number {
    this.#noticeStall()
    const now = performance.now()
    if (this.#catchUpUntil !== undefined && now >= this.#catchUpUntil) this.#endStall(this.#catchUpUntil)
    return (this.#stalledAt ?? now) - this.#stalledMs
  }

  #takeOf(name: string, count: number): Item[] {
    const queue = this.#queueOf(name)
    const taken = queue.splice(0, count)
    this.#queues.delete(name)
    if (queue.length > 0) this.#queues.set(name, queue)
    this.#shrink(taken.length)
    for (const item of taken) item.hasBegun = true
    return taken
  }

  #queueOf(name: string): Item[] {
    const queue = this.#queues.get(name) ?? []
    this.#queues.set(name, queue)
    return queue
  }

  #grow(): void {
    const { queueMs } = this.#patience
    // The timer checks the queue while the item taken last is still running.
    if (queueMs > 0) this.#timer ??= setTimeout(() => this.#look(), queueMs / STANDING_FACTOR)
    if (this.#size === 0) this.#emptyAt = this.#movingTime()
    this.#size += 1
  }

  #shrink(count: number): void {
    this.#size -= count
    if (this.#size > 0) return
    if (this.#catchUpUntil !== undefined) this.#endStall(performance.now())
    this.#emptyAt = this.#movingTime()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#timer = undefined
    this.#giveUpLate()
    if (this.#size > 0) this.#timer = setTimeout(() => this.#look(), this.#patience.queueMs / STANDING_FACTOR)
  }

  #giveUpLate(): void {
    const { queueMs, stallMs } = this.#patience
    if (queueMs === 0 || this.#size === 0) return
    const latest = performance.now() - stallMs
    const latestMoving = this.#movingTime() - (this.isCrowded ? queueMs / STANDING_FACTOR : queueMs)
    for (const [name, queue] of [...this.#queues]) {
      // Items are in the order of arrival: if the first is not late, none is. Items that have begun are skipped.
      const late = new Set<Item>()
      for (const item of queue) {
        if (item.hasBegun) continue
        if (item.at >= latest && item.movingAt >= latestMoving) break
        late.add(item)
      }
      if (late.size === 0) continue
      const left = queue.filter((item) => !late.has(item))
      if (left.length > 0) this.#queues.set(name, left)
      else this.#queues.delete(name)
      this.#refusedAt = this.#movingTime()
      this.#shrink(late.size)
      for (const item of late) this.#giveUp(item)
    }
  }
}
