/** Answers that are waited for after a piece of work, which may go on behind its own answer. */
const ANSWERS_AFTER = 5

/** Asks a server again and again whether it lives, and measures the slowest answer. */
export class LoopWatch {
  readonly #url: string
  #isOver = false
  #answers = 0
  #longestMs = 0
  #watching: Promise<void>

  constructor(url: string) {
    this.#url = `${url}/health/live`
    this.#watching = this.#watch()
  }

  /** The slowest answer, in milliseconds, while `work` was done and for some answers after it. */
  async during(work: () => Promise<unknown>): Promise<number> {
    await this.#next(1)
    this.#longestMs = 0
    await work()
    await this.#next(ANSWERS_AFTER)
    return this.#longestMs
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#watching
  }

  async #next(answers: number): Promise<void> {
    const wanted = this.#answers + answers
    while (this.#answers < wanted && !this.#isOver) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      const asked = performance.now()
      await (await fetch(this.#url)).arrayBuffer()
      this.#longestMs = Math.max(this.#longestMs, performance.now() - asked)
      this.#answers += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}
