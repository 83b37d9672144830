import { TOO_MANY_POLLS } from '../../contract/updates.ts'
import type { Caller } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { tooMany } from '../errors.ts'
import type { Ceiling, Ceilings } from '../limits/ceilings.ts'
import type { Announcement } from './wake.ts'

const RETRY_MS = 1000

/** Why a waiting poll goes on: there may be something, its time is up, its client went away, the server stops. */
export type Reason = 'woken' | 'timeout' | 'gone' | 'stopping'

type Organization = {
  bots: Map<string, Set<Waiter>>
  /** Every commit up to here was announced to this node; undefined until the first one waits. */
  announcedSeq: number | undefined
  /** What the last look at the log found beyond that. If it is still not announced by the next one, it was lost. */
  suspectSeq: number
}

/**
 * Polls that wait. A waiting one is a small object in a map by bot: it costs no connection, no query and no
 * thread, and a commit touches only those of the bots that it is for.
 */
export class LongPolls {
  #ceiling: Ceiling
  #organizations = new Map<string, Organization>()
  #stopping = false
  #count = 0
  /** Told how long each poll took from its wake-up to its answer, in milliseconds. */
  onAnswered: (milliseconds: number) => void = () => {}

  constructor(ceilings: Ceilings, maxPollsPerBot: number) {
    this.#ceiling = ceilings.add('polls_of_a_bot', maxPollsPerBot, () => this.#mostOfABot())
  }

  get count(): number {
    return this.#count
  }

  /** Join before reading, so that nothing committed after the read can be missed. One too many is refused. */
  join(caller: Caller): Waiter {
    const others = this.#organizations.get(caller.orgId)?.bots.get(caller.profileId)?.size ?? 0
    if (this.#ceiling.isReachedBy(others)) {
      this.#ceiling.refusals += 1
      throw tooMany(RETRY_MS, TOO_MANY_POLLS)
    }
    let organization = this.#organizations.get(caller.orgId)
    if (!organization) {
      organization = { bots: new Map(), announcedSeq: undefined, suspectSeq: 0 }
      this.#organizations.set(caller.orgId, organization)
    }
    const { bots } = organization
    const waiters = bots.get(caller.profileId) ?? new Set()
    bots.set(caller.profileId, waiters)
    const waiter = new Waiter(organization, () => {
      this.#count -= 1
      waiters.delete(waiter)
      if (waiters.size > 0) return
      if (bots.get(caller.profileId) === waiters) bots.delete(caller.profileId)
      if (bots.size === 0) this.#organizations.delete(caller.orgId)
    })
    waiters.add(waiter)
    this.#count += 1
    if (this.#stopping) waiter.end('stopping')
    return waiter
  }

  #mostOfABot(): number {
    let most = 0
    for (const { bots } of this.#organizations.values()) {
      for (const { size } of bots.values()) most = Math.max(most, size)
    }
    return most
  }

  announce({ orgId, firstSeq, lastSeq, botIds }: Announcement): void {
    const organization = this.#organizations.get(orgId)
    if (!organization) return
    const { announcedSeq } = organization
    if (announcedSeq !== undefined && firstSeq <= announcedSeq + 1) {
      organization.announcedSeq = Math.max(announcedSeq, lastSeq)
    }
    for (const botId of botIds ?? organization.bots.keys()) wake(organization.bots.get(botId))
  }

  /** One bot, wherever it is: its settings changed. */
  wakeBot(botId: string): void {
    for (const { bots } of this.#organizations.values()) wake(bots.get(botId))
  }

  wakeAll(): void {
    for (const { bots } of this.#organizations.values()) for (const waiters of bots.values()) wake(waiters)
  }

  /** The guarantee behind the wake-ups: looks whether the log went on without an announcement. */
  async lookForLost(db: Queryable): Promise<void> {
    if (this.#organizations.size === 0) return
    const rows = await db.query<{ org_id: string; last_seq: number }>(sql`
      select org_id, last_seq from organization_logs where org_id = any(${[...this.#organizations.keys()]}::uuid[])`)
    for (const { org_id, last_seq } of rows) {
      const organization = this.#organizations.get(org_id)
      if (organization?.announcedSeq === undefined) continue
      if (organization.announcedSeq < organization.suspectSeq) {
        organization.announcedSeq = last_seq
        for (const waiters of organization.bots.values()) wake(waiters)
      }
      organization.suspectSeq = last_seq
    }
  }

  /** Answers everybody who waits, and from now on everybody at once. */
  stop(): void {
    this.#stopping = true
    for (const { bots } of this.#organizations.values()) {
      for (const waiters of bots.values()) for (const waiter of [...waiters]) waiter.end('stopping')
    }
  }
}

function wake(waiters: Set<Waiter> | undefined): void {
  if (waiters) for (const waiter of waiters) waiter.wake()
}

export class Waiter {
  #organization: Organization
  #leave: () => void
  #woken = false
  #over: Reason | undefined
  #goOn: ((reason: Reason) => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(organization: Organization, leave: () => void) {
    this.#organization = organization
    this.#leave = leave
  }

  /** Waits for the next reason to go on. `checkedSeq`: up to here there was nothing. */
  sleep(milliseconds: number, checkedSeq: number): Promise<Reason> {
    const { announcedSeq } = this.#organization
    this.#organization.announcedSeq =
      announcedSeq === undefined ? checkedSeq : Math.min(announcedSeq, checkedSeq)
    if (this.#over) return Promise.resolve(this.#over)
    if (this.#woken) {
      this.#woken = false
      return Promise.resolve('woken')
    }
    return new Promise((resolve) => {
      this.#timer = setTimeout(() => this.#continue('timeout'), milliseconds)
      this.#goOn = resolve
    })
  }

  /** When it was woken last. */
  wokenAt = 0

  wake(): void {
    this.wokenAt = performance.now()
    if (this.#goOn) this.#continue('woken')
    else this.#woken = true
  }

  end(reason: 'gone' | 'stopping'): void {
    this.#over = reason
    this.#continue(reason)
  }

  leave(): void {
    this.#leave()
  }

  #continue(reason: Reason): void {
    clearTimeout(this.#timer)
    const goOn = this.#goOn
    this.#goOn = undefined
    goOn?.(reason)
  }
}
