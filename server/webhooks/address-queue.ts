import { isSameTarget, type Target } from '../presenters/webhook-targets.ts'
import type { StoredTarget } from '../queries/bots/deliveries.ts'
import { type Address, type ClaimedAddress, type DueDelivery, WINDOW } from './claim.ts'

/** A receiver that takes longer than this to answer is slow. */
const QUICK_MS = 1000
/** Requests to one address at a time; the first number once its receiver has answered well and quickly. */
const AT_A_TIME = { quick: 4, otherwise: 1 }
/**
 * Deliveries that waited for longer than this have piled up, because the address was paused, its receiver failed or no
 * server ran: they go out at the pace of the bot. Newer events do not wait for that pace.
 */
const PILED_UP_AFTER_MS = 30_000

type Running = { delivery: DueDelivery; since: number }

/** The state of one address while this node delivers to it. */
export class AddressQueue {
  readonly address: Address
  /** The number of the bot's addresses at the time of claiming. */
  readonly addressCount: number
  leasedUntil: number
  /** Whether there may be unread due deliveries. */
  look = true
  #waiting: DueDelivery[] = []
  #running = new Map<string, Running>()
  /** Answered, but not yet recorded. */
  #answered = new Set<string>()
  #isQuick = false
  #failingSince: number | undefined
  #hasBeenSlow = false
  /** Deliveries due before this time are sent at the bot's pace. */
  #pacedBefore = 0
  #nextPacedAt = 0
  #target: { stored: StoredTarget; opened: Target } | undefined

  constructor(claimed: ClaimedAddress, leasedUntil: number, now: number) {
    const { orgId, botId, addressId, addressCount, oldestDueAt, failingSince } = claimed
    this.address = { orgId, botId, addressId }
    this.addressCount = addressCount
    this.leasedUntil = leasedUntil
    this.#failingSince = failingSince ?? undefined
    if (oldestDueAt < now - PILED_UP_AFTER_MS) this.#pacedBefore = now
  }

  /** Opening a secret and reading an address costs as much as signing, and both are the same for every delivery. */
  targetFor(stored: StoredTarget, open: () => Target): Target {
    if (this.#target && isSameTarget(this.#target.stored, stored)) return this.#target.opened
    const { url, secret, formerSecret, formerSecretUntil, headers } = stored
    const opened = open()
    this.#target = { stored: { url, secret, formerSecret, formerSecretUntil, headers }, opened }
    return opened
  }

  get isIdle(): boolean {
    return !this.look && this.#waiting.length + this.#running.size + this.#answered.size === 0
  }

  get running(): number {
    return this.#running.size
  }

  get shouldRead(): boolean {
    return this.look && this.#waiting.length < WINDOW / 2
  }

  /** Deliveries that must not be read again. */
  get known(): string[] {
    return [...this.#waiting.map(({ id }) => id), ...this.#running.keys(), ...this.#answered]
  }

  /** Whether it failed or was slow the last time, or is slow right now. */
  isSlow(elapsed: number): boolean {
    if (this.#failingSince !== undefined || this.#hasBeenSlow) return true
    for (const { since } of this.#running.values()) if (elapsed - since > QUICK_MS) return true
    return false
  }

  add(deliveries: readonly DueDelivery[]): void {
    this.#waiting.push(...deliveries)
    if (deliveries.length === WINDOW) this.look = true
  }

  /** Starts the next delivery that may be sent now. */
  start(now: number, elapsed: number): DueDelivery | undefined {
    const isQuick = this.#isQuick && !this.isSlow(elapsed)
    if (this.#running.size >= (isQuick ? AT_A_TIME.quick : AT_A_TIME.otherwise)) return undefined
    const index = this.#nextIndex(now)
    const [delivery] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (!delivery) return undefined
    if (this.#isPaced(delivery)) this.#nextPacedAt = Math.max(this.#nextPacedAt, now) + 1000 / delivery.rate
    this.#running.set(delivery.id, { delivery, since: elapsed })
    return delivery
  }

  /** Delivers in order within a topic; a retry runs beside later deliveries. */
  #nextIndex(now: number): number {
    const inOrder = [...this.#running.values()].filter(({ delivery }) => delivery.failures === 0)
    const taken = new Set(inOrder.map(({ delivery }) => delivery.topicId))
    return this.#waiting.findIndex((delivery) => {
      const { topicId, failures } = delivery
      if (failures === 0 && taken.has(topicId)) return false
      if (!this.#isPaced(delivery) || now >= this.#nextPacedAt) return true
      if (failures === 0) taken.add(topicId)
      return false
    })
  }

  #isPaced({ dueAt }: DueDelivery): boolean {
    return dueAt < this.#pacedBefore
  }

  /** Milliseconds until its pace lets the next one go; undefined when it is not its pace that it waits for. */
  paceWait(now: number): number | undefined {
    if (now >= this.#nextPacedAt || !this.#waiting.some((delivery) => this.#isPaced(delivery)))
      return undefined
    return this.#nextPacedAt - now
  }

  /** Returns whether earlier attempts had failed. */
  answered(id: string, { ok, durationMs, at }: { ok: boolean; durationMs: number; at: number }): boolean {
    this.#running.delete(id)
    this.#answered.add(id)
    this.#hasBeenSlow = durationMs > QUICK_MS
    this.#isQuick = ok && !this.#hasBeenSlow
    const failingSince = this.#failingSince
    this.#failingSince = ok ? undefined : (failingSince ?? at)
    if (ok && failingSince !== undefined && at - failingSince > PILED_UP_AFTER_MS) this.#pacedBefore = at
    return failingSince !== undefined
  }

  recorded(id: string): void {
    this.#answered.delete(id)
  }

  /**
   * Takes back a delivery that was not sent. Waiting deliveries are dropped with it, so that none overtakes it; the
   * next poll reads all that are still due.
   */
  giveBack(id: string): void {
    this.#running.delete(id)
    this.#waiting = []
  }
}
