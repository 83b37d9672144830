import type { Clock, Queryable } from '../db/database.ts'
import { type Grant, takeFromBudget } from './budget.ts'

/** The part of a minute's budget that a node takes at once: with n nodes, at most n/20 of it can lie unused. */
const NODE_SHARE = 1 / 20

type Window = {
  limit: number
  left: number
  leased: number
  endsAt: number
  exhausted: boolean
  refill?: Promise<void>
}

export type Allowance = { allowed: boolean; limit: number; remaining: number; resetMs: number }

/**
 * Requests a minute per organization, shared by all nodes. Each node counts down a share that it took from
 * the database beforehand and fetches the next one when half of it is gone, so requests do not wait for it.
 */
export class RateLimiter {
  #db: Queryable
  #clock: Clock
  #windows = new Map<string, Window>()

  constructor(db: Queryable, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async take(orgId: string, limit: number): Promise<Allowance> {
    for (;;) {
      const window = this.#window(orgId, limit)
      if (window.left > 0 || window.exhausted) return this.#spend(orgId, window)
      await this.#refill(orgId, window)
    }
  }

  /** In one go with the look at what is left: of those who waited for the same share, each finds its own part. */
  #spend(orgId: string, window: Window): Allowance {
    const { limit, leased, endsAt } = window
    const allowed = window.left > 0
    if (allowed) window.left -= 1
    if (!window.exhausted && window.left < shareOf(limit) / 2) this.#refill(orgId, window).catch(() => {})
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - leased) + window.left,
      resetMs: Math.max(0, endsAt - this.#clock()),
    }
  }

  #window(orgId: string, limit: number): Window {
    const known = this.#windows.get(orgId)
    return known && known.limit === limit && known.endsAt > this.#clock()
      ? known
      : this.#newWindow(orgId, limit)
  }

  #newWindow(orgId: string, limit: number): Window {
    const window = { limit, left: 0, leased: 0, endsAt: Number.POSITIVE_INFINITY, exhausted: false }
    this.#windows.set(orgId, window)
    return window
  }

  #refill(orgId: string, window: Window): Promise<void> {
    window.refill ??= takeFromBudget(
      this.#db,
      this.#clock,
      `requests:${orgId}`,
      window.limit,
      shareOf(window.limit),
    )
      .then((grant) => applyGrant(window, grant))
      .finally(() => {
        delete window.refill
      })
    return window.refill
  }

  /** Forgets organizations that have been quiet for a minute. */
  sweep(): void {
    for (const [orgId, window] of this.#windows) {
      if (window.endsAt <= this.#clock() && !window.refill) this.#windows.delete(orgId)
    }
  }
}

const shareOf = (limit: number): number => Math.max(1, Math.floor(limit * NODE_SHARE))

function applyGrant(window: Window, { granted, used, endsAt }: Grant): void {
  // A share of the next minute replaces what was left of this one.
  window.left =
    endsAt > window.endsAt && window.endsAt !== Number.POSITIVE_INFINITY ? granted : window.left + granted
  window.leased = used
  window.endsAt = endsAt
  window.exhausted = granted === 0
}
