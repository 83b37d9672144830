import { pauseWebhook } from '../actions/bots/deliveries.ts'
import type { Announcement } from '../events/wake.ts'
import { newUuid } from '../ids.ts'
import type { GuardOptions } from '../network/guard.ts'
import type { Parley } from '../parley.ts'
import { withLinks } from '../presenters/event-links.ts'
import { buildRequest } from '../presenters/webhook-requests.ts'
import { openTarget, targetEnvelope } from '../presenters/webhook-targets.ts'
import type { Bot } from '../queries/bots/deliveries.ts'
import type { DeliveryTrace } from '../telemetry/telemetry.ts'
import { type NoteFailure, Worker } from '../worker.ts'
import { AddressQueue } from './address-queue.ts'
import { type Attempt, post, STOPPING } from './call.ts'
import {
  type Address,
  claimAddresses,
  type DueDelivery,
  isAnyDue,
  type ReadyDelivery,
  readDue,
  readReady,
  releaseLeases,
  renewLeases,
} from './claim.ts'
import { type Result, record } from './record.ts'
import { nextAttemptAt } from './schedule.ts'
import { count, tally } from './tally.ts'
import { TestSender } from './test-sender.ts'
import { type WayOut, WaysOut } from './ways-out.ts'

type Parts = Pick<
  Parley,
  | 'botLoops'
  | 'clock'
  | 'config'
  | 'db'
  | 'links'
  | 'log'
  | 'lookout'
  | 'secrets'
  | 'telemetry'
  | 'wake'
  | 'workers'
>

const ATTEMPT_LIMIT_MS = 10_000
/** Time after which another node takes the addresses of a dead one. */
const LEASE_MS = 20_000
/** Longer than an attempt takes, so that none runs when its lease ends. */
const RENEW_BELOW_MS = 15_000
/** The longest delay after a lost wake-up. */
const POLL_MS = 1000
/** Concurrent requests in all. Slow or failing addresses have separate slots, so that they cannot take all of them. */
const MAX_CALLS = { quick: 200, slow: 100 }
/** Attempts that still run this long after the stop are given back: they go out again, under the same id. */
const STOP_PATIENCE_MS = 5000

export type DispatcherOptions = GuardOptions & {
  attemptLimitMs?: number
  pollMs?: number
  stopPatienceMs?: number
}

type Start = { queue: AddressQueue; delivery: DueDelivery }
type Ready = Start & { event: ReadyDelivery; wayOut: WayOut }

/**
 * Sends webhooks for as long as it runs: it claims addresses with due deliveries, prepares them, calls the receivers,
 * and records the results. An address belongs to one dispatcher at a time; everything about it but the deliveries
 * themselves is in memory. Addresses of one bot are independent: a failing one delays no other.
 */
export class Dispatcher {
  readonly #parley: Parts
  readonly #waysOut: WaysOut
  readonly #attemptLimitMs: number
  readonly #pollMs: number
  readonly #stopPatienceMs: number
  readonly #holder = newUuid()
  /** Addresses that this node looks after. An address that was served goes to the end. */
  readonly #queues = new Map<string, AddressQueue>()
  /** Queues by their bots, which announcements name. */
  readonly #queuesOfBots = new Map<string, Set<AddressQueue>>()
  readonly #woken = new Map<string, Bot>()
  /** Asked for since the last poll and not ours to serve, such as those that poll: not worth asking again so soon. */
  readonly #notOurs = new Set<string>()
  readonly #calls = new Map<AbortController, Promise<void>>()
  #results: Result[] = []
  #nextPollAt = 0
  #paceTimer: NodeJS.Timeout | undefined
  #stopping = false
  readonly #turns: Worker
  readonly #recorder: Worker
  readonly #tests: TestSender

