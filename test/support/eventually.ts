import { expect, vi } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

type IsAny<Seen> = 0 extends 1 & Seen ? true : false
type Nothing = ReturnType<() => void>
type IsNothing<Seen> = IsAny<Seen> extends true ? false : [Seen] extends [Nothing] ? true : false

/**
 * Looks again and again, but not for ever, for what another node hears of a moment later. It needs a matcher: alone it does not
 * look even once, so what gives nothing back to match is refused by the compiler.
 */
export const eventually = <Seen>(
  look: () => Promise<Seen>,
  ..._noMatcher: IsNothing<Seen> extends true ? [never] : []
) => expect.poll(look)

/** Repeats several expectations until none of them fails. */
export const eventuallyHolds = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 })
