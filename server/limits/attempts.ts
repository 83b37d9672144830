import type { Clock } from '../db/database.ts'

const MINUTE_MS = 60_000
const MAX_ENTRIES = 50_000
/** When there is no room, a tenth is made at once: a crowd of names does not pay for each of them. */
const KEPT_ENTRIES = 45_000

/** Counts failures by name (an address and what it tried), a minute or another time, in this node's memory. */
export class Attempts {
  #limit: number
  #clock: Clock
  #windowMs: number
  /** Failures, the oldest first. */
  #failures = new Map<string, { count: number; endsAt: number }>()

  constructor(limit: number, clock: Clock, windowMs = MINUTE_MS) {
    this.#limit = limit
    this.#clock = clock
    this.#windowMs = windowMs
  }

  /** Milliseconds until this name may try again; 0 means now. */
  waitFor(name: string): number {
    const entry = this.#failures.get(name)
    if (!entry || entry.count < this.#limit) return 0
    return Math.max(0, entry.endsAt - this.#clock())
  }

  /** Counts one; the function that comes back takes it back, also when another window has begun since. */
  failed(name: string): () => void {
    const entry = this.#windowOf(name)
    entry.count += 1
    return () => {
      entry.count -= 1
    }
  }

  #windowOf(name: string) {
    const now = this.#clock()
    const known = this.#failures.get(name)
    if (known && known.endsAt > now) return known
    this.#failures.delete(name)
    if (this.#failures.size >= MAX_ENTRIES) this.#dropOldest()
    const entry = { count: 0, endsAt: now + this.#windowMs }
    this.#failures.set(name, entry)
    return entry
  }

  #dropOldest(): void {
    for (const name of this.#failures.keys()) {
      if (this.#failures.size <= KEPT_ENTRIES) return
      this.#failures.delete(name)
    }
  }
}
