import type { Caller } from '../../caller.ts'
import { type Database, isUndone, type Queryable, sqlState } from '../../db/database.ts'
import type { Homes } from '../../db/homes.ts'
import type { LogEvent, Transaction } from '../../db/transaction.ts'
import { busy, type Refusal, refusal, TemporaryRefusal } from '../../errors.ts'
import {
  answerOnce,
  type KeptAnswer,
  keptAnswer,
  readKeptAnswer,
  writeOnce,
} from '../../idempotency/kept-answers.ts'
import { tickAfter } from '../../ids.ts'
import type { Ceiling, Ceilings } from '../../limits/ceilings.ts'
import { FairQueue } from '../../limits/fair-queue.ts'
import { WaitingRoom } from '../../limits/waiting-room.ts'
import { mayHaveLink } from '../../link-in-text.ts'
import { readTopics, TopicDirectory } from '../../queries/topics/topic-directory.ts'
import type { Secrets } from '../../secrets.ts'
import { mentionsIn } from '../../text.ts'
import {
  type AskAboutTexts,
  checkAway,
  HeldForReview,
  REVIEWED,
  type TextQuestion,
} from '../../text-check.ts'
import { botsOf, eventOf, sentOf, type TextMessage } from './message-drafts.ts'
import {
  byArrival,
  groupByOrganization,
  type Plan,
  planOf,
  type SendAnswer,
  type SendOptions,
  type Sent,
  topicsOf,
  type WaitingMessage,
} from './message-plans.ts'
import { sendText } from './messages.ts'
import { type BatchResult, type Written, writeMessages } from './write-messages.ts'
import { type Lane, WriterLanes } from './writer-lanes.ts'

/** Milliseconds to wait for an organization held by another writer. It is then set apart, and the others go on. */
const PATIENCE_MS = 500
/** How often a text is checked while its organization changes the settings of that. */
const MAX_CHECKS = 3
/** Plans on changed memberships after which a message gets its own transaction, which locks memberships. */
const MAX_STALE_TRIES = 3
const LOCK_TIMEOUT = '55P03'
/** Lock timeout, statement timeout: it would be the same for each message alone. */
const HELD = new Set([LOCK_TIMEOUT, '57014'])
/**
 * Factor for the size of a flush while more messages come than can be written. A flush then competes with all that
 * arrives, and as many may wait.
 */
const CROWDED_FACTOR = 2
/** How much may wait or be under way: of one organization, and on this node. A stall of ten seconds at a thousand a second fits. */
export const WAITING_ROOM = {
  each: { count: 12_000, bytes: 32 * 1024 * 1024 },
  all: { count: 30_000, bytes: 96 * 1024 * 1024 },
}
/** Memory of a waiting message besides its text: its request, its connection's part, its promise. */
const MESSAGE_BYTES = 1000

export type WriterDatabase = Pick<Database, 'query' | 'isSpread' | 'clock' | 'onCommit' | 'writeAs'> & {
  reserved: Queryable
  writersOf?(machine: string): Queryable
}

/**
 * Sends texts of all organizations and senders. Messages that wait on this node are flushed together, by one statement
 * that is its own transaction; if more wait than one flush takes, organizations take turns. On a cluster each group of
 * organizations has flushes of its own, beside those of others. Memory decides whether a message may be sent. The
 * statement writes only while the memberships behind that decision still hold. Numbers, times and ids come from the
 * database.
 */
export class MessageWriter {
  #db: WriterDatabase
  #secrets: Secrets
  #limit: number
  #directory: TopicDirectory
  #lanes: WriterLanes
  #room = new WaitingRoom(WAITING_ROOM)
  #stallMs: number
  #ceiling: Ceiling | undefined
  #askAboutTexts: AskAboutTexts | undefined
  /** Messages waiting for organizations that another writer holds. */
  #apart = new Map<string, WaitingMessage[]>()
  #onLinks: (messages: { orgId: string; id: string }[]) => void
  /** Keys that are being answered: a second request with one of them waits for the first. */
  #keys = new Map<string, Promise<unknown>>()

