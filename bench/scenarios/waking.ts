import { setTimeout as sleep } from 'node:timers/promises'
import type { Bot, Topic } from '../parts/cast.ts'
import type { FloorSettings } from '../processes/floor.ts'
import { keysOf } from './sending.ts'

const PARK_LIMIT_MS = 30_000

/** The settings for a bare server that wakes the bots of a topic. */
export const wakingFloor = (topics: readonly Topic[]): FloorSettings => ({
  keys: keysOf(topics.flatMap(({ bots }) => bots)),
  topics: topics.map(({ id, bots }) => [id, bots.map(({ apiKey }: Bot) => apiKey)] as const),
})

export async function untilParked(
  count: number,
  parked: () => Promise<number>,
  lookEveryMs = 20,
): Promise<void> {
  const deadline = performance.now() + PARK_LIMIT_MS
  for (;;) {
    const now = await parked()
    if (now >= count) return
    if (performance.now() > deadline) throw new Error(`only ${now} of ${count} polls wait`)
    await sleep(lookEveryMs)
  }
}
