import type { Log } from './log.ts'

/**
 * Runs a piece of work again and again: when woken, and every `intervalMs` in any case, so that a lost wake-up
 * costs a moment and never the work. Work may tell after how many milliseconds it wants to run again instead. Runs do not overlap; a
 * failure is logged and tried again next time.
 */
export class Worker {
  #work: () => Promise<unknown>
  #intervalMs: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #wokenMeanwhile = false
  #stopped = false

  constructor(name: string, log: Log, intervalMs: number, work: () => Promise<unknown>) {
    this.#intervalMs = intervalMs
    this.#work = () =>
      work().catch((error: unknown) => {
        if (!this.#stopped)
          log.error({ err: error, worker: name }, 'background work failed; it will be tried again')
      })
    this.wake()
  }

  wake(): void {
    if (this.#stopped) return
    if (this.#running) {
      this.#wokenMeanwhile = true
      return
    }
    clearTimeout(this.#timer)
    this.#running = this.#work().then((restMs) => {
      this.#running = undefined
      if (this.#stopped) return
      if (this.#wokenMeanwhile) {
        this.#wokenMeanwhile = false
        this.wake()
      } else {
        this.#timer = setTimeout(() => this.wake(), typeof restMs === 'number' ? restMs : this.#intervalMs)
      }
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }
}
