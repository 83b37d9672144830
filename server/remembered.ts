import { BoundedMap } from './limits/bounded-map.ts'

const WORTH = 20
/** Answers are a few numbers each. */
const KEPT = { entries: 1000, bytes: 4 * 1024 * 1024 }
const ANSWER_BYTES = 2000

/**
 * Gives an answer again for some twenty times as long as it took to find: what is costly is looked up seldom. An answer is
 * never older than `mostMs`.
 */
export function remembered<Answer>(
  mostMs = Number.POSITIVE_INFINITY,
): (name: string, find: () => Promise<Answer>) => Promise<Answer> {
  const known = new BoundedMap<{ answer: Promise<Answer>; until: number }>(KEPT, () => ANSWER_BYTES)
  return (name, find) => {
    const before = known.get(name)
    if (before && before.until > performance.now()) return before.answer
    const started = performance.now()
    const entry = { answer: find(), until: Number.POSITIVE_INFINITY }
    known.set(name, entry)
    entry.answer.then(
      () => {
        const ended = performance.now()
        entry.until = Math.min(ended + WORTH * (ended - started), started + mostMs)
      },
      () => known.delete(name),
    )
    return entry.answer
  }
}
