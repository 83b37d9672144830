import type { Clock, Queryable } from './database.ts'
import { sql } from './sql.ts'

/** Questions of one measurement, of which the quickest answer counts. */
const PROBES = 3
/** A node whose own clock differs by more than this says so. */
export const CLOCK_TOLERANCE_MS = 5000

/**
 * The database's time, which all nodes share. It is measured now and then, and a monotonic counter continues it in
 * between, so that a node's own clock, however wrong, decides nothing.
 */
export class DatabaseClock {
  #systemClock: Clock
  #offset: number
  /** Numbers of the last measurement begun, and of the valid one. */
  #begun = 0
  #counting = 0

  constructor(systemClock: Clock = Date.now) {
    this.#systemClock = systemClock
    this.#offset = systemClock() - performance.now()
  }

  now: Clock = () => Math.floor(performance.now() + this.#offset)

  /** How far this node's own clock is ahead of the database's, in milliseconds. */
  get skewMs(): number {
    return Math.round(this.#systemClock() - this.now())
  }

  /** The clock is set when all probes were answered, and not by a measurement that a later one has overtaken. */
  async measure(db: Queryable): Promise<void> {
    this.#begun += 1
    const number = this.#begun
    let quickest = Number.POSITIVE_INFINITY
    let offset = this.#offset
    for (let probe = 0; probe < PROBES; probe++) {
      const askedAt = performance.now()
      const [row] = await db.query<{ now: number }>(sql`
        select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`)
      const answeredAt = performance.now()
      if (!row || answeredAt - askedAt >= quickest) continue
      quickest = answeredAt - askedAt
      offset = row.now - (askedAt + answeredAt) / 2
    }
    if (number < this.#counting) return
    this.#counting = number
    this.#offset = offset
  }
}

/** A warning if the node's clock is so far off that an operator should set it. */
export function describeSkew(skewMs: number): string | undefined {
  if (Math.abs(skewMs) <= CLOCK_TOLERANCE_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `this machine's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`
}
