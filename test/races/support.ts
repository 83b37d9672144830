import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Queryable, Row } from '../../server/db/database.ts'
import { type Sql, type Statement, toStatement } from '../../server/db/sql.ts'
import { countOf } from '../support/thorough.ts'

/**
 * A fixed seed gives the same interleavings each time, so that a gate never fails by chance. `RACE_SEED=2 npx vitest
 * run test/races` tries others.
 */
const SEED = Number(process.env.RACE_SEED ?? 1)
const RUNS = Number(process.env.RACE_RUNS ?? countOf(100, 400))

export type Scheduler = fc.Scheduler

/**
 * A database whose timing the scheduler decides: a statement executes at one moment, and `answer` gives the rows as they are
 * then; the rows reach the node at a later one. Statements that are under way together execute and come back in any order.
 */
export class RacingDatabase implements Queryable {
  readonly isSpread = false
  #scheduler: Scheduler
  #answer: (statement: Statement) => readonly Row[]

  constructor(scheduler: Scheduler, answer: (statement: Statement) => readonly Row[]) {
    this.#scheduler = scheduler
    this.#answer = answer
  }

  async query<R extends Row>(query: Sql): Promise<R[]> {
    const statement = toStatement(query)
    await this.#scheduler.schedule(Promise.resolve(), `execute ${statement.name}`)
    const rows = this.#answer(statement).map((row) => ({ ...row }))
    await this.#scheduler.schedule(Promise.resolve(), `answer ${statement.name}`)
    return rows as R[] // as with the driver, the statement decides on the columns
  }
}

/** Notifications of committed changes: each arrives at any time after its commit, and all of them in the order of the commits. */
export class RacingNotifications {
  #scheduler: Scheduler
  #last: Promise<void> = Promise.resolve()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  send(label: string, deliver: () => void): Promise<void> {
    this.#last = this.#last
      .then(() => this.#scheduler.schedule(Promise.resolve(), `notification ${label}`))
      .then(deliver)
    return this.#last
  }
}

/** Runs `act` at a moment that the scheduler chooses. */
export async function atAnyTime<Result>(
  scheduler: Scheduler,
  label: string,
  act: () => Result | Promise<Result>,
): Promise<Result> {
  await scheduler.schedule(Promise.resolve(), label)
  return act()
}

/** Makes time pass only when a scene says so, for timers and `performance.now()`. */
export function playTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** Lets time pass at a moment that the scheduler chooses. */
export const later = (scheduler: Scheduler, milliseconds: number): Promise<unknown> =>
  atAnyTime(scheduler, `${milliseconds} ms later`, () => vi.advanceTimersByTime(milliseconds))

/** Lets time pass in steps, with everything that follows from each. */
export async function passTime(scheduler: Scheduler, steps: number, milliseconds: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    vi.advanceTimersByTime(milliseconds)
    await settle(scheduler)
  }
}

/** Lets everything happen that is scheduled, and everything that follows from it. */
export async function settle(scheduler: Scheduler): Promise<void> {
  for (;;) {
    await nextTurn() // callbacks of `process.nextTick` schedule more
    if (scheduler.count() === 0) return
    await scheduler.waitNext(1)
  }
}

/**
 * Plays `scene` in many orders, and fails with the shortest order that breaks it. The scene starts its actors and returns them:
 * each must end, and what they expect must hold. Functions among them run when everything has happened, one after the other.
 */
export async function race(
  scene: (scheduler: Scheduler) => readonly (Promise<unknown> | (() => void | Promise<void>))[],
  /** How many times as many orders as usual: more for what goes wrong in few of them, fewer for what takes long. */
  { times = 1 }: { times?: number } = {},
): Promise<void> {
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    if (vi.isFakeTimers()) vi.clearAllTimers()
    const parts = scene(scheduler)
    const actors = Promise.all(parts.filter((part) => part instanceof Promise))
    actors.catch(() => {}) // it is looked at when everything has happened
    await settle(scheduler)
    await actors
    for (const part of parts) if (typeof part === 'function') await part()
  })
  await fc.assert(property, { seed: SEED, numRuns: Math.ceil(RUNS * times) })
}