  constructor(
    db: WriterDatabase,
    secrets: Secrets,
    options: {
      /** Messages in one flush. */
      limit: number
      /** The homes of organizations that live on different machines: then each has a transaction of its own. */
      homes?: Homes
      directory?: TopicDirectory
      /**
       * Milliseconds that a message may wait for its flush while others are written; 0, the default, means no limit.
       */
      queueMs?: number
      /** The longest wait while nothing is written. */
      stallMs?: number
      ceilings?: Ceilings
      /** Asks an organization's program about texts; without it they are sent unasked, as operators do by command. */
      askAboutTexts?: AskAboutTexts
      /** Called with messages that may have links, once they are written. */
      onLinks?: (messages: { orgId: string; id: string }[]) => void
    },
  ) {
    this.#db = db
    this.#secrets = secrets
    this.#limit = options.limit
    this.#directory = options.directory ?? new TopicDirectory()
    this.#onLinks = options.onLinks ?? (() => {})
    this.#askAboutTexts = options.askAboutTexts
    const { queueMs = 0, stallMs = 10_000 } = options
    this.#stallMs = stallMs
    this.#ceiling = options.ceilings?.add('message_queue_ms', queueMs, () => this.#lanes.oldestMs)
    const { homes } = options
    this.#lanes = new WriterLanes({
      newQueue: () => new FairQueue({ queueMs, stallMs }, (item) => item.reject(this.#busy())),
      reserved: db.reserved,
      spread: homes && { homes, writersOf: (machine) => db.writersOf?.(machine) ?? db.reserved },
    })
  }

  /**
   * Whether a message of this organization is refused, because more comes than can be written and the organization has
   * used its share of the queue. Counts the refusal.
   */
  turnsAway(orgId: string): boolean {
    const isRefused = this.#lanes.of(orgId)?.waiting.turnsAway(orgId, this.#limit * CROWDED_FACTOR) ?? false
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

  /** Sends a message that has no idempotency key. */
  async sendNow(caller: Caller, message: TextMessage): Promise<Sent> {
    const answer = await this.send(caller, message)
    if ('kept' in answer) throw new Error('only a key has a kept answer')
    return answer.sent
  }

  #busy(): Refusal {
    if (this.#ceiling) this.#ceiling.refusals += 1
    return busy()
  }

  async #enqueue(caller: Caller, message: TextMessage, options: SendOptions): Promise<SendAnswer> {
    const bytes = MESSAGE_BYTES + 2 * message.text.length
    if (!this.#room.enter(caller.orgId, bytes)) throw this.#busy()
    try {
      const lane = this.#lanes.of(caller.orgId) ?? (await this.#lanes.find(caller.orgId))
      return await new Promise<SendAnswer>((resolve, reject) => {
        const item = {
          caller,
          message,
          staleTries: 0,
          ...(!this.#askAboutTexts && { checked: REVIEWED }),
          resolve,
          reject,
          ...options,
          ...lane.waiting.arrival(),
        }
        this.#put(item, lane)
        this.#start(lane)
      })
    } finally {
      this.#room.leave(caller.orgId, bytes)
    }
  }

  /** Runs one flush of a lane at a time. Messages that arrive during it go into the next one. */
  #start(lane: Lane): void {
    if (lane.isFlushing) return
    const { waiting } = lane
    const limit = waiting.isCrowded ? this.#limit * CROWDED_FACTOR : this.#limit
    const taken = waiting.take(limit, this.#lanes.isSpread ? 1 : undefined)
    if (taken.length === 0) return
    lane.isFlushing = true
    void this.#flush(taken, lane).finally(() => {
      lane.isFlushing = false
      waiting.done()
      this.#start(lane)
    })
  }

