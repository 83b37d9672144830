import type { Clock } from './db/database.ts'
import { describeFailure } from './failure-text.ts'
import type { Log } from './log.ts'
import type { IsDue, Lookout } from './lookout.ts'

/** Takes note of a part of a run that failed while the rest goes on; `about` is for the log. */
export type NoteFailure = (error: unknown, about?: object) => void
type Work = (noteFailure: NoteFailure) => Promise<unknown>

/** The parts of a worker; it is one of `workers` until it is stopped. */
export type WorkerParts = { log: Log; clock: Clock; workers: Set<Worker>; lookout?: Lookout }

/** Lets the lookout say when there is something to do; `onDue` is called before the run. */
export type WatchedWork = { isDue: IsDue; onDue?(): void }

/** The longest time in which a watched worker does not look by itself. */
const PATROL_MS = 60_000
/** Intervals end together, so that a process with nothing to do sleeps in between. */
const GRID_MS = 500

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

/** The milliseconds until the next item is due, where that is before the next look; otherwise undefined. */
export const restUntil = (dueAt: number | undefined, now: number, lookMs: number): number | undefined =>
  dueAt !== undefined && dueAt - now < lookMs ? Math.max(0, dueAt - now) : undefined

/**
 * Runs a piece of work again and again: when woken, and every `intervalMs` in any case, so that a lost wake-up
 * costs a moment and never the work. Work may tell after how many milliseconds it wants to run again instead. Where it is watched by the
 * lookout, that wakes it in place of the interval. Runs do not overlap; a failure is logged, counted and tried again next time.
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
  /** A run that asked for a longer rest than usual is not begun by the lookout before that. */
  #restsUntil = 0
  #unwatch: (() => void) | undefined

  constructor(name: string, parts: WorkerParts, intervalMs: number, work: Work, watched?: WatchedWork) {
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
    if (watched)
      this.#unwatch = parts.lookout?.watch({ isDue: watched.isDue, due: () => this.#due(watched.onDue) })
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
        this.#rest(typeof restMs === 'number' ? restMs : undefined)
      }
    })
  }

  #rest(askedMs: number | undefined): void {
    const now = performance.now()
    const isUsual = askedMs === undefined
    const restMs = askedMs ?? this.#intervalMs
    const mayRely = this.#unwatch && this.#parts.lookout?.isOn && this.state.failuresInARow === 0
    this.#restsUntil = restMs > this.#intervalMs ? now + restMs : 0
    const waitMs = isUsual && mayRely ? Math.max(restMs, PATROL_MS) : restMs
    const isOnGrid = isUsual && waitMs >= GRID_MS
    const wait = isOnGrid ? Math.round((now + waitMs) / GRID_MS) * GRID_MS - now : waitMs
    this.#timer = setTimeout(() => this.wake(), wait)
  }

  #due(onDue: (() => void) | undefined): void {
    if (performance.now() < this.#restsUntil) return
    onDue?.()
    this.wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unwatch?.()
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
