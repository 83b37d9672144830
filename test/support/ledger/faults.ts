import { setTimeout as sleep } from 'node:timers/promises'
import type { Nodes } from '../nodes.ts'

const FREEZE_MS = 8000
const AWAY_MS = 1000
const SKEW_MS = 10 * 60_000
const SKEWED_FOR_MS = 5000

export type Fault =
  | 'killed node'
  | 'ended connections'
  | 'restarted database'
  | 'frozen node'
  | 'wrong clocks'

/** What goes wrong while everybody writes and listens; all nodes are well again when it is over. */
export const FAULTS: Record<Fault, (nodes: Nodes) => Promise<void>> = {
  async 'killed node'(nodes) {
    await nodes.kill(1)
    await sleep(AWAY_MS)
    await nodes.begin(1)
  },

  async 'ended connections'(nodes) {
    for (let time = 0; time < 3; time++) {
      await nodes.endConnections()
      await sleep(AWAY_MS / 2)
    }
  },

  async 'restarted database'(nodes) {
    nodes.restartDatabase()
    await sleep(AWAY_MS)
  },

  /** The others must go on without it. */
  async 'frozen node'(nodes) {
    await nodes.freeze(0)
    await sleep(FREEZE_MS)
    nodes.thaw(0)
  },

  /** One ahead and one behind; the third is right. */
  async 'wrong clocks'(nodes) {
    await nodes.stop(1)
    await nodes.begin(1, { clockAheadMs: SKEW_MS })
    await nodes.stop(2)
    await nodes.begin(2, { clockAheadMs: -SKEW_MS })
    await sleep(SKEWED_FOR_MS)
    await nodes.stop(1)
    await nodes.begin(1)
    await nodes.stop(2)
    await nodes.begin(2)
  },
}
