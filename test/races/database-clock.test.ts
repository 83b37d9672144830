import { expect, it } from 'vitest'
import { DatabaseClock } from '../../server/db/clock.ts'
import type { Row } from '../../server/db/database.ts'
import type { Sql } from '../../server/db/sql.ts'
import { atAnyTime, later, playTime, RacingDatabase, race, type Scheduler } from './support.ts'

/** How far the database's clock is ahead of the node's, before and after it is set. */
const [AHEAD_MS, SET_AHEAD_MS] = [5000, 900_000]

/** A database with a clock of its own, and the errors that measurements of it can have. */
class World {
  ahead = AHEAD_MS
  readonly clock = new DatabaseClock(() => performance.now())
  readonly #scheduler: Scheduler
  readonly #db: RacingDatabase

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#db = new RacingDatabase(scheduler, () => [{ now: this.now }])
  }

  get now(): number {
    return performance.now() + this.ahead
  }

  get error(): number {
    return Math.abs(this.clock.now() - this.now)
  }

  /** Measures at any time; gives the largest error that it can have, which is half of its quickest answer. */
  measure(): Promise<number> {
    return atAnyTime(this.#scheduler, 'measure', async () => {
      let quickest = Number.POSITIVE_INFINITY
      await this.clock.measure({
        query: async <R extends Row>(query: Sql) => {
          const askedAt = performance.now()
          const rows = await this.#db.query<R>(query)
          quickest = Math.min(quickest, performance.now() - askedAt)
          return rows
        },
      })
      return quickest / 2 + 1
    })
  }
}

playTime()

it('is never further off than half of the quickest answer of a measurement that has ended', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    let allowed = 0
    const measure = async () => {
      allowed = Math.max(allowed, await world.measure())
    }
    const look = () => atAnyTime(scheduler, 'look', () => expect(world.error).toBeLessThanOrEqual(allowed))
    const looks = () => Array.from({ length: 6 }, look)
    return [measure().then(() => Promise.all([measure(), ...looks(), ...passing(scheduler)]))]
  })
})

it('goes by the measurement that began last, whatever ends first', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const before = world.measure()
    const isSet = atAnyTime(scheduler, 'the clock is set', () => {
      world.ahead = SET_AHEAD_MS
    })
    const after = isSet.then(() => world.measure())
    const all = Promise.all([before, after, ...passing(scheduler)])
    return [all, async () => expect(world.error).toBeLessThanOrEqual(await after)]
  })
})

const passing = (scheduler: Scheduler) => [20, 300, 700].map((milliseconds) => later(scheduler, milliseconds))
