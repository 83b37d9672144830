import type { EphemeralEventData } from '../../contract/people/stream.ts'
import type { Caller } from '../caller.ts'
import type { Notifications } from '../db/notifications.ts'
import type { Transaction } from '../db/transaction.ts'
import { newUuid } from '../ids.ts'
import { BoundedMap } from '../limits/bounded-map.ts'

const CHANNEL = 'parley_passing'
/** PostgreSQL takes 8000 bytes. */
const MAX_PAYLOAD = 7500
/** Events within this time go into one notification. */
const COALESCE_MS = 50
/** Events waiting for other nodes. Beyond this the oldest are dropped; ephemeral events may be lost. */
const MAX_WAITING = 2000
/** Minimum time between two typing events of a person in a topic. */
const TYPING_MS = 2000
const TYPING = { entries: 10_000, bytes: 4 * 1024 * 1024 }
/** Topics in one event: more do not fit into a notification. */
const STATES_AT_ONCE = 20

/** An event for people who are online now: the members of a topic, one person, or the whole organization. */
export type EphemeralEvent = {
  orgId: string
  type: keyof EphemeralEventData
  data: Record<string, unknown>
  topicId?: string
  profileId?: string
}

/** A message between nodes about themselves, with the name of the part that it is for. */
export type NodeMessage = { about: string; content: unknown }

type Item = { passed: EphemeralEvent } | { node: NodeMessage }

/**
 * Events that are not kept. They reach the streams of this node at once, and those of others by a notification, without
 * reading or writing a table. An event lost in transit stays lost.
 */
export class EphemeralEvents {
  readonly node = newUuid()
  #notifications: Pick<Notifications, 'on' | 'send'>
  #isAlone: () => boolean
  #listeners: ((passed: EphemeralEvent) => void)[] = []
  #nodeListeners = new Map<string, (node: string, content: unknown) => void>()
  #waiting: string[] = []
  #timer: NodeJS.Timeout | undefined
  /** When a member was last found typing in a topic. */
  #typing = new BoundedMap<number>(TYPING, () => 8)

  constructor(notifications: Pick<Notifications, 'on' | 'send'>, isAlone: () => boolean) {
    this.#notifications = notifications
    this.#isAlone = isAlone
    notifications.on(CHANNEL, (payload) => this.#hear(payload))
  }

  onEvent(listener: (passed: EphemeralEvent) => void): void {
    this.#listeners.push(listener)
  }

  onNode(about: string, listener: (node: string, content: unknown) => void): void {
    this.#nodeListeners.set(about, listener)
  }

  /**
   * Tells the topic's other members that this person writes, once in two seconds at most. Returns whether the person is
   * in the topic, which is remembered for as long.
   */
  async typing(
    { orgId, profileId }: Caller,
    { topicId, parentId, forMs }: Omit<EphemeralEventData['typing'], 'profileId'>,
    isMember: () => Promise<boolean>,
  ): Promise<boolean> {
    const name = `${profileId} ${topicId}`
    const askedAt = performance.now()
    if (this.#isTyping(name)) return true
    if (!(await isMember())) return false
    if (this.#isTyping(name)) return true // a concurrent request has announced it
    this.#typing.set(name, askedAt)
    const data: EphemeralEventData['typing'] = {
      topicId,
      profileId,
      ...(parentId !== undefined && { parentId }),
      ...(forMs !== undefined && { forMs }),
    }
    this.send({ orgId, type: 'typing', topicId, data })
    return true
  }

  #isTyping(name: string): boolean {
    const foundAt = this.#typing.get(name)
    return foundAt !== undefined && performance.now() - foundAt < TYPING_MS
  }

  /** Sends a person's own changes to their other browsers. */
  state(
    { orgId, profileId }: Caller,
    { states = [], draft, thread, threadsRead, sections }: EphemeralEventData['state'],
  ): void {
    const pass = (data: EphemeralEventData['state']) => this.send({ orgId, type: 'state', profileId, data })
    for (let first = 0; first < states.length; first += STATES_AT_ONCE)
      pass({ states: states.slice(first, first + STATES_AT_ONCE) })
    if (draft) pass({ draft })
    if (thread) pass({ thread })
    if (threadsRead) pass({ threadsRead })
    if (sections) pass({ sections })
  }

  send(passed: EphemeralEvent): void {
    this.sendHere(passed)
    this.sendElsewhere(passed)
  }

  sendElsewhere(passed: EphemeralEvent): void {
    this.#enqueue({ passed })
  }

  sendHere(passed: EphemeralEvent): void {
    for (const listener of this.#listeners) listener(passed)
  }

  tellNodes(message: NodeMessage): void {
    this.#enqueue({ node: message })
  }

  /** Sends all waiting events, such as the last ones of a stopping node. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const payloads = packed(this.node, this.#waiting.splice(0))
    // All at once, so that nothing of a later flush comes between them: the connection takes them one after the other.
    await Promise.allSettled(payloads.map((payload) => this.#notifications.send(CHANNEL, payload)))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #enqueue(item: Item): void {
    if (this.#isAlone()) return
    const text = JSON.stringify(item)
    // A long draft does not fit into a notification: the other browser gets it at its next start, or with the next
    // change.
    if (Buffer.byteLength(text) > MAX_PAYLOAD) return
    this.#waiting.push(text)
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    this.#timer ??= setTimeout(() => void this.flush(), COALESCE_MS)
  }

  #hear(payload: string): void {
    const { node, items }: { node: string; items: Item[] } = JSON.parse(payload)
    if (node === this.node) return
    for (const item of items) {
      if ('passed' in item) this.sendHere(item.passed)
      else this.#nodeListeners.get(item.node.about)?.(node, item.node.content)
    }
  }
}

/** Passes something on every node when, and only when, this transaction commits. */
export const sendOnCommit = (tx: Transaction, passed: EphemeralEvent): Promise<void> =>
  tx.notify(CHANNEL, JSON.stringify({ node: '', items: [{ passed }] }))

/** Packs the items into as few notifications as possible. */
function packed(node: string, items: readonly string[]): string[] {
  const payloads: string[][] = []
  let room = 0
  for (const item of items) {
    const bytes = Buffer.byteLength(item) + 1
    if (bytes > room) {
      payloads.push([])
      room = MAX_PAYLOAD
    }
    payloads.at(-1)?.push(item)
    room -= bytes
  }
  return payloads.map((texts) => `{"node":"${node}","items":[${texts.join(',')}]}`)
}
