import type { Clock } from './db/database.ts'
import { describeFailure } from './failure-text.ts'
import type { Log } from './log.ts'

/** Takes note of a part of a run that failed while the rest goes on; `about` is for the log. */
export type NoteFailure = (error: unknown, about?: object) => void
type Work = (noteFailure: NoteFailure) => Promise<unknown>

/** The parts of a worker; it is one of `workers` until it is stopped. */
export type WorkerParts = { log: Log; clock: Clock; workers: Set<Worker> }

/** Results of a worker's runs so far, for operators. */
export type WorkerState = {
  name: string
  runs: number
  /** Runs that failed, wholly or partly. */
  failures: number
  /** Failed runs since the last success. */
  failuresInARow: number
  /** The end of the first of those; null if the last run succeeded. */
  failingSince: number | null
  /** The text of the last failure, without secrets; null if the last run succeeded. */
  lastError: string | null
  /** The start of the current run; null between two runs. */
  runningSince: number | null
}

/**
 * Runs a piece of work again and again: when woken, and every `intervalMs` in any case, so that a lost wake-up
 * costs a moment and never the work. Work may tell after how many milliseconds it wants to run again instead. Runs do not overlap; a
 * failure is logged, counted and tried again next time.
 */
export class Worker {
  readonly state: WorkerState
  #parts: WorkerParts
  #work: Work
  #intervalMs: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #wokenMeanwhile = false
  #stopped = false

  constructor(name: string, parts: WorkerParts, intervalMs: number, work: Work) {
    this.state = {
      name,
      runs: 0,
      failures: 0,
      failuresInARow: 0,
      failingSince: null,
      lastError: null,
      runningSince: null,
    }
    this.#parts = parts
    this.#intervalMs = intervalMs
    this.#work = work
    parts.workers.add(this)
    this.wake()
  }

  wake(): void {
    if (this.#stopped) return
    if (this.#running) {
      this.#wokenMeanwhile = true
      return
    }
    clearTimeout(this.#timer)
    this.#running = this.#run().then((restMs) => {
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
    this.#parts.workers.delete(this)
  }

  async #run(): Promise<unknown> {
    const { log, clock } = this.#parts
    const { name: worker } = this.state
    const errors: unknown[] = []
    this.state.runningSince = clock()
    try {
      return await this.#work((error, about) => {
        errors.push(error)
        log.error(
          { err: error, worker, ...about },
          'part of the background work failed; it will be tried again',
        )
      })
    } catch (error) {
      errors.push(error)
      if (!this.#stopped) log.error({ err: error, worker }, 'background work failed; it will be tried again')
    } finally {
      this.#count(errors)
    }
  }

  #count(errors: readonly unknown[]): void {
    const { state } = this
    state.runningSince = null
    // An attempt interrupted by the stop is no failure.
    if (this.#stopped && errors.length > 0) return
    state.runs += 1
    if (errors.length === 0) {
      state.failuresInARow = 0
      state.failingSince = state.lastError = null
      return
    }
    state.failures += 1
    state.failuresInARow += 1
    state.failingSince ??= this.#parts.clock()
    state.lastError = describeFailure(errors.at(-1))
  }
}
