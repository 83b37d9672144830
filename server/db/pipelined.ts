/**
 * Waits for statements of a transaction that were sent without waiting for each other, and returns what the last one gave. Throws
 * the failure of the first that failed, which is why those after it did.
 */
export async function pipelined<Result>(before: readonly unknown[], last: Promise<Result>): Promise<Result> {
  for (const one of await Promise.allSettled([...before, last]))
    if (one.status === 'rejected') throw one.reason
  return last
}
