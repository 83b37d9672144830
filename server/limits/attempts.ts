import type { Clock } from '../db/database.ts'

const MINUTE_MS = 60_000
const MAX_ENTRIES = 50_000

/** Counts failures by name (an address and what it tried), a minute or another time, in this node's memory. */
export class Attempts {
  #limit: number
  #clock: Clock
  #windowMs: number
  #failures = new Map<string, { count: number; endsAt: number }>()

  constructor(limit: number, clock: Clock, windowMs = MINUTE_MS) {
    this.#limit = limit
    this.#clock = clock
    this.#windowMs = windowMs
  }

  /** Milliseconds until this name may try again; 0: now. */
  waitFor(name: string): number {
    const entry = this.#failures.get(name)
    if (!entry || entry.count < this.#limit) return 0
    return Math.max(0, entry.endsAt - this.#clock())
  }

  failed(name: string): void {
    const entry = this.#failures.get(name)
    if (entry && entry.endsAt > this.#clock()) {
      entry.count += 1
      return
    }
    if (this.#failures.size >= MAX_ENTRIES) this.#sweep()
    this.#failures.set(name, { count: 1, endsAt: this.#clock() + this.#windowMs })
  }

  /** Takes back what was counted before it was known to succeed. */
  forgive(name: string): void {
    const entry = this.#failures.get(name)
    if (entry && entry.count > 0) entry.count -= 1
  }

  #sweep(): void {
    const now = this.#clock()
    for (const [name, { endsAt }] of this.#failures) if (endsAt <= now) this.#failures.delete(name)
    if (this.#failures.size >= MAX_ENTRIES) this.#failures.clear()
  }
}
