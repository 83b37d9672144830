import { BoundedMap } from './limits/bounded-map.ts'

/** Factor of the time that finding an answer took, for which it is kept. */
const TTL_FACTOR = 20
/** An answer is a few numbers. */
const MAX_KEPT = { entries: 1000, bytes: 4 * 1024 * 1024 }
const ANSWER_BYTES = 2000

/**
 * Keeps answers for `TTL_FACTOR` times as long as they took to find: costly answers are looked up seldom. An answer is
 * never older than `maxAgeMs`.
 */
export function remembered<Answer>(
  maxAgeMs = Number.POSITIVE_INFINITY,
): (name: string, find: () => Promise<Answer>) => Promise<Answer> {
  const known = new BoundedMap<{ answer: Promise<Answer>; until: number }>(MAX_KEPT, () => ANSWER_BYTES)
  return (name, find) => {
    const before = known.get(name)
    if (before && before.until > performance.now()) return before.answer
    const started = performance.now()
    const entry = { answer: find(), until: Number.POSITIVE_INFINITY }
    known.set(name, entry)
    entry.answer.then(
      () => {
        const ended = performance.now()
        entry.until = Math.min(ended + TTL_FACTOR * (ended - started), started + maxAgeMs)
      },
      () => {
        if (known.get(name) === entry) known.delete(name)
      },
    )
    return entry.answer
  }
}
