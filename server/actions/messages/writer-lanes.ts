import type { Queryable } from '../../db/database.ts'
import type { Home, Homes } from '../../db/homes.ts'
import type { FairQueue } from '../../limits/fair-queue.ts'
import type { WaitingMessage } from './message-plans.ts'

/** Messages that are flushed one batch after the other, over their own connection. */
export class Lane {
  readonly waiting: FairQueue<WaitingMessage>
  readonly db: Queryable
  isFlushing = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(waiting: FairQueue<WaitingMessage>, db: Queryable) {
    this.waiting = waiting
    this.db = db
  }

  /** Runs work that waits for locks one piece after the other, so that a group that is held takes one connection of its machine. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = this.#last.then(work)
    this.#last = running.catch(() => {})
    return running
  }
}

export type LaneParts = {
  newQueue: () => FairQueue<WaitingMessage>
  /** The connection for organizations that are all on one machine. */
  reserved: Queryable
  /** The homes of organizations on several machines, and the connections to each machine. */
  spread?: { homes: Homes; writersOf(machine: string): Queryable } | undefined
}

/**
 * One lane for all organizations, or on a cluster one for each group of them: what one group waits for, its machine or a move, holds up no
 * other, and machines work at the same time.
 */
export class WriterLanes {
  readonly #parts: LaneParts
  readonly #lanes = new Map<string, Lane>()
  readonly #only: Lane | undefined

  constructor(parts: LaneParts) {
    this.#parts = parts
    if (!parts.spread) this.#only = new Lane(parts.newQueue(), parts.reserved)
  }

  /** Whether each organization is written by a statement of its own. */
  get isSpread(): boolean {
    return this.#only === undefined
  }

  /** The lane of an organization; undefined while its home is unknown. */
  of(orgId: string): Lane | undefined {
    if (this.#only) return this.#only
    const home = this.#parts.spread?.homes.get(orgId)
    return home && this.#laneAt(home)
  }

  async find(orgId: string): Promise<Lane> {
    const known = this.of(orgId)
    if (known) return known
    if (!this.#parts.spread) throw new Error('all organizations have one lane')
    return this.#laneAt(await this.#parts.spread.homes.find(orgId))
  }

  /** Milliseconds that the oldest message of all lanes has waited while its lane moved. */
  get oldestMs(): number {
    const lanes = this.#only ? [this.#only] : [...this.#lanes.values()]
    return Math.max(0, ...lanes.map(({ waiting }) => waiting.oldestMs))
  }

  #laneAt({ group, machine }: Home): Lane {
    const name = `${group} ${machine}`
    const known = this.#lanes.get(name)
    if (known) return known
    const { newQueue, reserved, spread } = this.#parts
    const lane = new Lane(newQueue(), spread?.writersOf(machine) ?? reserved)
    this.#lanes.set(name, lane)
    return lane
  }
}
