import { BOTS_RELEASED } from '../../contract/people/stream.ts'
import { isBotId } from '../../contract/profile-ids.ts'
import type { LogEvent } from '../db/transaction.ts'
import { type Refusal, tooMany } from '../errors.ts'
import { type Actor, actorOf } from './actors.ts'
import {
  ANSWERS_WITHIN_MS,
  type Chain,
  type Heard,
  hearLink,
  type Link,
  type LoopLimits,
  nextOf,
} from './bot-chains.ts'
import type { EphemeralEvents } from './ephemeral.ts'
import type { Tail } from './tail.ts'
import type { Announcement } from './wake.ts'

/** Bots whose events this node remembers, and unheard events of each. */
const MAX_LISTENERS = 10_000
const MAX_UNHEARD = 16
/** Topics with a newest link, and bots and topics that are remembered of a chain. */
const MAX_TOPICS = 10_000
const MAX_NAMED = 20
/** Minimum interval of telling other nodes that a bot polls, and that it read messages. */
const TELL_POLLS_MS = 20_000
const TELL_READS_MS = 1000
const ABOUT = 'bot heard'

type Listener = {
  heardSeq: number
  /** Time until which the bot polls on another node: it hears all its events at once. */
  hearsUntil: number
  toldAt: number
  /** Unheard links, the oldest first. */
  unheard: Link[]
  heard: Heard
}

type Watched = { leave: () => void; until: number }
type Bot = { orgId: string; botId: string }
type OnLoop = (
  orgId: string,
  loop: { topicId: string; botIds: readonly string[]; seq: number },
) => Promise<void>
/** Why a bot must not write now: it must wait, or the chain is so long that bots are stopped in one of its topics. */
type Verdict = { refusal: Refusal } | { stoppedChain: Chain }

/**
 * Counts how far bots answer bots. A bot's write continues the longest chain that it got within a minute, in any topic
 * and by any kind of event; a person's event ends the chains of the bots that it is for. The tail brings the events of
 * all nodes, and nodes tell each other which bots listen to them. All of it is in memory, and counting starts over with
 * the node; stopped topics are in the database.
 */
export class BotLoops {
  #tail: Tail
  #ephemeral: Pick<EphemeralEvents, 'tellNodes'>
  #limits: LoopLimits
  #clock: () => number
  #onLoop: OnLoop
  #watched = new Map<string, Watched>()
  /** Bots by their last event, the oldest first. */
  #listeners = new Map<string, Listener>()
  /** The newest link of each topic, for assistants, which may read it at any time. */
  #topics = new Map<string, Link>()
  /** Topics in which this node had bots stopped. */
  #stopped = new Set<string>()

  constructor(
    tail: Tail,
    ephemeral: Pick<EphemeralEvents, 'tellNodes' | 'onNode'>,
    clock: () => number,
    limits: LoopLimits,
    onLoop: OnLoop,
  ) {
    this.#tail = tail
    this.#ephemeral = ephemeral
    this.#clock = clock
    this.#limits = limits
    this.#onLoop = onLoop
    tail.onEvents((orgId, events) => {
      for (const event of events) this.#count(orgId, event)
    })
    ephemeral.onNode(ABOUT, (_node, content) => this.#heardElsewhere(content))
  }

  /** Call this before the tail gets the commit: a tail without a position starts here. */
  hear({ orgId, firstSeq }: Announcement): void {
    if (this.#watched.has(orgId)) this.#tail.readTo(orgId, firstSeq - 1)
  }

  /** A bot that listens is about to write: from here on its organization is followed, for as long as an answer can come. */
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

  /** This node has handed events up to this number to a bot, by a poll or by its webhook. */
  heard(bot: Bot, seq: number): void {
    const listener = this.#listenerOf(bot.botId)
    this.#hearTo(bot.botId, listener, seq)
    this.#tell(listener, bot, true)
  }

  /** This node has shown a page of messages to a caller: where that is a bot, it knows the newest events. */
  read({ orgId, profileId: botId }: { orgId: string; profileId: string }): void {
    if (!isBotId(botId)) return
    const listener = this.#listenerOf(botId)
    this.#hearTo(botId, listener, this.#tail.lastSeq(orgId))
    this.#tell(listener, { orgId, botId }, false)
  }

  /** Whether a write of this bot would continue a chain that is too long. */
  verdictOn({ orgId, profileId: botId }: { orgId: string; profileId: string }): Verdict | undefined {
    const listener = this.#listeners.get(botId)
    if (!listener) return undefined
    this.watch(orgId)
    const { stopAfter } = this.#limits
    const now = this.#clock()
    const { answers, chain, waitUntil } = nextOf(listener.heard, this.#limits, now)
    if (chain && stopAfter > 0 && answers > stopAfter) return { stoppedChain: chain }
    return waitUntil > now ? { refusal: tooMany(waitUntil - now, 'bots_slowed') } : undefined
  }

  #count(orgId: string, event: LogEvent): void {
    if (event.type === BOTS_RELEASED) this.#release(orgId, event.topicId)
    const actor = actorOf(event)
    if (!actor) return
    const link = actor.kind === 'person' ? undefined : this.#linkOf(orgId, event, actor)
    for (const botId of event.botIds) {
      const listener = this.#listeners.get(botId)
      if (listener && link) this.#bring(botId, listener, link)
      else if (listener) Object.assign(listener, { unheard: [], heard: {} })
    }
  }

  #linkOf(orgId: string, { seq, topicId, createdAt: at }: LogEvent, { id, kind }: Actor): Link {
    const topic = nameOf(orgId, topicId)
    const heard = kind === 'assistant' ? this.#heardIn(topic, id) : this.#listeners.get(id)?.heard
    const { answers, echoes, ...next } = nextOf(heard ?? {}, this.#limits, at)
    const chain = next.chain ?? { botIds: new Set(), topicIds: new Set() }
    if (chain.botIds.size < MAX_NAMED) chain.botIds.add(id)
    if (chain.topicIds.size < MAX_NAMED) chain.topicIds.add(topicId.toLowerCase())
    const link = { seq, at, botId: id, answers, echoes, chain }
    this.#topics.delete(topic)
    this.#topics.set(topic, link)
    forgetOldest(this.#topics, MAX_TOPICS)
    this.#stopAt(orgId, topicId, link)
    return link
  }

  /** An assistant may have read everything in the topic. */
  #heardIn(topic: string, id: string): Heard {
    const newest = this.#topics.get(topic)
    return newest?.botId === id ? { own: newest } : { other: newest }
  }

  #stopAt(orgId: string, topicId: string, { seq, answers, chain }: Link): void {
    const { stopAfter } = this.#limits
    const topic = nameOf(orgId, topicId)
    if (stopAfter === 0 || answers < stopAfter || this.#stopped.has(topic)) return
    this.#stopped.add(topic)
    forgetOldest(this.#stopped, MAX_TOPICS)
    const botIds = [...chain.botIds].filter(isBotId)
    chain.stopping = this.#onLoop(orgId, { topicId, botIds, seq }).catch(() => {
      this.#stopped.delete(topic) // the next write of the chain tries again
    })
  }

  /** Adds an event for a listening bot. It counts once the bot has got it. */
  #bring(botId: string, listener: Listener, link: Link): void {
    listener.unheard.push(link)
    const isHeard = link.seq <= listener.heardSeq || this.#clock() < listener.hearsUntil
    const newestHeard = isHeard ? link : listener.unheard.at(-1 - MAX_UNHEARD)
    if (newestHeard) this.#hearTo(botId, listener, newestHeard.seq)
  }

