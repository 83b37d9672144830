import type { Clock, Queryable } from '../db/database.ts'
import { BoundedMap } from './bounded-map.ts'
import { type Grant, takeFromBudget } from './budget.ts'

/** The part of a minute's budget that a node takes at once: with n nodes, at most n/20 of it can lie unused. */
const NODE_SHARE = 1 / 20
/** Requests over the limit in one minute that are refused at once. Clients that send more do not listen to `Retry-After`. */
const PROMPT_REFUSALS = 20
/** How long each further refusal is held back: a client that waits for each answer then sends two a second. */
const HELD_MS = 500

/** Organizations and people that sent something within a minute. One that is forgotten takes another share. */
const MAX_WINDOWS = { entries: 50_000, bytes: 24 * 1024 * 1024 }
const WINDOW_BYTES = 150

type Window = {
  limit: number
  left: number
  leased: number
  endsAt: number
  exhausted: boolean
  refusals: number
  refill?: Promise<void>
}

export type Allowance = { allowed: boolean; limit: number; remaining: number; resetMs: number }

/**
 * Requests a minute of an organization's bots, or of one person, shared by all nodes. Each node counts down a share that it took from
 * the database beforehand and fetches the next one when half of it is gone, so requests do not wait for it. A flood of refusals would
 * take the time of everybody else, so those of somebody who goes on and on come late.
 */
export class RateLimiter {
  #db: Queryable
  #clock: Clock
  #windows = new BoundedMap<Window>(MAX_WINDOWS, () => WINDOW_BYTES)

  constructor(db: Queryable, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** `name` says whose requests they are. */
  async take(name: string, limit: number): Promise<Allowance> {
    for (;;) {
      const window = this.#window(name, limit)
      if (window.left > 0) return this.#spend(name, window)
      if (!window.exhausted) {
        await this.#refill(name, window)
        continue
      }
      window.refusals += 1
      if (window.refusals > PROMPT_REFUSALS) await held()
      if (window.endsAt > this.#clock()) return this.#spend(name, window)
    }
  }

  /** In one go with the look at what is left: of those who waited for the same share, each finds its own part. */
  #spend(name: string, window: Window): Allowance {
    const { limit, leased, endsAt } = window
    const allowed = window.left > 0
    if (allowed) window.left -= 1
    if (!window.exhausted && window.left < shareOf(limit) / 2) this.#refill(name, window).catch(() => {})
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - leased) + window.left,
      resetMs: Math.max(0, endsAt - this.#clock()),
    }
  }

  #window(name: string, limit: number): Window {
    const known = this.#windows.get(name)
    return known && known.limit === limit && known.endsAt > this.#clock()
      ? known
      : this.#newWindow(name, limit)
  }

  #newWindow(name: string, limit: number): Window {
    const window = {
      limit,
      left: 0,
      leased: 0,
      endsAt: Number.POSITIVE_INFINITY,
      exhausted: false,
      refusals: 0,
    }
    this.#windows.set(name, window)
    return window
  }

  #refill(name: string, window: Window): Promise<void> {
    window.refill ??= takeFromBudget(
      this.#db,
      this.#clock,
      `requests:${name}`,
      window.limit,
      shareOf(window.limit),
    )
      .then((grant) => applyGrant(window, grant))
      .finally(() => {
        delete window.refill
      })
    return window.refill
  }

  /** Forgets who has been quiet for a minute. */
  sweep(): void {
    for (const [name, window] of this.#windows) {
      if (window.endsAt <= this.#clock() && !window.refill) this.#windows.delete(name)
    }
  }
}

const held = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, HELD_MS)
  })

const shareOf = (limit: number): number => Math.max(1, Math.floor(limit * NODE_SHARE))

function applyGrant(window: Window, { granted, used, endsAt }: Grant): void {
  // A share of the next minute replaces what was left of this one.
  window.left =
    endsAt > window.endsAt && window.endsAt !== Number.POSITIVE_INFINITY ? granted : window.left + granted
  window.leased = used
  window.endsAt = endsAt
  window.exhausted = granted === 0
}
