import type { Clock } from '../db/database.ts'

const MINUTE_MS = 60_000
const MAX_ENTRIES = 50_000

/** Counts failures a minute by name (an address and what it tried), in this node's memory. */
export class Attempts {
  #limit: number
  #clock: Clock
  #failures = new Map<string, { count: number; endsAt: number }>()

  constructor(limit: number, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
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
    this.#failures.set(name, { count: 1, endsAt: this.#clock() + MINUTE_MS })
  }

  #sweep(): void {
    const now = this.#clock()
    for (const [name, { endsAt }] of this.#failures) if (endsAt <= now) this.#failures.delete(name)
    if (this.#failures.size >= MAX_ENTRIES) this.#failures.clear()
  }
}
