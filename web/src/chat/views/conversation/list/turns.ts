import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Message } from '../../../../../../contract/message.ts'
import { isStreaming } from '../../../store/streaming.ts'
import { costOf, FRAME_ELEMENTS } from '../markdown/cost.ts'
import { markdownOf } from '../markdown/markdown-of.ts'

/** A text with no more than these waits for nothing. */
const LIGHT_ELEMENTS = 50
/** Characters that are parsed in one frame; texts up to the second number are parsed in any case. */
const FRAME_CHARACTERS = 40_000
const SHORT_TEXT = 500

type Waiting = { message: Message; draw: () => void }

/**
 * Spreads texts that are costly to draw over several frames, so that the page goes on answering in between. The newest come first. What
 * ordinary topics have fits into the first frame.
 */
class DrawingTurns {
  #elements = FRAME_ELEMENTS
  #characters = FRAME_CHARACTERS
  #frame: number | undefined
  #planned = new Set<string>()
  #waiting = new Map<string, Waiting>()

  /**
   * Gives the turns of this frame to the newest of the messages that a list begins with, since their rows ask in the order of the list. A
   * list takes the place of another, whose turns do not count against it.
   */
  plan(messages: readonly Message[]): void {
    this.#planned.clear()
    this.#refill()
    for (const message of messages.toReversed()) if (this.#spend(message)) this.#planned.add(message.id)
  }

  /** Whether a message that was just put into the list is drawn in this frame. React may ask for a row again that it gave up. */
  take(message: Message): boolean {
    return this.#planned.has(message.id) || this.#spend(message)
  }

  /** Calls `draw` when the message has its turn; returns how to give it up. */
  wait(message: Message, draw: () => void): () => void {
    const waiting = { message, draw }
    this.#waiting.set(message.id, waiting)
    this.#schedule()
    return () => {
      if (this.#waiting.get(message.id) === waiting) this.#waiting.delete(message.id)
    }
  }

  /**
   * Spends this frame's budget on a message; false if it must wait. Streaming text changes with each piece, so its
   * tree is not kept.
   */
  #spend(message: Message): boolean {
    if (isStreaming(message)) return true
    const length = message.text.length + (message.forwarded?.text.length ?? 0)
    if (length > SHORT_TEXT && this.#characters <= 0) return false
    this.#characters -= length
    this.#schedule()
    const cost = drawingCost(message)
    if (cost <= LIGHT_ELEMENTS) return true
    if (cost > this.#elements && this.#elements < FRAME_ELEMENTS) return false
    this.#elements -= cost
    return true
  }

  #refill(): void {
    this.#elements = FRAME_ELEMENTS
    this.#characters = FRAME_CHARACTERS
  }

  #schedule(): void {
    this.#frame ??= requestAnimationFrame(() => this.#serve())
  }

  #serve(): void {
    this.#frame = undefined
    this.#refill()
    const newestFirst = [...this.#waiting.values()].sort((one, other) =>
      one.message.id < other.message.id ? 1 : -1,
    )
    const next: Waiting[] = []
    for (const waiting of newestFirst) {
      if (this.#elements <= 0 || !this.#spend(waiting.message)) break
      next.push(waiting)
    }
    for (const { message } of next) this.#waiting.delete(message.id)
    // Draws within this frame. The next frame has its own budget.
    flushSync(() => {
      for (const { draw } of next) draw()
    })
    if (this.#waiting.size > 0) this.#schedule()
  }
}

const turns = new DrawingTurns()

/** A text that was forwarded with a message is drawn with it. */
function drawingCost(message: Message): number {
  const { id, forwarded } = message
  const added = forwarded ? costOf(markdownOf({ id: `${id} forwarded`, text: forwarded.text })) : 0
  return costOf(markdownOf(message)) + added
}

export const planTurns = (messages: readonly Message[]): void => turns.plan(messages)

/** Whether the text of a message is drawn yet. Once it is, it stays, and so does every later version of it. */
export function useTurn(message: Message): boolean {
  const [isDrawn, setDrawn] = useState(() => turns.take(message))
  useEffect(() => (isDrawn ? undefined : turns.wait(message, () => setDrawn(true))), [isDrawn, message])
  return isDrawn
}
