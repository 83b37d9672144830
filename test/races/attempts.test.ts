import { expect, it } from 'vitest'
import { Refusal, refusal, unauthorized } from '../../server/errors.ts'
import { AttemptLimit } from '../../server/http/attempt-limit.ts'
import { Attempts } from '../../server/limits/attempts.ts'
import { atAnyTime, race, type Scheduler } from './support.ts'

const LIMIT = 3
const MINUTE_MS = 60_000
const ATTEMPT = { address: '203.0.113.7' }

const wrong = () => unauthorized('wrong')

type Minute = { endsAt: number; count: number }

/** Attempts of one address that take a while, and how many of each minute were made and did not succeed. */
class World {
  now = 1_700_000_000_000
  minute: Minute = { endsAt: 0, count: 0 }
  readonly #scheduler: Scheduler
  readonly #limit: AttemptLimit

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#limit = new AttemptLimit(() => this.now, { perNetwork: LIMIT })
  }

  try(outcome: () => unknown): Promise<void> {
    return atAnyTime(this.#scheduler, 'try', async () => {
      let minute: Minute | undefined
      const refusal = await this.#limit
        .watch(ATTEMPT, async () => {
          minute = this.#count()
          await this.#scheduler.schedule(Promise.resolve(), 'the end of a try')
          const error = outcome()
          if (error instanceof Error) throw error
        })
        .catch((error: unknown) => error)
      if (minute) {
        const isGuess = refusal instanceof Refusal && (refusal.status === 401 || refusal.status === 403)
        if (!isGuess) minute.count -= 1
        return
      }
      expect(refusal).toMatchObject({ status: 429 })
      expect(this.minute.count, 'only what is too much is refused').toBeGreaterThanOrEqual(LIMIT)
      expect(this.minute.endsAt).toBeGreaterThan(this.now)
    })
  }

  pass(): Promise<void> {
    return atAnyTime(this.#scheduler, 'later', () => {
      this.now += 35_000
    })
  }

  #count(): Minute {
    if (this.minute.endsAt <= this.now) this.minute = { endsAt: this.now + MINUTE_MS, count: 0 }
    this.minute.count += 1
    expect(this.minute.count, 'no more at once than may fail').toBeLessThanOrEqual(LIMIT)
    return this.minute
  }
}

it('lets no more attempts fail in a minute than the limit, also many at once, and counts no success', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const outcomes = [wrong, () => 'success', () => refusal('forbidden'), () => new Error('away'), wrong]
    const tries = [...outcomes, ...outcomes].map((outcome) => world.try(outcome))
    return [...tries, world.pass(), world.pass(), world.pass()]
  })
})

it('takes an attempt back from its own minute alone', async () => {
  await race(
    (scheduler) => {
      let now = 0
      const attempts = new Attempts(1, () => now)
      const first = atAnyTime(scheduler, 'first', async () => {
        const takeBack = attempts.failed('ada')
        await scheduler.schedule(Promise.resolve(), 'the first succeeds')
        takeBack()
      })
      const second = atAnyTime(scheduler, 'second', () => {
        now += MINUTE_MS
        attempts.failed('ada')
      })
      return [first, second, () => expect(attempts.waitFor('ada')).toBe(MINUTE_MS)]
    },
    { times: 0.25 },
  )
})
