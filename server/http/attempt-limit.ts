import { isIPv6 } from 'node:net'
import type { Clock } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { Attempts } from '../limits/attempts.ts'

type Limits = {
  /** From one address of the network. */
  perAddress: number
  /** For one account, wherever they come from. */
  perAccount?: number
  accountWindowMs?: number
}

/**
 * Attempts to prove who somebody is. Each counts before it is made, so that many at once cannot be more than the limit,
 * and what was not a failure is taken back.
 */
export class AttemptLimit {
  #byAddress: Attempts
  #byAccount: Attempts

  constructor(clock: Clock, { perAddress, perAccount = perAddress, accountWindowMs }: Limits) {
    this.#byAddress = new Attempts(perAddress, clock)
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
    const names: [Attempts, string][] = [
      [this.#byAddress, networkOf(address)],
      ...(account === undefined ? [] : [[this.#byAccount, account] satisfies [Attempts, string]]),
    ]
    const wait = Math.max(...names.map(([attempts, name]) => attempts.waitFor(name)))
    if (wait > 0) {
      throw new Refusal(429, 'too many attempts, please wait', {
        'Retry-After': String(Math.ceil(wait / 1000)),
      })
    }
    for (const [attempts, name] of names) attempts.failed(name)
    return () => {
      for (const [attempts, name] of names) attempts.forgive(name)
    }
  }
}

/** Whoever has one IPv6 address has 2^64 of them: all that share its first half count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  const all = [...groups, ...Array(Math.max(0, missing)).fill('0'), ...(tail?.split(':') ?? [])]
  return all.slice(0, 4).join(':')
}
