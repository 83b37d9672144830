import { expect, it } from 'vitest'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import { RateLimiter } from '../../server/limits/rate-limiter.ts'
import { atAnyTime, later, passTime, playTime, RacingDatabase, race, type Scheduler } from './support.ts'

const NAME = 'an organization'
const MINUTE_MS = 60_000

type Minute = { startedAt: number; used: number; limit: number; allowed: number }

/** The budget of a name in a database, minute by minute, and two nodes that take shares of it. */
class World {
  limit: number
  readonly nodes: RateLimiter[]
  readonly minutes: Minute[] = []
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler, limit: number) {
    this.#scheduler = scheduler
    this.limit = limit
    const db = new RacingDatabase(scheduler, (statement) => [this.#grant(statement)])
    this.nodes = [0, 1].map(() => new RateLimiter(db, () => performance.now()))
  }

  take(number: number): Promise<void> {
    return atAnyTime(this.#scheduler, `take at node ${number}`, async () => {
      const { limit } = this
      const wasFull = this.#isFull(limit)
      const answer = await this.nodes[number]?.take(NAME, limit)
      if (!answer) throw new Error('there are two nodes')
      const minute = this.minutes.at(-1)
      if (!minute) throw new Error('a budget was asked for')
      if (answer.allowed) minute.allowed += 1
      expect(minute.allowed, 'no more than the limit in a minute').toBeLessThanOrEqual(minute.limit)
      if (answer.allowed) return
      expect(wasFull || this.#isFull(limit), 'all of the budget is given out').toBe(true)
      expect(answer.resetMs, 'the minute that is full is not over').toBeGreaterThan(0)
    })
  }

  #isFull(limit: number): boolean {
    const minute = this.minutes.at(-1)
    return minute !== undefined && minute.used >= limit && performance.now() < minute.startedAt + MINUTE_MS
  }

  /** Grants as the database does for `takeFromBudget`. */
  #grant({ values: [, now, amount, limit] }: Statement): Row {
    let minute = this.minutes.at(-1)
    if (!minute || minute.startedAt <= Number(now) - MINUTE_MS) {
      minute = { startedAt: Number(now), used: 0, limit: 0, allowed: 0 }
      this.minutes.push(minute)
    }
    const granted = Math.max(0, Math.min(Number(amount), Number(limit) - minute.used))
    minute.used += granted
    minute.limit = Math.max(minute.limit, Number(limit))
    return { granted, used: minute.used, started_at: minute.startedAt }
  }
}

playTime()

it('lets through no more than the limit in each minute, and refuses only what has no room', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler, 3)
      const takes = [0, 1, 0, 0, 1, 0, 1, 0, 1, 1].map((node) => world.take(node))
      const passing = [25_000, 25_000, 25_000].map((milliseconds) => later(scheduler, milliseconds))
      return [...takes, ...passing]
    },
    { times: 0.5 },
  )
})

it('goes by a limit that was raised, or lowered, from the next request on', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler, 2)
      const takes = [0, 1, 0, 1, 0, 0, 1, 0].map((node) => world.take(node))
      const change = (limit: number) =>
        atAnyTime(scheduler, `limit ${limit}`, () => {
          world.limit = limit
        })
      return [...takes, change(60), change(4), later(scheduler, 40_000)]
    },
    { times: 0.5 },
  )
})

it('lets those in who were held back while the next minute began', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler, 1)
      // More refusals than are answered at once: the others are held for half a second.
      const takes = Promise.all(Array.from({ length: 24 }, () => world.take(0)))
      takes.catch(() => {}) // it is looked at when all time has passed
      return [
        Promise.all([later(scheduler, 59_800), later(scheduler, 300)]),
        () => passTime(scheduler, 8, 500),
        () => takes.then(() => {}),
      ]
    },
    { times: 0.25 },
  )
})
