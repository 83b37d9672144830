/** Refusals that are answered in one turn of the event loop. */
const PER_TURN = 64

/**
 * Hands out refusals a few at a time. Whoever is refused asks again, and a client that does so at once would be heard before anything else: Node
 * goes on reading for as long as a thousand connections have something to say, and neither timers nor what was put off get their turn.
 * A client that waits for its refusal is silent meanwhile, and what is served is served.
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
