import type { Clock } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { Attempts } from '../limits/attempts.ts'

const GUESSES_PER_MINUTE = 20

/** Tokens of links cannot be guessed, and nobody should be able to try for long. */
export class GuessLimit {
  #attempts: Attempts

  constructor(clock: Clock) {
    this.#attempts = new Attempts(GUESSES_PER_MINUTE, clock)
  }

  /** Runs `work`; a refusal of its token counts against the address. */
  async watch<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    const wait = this.#attempts.waitFor(address)
    if (wait > 0) {
      throw new Refusal(429, 'Too many attempts. Please wait a minute.', {
        'Retry-After': String(Math.ceil(wait / 1000)),
      })
    }
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refusal && error.status === 403) this.#attempts.failed(address)
      throw error
    }
  }
}