  #put(item: WaitingMessage, lane: Lane): void {
    const { orgId } = item.caller
    const apart = this.#apart.get(orgId)
    if (apart) apart.push(item)
    else lane.waiting.add(orgId, item)
  }

  async #flush(taken: readonly WaitingMessage[], lane: Lane): Promise<void> {
    const gone = new Set(taken.filter((item) => item.isGone?.()))
    for (const item of gone) item.reject(refusal('client_gone')) // the connection is closed
    const items = taken.filter((item) => !gone.has(item))
    try {
      const overtaken = new Set(
        items.filter(({ staleTries }) => staleTries >= MAX_STALE_TRIES).map(({ caller }) => caller.orgId),
      )
      const isOvertaken = ({ caller }: WaitingMessage) => overtaken.has(caller.orgId)
      for (const item of items.filter(isOvertaken)) this.#sendSingly(item)
      await this.#sendAll(
        items.filter((item) => !isOvertaken(item)),
        lane,
      )
    } catch (error) {
      for (const item of items) item.reject(error)
    }
  }

  async #sendAll(items: readonly WaitingMessage[], lane: Lane): Promise<void> {
    const batches = await this.#plan(items)
    void this.#confirmRefused(batches) // in the background
    const sendable = batches.filter(({ drafts }) => drafts.length > 0)
    if (sendable.length > 0) await this.#write(sendable, lane)
  }

  /** Decides about each message, organization by organization, in the order of their ids and of arrival. */
  async #plan(items: readonly WaitingMessage[]): Promise<Plan[]> {
    const byOrganization = groupByOrganization(items)
    const known = await this.#directory.read(this.#db, topicsOf(byOrganization))
    const orgIds = [...byOrganization.keys()].sort()
    const planned = orgIds.map((orgId) => planOf(orgId, byOrganization.get(orgId) ?? [], known.get(orgId)))
    for (const { single } of planned) for (const item of single) this.#sendSingly(item)
    for (const plan of planned) for (const item of plan.doubtful) void this.#renew(item, plan)
    for (const { unchecked } of planned)
      for (const { item, version } of unchecked) void this.#check(item, version)
    return planned
  }

  /** Looks up the rights of a sender once more. A refusal that rests on them is no answer to a key. */
  async #renew(item: WaitingMessage, { orgId, authorityVersion }: Plan): Promise<void> {
    try {
      const renewed = await item.caller.authority?.renew()
      if (renewed) item.caller = renewed
      if (renewed?.authority?.version === authorityVersion) this.#requeue([item])
      else this.#again(orgId, [item]) // the memberships that are known are older
    } catch (error) {
      item.reject(error)
    }
  }

  /**
   * Has a text checked, beside the flushes, and puts its message back with the verdict. A key that was answered before is answered again
   * without asking.
   */
  async #check(item: WaitingMessage, version: number): Promise<void> {
    const { caller, message, repeat } = item
    try {
      const kept = repeat && (await readKeptAnswer(this.#db, this.#secrets, repeat, this.#db.clock()))
      if (kept) {
        item.resolve({ kept })
        return
      }
      item.checks = (item.checks ?? 0) + 1
      if (item.checks > MAX_CHECKS || !this.#askAboutTexts) throw checkAway()
      const { profileId: senderId, assistant } = caller
      const topicId = message.topicId.toLowerCase()
      const { text } = message
      const question: TextQuestion = {
        kind: 'message',
        topicId,
        senderId,
        ...(assistant && { assistant: assistant.name }),
        text,
      }
      const checked = await this.#askAboutTexts(caller.orgId, [question])
      const answer = checked.verdicts.get(text) ?? { verdict: 'away' }
      if (answer.verdict === 'away') throw checkAway()
      if (answer.verdict === 'hold') throw new HeldForReview(answer.reason)
      if (answer.verdict === 'refuse') {
        this.#refuse(item, refusal('message_refused', { reason: answer.reason }))
        return
      }
      const written = answer.verdict === 'mask' ? answer.text : text
      item.message = { ...message, text: written }
      item.checked = { ...checked, verdicts: new Map([[written, { verdict: 'allow' }]]) }
      if (checked.version === version) this.#requeue([item])
      else this.#again(caller.orgId, [item]) // the settings that are known here are older
    } catch (error) {
      item.reject(error)
    }
  }

  /** Decides about refused messages once more, by what the database says now. Memory alone never refuses. */
  async #confirmRefused(batches: readonly Plan[]): Promise<void> {
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
        const plan = planOf(orgId, own, known.get(orgId))
        const { refused, doubtful, unchecked } = plan
        for (const { item, refusal } of refused) this.#refuse(item, refusal)
        for (const item of doubtful) void this.#renew(item, plan)
        for (const { item, version } of unchecked) void this.#check(item, version)
        const isDecided = new Set([
          ...refused.map(({ item }) => item),
          ...doubtful,
          ...unchecked.map(({ item }) => item),
        ])
        const allowed = own.filter((item) => !isDecided.has(item))
        if (allowed.length > 0) this.#again(orgId, allowed)
      }
    } catch (error) {
      for (const item of items) item.reject(error)
    }
  }

  async #write(batches: readonly Plan[], lane: Lane): Promise<void> {
    let results: BatchResult[]
    try {
      const time = { now: this.#db.clock(), patienceMs: PATIENCE_MS }
      results = await writeMessages(lane.db, time, batches)
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
   * Gives an organization its own queue until that is empty: another writer holds the organization, or one of its
   * messages cannot be written, and neither may delay the others.
   */
  #setApart({ orgId, drafts }: Plan): void {
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

  async #sendApart(orgId: string, queue: WaitingMessage[]): Promise<void> {
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

  /** Waits for the lock of an organization as long as a stall may last. A failed batch is sent message by message, so that the culprit fails alone. */
  async #writePatiently(batch: Plan): Promise<void> {
    await this.#confirmRefused([batch])
    const [oldest] = batch.drafts
    if (!oldest) return
    try {
      const [result] = await this.#waitAndWrite(batch, oldest.item.at)
      if (result) this.#settle(batch, result)
    } catch (error) {
      if (this.#mayWaitLonger(error, oldest.item.at)) return this.#writePatiently({ ...batch, refused: [] })
      const isFinal = HELD.has(sqlState(error)) || !isUndone(error)
      if (isFinal || batch.drafts.length === 1) for (const { item } of batch.drafts) item.reject(error)
      else
        for (const draft of batch.drafts)
          await this.#writePatiently({ ...batch, refused: [], drafts: [draft] })
    }
  }

  async #waitAndWrite(batch: Plan, since: number): Promise<BatchResult[]> {
    const write = (db: Queryable) => {
      const waitedMs = performance.now() - since
      const patienceMs = Math.max(PATIENCE_MS, Math.round(this.#stallMs - waitedMs))
      return writeMessages(db, { now: this.#db.clock(), patienceMs }, [batch])
    }
    if (!this.#lanes.isSpread) return write(this.#db)
    const lane = await this.#lanes.find(batch.orgId)
    return lane.inTurn(() => write(lane.db))
  }

  /** Whether a cluster gave up sooner than a stall may last: a group that moves is held by its coordinator, which knows no patience of ours. */
  #mayWaitLonger(error: unknown, since: number): boolean {
    return (
      this.#lanes.isSpread && sqlState(error) === LOCK_TIMEOUT && performance.now() - since < this.#stallMs
    )
  }

  #settle(batch: Plan, result: BatchResult): void {
    const { orgId, drafts } = batch
    if (result.state === 'written') {
      // Answers after the next flush was sent, so that database and server work at the same time. `setImmediate` would
      // be too late: Node delays it while a thousand connections have input.
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
      else this.#refuse(item, refusal('field_invalid', { field: 'parentId' }))
    }
  }

  #settleWritten({ orgId, drafts }: Plan, { firstSeq, firstTick }: Written): void {
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
      botIds: [...new Set(drafts.flatMap(botsOf))],
      events: () => {
        events ??= places.map(({ draft, seq, tick }) => eventOf(draft, seq, tick, botsOf(draft)))
        return events
      },
    })
    for (const { draft, tick } of places) draft.item.resolve({ sent: sentOf(draft, tick) })
    const linking = places.filter(({ draft }) => mayHaveLink(draft.text))
    if (linking.length > 0)
      this.#onLinks(linking.map(({ draft, tick }) => ({ orgId, id: sentOf(draft, tick).id })))
  }

  #again(orgId: string, items: readonly WaitingMessage[]): void {
    this.#directory.forget(orgId)
    for (const item of items) item.staleTries += 1
    this.#requeue(items)
  }

  /** Puts the messages back ahead of those that came after them. */
  #requeue(items: readonly WaitingMessage[]): void {
    const lanes = new Set<Lane>()
    for (const item of items) {
      const lane = this.#lanes.of(item.caller.orgId)
      if (!lane) {
        void this.#requeueLater(item)
        continue
      }
      this.#put(item, lane)
      lanes.add(lane)
    }
    for (const lane of lanes) this.#start(lane)
  }

  /** Puts a message back whose organization's home was forgotten, since too many others were looked up. */
  async #requeueLater(item: WaitingMessage): Promise<void> {
    try {
      await this.#lanes.find(item.caller.orgId)
      this.#requeue([item])
    } catch (error) {
      item.reject(error)
    }
  }

  #repeat({ repeat, resolve, reject }: WaitingMessage, answer: KeptAnswer): void {
    try {
      if (!repeat) throw new Error('only a key has a kept answer')
      resolve({ kept: keptAnswer(this.#secrets, repeat, answer) })
    } catch (error) {
      reject(error)
    }
  }

  /** A refusal is an answer too: it is kept for its key, unless it is temporary. */
  #refuse({ repeat, caller, resolve, reject }: WaitingMessage, refusal: Refusal): void {
    if (!repeat || refusal instanceof TemporaryRefusal) {
      reject(refusal)
      return
    }
    const refuse = () => Promise.reject(refusal)
    this.#db
      .writeAs(caller, (tx) => answerOnce(tx, this.#secrets, repeat, tx.now(), refuse))
      .then((kept) => resolve({ kept }), reject)
  }

  /** Sends a message in a transaction of its own. Only messages that need one pay for it. */
  #sendSingly({ caller, message, repeat, checked, resolve, reject }: WaitingMessage): void {
    const send = async (tx: Transaction): Promise<SendAnswer> => {
      let sent: Sent | undefined
      const answer = await writeOnce(tx, this.#secrets, repeat, async () => {
        sent = await sendText(tx, caller, message)
        return { status: 201, payload: JSON.stringify(sent) }
      })
      return sent ? { sent } : { kept: answer }
    }
    this.#db.writeAs(caller, send, checked).then(resolve, reject)
  }
}
