const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from one failed attempt to the next; after the last one a delivery is exhausted. */
export const RETRY_SCHEDULE = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
]
/** Up to this part of a wait is added by chance, so that what failed together does not come back together. */
const JITTER = 0.2
const LONGEST_RETRY_AFTER_MS = 24 * HOUR * 1000

export type Failure = {
  /** Failures before this attempt. */
  failures: number
  now: number
  /** The receiver's `Retry-After`: seconds, or a date. */
  retryAfter: string | undefined
}

/** When to try again; undefined when that was the last attempt. Never earlier than the receiver asked for. */
export function nextAttemptAt(schedule: readonly number[], failure: Failure): number | undefined {
  const { failures, now, retryAfter } = failure
  const seconds = schedule[failures]
  if (seconds === undefined) return undefined
  const wait = seconds * 1000 * (1 + Math.random() * JITTER)
  return Math.round(now + Math.max(wait, retryAfterMs(retryAfter, now)))
}

function retryAfterMs(value: string | undefined, now: number): number {
  if (value === undefined) return 0
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), LONGEST_RETRY_AFTER_MS)
}
