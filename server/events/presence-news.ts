/** Shortest time between two frames, and the changes of one. */
const PAUSE_MS = 200
const CHANGES_AT_ONCE = 200
/** Streams that get a frame in a second: what a crowd costs does not grow with its square. */
const STREAMS_A_SECOND = 1000

/** People who have come (true) or gone (false), by profile id. */
export type PresenceChanges = ReadonlyMap<string, boolean>

/**
 * Gathers changes of presence in an organization for one frame: after a start, thousands of people come within seconds, and each would
 * be written to each. A person who comes and goes before the frame is in it once, with the later state.
 */
export class PresenceNews {
  readonly #tell: (changes: PresenceChanges) => Promise<void>
  readonly #streams: () => number
  #waiting = new Map<string, boolean>()
  #timer: NodeJS.Timeout | undefined
  #isTelling = false
  #isStopped = false
  #nextAt = 0

  constructor(tell: (changes: PresenceChanges) => Promise<void>, streams: () => number) {
    this.#tell = tell
    this.#streams = streams
  }

  add(profileId: string, isOnline: boolean): void {
    this.#waiting.delete(profileId) // the latest change waits longest
    this.#waiting.set(profileId, isOnline)
    this.#schedule()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#waiting.clear()
  }

  #schedule(): void {
    if (this.#isTelling || this.#isStopped) return
    this.#timer ??= setTimeout(() => void this.#tellNext(), Math.max(0, this.#nextAt - performance.now()))
  }

  /** A frame goes to all streams before the next one begins: the later state of a person comes last. */
  async #tellNext(): Promise<void> {
    this.#timer = undefined
    const changes = new Map([...this.#waiting].slice(0, CHANGES_AT_ONCE))
    for (const id of changes.keys()) this.#waiting.delete(id)
    this.#nextAt = performance.now() + Math.max(PAUSE_MS, (this.#streams() * 1000) / STREAMS_A_SECOND)
    this.#isTelling = true
    try {
      await this.#tell(changes)
    } finally {
      this.#isTelling = false
      if (this.#waiting.size > 0) this.#schedule()
    }
  }
}
