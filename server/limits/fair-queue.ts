/** How much less patience there is for what waits while the queue does not get empty. */
const STANDING_FACTOR = 10

/** The fields of an item in such a queue; `arrival()` gives it. */
export type Waiting = {
  /** Its place in the order of arrival. */
  arrival: number
  at: number
  /** Whether it was taken once and came back: then it is not given up any more. */
  hasBegun: boolean
}

/**
 * Waiting items by name, such as an organization's id: each name is served in the order of arrival, and the names take turns, so
 * that one with thousands in the queue delays another's first by one place.
 *
 * Nothing waits for longer than `patienceMs` to be begun: its caller could do better elsewhere or later. A burst may use all of
 * that. If the queue has not been empty for that long, more comes than can be done, and each would wait for as long as it may: then
 * a tenth has to do, so that those who are served are served quickly, and whoever comes to a full queue is turned away. That lasts until
 * nobody was refused for as long.
 */
export class FairQueue<Item extends Waiting> {
  #patienceMs: number
  #giveUp: (item: Item) => void
  #queues = new Map<string, Item[]>()
  #size = 0
  #arrivals = 0
  #emptyAt = performance.now()
  #refusedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  /** `patienceMs` 0: nothing is given up. */
  constructor(patienceMs: number, giveUp: (item: Item) => void) {
    this.#patienceMs = patienceMs
    this.#giveUp = giveUp
  }

  get size(): number {
    return this.#size
  }

  /** Milliseconds that the oldest has waited. */
  get oldestMs(): number {
    const now = performance.now()
    let oldest = 0
    for (const [first] of this.#queues.values()) if (first) oldest = Math.max(oldest, now - first.at)
    return oldest
  }

  /** Whether more comes than can be done. */
  get isCrowded(): boolean {
    return this.#patienceMs > 0 && this.#isCrowdedAt(performance.now())
  }

  #isCrowdedAt(now: number): boolean {
    const isStanding = this.#size > 0 && now - this.#emptyAt > this.#patienceMs
    return isStanding || now - this.#refusedAt < this.#patienceMs
  }

  /** Turns a newcomer away if it is crowded and its name has its share of the room already; tells whether. */
  turnsAway(name: string, room: number): boolean {
    if (!this.isCrowded) return false
    const waiting = this.#queues.get(name)?.length ?? 0
    if (waiting * Math.max(1, this.#queues.size) < room) return false
    this.#refusedAt = performance.now()
    return true
  }

  arrival(): Waiting {
    this.#arrivals += 1
    return { arrival: this.#arrivals, at: performance.now(), hasBegun: false }
  }

  /** An item that was taken before returns to its place: before all of its name that came after it. */
  add(name: string, item: Item): void {
    const queue = this.#queueOf(name)
    const isLast = (queue.at(-1)?.arrival ?? 0) < item.arrival
    const place = isLast ? queue.length : queue.findIndex(({ arrival }) => arrival > item.arrival)
    queue.splice(place, 0, item)
    this.#grow()
  }

  /** One of each name in turn, up to `limit`, of at most `maxNames` names. A name that was served goes to the end. */
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
    return [...shares].flatMap(([name, share]) => this.#takeOf(name, share))
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
    // Nobody else would look while what was taken last is under way.
    if (this.#patienceMs > 0)
      this.#timer ??= setTimeout(() => this.#look(), this.#patienceMs / STANDING_FACTOR)
    if (this.#size === 0) this.#emptyAt = performance.now()
    this.#size += 1
  }

  #shrink(count: number): void {
    this.#size -= count
    if (this.#size > 0) return
    this.#emptyAt = performance.now()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#timer = undefined
    this.#giveUpLate()
    if (this.#size > 0) this.#timer = setTimeout(() => this.#look(), this.#patienceMs / STANDING_FACTOR)
  }

  #giveUpLate(): void {
    if (this.#patienceMs === 0 || this.#size === 0) return
    const now = performance.now()
    const isCrowded = this.#isCrowdedAt(now)
    const deadline = now - (isCrowded ? this.#patienceMs / STANDING_FACTOR : this.#patienceMs)
    for (const [name, queue] of [...this.#queues]) {
      // In the order of arrival: where the first is not late, none is. Items that have begun are passed over.
      const late: Item[] = []
      for (const item of queue) {
        if (item.hasBegun) continue
        if (item.at >= deadline) break
        late.push(item)
      }
      if (late.length === 0) continue
      const isLate = new Set(late)
      const left = queue.filter((item) => !isLate.has(item))
      if (left.length > 0) this.#queues.set(name, left)
      else this.#queues.delete(name)
      this.#refusedAt = now
      this.#shrink(late.length)
      for (const item of late) this.#giveUp(item)
    }
  }
}
