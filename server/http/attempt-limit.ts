import type { Clock } from '../db/database.ts'
import { Refusal, tooMany } from '../errors.ts'
import { Attempts } from '../limits/attempts.ts'
import { networkKey } from '../network/address.ts'

type Limits = {
  perNetwork: number
  /** Attempts on one account from one network, so that guesses from elsewhere do not lock its owner out. */
  perAccountAndNetwork?: number
  /** Attempts on one account, from all browsers not known to be its owner's. */
  perAccount?: number
  /** Attempts on one account from a browser where its owner has signed in before. They count nowhere else. */
  perKnownBrowser?: number
  /** Milliseconds over which attempts on an account count; a minute by default. */
  accountWindowMs?: number
}

/** The source of an attempt: its address, the account, and the known browser of its owner. */
export type Attempt = {
  address: string
  account?: string | undefined
  knownBrowser?: string | undefined
}

/**
 * Attempts to authenticate. Each counts before it is made, so that many at once cannot exceed the limit, and successes
 * are subtracted afterwards.
 */
export class AttemptLimit {
  #byNetwork: Attempts
  #byBoth: Attempts
  #byAccount: Attempts
  #byBrowser: Attempts

  constructor(clock: Clock, limits: Limits) {
    const { perNetwork, perAccountAndNetwork = Infinity, perAccount = Infinity, accountWindowMs } = limits
    this.#byNetwork = new Attempts(perNetwork, clock)
    this.#byBoth = new Attempts(perAccountAndNetwork, clock, accountWindowMs)
    this.#byAccount = new Attempts(perAccount, clock, accountWindowMs)
    this.#byBrowser = new Attempts(limits.perKnownBrowser ?? perAccountAndNetwork, clock, accountWindowMs)
  }

  /** Runs `work`; a refusal of its proof (401, 403) counts as a failure, anything else does not. */
  async watch<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
    const forgive = this.count(attempt)
    let failed = false
    try {
      return await work()
    } catch (error) {
      failed = error instanceof Refusal && (error.status === 401 || error.status === 403)
      throw error
    } finally {
      if (!failed) forgive()
    }
  }

  /** Counts an attempt, or refuses it. The returned function takes it back. */
  count(attempt: Attempt): () => void {
    const names = this.#namesOf(attempt)
    const wait = Math.max(...names.map(([attempts, name]) => attempts.waitFor(name)))
    if (wait > 0) {
      throw tooMany(wait, 'attempts_limited')
    }
    const counted = names.map(([attempts, name]) => attempts.failed(name))
    return () => {
      for (const takeBack of counted) takeBack()
    }
  }
  #namesOf({ address, account, knownBrowser }: Attempt): [Attempts, string][] {
    const network = networkKey(address)
    if (account === undefined) return [[this.#byNetwork, network]]
    if (knownBrowser !== undefined) return [[this.#byBrowser, knownBrowser]]
    return [
      [this.#byNetwork, network],
      [this.#byBoth, `${network} ${account}`],
      [this.#byAccount, account],
    ]
  }
}