  #hearTo(botId: string, listener: Listener, seq: number): void {
    listener.heardSeq = Math.max(listener.heardSeq, seq)
    for (let [next] = listener.unheard; next && next.seq <= listener.heardSeq; [next] = listener.unheard) {
      listener.unheard.shift()
      hearLink(listener.heard, botId, next, this.#clock())
    }
  }

  /** Ends the chains of a topic in which a person let bots go on. */
  #release(orgId: string, topicId: string): void {
    const topic = nameOf(orgId, topicId)
    const isOfTopic = ({ chain }: Link) => chain.topicIds.has(topicId.toLowerCase())
    this.#stopped.delete(topic)
    this.#topics.delete(topic)
    for (const listener of this.#listeners.values()) {
      const { unheard, heard } = listener
      listener.unheard = unheard.filter((link) => !isOfTopic(link))
      if (heard.other && isOfTopic(heard.other)) delete heard.other
      if (heard.own && isOfTopic(heard.own)) delete heard.own
    }
  }

  #listenerOf(botId: string): Listener {
    const listener = this.#listeners.get(botId) ?? {
      heardSeq: 0,
      hearsUntil: 0,
      toldAt: Number.NEGATIVE_INFINITY,
      unheard: [],
      heard: {},
    }
    this.#listeners.delete(botId)
    this.#listeners.set(botId, listener)
    forgetOldest(this.#listeners, MAX_LISTENERS)
    return listener
  }

  /** Tells other nodes, because the bot may write through them. */
  #tell(listener: Listener, bot: Bot, polls: boolean): void {
    const now = this.#clock()
    if (now - listener.toldAt < (polls ? TELL_POLLS_MS : TELL_READS_MS)) return
    listener.toldAt = now
    this.#ephemeral.tellNodes({ about: ABOUT, content: { ...bot, polls } })
  }

  #heardElsewhere(content: unknown): void {
    const { orgId, botId, polls } = Object(content)
    if (typeof orgId !== 'string' || typeof botId !== 'string') return
    const listener = this.#listenerOf(botId)
    if (polls === true) listener.hearsUntil = this.#clock() + ANSWERS_WITHIN_MS
    this.#hearTo(botId, listener, this.#tail.lastSeq(orgId))
  }

  #sweep(now: number): void {
    for (const [orgId, { leave, until }] of this.#watched) {
      if (until > now) continue
      this.#watched.delete(orgId)
      leave()
    }
  }
}

const nameOf = (orgId: string, topicId: string): string => `${orgId} ${topicId.toLowerCase()}`

/** Drops the oldest entry if there are too many. */
function forgetOldest<Name>(
  entries: { size: number; keys(): Iterator<Name>; delete(name: Name): boolean },
  most: number,
): void {
  if (entries.size <= most) return
  const { done, value } = entries.keys().next()
  if (!done) entries.delete(value)
}
