import type { SendHandle } from 'node:child_process'
import type { Connection } from '../postgres/embedded.ts'

/** Messages between the processes of one server. `start` comes with the listener. */
export type ProcessMessage =
  | { kind: 'start'; number: number; baseUrl: string; connection: Connection | undefined }
  | { kind: 'drain' }
  | { kind: 'stop' }
  | { kind: 'not accepting' }
  | { kind: 'metrics wanted'; id: number }
  | { kind: 'metrics'; id: number; texts: string[] }

/** A process that does not answer within this time is left out of the metrics. */
const METRICS_MS = 5000

/** One end of the way between two processes of a server. */
export class Channel {
  readonly tell: (message: ProcessMessage, handle?: SendHandle) => void
  #metricsFor: () => Promise<string[]>
  #asked = 0
  #waiting = new Map<number, (texts: string[]) => void>()

  /** `metricsFor` returns the metrics that the other end lacks. */
  constructor(tell: Channel['tell'], metricsFor: () => Promise<string[]>) {
    this.tell = tell
    this.#metricsFor = metricsFor
  }

  /** Handles messages about metrics; the caller handles all others. */
  hear(message: ProcessMessage): void {
    if (message.kind === 'metrics') this.#waiting.get(message.id)?.(message.texts)
    if (message.kind !== 'metrics wanted') return
    const { id } = message
    this.#metricsFor().then(
      (texts) => this.tell({ kind: 'metrics', id, texts }),
      () => {}, // the other end waits no longer than METRICS_MS
    )
  }

  askForMetrics(): Promise<string[]> {
    const id = ++this.#asked
    return new Promise((resolve) => {
      const settle = (texts: string[]) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(texts)
      }
      const timer = setTimeout(settle, METRICS_MS, [])
      this.#waiting.set(id, settle)
      this.tell({ kind: 'metrics wanted', id })
    })
  }
}
