import { expect, vi } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

type IsAny<Seen> = 0 extends 1 & Seen ? true : false
type Nothing = ReturnType<() => void>
type IsNothing<Seen> = IsAny<Seen> extends true ? false : [Seen] extends [Nothing] ? true : false

/**
 * Repeats for a limited time, until another node has learned of a change. It needs a matcher: alone it does not run
 * even once, so the compiler refuses a check that returns nothing.
 */
export const eventually = <Seen>(
  look: () => Promise<Seen>,
  ..._noMatcher: IsNothing<Seen> extends true ? [never] : []
) => expect.poll(look)

/** Repeats several expectations until none of them fails. */
export const eventuallyHolds = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 })
