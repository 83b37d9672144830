import { BOTS_SLOWED } from '../../contract/error-codes.ts'
import { BOTS_RELEASED } from '../../contract/people/stream.ts'
import type { LogEvent } from '../db/transaction.ts'
import { type Refusal, tooMany } from '../errors.ts'
import type { Tail } from './tail.ts'
import type { Announcement } from './wake.ts'

/** A bot that speaks later than this after the one before does not answer it. */
const ANSWERS_WITHIN_MS = 60_000
/** Conversations of bots that are counted at once, and bots that are remembered of each. */
const MAX_LOOPS = 10_000
const MAX_BOTS = 20
/** Bots of which it is known when they last heard something. */
const MAX_LISTENERS = 10_000

type Loop = {
  orgId: string
  topicId: string
  lastBotId: string
  lastAt: number
  /** When the last speaker began to speak, after another one. */
  turnAt: number
  /** How often another bot has answered the one before, since a person spoke. */
  changes: number
  /** The bots that answered, and were answered. */
  botIds: Set<string>
  isStopped: boolean
}

export type LoopLimits = {
  /** Changes of the speaker after which bots are slowed, and after which they are stopped; 0: never. */
  slowAfter: number
  stopAfter: number
  /** How long a bot that is slowed waits after the one before it. */
  pauseMs: number
}

type Watched = { leave: () => void; until: number }

/**
 * Counts how often bots answer each other in a topic without a person in between. A bot that was told nothing since the one
 * before began to speak does not answer it: bots that only report something, side by side, are no loop. It hears every message
 * of the organizations whose bots write through this node, also those that other nodes wrote, from the tail. All of it is in
 * memory, and what is lost with a node is counted anew; that bots were stopped stands in the database.
 */
export class BotLoops {
  #tail: Tail
  #limits: LoopLimits
  #clock: () => number
  #loops = new Map<string, Loop>()
  #watched = new Map<string, Watched>()
  #heardAt = new Map<string, number>()
  #onLoop: (orgId: string, loop: { topicId: string; botIds: readonly string[] }) => void

  constructor(
    tail: Tail,
    clock: () => number,
    limits: LoopLimits,
    onLoop: (orgId: string, loop: { topicId: string; botIds: readonly string[] }) => void,
  ) {
    this.#tail = tail
    this.#clock = clock
    this.#limits = limits
    this.#onLoop = onLoop
    tail.onEvents((orgId, events) => this.#count(orgId, events))
  }

  /** Called before the tail hears of a commit: where nobody else has placed the tail, it begins there. */
  hear({ orgId, firstSeq }: Announcement): void {
    if (this.#watched.has(orgId)) this.#tail.readTo(orgId, firstSeq - 1)
  }

  /** A bot is about to write where there are others: from here on its organization is listened to, for as long as an answer can come. */
  watch(orgId: string): void {
    const now = this.#clock()
    const known = this.#watched.get(orgId)
    if (known) {
      known.until = now + ANSWERS_WITHIN_MS
      return
    }
    this.#sweep(now)
    this.#watched.set(orgId, { leave: this.#tail.follow(orgId), until: now + ANSWERS_WITHIN_MS })
  }

  /** This node has told a bot of something: by a poll, by its webhook, or by a page of messages. */
  heard(orgId: string, botId: string): void {
    if (!this.#watched.has(orgId)) return
    this.#heardAt.delete(botId)
    this.#heardAt.set(botId, this.#clock())
    const [oldest] = this.#heardAt.size > MAX_LISTENERS ? this.#heardAt.keys() : []
    if (oldest !== undefined) this.#heardAt.delete(oldest)
  }

  /** Why this bot must wait: it would be the next in a conversation of bots that goes on too long. Others learn nothing. */
  refusalOf(orgId: string, topicId: string, botId: string): Refusal | undefined {
    const { slowAfter, pauseMs } = this.#limits
    const loop = slowAfter > 0 ? this.#loops.get(nameOf(orgId, topicId)) : undefined
    if (!loop || loop.changes < slowAfter || loop.lastBotId === botId || !loop.botIds.has(botId))
      return undefined
    const waitMs = loop.lastAt + pauseMs - this.#clock()
    return waitMs > 0 ? tooMany(waitMs, BOTS_SLOWED) : undefined
  }

  #count(orgId: string, events: readonly LogEvent[]): void {
    for (const event of events) {
      if (event.type === BOTS_RELEASED) this.#loops.delete(nameOf(orgId, event.topicId))
      else if (event.type === 'message.created') this.#countMessage(orgId, event)
    }
  }

  #countMessage(orgId: string, { topicId, data, createdAt }: LogEvent): void {
    const name = nameOf(orgId, topicId)
    const senderId = senderIn(data)
    const isBot = senderId.startsWith('b@')
    // A message that an assistant sends for a person counts as a bot's: nobody has looked at it.
    if (!isBot && !data.includes(ASSISTANT)) {
      this.#loops.delete(name)
      return
    }
    const known = this.#loops.get(name)
    if (!known || createdAt - known.lastAt > ANSWERS_WITHIN_MS) {
      this.#loops.delete(name)
      this.#loops.set(name, begun(orgId, topicId, senderId, createdAt))
      if (this.#loops.size > MAX_LOOPS) this.#forgetOldest()
      return
    }
    known.lastAt = createdAt
    if (known.lastBotId === senderId) return
    const isAnswer = !isBot || (this.#heardAt.get(senderId) ?? 0) >= known.turnAt
    const answered = known.lastBotId
    known.lastBotId = senderId
    known.turnAt = createdAt
    if (!isAnswer) return
    known.changes += 1
    for (const botId of [answered, senderId]) if (known.botIds.size < MAX_BOTS) known.botIds.add(botId)
    const { stopAfter } = this.#limits
    if (stopAfter === 0 || known.changes < stopAfter || known.isStopped) return
    known.isStopped = true
    this.#onLoop(orgId, { topicId, botIds: [...known.botIds] })
  }

  /** In the order in which they began: the oldest has most likely ended. */
  #forgetOldest(): void {
    const [oldest] = this.#loops.keys()
    if (oldest !== undefined) this.#loops.delete(oldest)
  }

  #sweep(now: number): void {
    for (const [orgId, { leave, until }] of this.#watched) {
      if (until > now) continue
      this.#watched.delete(orgId)
      leave()
    }
    for (const [name, { lastAt }] of this.#loops)
      if (now - lastAt > ANSWERS_WITHIN_MS) this.#loops.delete(name)
  }
}

const nameOf = (orgId: string, topicId: string): string => `${orgId} ${topicId.toLowerCase()}`

const begun = (orgId: string, topicId: string, botId: string, at: number): Loop => ({
  orgId,
  topicId,
  lastBotId: botId,
  lastAt: at,
  turnAt: at,
  changes: 0,
  botIds: new Set(),
  isStopped: false,
})

const SENDER = '"senderId":"'
const ASSISTANT = '"assistant":{"name":"'

/** The sender of the message in an event's payload. Quotes are escaped in texts, so nothing else can look like it. */
function senderIn(data: string): string {
  const start = data.indexOf(SENDER) + SENDER.length
  return start < SENDER.length ? '' : data.slice(start, data.indexOf('"', start))
}
