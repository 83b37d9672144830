/** The index of the first greater id. Ids of messages are ordered as they were sent, so are lists of them. */
export function indexAfter(ids: readonly string[], id: string | null): number {
  if (id === null) return 0
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? '') <= id) low = middle + 1
    else high = middle
  }
  return low
}
