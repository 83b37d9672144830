import type { Clock, Queryable } from '../db/database.ts'
import { BoundedMap } from './bounded-map.ts'
import { type Grant, MINUTE_MS, takeFromBudget } from './budget.ts'
import { floorOf, floorShare, takeFloors } from './floors.ts'

/** The part of a minute's budget that a node takes at once: with n nodes, at most n/20 of it can lie unused. */
const NODE_SHARE = 1 / 20
/** Requests over the limit in one minute that are refused at once. Clients that send more do not listen to `Retry-After`. */
const PROMPT_REFUSALS = 20
/** How long each further refusal is held back: a client that waits for each answer then sends two a second. */
const HELD_MS = 500

/** Organizations, people and bots that sent something within a minute. A window that is forgotten takes another share. */
const MAX_BYTES = 24 * 1024 * 1024
const MAX_WINDOWS = { entries: 40_000, bytes: (2 * MAX_BYTES) / 3 }
const MAX_BOTS = { entries: 20_000, bytes: MAX_BYTES / 3 }
const WINDOW_BYTES = 150

type Window = {
  limit: number
  left: number
  leased: number
  endsAt: number
  exhausted: boolean
  refusals: number
  /** Bots that used more than their floor on this node. */
  heavyBots: BotUse[]
  /** Whether the budget was found to be used up, and the use of heavy bots told to other nodes. */
  isDry: boolean
  refill?: Promise<void>
}

export type Bot = { orgId: string; botId: string }

/** Requests of one bot in the minute that ends at `endsAt`. */
type BotUse = Bot & {
  name: string
  endsAt: number
  used: number
  /** Requests that the bot's floor in the database counts for this node; those beyond `used` are still to be spent. */
  leased: number
  /** Whether the floor in the database is used up. */
  isSpent: boolean
  refusals: number
  lease?: Promise<void>
}

export type Allowance = { allowed: boolean; limit: number; remaining: number; resetMs: number }

/**
 * Requests a minute of an organization's bots, or of one person, shared by all nodes. Each node counts down a share
 * that it took from the database, and fetches the next one when half of it is gone, so that requests do not wait for
 * it. A flood of refusals would take the time of other callers, so refusals of a persistent caller are delayed.
 *
 * A bot's first requests in a minute, up to its floor, are allowed even if others have used up the budget. Only then
 * does its floor become a row in the database, from which nodes take shares.
 */
export class RateLimiter {
  #db: Queryable
  #clock: Clock
  #onCrowdedOut: (bot: Bot) => void
  #windows = new BoundedMap<Window>(MAX_WINDOWS, () => WINDOW_BYTES)
  #bots = new BoundedMap<BotUse>(MAX_BOTS, () => WINDOW_BYTES)

  /** `onCrowdedOut` gets each bot that used more than half of a budget which is now used up. */
  constructor(db: Queryable, clock: Clock, onCrowdedOut: (bot: Bot) => void = () => {}) {
    this.#db = db
    this.#clock = clock
    this.#onCrowdedOut = onCrowdedOut
  }

  /** `name` says whose requests they are; `bot` is the one of several that sends this one. */
  async take(name: string, limit: number, bot?: Bot): Promise<Allowance> {
    for (;;) {
      const window = this.#window(name, limit)
      if (window.left === 0 && !window.exhausted) {
        await this.#refill(name, window)
        continue
      }
      const use = bot && this.#countOf(name, window, bot)
      if (window.left > 0) return this.#spend(name, window, use)
      this.#noteDry(window)
      if (use && use.used < floorOf(limit)) {
        if (use.used < use.leased) return this.#spendFloor(window, use)
        if (!use.isSpent) {
          await this.#leaseFloor(window, use)
          continue
        }
      }
      const counted = use ?? window
      counted.refusals += 1
      if (counted.refusals > PROMPT_REFUSALS) await held()
      if (window.endsAt > this.#clock()) return this.#spend(name, window, use)
    }
  }

  /** Spends in the same tick as the check, so that requests waiting for one share never take more than it holds. */
  #spend(name: string, window: Window, use: BotUse | undefined): Allowance {
    const allowed = window.left > 0
    if (allowed) {
      window.left -= 1
      if (use) countUse(window, use)
    }
    if (!window.exhausted && window.left < shareOf(window.limit) / 2)
      this.#refill(name, window).catch(() => {})
    return this.#allowance(window, use, allowed)
  }

