/** Refusals answered in one turn of the event loop. */
const PER_TURN = 64

/**
 * Sends refusals a few at a time. A refused client that asks again at once would be read before anything else: Node
 * reads on while a thousand connections have input, and neither timers nor deferred work get their turn. A client that
 * waits for its refusal is silent, and the server gets on with its work.
 */
export class PacedRefusals {
  #waiting: (() => void)[] = []
  #isTurnDue = false

  add(answer: () => void): void {
    this.#waiting.push(answer)
    this.#planTurn()
  }

  #planTurn(): void {
    if (this.#isTurnDue || this.#waiting.length === 0) return
    this.#isTurnDue = true
    setImmediate(() => {
      this.#isTurnDue = false
      for (const answer of this.#waiting.splice(0, PER_TURN)) answer()
      this.#planTurn()
    })
  }
}
