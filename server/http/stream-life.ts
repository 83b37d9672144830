const HOUR_MS = 3_600_000
/**
 * The longest life of a page's live stream, and of a body that a bot sends piece by piece. Either client reconnects and
 * continues where it was.
 */
export const LONGEST_LIFE_MS = { page: 12 * HOUR_MS, body: HOUR_MS }
/** Lives end within the last tenth of the longest: streams that began together do not come back together. */
const SPREAD = 0.1

export const endOfLife = (now: number, longestMs: number): number =>
  now + longestMs * (1 - SPREAD * Math.random())
