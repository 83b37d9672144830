/**
 * How long a test looks for what must come. It is far longer than that takes: a machine may be busy with other things, and a
 * limit is there only to end what hangs.
 */
export const PATIENCE_MS = 60_000

/** The same for a whole test, or what prepares it. */
export const TEST_LIMIT_MS = 4 * PATIENCE_MS
