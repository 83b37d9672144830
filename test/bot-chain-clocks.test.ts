import { describe, expect, it } from 'vitest'
import { type Link, nextOf } from '../server/events/bot-chains.ts'

const NOW = 1_700_000_000_000
const LIMITS = { slowAfter: 100, stopAfter: 200, pauseMs: 5000 }

/** An event of another node, whose clock is ahead of this one's by some milliseconds. */
const linkOf = (answers: number, echoes = 0): Link => ({
  seq: 1,
  at: NOW + 5,
  botId: 'b@other',
  answers,
  echoes,
  chain: { botIds: new Set(), topicIds: new Set() },
})

describe('an event of a node whose clock is ahead', () => {
  it.each([LIMITS, { ...LIMITS, slowAfter: 0, stopAfter: 0 }])(
    'lets nobody wait below the limit: %j',
    (limits) => {
      expect(nextOf({ other: linkOf(0) }, limits, NOW).waitUntil).toBe(0)
      expect(nextOf({ own: linkOf(0) }, limits, NOW).waitUntil).toBe(0)
      expect(nextOf({ other: linkOf(3), own: linkOf(3, 3) }, limits, NOW).waitUntil).toBe(0)
    },
  )

  it('counts above it', () => {
    expect(nextOf({ other: linkOf(100) }, LIMITS, NOW).waitUntil).toBe(NOW + 5 + LIMITS.pauseMs)
  })
})
