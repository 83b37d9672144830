import type { Log } from '../log.ts'
import type { Watch } from './run.ts'

/** One line for each statement in this time: a database that is slow is slow for thousands. */
const QUIET_MS = 10_000
const LONGEST_TEXT = 1000

/** Puts statements into the log that take longer than `limitMs`; their values stay out of it, they are people's data. */
export class SlowQueries {
  count = 0
  readonly watch: Watch | undefined
  #log: Log
  #lately = new Map<string, { loggedAt: number; since: number }>()

  constructor(limitMs: number, log: Log) {
    this.#log = log
    if (limitMs > 0) {
      this.watch = (text, milliseconds) => {
        if (milliseconds >= limitMs) this.#note(text, milliseconds)
      }
    }
  }

  /** There are few texts, because all are in the code. */
  #note(text: string, milliseconds: number): void {
    this.count += 1
    const now = performance.now()
    const lately = this.#lately.get(text)
    if (lately && now - lately.loggedAt < QUIET_MS) {
      lately.since += 1
      return
    }
    this.#lately.set(text, { loggedAt: now, since: 0 })
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT)
    const ms = Math.round(milliseconds)
    this.#log.warn({ ms, statement, ...(lately?.since && { unlogged: lately.since }) }, 'a slow query')
  }
}
