import type { Log } from '../../log.ts'
import { type ChildPurpose, ImageChild, ImageProcessEnded } from './child.ts'
import type { FileTask, ImageReport } from './task.ts'
import { type Bounds, Turns } from './turns.ts'

/** A process that had nothing to do for so long gives its memory back; the next one takes 0.2 s to start. */
const IDLE_MS = 60_000
/** A process that ends may have been hit by chance; one file that ends two is to blame. */
const TRIES = 2

export type TaskOptions = {
  limitMs: number
  /** Waits even where there is no room. */
  patient?: boolean
  signal?: AbortSignal | undefined
}

/** Child processes that read files of strangers, in turns of the organizations. */
export class ChildPool {
  readonly turns: Turns
  isClosed = false
  #purpose: ChildPurpose
  #log: Log
  #idle: { child: ImageChild; timer: NodeJS.Timeout }[] = []
  #busy = new Set<ImageChild>()

  constructor(purpose: ChildPurpose, bounds: Bounds, log: Log) {
    this.#purpose = purpose
    this.turns = new Turns(bounds)
    this.#log = log
  }

  /** The processes that are there now. */
  get pids(): number[] {
    const children = [...this.#busy, ...this.#idle.map(({ child }) => child)]
    return children.flatMap(({ pid }) => pid ?? [])
  }

  /** Rejects with `NoRoom`, `ImageTookTooLong`, or `ImageProcessEnded` where the file ended two processes or the pool is closed. */
  run(owner: string, task: FileTask, options: TaskOptions): Promise<ImageReport> {
    return this.turns.run(owner, () => this.#perform(task, options), options)
  }

  close(): void {
    this.isClosed = true
    for (const child of this.#busy) child.kill()
    for (const { child, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      child.kill()
    }
  }

  async #perform(task: FileTask, { limitMs, signal }: TaskOptions): Promise<ImageReport> {
    for (let attempt = 1; ; attempt++) {
      const child = this.#takeChild()
      try {
        return await child.perform(task, limitMs, signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof ImageProcessEnded) || this.isClosed) throw error
        this.#log.warn({ err: error, attempt }, 'an image process ended while it had a file in hand')
        if (attempt === TRIES || error.wasAborted) throw error
      } finally {
        this.#giveBack(child)
      }
    }
  }

  #takeChild(): ImageChild {
    if (this.isClosed) throw new ImageProcessEnded('the server stops')
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (idle.child.hasEnded) continue
      this.#busy.add(idle.child)
      return idle.child
    }
    const child = new ImageChild(this.#purpose)
    this.#busy.add(child)
    return child
  }

  #giveBack(child: ImageChild): void {
    this.#busy.delete(child)
    if (this.isClosed) child.kill()
    if (child.hasEnded) return
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((idle) => idle.child !== child)
      child.kill()
    }, IDLE_MS).unref()
    this.#idle.push({ child, timer })
  }
}
