import type { Caller } from '../caller.ts'
import { type Database, isUndone, sqlState } from '../db/database.ts'
import type { LogEvent } from '../db/transaction.ts'
import { badRequest, busy, PassingRefusal, type Refusal } from '../errors.ts'
import {
  answerOnce,
  type IdempotentRequest,
  type KeptAnswer,
  keptAnswer,
  type WireAnswer,
} from '../http/idempotency.ts'
import { writeOnce } from '../http/write-once.ts'
import { tickAfter } from '../ids.ts'
import type { Ceiling, Ceilings } from '../limits/ceilings.ts'
import { FairQueue, type Waiting } from '../limits/fair-queue.ts'
import { mayHaveLink } from '../link-in-text.ts'
import {
  type KnownTopics,
  readTopics,
  TopicDirectory,
  type WantedTopics,
} from '../queries/topic-directory.ts'
import type { Secrets } from '../secrets.ts'
import { mentionsIn } from '../text.ts'
import {
  checkMessage,
  type Draft,
  draftOf,
  eventOf,
  isAmongBots,
  sentOf,
  type TextMessage,
  takesTransaction,
} from './message-drafts.ts'
import { sendText } from './messages.ts'
import {
  type Batch,
  type BatchResult,
  lockOrganization,
  sendBatches,
  type Written,
} from './send-statements.ts'

export type Sent = { id: string; topicId: string; createdAt: number }
/** A message that was sent now, or the answer that was given to its key before. */
export type SendAnswer = { sent: Sent } | { kept: WireAnswer }

export type SendOptions = {
  /** The request's `Idempotency-Key`, whose answer is kept with the message. */
  repeat?: IdempotentRequest | undefined
  /** Whether the client has gone away: a message not begun by then is dropped. */
  isGone?: () => boolean
}

type Item = SendOptions &
  Waiting & {
    caller: Caller
    message: TextMessage
    /** How often it was planned on memberships that had changed. */
    staleTries: number
    resolve(answer: SendAnswer): void
    reject(error: unknown): void
  }

/** An organization that somebody else holds for longer is set apart, so that the others go on. */
const PATIENCE_MS = 500
/** After so many plans that memberships overtook, they are held still for the next one. */
const MAX_STALE_TRIES = 3
/** Lock timeout, statement timeout: it would be the same for each message alone. */
const HELD = new Set(['55P03', '57014'])
/** While more comes than can be written, a flush takes so many times as much, since it waits for its turn among all that comes; as much may wait. */
const CROWDED_FACTOR = 2

/**
 * Sends texts, of whichever organization and sender. Messages that wait on this node are flushed together, by one statement that is
 * a transaction of its own; if more wait than one flush takes, organizations take turns. Whether a message may be sent is decided
 * in memory; the statement writes only while the memberships behind that decision still hold, and numbers, times and ids come from
 * the database.
 */
export class MessageWriter {
  #db: Database
  #secrets: Secrets
  #limit: number
  #spansOrganizations: boolean
  #directory: TopicDirectory
  #waiting: FairQueue<Item>
  #ceiling: Ceiling | undefined
  /** Messages waiting for organizations that somebody else holds. */
  #apart = new Map<string, Item[]>()
  #isFlushing = false
  #onAmongBots: (orgId: string) => void
  #onLinks: (messages: { orgId: string; id: string }[]) => void
  /** Keys that are being answered: a second request with one of them waits for the first. */
  #keys = new Map<string, Promise<unknown>>()

