import { expect } from 'vitest'

/** For what another node hears of a moment later: looks again and again, but not for ever. */
export const eventually = <Seen>(look: () => Promise<Seen>) => expect.poll(look, { timeout: 10_000 })
