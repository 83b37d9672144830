import type { Clock } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { Attempts } from '../limits/attempts.ts'
import { networkKey } from './address.ts'

type Limits = {
  /** From one network. */
  perNetwork: number
  /** For one account from one network: whoever guesses elsewhere does not lock its owner out. */
  perAccountAndNetwork?: number
  /** For one account, wherever they come from. */
  perAccount?: number
  accountWindowMs?: number
}

/**
 * Attempts to prove who somebody is. Each counts before it is made, so that many at once cannot be more than the limit,
 * and what was not a failure is taken back.
 */
export class AttemptLimit {
  #byNetwork: Attempts
  #byBoth: Attempts
  #byAccount: Attempts

  constructor(clock: Clock, limits: Limits) {
    const { perNetwork, perAccountAndNetwork = Infinity, perAccount = Infinity, accountWindowMs } = limits
    this.#byNetwork = new Attempts(perNetwork, clock)
    this.#byBoth = new Attempts(perAccountAndNetwork, clock)
    this.#byAccount = new Attempts(perAccount, clock, accountWindowMs)
  }

  /** Runs `work`; a refusal of what it proves with (401, 403) counts, anything else does not. */
  async watch<Result>(address: string, account: string | undefined, work: () => Promise<Result>) {
    const forgive = this.count(address, account)
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

  /** Counts one, or refuses it; the function that comes back takes it back. */
  count(address: string, account?: string): () => void {
    const network = networkKey(address)
    const names: [Attempts, string][] = [[this.#byNetwork, network]]
    if (account !== undefined) names.push([this.#byBoth, `${network} ${account}`], [this.#byAccount, account])
    const wait = Math.max(...names.map(([attempts, name]) => attempts.waitFor(name)))
    if (wait > 0) {
      throw new Refusal(429, 'too many attempts, please wait', {
        'Retry-After': String(Math.ceil(wait / 1000)),
      })
    }
    const counted = names.map(([attempts, name]) => attempts.failed(name))
    return () => {
      for (const takeBack of counted) takeBack()
    }
  }
}