  constructor(
    db: Database,
    secrets: Secrets,
    options: {
      /** Messages in one flush. */
      limit: number
      /** False where organizations live on different machines: then each has a transaction of its own. */
      spansOrganizations?: boolean
      directory?: TopicDirectory
      /** How long a message may wait for its flush; 0, which is the default: for as long as it takes. */
      queueMs?: number
      ceilings?: Ceilings
      /** Told of each organization whose bots write where others may answer them. */
      onAmongBots?: (orgId: string) => void
      /** Told of messages that may have links, once they are written. */
      onLinks?: (messages: { orgId: string; id: string }[]) => void
    },
  ) {
    this.#db = db
    this.#secrets = secrets
    this.#limit = options.limit
    this.#spansOrganizations = options.spansOrganizations ?? true
    this.#directory = options.directory ?? new TopicDirectory()
    this.#onAmongBots = options.onAmongBots ?? (() => {})
    this.#onLinks = options.onLinks ?? (() => {})
    const { queueMs = 0 } = options
    this.#ceiling = options.ceilings?.add('message_queue_ms', queueMs, () => this.#waiting.oldestMs)
    this.#waiting = new FairQueue(queueMs, (item) => {
      if (this.#ceiling) this.#ceiling.refusals += 1
      item.reject(busy())
    })
  }

  /** Turns a message of this organization away, and counts it, if more comes than can be written and the organization has its share of the queue; tells whether. */
  turnsAway(orgId: string): boolean {
    const isRefused = this.#waiting.turnsAway(orgId, this.#limit * CROWDED_FACTOR)
    if (isRefused && this.#ceiling) this.#ceiling.refusals += 1
    return isRefused
  }

  async send(caller: Caller, message: TextMessage, options: SendOptions = {}): Promise<SendAnswer> {
    const { repeat } = options
    if (!repeat) return this.#enqueue(caller, message, options)
    const name = `${repeat.orgId} ${repeat.owner} ${repeat.key}`
    for (let other = this.#keys.get(name); other; other = this.#keys.get(name)) await other.catch(() => {})
    const answering = this.#enqueue(caller, message, options)
    this.#keys.set(name, answering)
    return answering.finally(() => this.#keys.delete(name))
  }

  /** Without a key. */
  async sendNow(caller: Caller, message: TextMessage): Promise<Sent> {
    const answer = await this.send(caller, message)
    if ('kept' in answer) throw new Error('only a key has a kept answer')
    return answer.sent
  }

  #enqueue(caller: Caller, message: TextMessage, options: SendOptions): Promise<SendAnswer> {
    return new Promise((resolve, reject) => {
      const item = { ...options, ...this.#waiting.arrival(), caller, message, staleTries: 0, resolve, reject }
      this.#put(item)
      this.#start()
    })
  }

  /** One flush at a time: messages that come meanwhile wait for the next, which is the larger for it. */
  #start(): void {
    if (this.#isFlushing) return
    const limit = this.#waiting.isCrowded ? this.#limit * CROWDED_FACTOR : this.#limit
    const taken = this.#waiting.take(limit, this.#spansOrganizations ? undefined : 1)
    if (taken.length === 0) return
    this.#isFlushing = true
    void this.#flush(taken).finally(() => {
      this.#isFlushing = false
      this.#start()
    })
  }

  #put(item: Item): void {
    const { orgId } = item.caller
    const apart = this.#apart.get(orgId)
    if (apart) apart.push(item)
    else this.#waiting.add(orgId, item)
  }

  async #flush(taken: readonly Item[]): Promise<void> {
    const gone = new Set(taken.filter((item) => item.isGone?.()))
    for (const item of gone) item.reject(badRequest('the client has gone away')) // nobody hears it
    const items = taken.filter((item) => !gone.has(item))
    try {
      const overtaken = new Set(
        items.filter(({ staleTries }) => staleTries >= MAX_STALE_TRIES).map(({ caller }) => caller.orgId),
      )
      for (const orgId of overtaken) {
        await this.#sendLocked(
          orgId,
          items.filter(({ caller }) => caller.orgId === orgId),
        )
      }
      await this.#sendAll(items.filter(({ caller }) => !overtaken.has(caller.orgId)))
    } catch (error) {
      for (const item of items) item.reject(error)
    }
  }

  async #sendAll(items: readonly Item[]): Promise<void> {
    const batches = await this.#plan(items)
    void this.#confirmRefused(batches) // nobody else waits for that
    const sendable = batches.filter(({ drafts }) => drafts.length > 0)
    if (sendable.length > 0) await this.#write(sendable)
  }

  /** Decides about each message, organization by organization, in the order of their ids and of arrival. */
  async #plan(items: readonly Item[]): Promise<Planned[]> {
    const byOrganization = groupByOrganization(items)
    const known = await this.#directory.read(this.#db, topicsOf(byOrganization))
    const orgIds = [...byOrganization.keys()].sort()
    const planned = orgIds.map((orgId) => planOf(orgId, byOrganization.get(orgId) ?? [], known.get(orgId)))
    for (const { single } of planned) for (const item of single) this.#sendSingly(item)
    for (const plan of planned) if (plan.isAmongBots) this.#onAmongBots(plan.orgId)
    return planned
  }

  /** Decides about refused messages once more, by what the database says now: memory alone refuses nobody. */
  async #confirmRefused(batches: readonly Planned[]): Promise<void> {
    const items = batches.flatMap(({ refused }) => refused.map(({ item }) => item))
    if (items.length === 0) return
    try {
      const concerned = items.flatMap(({ caller, message }) => [
        caller.profileId,
        ...mentionsIn(message.text),
      ])
      const byOrganization = groupByOrganization(items)
      const known = await readTopics(this.#db, topicsOf(byOrganization), concerned)
      for (const [orgId, own] of byOrganization) {
        const { refused } = planOf(orgId, own, known.get(orgId))
        for (const { item, refusal } of refused) this.#refuse(item, refusal)
        const isRefused = new Set(refused.map(({ item }) => item))
        const allowed = own.filter((item) => !isRefused.has(item))
        if (allowed.length > 0) this.#again(orgId, allowed)
      }
    } catch (error) {
      for (const item of items) item.reject(error)
    }
  }

  async #write(batches: readonly Planned[]): Promise<void> {
    let results: BatchResult[]
    try {
      const time = { now: this.#db.clock(), patienceMs: PATIENCE_MS }
      results = await sendBatches(this.#db.reserved, time, batches)
    } catch (error) {
      if (!isUndone(error)) throw error // the database is away, and may have written it
      for (const batch of batches) this.#setApart(batch)
      return
    }
    batches.forEach((batch, index) => {
      const result = results[index]
      if (result) this.#settle(batch, result)
    })
  }

  /**
   * Gives an organization a queue of its own for as long as it has something in it: somebody else holds it, or one of its
   * messages cannot be written, and neither must keep the others waiting.
   */
  #setApart({ orgId, drafts }: Planned): void {
    const items = drafts.map(({ item }) => item)
    const queue = this.#apart.get(orgId)
    if (queue) {
      queue.push(...items)
      queue.sort(byArrival)
      return
    }
    this.#apart.set(orgId, items)
    void this.#sendApart(orgId, items)
  }

  async #sendApart(orgId: string, queue: Item[]): Promise<void> {
    while (queue.length > 0) {
      const items = queue.splice(0, this.#limit)
      try {
        for (const batch of await this.#plan(items)) await this.#writePatiently(batch)
      } catch (error) {
        for (const item of items) item.reject(error)
      }
    }
    this.#apart.delete(orgId)
  }

  /** Waits for as long as the connection allows. A failed batch is sent message by message: the culprit fails alone. */
  async #writePatiently(batch: Planned): Promise<void> {
    await this.#confirmRefused([batch])
    if (batch.drafts.length === 0) return
    try {
      const [result] = await sendBatches(this.#db, { now: this.#db.clock() }, [batch])
      if (result) this.#settle(batch, result)
    } catch (error) {
      const isFinal = HELD.has(sqlState(error)) || !isUndone(error)
      if (isFinal || batch.drafts.length === 1) for (const { item } of batch.drafts) item.reject(error)
      else
        for (const draft of batch.drafts)
          await this.#writePatiently({ ...batch, refused: [], drafts: [draft] })
    }
  }

  #settle(batch: Planned, result: BatchResult): void {
    const { orgId, drafts } = batch
    if (result.state === 'written') {
      // Later, so that the next flush is on its way to the database before these are answered: both have work then. Not as late as `setImmediate`,
      // which Node keeps waiting for as long as a thousand connections have something to say.
      process.nextTick(() => this.#settleWritten(batch, result))
      return
    }
    if (result.state === 'stale') {
      this.#again(
        orgId,
        drafts.map(({ item }) => item),
      )
      return
    }
    // The others go out at once; they were only in the company of the refused ones.
    const places = new Set(result.problems.map(({ place }) => place))
    this.#requeue(drafts.filter((_, index) => !places.has(index + 1)).map(({ item }) => item))
    for (const problem of result.problems) {
      const item = drafts[problem.place - 1]?.item
      if (!item) continue
      if ('hash' in problem) this.#repeat(item, problem)
      else this.#refuse(item, badRequest('Invalid parentId'))
    }
  }

  #settleWritten({ orgId, drafts }: Planned, { firstSeq, firstTick }: Written): void {
    const places = drafts.map((draft, index) => ({
      draft,
      seq: firstSeq + index,
      tick: tickAfter(firstTick, 2 * index),
    }))
    let events: LogEvent[] | undefined
    this.#db.onCommit({
      orgId,
      firstSeq,
      lastSeq: firstSeq + drafts.length - 1,
      botIds: [...new Set(drafts.flatMap(({ botIds }) => botIds))],
      events: () => {
        events ??= places.map(({ draft, seq, tick }) => eventOf(draft, seq, tick))
        return events
      },
    })
    for (const { draft, tick } of places) draft.item.resolve({ sent: sentOf(draft, tick) })
    const linking = places.filter(({ draft }) => mayHaveLink(draft.text))
    if (linking.length > 0)
      this.#onLinks(linking.map(({ draft, tick }) => ({ orgId, id: sentOf(draft, tick).id })))
  }

  #again(orgId: string, items: readonly Item[]): void {
    this.#directory.forget(orgId)
    for (const item of items) item.staleTries += 1
    this.#requeue(items)
  }

  /** Back to where they were: before all that came after them. */
  #requeue(items: readonly Item[]): void {
    for (const item of items) this.#put(item)
    this.#start()
  }

  #repeat({ repeat, resolve, reject }: Item, answer: KeptAnswer): void {
    try {
      if (!repeat) throw new Error('only a key has a kept answer')
      resolve({ kept: keptAnswer(this.#secrets, repeat, answer) })
    } catch (error) {
      reject(error)
    }
  }

  /** A refusal is an answer too: it is kept for its key, unless it passes. */
  #refuse({ repeat, caller, resolve, reject }: Item, refusal: Refusal): void {
    if (!repeat || refusal instanceof PassingRefusal) {
      reject(refusal)
      return
    }
    const refuse = () => Promise.reject(refusal)
    this.#db
      .write(caller.orgId, (tx) => answerOnce(tx, this.#secrets, repeat, tx.now(), refuse))
      .then((kept) => resolve({ kept }), reject)
  }

  /** In a transaction of its own: only where it is needed, so that nobody else pays for it. */
  #sendSingly({ caller, message, repeat, resolve, reject }: Item): void {
    this.#db
      .write(caller.orgId, async (tx): Promise<SendAnswer> => {
        let sent: Sent | undefined
        const answer = await writeOnce(tx, this.#secrets, repeat, async () => {
          sent = await sendText(tx, caller, message)
          return { status: 201, payload: JSON.stringify(sent) }
        })
        return sent ? { sent } : { kept: answer }
      })
      .then(resolve, reject)
  }

  /** With the organization's memberships held still, for messages that they kept overtaking. */
  async #sendLocked(orgId: string, items: readonly Item[]): Promise<void> {
    const { batch, result } = await this.#db.transaction(async (open) => {
      await lockOrganization(open, orgId)
      const known = await readTopics(open, topicsOf(new Map([[orgId, items]])))
      const planned = planOf(orgId, items, known.get(orgId))
      if (planned.drafts.length === 0) return { batch: planned, result: undefined }
      const [written] = await sendBatches(open, { now: open.now() }, [planned])
      return { batch: planned, result: written }
    })
    if (result?.state === 'stale') throw new Error(`organization ${orgId} changed under its lock`)
    for (const { item, refusal } of batch.refused) this.#refuse(item, refusal)
    for (const item of batch.single) this.#sendSingly(item)
    if (result) this.#settle(batch, result)
  }
}