  constructor(parley: Parts, options: DispatcherOptions = {}) {
    this.#parley = parley
    this.#waysOut = new WaysOut(parley.config, options)
    this.#attemptLimitMs = options.attemptLimitMs ?? ATTEMPT_LIMIT_MS
    this.#pollMs = options.pollMs ?? POLL_MS
    this.#stopPatienceMs = options.stopPatienceMs ?? STOP_PATIENCE_MS
    this.#recorder = new Worker('webhook results', parley, this.#pollMs, (noteFailure) =>
      this.#record(noteFailure),
    )
    this.#turns = new Worker('webhooks', parley, this.#pollMs, () => this.#turn(), {
      isDue: isAnyDue,
      onDue: () => {
        this.#nextPollAt = 0
      },
    })
    this.#tests = new TestSender(parley, this.#waysOut, {
      attemptLimitMs: this.#attemptLimitMs,
      pollMs: this.#pollMs,
    })
    parley.wake.onEvents((announcement) => this.#hear(announcement))
  }

  #hear({ orgId, botIds }: Announcement): void {
    if (this.#stopping) return
    if (!botIds) this.#nextPollAt = 0
    let isConcerned = !botIds
    for (const botId of botIds ?? []) {
      for (const queue of this.#queuesOfBots.get(botId) ?? []) {
        queue.look = true
        isConcerned = true
      }
      if (this.#hasAllOf(botId) || this.#notOurs.has(botId)) continue
      this.#woken.set(botId, { orgId, botId })
      isConcerned = true
    }
    if (isConcerned) this.#turns.wake()
  }

  #hasAllOf(botId: string): boolean {
    const queues = this.#queuesOfBots.get(botId)
    const [any] = queues ?? []
    return queues !== undefined && any !== undefined && queues.size >= any.addressCount
  }

  #add(queue: AddressQueue): void {
    const { botId, addressId } = queue.address
    this.#queues.set(addressId, queue)
    const queues = this.#queuesOfBots.get(botId)
    if (queues) queues.add(queue)
    else this.#queuesOfBots.set(botId, new Set([queue]))
  }

  #drop(queue: AddressQueue): void {
    const { botId, addressId } = queue.address
    this.#queues.delete(addressId)
    const queues = this.#queuesOfBots.get(botId)
    queues?.delete(queue)
    if (queues?.size === 0) this.#queuesOfBots.delete(botId)
  }

  /** Returns the wait while it looks after addresses: their leases end, and only it knows what is due for them. */
  async #turn(): Promise<number | undefined> {
    if (this.#stopping) return undefined
    const isPoll = performance.now() >= this.#nextPollAt
    if (isPoll) this.#nextPollAt = performance.now() + this.#pollMs
    try {
      await this.#keep()
      await this.#claim(isPoll)
      await this.#read(isPoll)
      await this.#start()
      return this.#queues.size > 0 ? this.#pollMs : undefined
    } catch (error) {
      this.#nextPollAt = 0 // a turn that does nothing must not pass for a success
      throw error
    }
  }

  /** Renews the leases that come to an end, or lets go of the address when there is nothing to do. */
  async #keep(): Promise<void> {
    const { db } = this.#parley
    const lease = this.#lease()
    const ending = [...this.#queues.values()].filter(
      ({ leasedUntil }) => leasedUntil - lease.now < RENEW_BELOW_MS,
    )
    const [idle, busy] = [ending.filter((queue) => queue.isIdle), ending.filter((queue) => !queue.isIdle)]
    for (const queue of idle) this.#drop(queue)
    await releaseLeases(db, this.#holder, addressesOf(idle))
    const kept = new Set(await renewLeases(db, lease, addressesOf(busy)))
    for (const queue of busy) {
      if (kept.has(queue.address.addressId)) queue.leasedUntil = lease.until
      else this.#drop(queue)
    }
  }

  /** Takes addresses of bots that were woken, or, now and then, any that have something due. */
  async #claim(isPoll: boolean): Promise<void> {
    const woken = [...this.#woken.values()]
    this.#woken.clear()
    if (isPoll) this.#notOurs.clear()
    else if (woken.length === 0) return
    const lease = this.#lease()
    const { quick, slow } = this.#running()
    const limit = Math.max(0, MAX_CALLS.quick - quick) + Math.max(0, MAX_CALLS.slow - slow)
    const among = isPoll ? undefined : woken
    const held = [...this.#queues.keys()]
    const claimed = await claimAddresses(this.#parley.db, lease, { held, among, limit })
    for (const address of claimed) this.#add(new AddressQueue(address, lease.until, lease.now))
    for (const { botId } of woken) if (!this.#hasAllOf(botId)) this.#notOurs.add(botId)
  }

  /** Reads what is due for the addresses that may have something; at a poll all of them may. */
  async #read(isPoll: boolean): Promise<void> {
    if (isPoll) for (const queue of this.#queues.values()) queue.look = true
    const queues = [...this.#queues.values()].filter((queue) => queue.shouldRead)
    if (queues.length === 0) return
    for (const queue of queues) queue.look = false
    const held = queues.map((queue) => ({ ...queue.address, known: queue.known }))
    const due = await readDue(this.#parley.db, held, this.#parley.clock())
    for (const queue of queues) queue.add(due.get(queue.address.addressId) ?? [])
  }

  async #start(): Promise<void> {
    const starts = this.#choose()
    this.#wakeForPace()
    if (starts.length === 0) return
    const ready = await this.#prepare(starts)
    for (const each of ready) this.#call(each)
  }

  /** Takes one delivery of each address in turn, while there are slots. */
  #choose(): Start[] {
    const now = this.#parley.clock()
    const elapsed = performance.now()
    const running = this.#running()
    const starts: Start[] = []
    let candidates = [...this.#queues.values()]
    while (candidates.length > 0) {
      candidates = candidates.filter((queue) => {
        const kind = queue.isSlow(elapsed) ? 'slow' : 'quick'
        if (running[kind] >= MAX_CALLS[kind]) return false
        const delivery = queue.start(now, elapsed)
        if (!delivery) return false
        running[kind] += 1
        starts.push({ queue, delivery })
        return true
      })
    }
    for (const { queue } of starts) {
      this.#queues.delete(queue.address.addressId)
      this.#queues.set(queue.address.addressId, queue)
    }
    return starts
  }

  async #prepare(starts: readonly Start[]): Promise<Ready[]> {
    const { db, clock } = this.#parley
    const wanted = starts.map(({ queue, delivery }) => ({ ...queue.address, seq: delivery.seq }))
    const lease = { holder: this.#holder, until: clock() + this.#attemptLimitMs }
    const [events, wayOutOf] = await Promise.all([
      readReady(db, lease, wanted),
      this.#waysOut.read(db),
    ]).catch((error: unknown) => {
      for (const { queue, delivery } of starts) queue.giveBack(delivery.id)
      throw error
    })
    const byId = new Map(events.map((event) => [event.id, event]))
    return starts.flatMap(({ queue, delivery }) => {
      const event = byId.get(delivery.id)
      if (event) return [{ queue, delivery, event, wayOut: wayOutOf(queue.address.orgId) }]
      queue.giveBack(delivery.id)
      return []
    })
  }

  #call(ready: Ready): void {
    const call = new AbortController()
    const ended = this.#attempt(ready, call)
      .catch((error: unknown) => {
        this.#parley.log.error({ err: error, ...ready.queue.address }, 'a webhook could not be prepared')
        ready.queue.giveBack(ready.delivery.id)
      })
      .finally(() => {
        this.#calls.delete(call)
        tally.inFlight -= 1
        this.#turns.wake()
      })
    this.#calls.set(call, ended)
    tally.inFlight += 1
  }

  async #attempt(ready: Ready, call: AbortController): Promise<void> {
    const { clock, config, log } = this.#parley
    const { queue, delivery, event } = ready
    const at = clock()
    const trace = this.#parley.telemetry?.delivery(event, queue.address.botId)
    const attempt = await this.#post(ready, { at, trace }, call)
    if (!attempt) return queue.giveBack(delivery.id)
    trace?.ended(attempt)
    const { outcome, status, durationMs, retryAfter } = attempt
    const ok = outcome === 'ok'
    const now = clock()
    const { failures } = delivery
    const retryAt = ok ? undefined : nextAttemptAt(config.webhookRetrySchedule, { failures, now, retryAfter })
    const wasFailing = queue.answered(delivery.id, { ok, durationMs, at: now })
    const { id: deliveryId, seq } = delivery
    count(outcome)
    log.debug({ botId: queue.address.botId, deliveryId, outcome, status, ms: durationMs }, 'webhook')
    this.#results.push({
      ...attempt,
      ...queue.address,
      deliveryId,
      seq,
      at,
      url: event.url,
      retryAt,
      wasFailing,
    })
    this.#recorder.wake()
  }

  async #post(
    { queue, delivery, event, wayOut }: Ready,
    { at: sentAt, trace }: { at: number; trace: DeliveryTrace | undefined },
    call: AbortController,
  ): Promise<Attempt | undefined> {
    const { config, links } = this.#parley
    const mistake = wayOut.mistakeIn(event.url)
    if (mistake !== undefined) return { outcome: 'blocked', durationMs: 0, error: mistake }
    const { orgId, botId, addressId } = queue.address
    this.#parley.botLoops.heard({ orgId, botId }, delivery.seq)
    const target = queue.targetFor(event, () => openTarget(this.#parley, addressId, event))
    const data = withLinks(event, links.for({ orgId, profileId: botId }))
    const stored = { ...event, data }
    const request = await buildRequest(stored, {
      deliveryId: event.id,
      ...targetEnvelope(target, sentAt),
      sentAt,
      gzip: event.gzip,
      headerPrefix: config.webhookHeaderPrefix,
    })
    if (trace) request.headers.traceparent = trace.traceparent
    return post(wayOut.agent, target.address, request, { limitMs: this.#attemptLimitMs, call })
  }

  /** All results since the last time, with one statement. A failure of the database keeps them for the next time. */
  async #record(noteFailure: NoteFailure = () => {}): Promise<void> {
    if (this.#results.length === 0) return
    const { db, clock, log } = this.#parley
    const results = this.#results.splice(0)
    const pauses = await record(db, results, clock()).catch((error: unknown) => {
      this.#results.unshift(...results)
      throw error
    })
    try {
      for (const pause of pauses) {
        const { orgId, botId, addressId, reason } = pause
        await db
          .write(orgId, (tx) => pauseWebhook(tx, this.#parley, pause))
          .then(
            () => log.warn({ botId, addressId, reason }, 'a webhook was paused'),
            (error: unknown) => noteFailure(error, { botId, addressId }),
          )
      }
    } finally {
      // A delivery recorded earlier would be read and sent once more to an address that is being paused.
      for (const { addressId, deliveryId } of results) this.#queues.get(addressId)?.recorded(deliveryId)
    }
  }

  #lease() {
    const now = this.#parley.clock()
    return { holder: this.#holder, now, until: now + LEASE_MS }
  }

  #running(): { quick: number; slow: number } {
    const elapsed = performance.now()
    const running = { quick: 0, slow: 0 }
    for (const queue of this.#queues.values())
      running[queue.isSlow(elapsed) ? 'slow' : 'quick'] += queue.running
    return running
  }

  #wakeForPace(): void {
    const now = this.#parley.clock()
    const waits = [...this.#queues.values()].flatMap((queue) => queue.paceWait(now) ?? [])
    clearTimeout(this.#paceTimer)
    if (waits.length > 0) this.#paceTimer = setTimeout(() => this.#turns.wake(), Math.min(...waits))
  }

  /** Starts nothing new, waits a while for what runs, gives the rest back, and lets other nodes have the addresses. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all([this.#turns.stop(), this.#tests.stop()])
    clearTimeout(this.#paceTimer)
    const patience = setTimeout(() => this.#giveUp(), this.#stopPatienceMs)
    await Promise.all(this.#calls.values())
    clearTimeout(patience)
    await this.#recorder.stop()
    await this.#leave().catch((error: unknown) => {
      this.#parley.log.error({ err: error }, 'results of webhooks were lost; they will be delivered again')
    })
    await this.#waysOut.destroy()
  }

  #giveUp(): void {
    for (const call of this.#calls.keys()) call.abort(STOPPING)
  }

  async #leave(): Promise<void> {
    await this.#record()
    await releaseLeases(this.#parley.db, this.#holder, addressesOf([...this.#queues.values()]))
  }
}

const addressesOf = (queues: readonly AddressQueue[]): Address[] => queues.map(({ address }) => address)
