/** Tries of a piece of work: a busy machine slows one, and a costly piece is slow each time. */
const TRIES = 4

/** A piece of work that takes this many times the limit is slow by itself, not by chance. */
const HOPELESS = 10

/** The processor's time of the quickest of a few tries, in milliseconds; one that is below the limit is enough. */
export function cpuMilliseconds(limitMs: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES && least >= limitMs; attempt++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
    if (least > HOPELESS * limitMs) break
  }
  return least
}
