/**
 * How long a test waits for an expected event. It is far longer than needed: a machine may be busy, and the limit only
 * ends what hangs.
 */
export const PATIENCE_MS = 60_000

/** The limit of a whole test or its preparation. */
export const TEST_LIMIT_MS = 4 * PATIENCE_MS
