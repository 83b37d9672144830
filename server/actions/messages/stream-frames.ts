import type { EphemeralEvents } from '../../events/ephemeral.ts'
import { type Held, pieceOf } from './growing-text.ts'

/** People see a message grow at most so often, whatever its bot sends. */
const FRAME_MS = 50
/** Pieces beyond this do not fit into a notification; browsers at other nodes read the message then. */
const MAX_TOLD = 1000

/** Shows people how the messages that this node holds grow. */
export class StreamFrames {
  #ephemeral: EphemeralEvents
  #held: ReadonlyMap<string, Held>
  #timer: NodeJS.Timeout | undefined
  #shownAt = 0

  constructor(ephemeral: EphemeralEvents, held: ReadonlyMap<string, Held>) {
    this.#ephemeral = ephemeral
    this.#held = held
  }

  showSoon(): void {
    const wait = Math.max(0, this.#shownAt + FRAME_MS - performance.now())
    this.#timer ??= setTimeout(() => this.show(), wait)
  }

  /** Shows people what is new, of all messages at once. */
  show(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#shownAt = performance.now()
    const topics = new Map<string, Held[]>()
    for (const held of this.#held.values()) {
      if (held.isShown) continue
      const { topic_id } = held.row
      topics.set(topic_id, [...(topics.get(topic_id) ?? []), held])
    }
    for (const [topicId, all] of topics) {
      const [first] = all
      if (!first) continue
      const texts = all.map((held) => pieceOf(held))
      const event = { orgId: first.orgId, type: 'streaming' as const, topicId }
      this.#ephemeral.sendHere({ ...event, data: { topicId, texts } })
      for (const piece of texts) {
        const told =
          piece.text.length > MAX_TOLD ? { ...piece, from: piece.from + piece.text.length, text: '' } : piece
        this.#ephemeral.sendElsewhere({ ...event, data: { topicId, texts: [told] } })
      }
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
