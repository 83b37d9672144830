/** Waits between tries, in ms; the last one again and again. */
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000]
/** Up to so much of a wait is left to chance, so that not all browsers come back at the same moment. */
const JITTER = 0.5

export const waitBefore = (failures: number, random = Math.random): number =>
  (WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0) * (1 - JITTER * random())

/** A random UUID; `crypto.randomUUID` is only there on pages with TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Runs one thing after the other, for each key. */
export class Queues {
  #last = new Map<string, Promise<unknown>>()

  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work, work)
    this.#last.set(key, result)
    const forget = () => {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}