type Planned = Omit<Batch, 'drafts'> & {
  drafts: (Draft & { item: Item })[]
  refused: { item: Item; refusal: Refusal }[]
  /** Messages that take a transaction of their own. */
  single: Item[]
  /** Whether one of them is a bot's, where others may answer it. */
  isAmongBots: boolean
}

function planOf(orgId: string, items: readonly Item[], known: KnownTopics | undefined): Planned {
  const planned: Planned = {
    orgId,
    version: known?.version ?? -1,
    drafts: [],
    refused: [],
    single: [],
    isAmongBots: false,
  }
  for (const item of items) {
    const { caller, message } = item
    const checked = checkMessage(caller, message, known?.topics.get(message.topicId.toLowerCase()))
    if ('topic' in checked) planned.isAmongBots ||= isAmongBots(caller, checked.topic)
    if ('refusal' in checked) planned.refused.push({ item, refusal: checked.refusal })
    else if (takesTransaction(caller, message, checked)) planned.single.push(item)
    else planned.drafts.push({ ...draftOf(caller, message, checked), key: item.repeat, item })
  }
  return planned
}

const byArrival = (one: Item, other: Item): number => one.arrival - other.arrival

const topicsOf = (byOrganization: ReadonlyMap<string, readonly Item[]>): WantedTopics =>
  new Map(
    [...byOrganization].map(([orgId, items]) => [
      orgId,
      new Set(items.map(({ message }) => message.topicId.toLowerCase())),
    ]),
  )

function groupByOrganization(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.caller.orgId)
    if (group) group.push(item)
    else groups.set(item.caller.orgId, [item])
  }
  return groups
}