  #spendFloor(window: Window, use: BotUse): Allowance {
    countUse(window, use)
    return this.#allowance(window, use, true)
  }

  #allowance(window: Window, use: BotUse | undefined, allowed: boolean): Allowance {
    const { limit, left, leased, endsAt } = window
    const remaining = Math.max(0, limit - leased) + left
    const resetMs = Math.max(0, endsAt - this.#clock())
    return {
      allowed,
      limit,
      remaining: use ? Math.max(remaining, floorLeft(use, limit)) : remaining,
      resetMs,
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
      heavyBots: [],
      isDry: false,
    }
    this.#windows.set(name, window)
    return window
  }

  /** The bot's use, which starts at zero with each minute of the organization. */
  #countOf(name: string, { endsAt }: Window, { orgId, botId }: Bot): BotUse {
    const botName = `${name}:${botId}`
    const known = this.#bots.get(botName)
    if (known?.endsAt === endsAt) return known
    const use = { orgId, botId, name: botName, endsAt, used: 0, leased: 0, isSpent: false, refusals: 0 }
    this.#bots.set(botName, use)
    return use
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

  /** Tells other nodes, once in a minute, of the bots that used up the budget: none of these has a floor left there. */
  #noteDry(window: Window): void {
    if (window.isDry) return
    window.isDry = true
    this.#settleFloors(window, window.heavyBots, 0).catch(() => {})
  }

  #leaseFloor(window: Window, use: BotUse): Promise<void> {
    use.lease ??= this.#settleFloors(window, [use], floorShare(window.limit)).finally(() => {
      delete use.lease
    })
    return use.lease
  }

  /** Adds what bots used on this node to their floors in the database, and takes `share` more for each of them. */
  async #settleFloors({ limit, endsAt }: Window, uses: readonly BotUse[], share: number): Promise<void> {
    const wanted = uses.map((use) => ({ use, amount: Math.max(0, use.used - use.leased) + share }))
    if (wanted.length === 0) return
    const floors = wanted.map(({ use, amount }) => ({ name: `requests:${use.name}`, amount }))
    const taken = await takeFloors(this.#db, endsAt - MINUTE_MS, limit, floors)
    for (const { use, amount } of wanted) {
      const { granted, used } = taken.get(`requests:${use.name}`) ?? { granted: 0, used: 0 }
      use.leased += granted
      if (granted < amount) use.isSpent = true
      if (used - share > limit / 2) this.#onCrowdedOut(use)
    }
  }

  /** Forgets callers without requests for a minute. */
  sweep(): void {
    const now = this.#clock()
    for (const [name, window] of this.#windows) {
      if (window.endsAt <= now && !window.refill) this.#windows.delete(name)
    }
    for (const [name, use] of this.#bots) {
      if (use.endsAt <= now) this.#bots.delete(name)
    }
  }
}

const held = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, HELD_MS)
  })

const shareOf = (limit: number): number => Math.max(1, Math.floor(limit * NODE_SHARE))

/** Requests left of a bot's floor on this node. */
const floorLeft = ({ used, leased, isSpent }: BotUse, limit: number): number =>
  Math.max(0, Math.min(floorOf(limit), isSpent ? leased : Number.POSITIVE_INFINITY) - used)

function countUse(window: Window, use: BotUse): void {
  use.used += 1
  if (use.used === floorOf(window.limit)) window.heavyBots.push(use)
}

function applyGrant(window: Window, { granted, used, endsAt }: Grant): void {
  const isNewMinute = endsAt > window.endsAt || window.endsAt === Number.POSITIVE_INFINITY
  if (isNewMinute) {
    window.heavyBots = []
    window.isDry = false
  }
  // A share of the next minute replaces the rest of this one.
  window.left =
    endsAt > window.endsAt && window.endsAt !== Number.POSITIVE_INFINITY ? granted : window.left + granted
  window.leased = used
  window.endsAt = endsAt
  window.exhausted = granted === 0
}
