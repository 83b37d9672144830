/** Too many wait already; the client should try again. */
export class NoRoom extends Error {
  override name = 'NoRoom'
}

type Waiting = { start(): void }
type Owner = { running: number; waiting: Waiting[] }
export type Bounds = {
  /** How much runs at a time: of all owners together, and of one of them. */
  running: number
  runningOfOne: number
  /** Waiting work. */
  waiting: number
  waitingOfOne: number
}
type Options = {
  /** Waits even where there is no room: for work that was accepted and is bounded elsewhere. */
  patient?: boolean
  /** Stops waiting. */
  signal?: AbortSignal | undefined
}

/** Gives owners turns: an owner with much work delays only their own. */
export class Turns {
  #bounds: Bounds
  /** Owners in the order of their turns; the one just served is last. */
  #owners = new Map<string, Owner>()
  #running = 0
  #waiting = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  async run<Result>(name: string, work: () => Promise<Result>, options: Options = {}): Promise<Result> {
    await this.#turnOf(name, options)
    try {
      return await work()
    } finally {
      this.#end(name)
    }
  }

  #turnOf(name: string, { patient = false, signal }: Options): Promise<void> {
    signal?.throwIfAborted()
    const owner = this.#owners.get(name) ?? { running: 0, waiting: [] }
    const { waiting, waitingOfOne } = this.#bounds
    if (!patient && (this.#waiting >= waiting || owner.waiting.length >= waitingOfOne)) {
      return Promise.reject(new NoRoom('too much is waiting already'))
    }
    this.#owners.set(name, owner)
    return new Promise((resolve, reject) => {
      const leave = () => {
        owner.waiting.splice(owner.waiting.indexOf(entry), 1)
        this.#waiting--
        this.#forgetIdle(name, owner)
        reject(signal?.reason)
      }
      const entry = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      owner.waiting.push(entry)
      this.#waiting++
      this.#startNext()
    })
  }

  #end(name: string): void {
    const owner = this.#owners.get(name)
    if (!owner) throw new Error('an owner with work is known')
    owner.running--
    this.#running--
    this.#forgetIdle(name, owner)
    this.#startNext()
  }

  #startNext(): void {
    const { running, runningOfOne } = this.#bounds
    for (const [name, owner] of this.#owners) {
      if (this.#running >= running) return
      const next = owner.running < runningOfOne ? owner.waiting.shift() : undefined
      if (!next) continue
      this.#owners.delete(name)
      this.#owners.set(name, owner) // last in the next round; also met again in this one
      owner.running++
      this.#running++
      this.#waiting--
      next.start()
    }
  }

  #forgetIdle(name: string, { running, waiting }: Owner): void {
    if (running === 0 && waiting.length === 0) this.#owners.delete(name)
  }
}
