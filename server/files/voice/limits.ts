/** Time limit from the start of a conversion to the last word. */
export const LIMIT_MS = 600_000

/** The longest answer of an engine: days of speech, but no danger to memory. */
export const ANSWER_BYTES = 10 * 1024 * 1024

/** Gives `work` a signal that follows `signal` and ends by itself when the time is up. */
export async function within<Result>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error(`no text within ${limitMs / 1000} s`)), limitMs)
  const follow = () => limit.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', follow)
  }
}
