/**
 * How long a test looks for what must come. It is far longer than that takes: a machine may be busy with other things, and a
 * limit is there only to end what hangs.
 */
export const PATIENCE_MS = 60_000

/** The limit of a whole test or its preparation. */
export const TEST_LIMIT_MS = 4 * PATIENCE_MS
