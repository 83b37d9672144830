import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../fuzz/random.ts'
import type { Nodes } from '../nodes.ts'

const FREEZE_MS = 8000
const CUT_MS = 3000
const AWAY_MS = 1000
const FULL_MS = 3000
/** Longer than a node needs to notice. */
const SILENT_MS = 6000
const SKEW_MS = 10 * 60_000
const SKEWED_FOR_MS = 5000
export const NODES = 3

/** What goes wrong while everybody writes and listens, at this node; all nodes are well again when it is over. */
export const FAULTS = {
  async 'killed node'(nodes, node) {
    await nodes.kill(node)
    await sleep(AWAY_MS)
    await nodes.begin(node)
  },

  /** As an upgrade does it: one after the other, each when the one before is back. */
  async 'rolling restart'(nodes) {
    for (let node = 0; node < nodes.count; node++) {
      const code = await nodes.stop(node)
      if (code !== 0) throw new Error(`node ${node} stopped with ${code}`)
      await nodes.begin(node)
    }
  },

  /** The same, from the version before to this one, while its nodes still run; a rolling restart once all have this one. */
  async 'rolling upgrade'(nodes) {
    nodes.upgrade()
    await FAULTS['rolling restart'](nodes)
  },

  /** Nothing can be written until there is room. */
  async 'full disk'(nodes) {
    await nodes.disk.fill()
    await sleep(FULL_MS)
    await nodes.disk.empty()
  },

  async 'ended connections'(nodes) {
    for (let time = 0; time < 3; time++) {
      await nodes.endConnections()
      await sleep(AWAY_MS / 2)
    }
  },

  async 'restarted database'(nodes) {
    await nodes.restartDatabase('SIGINT')
    await sleep(AWAY_MS)
  },

  /** Without a word: what was acknowledged must be in its log. */
  async 'killed database'(nodes) {
    await nodes.restartDatabase('SIGKILL')
    await sleep(AWAY_MS)
  },

  /** The primary is killed, and its standby takes over. */
  async 'promoted standby'(nodes) {
    await nodes.replicated.failOver()
    await sleep(AWAY_MS)
    await nodes.replicated.replaceStandby()
  },

  /** The machine of the primary is gone, and no connection breaks; its standby takes over. */
  async 'silent primary'(nodes) {
    await nodes.replicated.failOver({ silent: true })
    await sleep(SILENT_MS)
    await nodes.replicated.replaceStandby()
  },

  /** The others must go on without it. */
  async 'frozen node'(nodes, node) {
    await nodes.freeze(node)
    await sleep(FREEZE_MS)
    nodes.thaw(node)
  },

  /** Every connection of a node to the database breaks, and none can be made. */
  async 'cut line'(nodes, node) {
    nodes.line(node).cut()
    await sleep(CUT_MS)
    nodes.line(node).mend()
  },

  /** Connections of a node to the database stay, and nothing gets through, as behind a firewall that forgot them. */
  async 'silent line'(nodes, node) {
    nodes.line(node).silence()
    await sleep(FREEZE_MS)
    nodes.line(node).mend()
  },

  /** One ahead and one behind; the third is right. */
  async 'wrong clocks'(nodes, node) {
    const [ahead, behind] = [(node + 1) % nodes.count, (node + 2) % nodes.count]
    await nodes.stop(ahead)
    await nodes.begin(ahead, { clockAheadMs: SKEW_MS })
    await nodes.stop(behind)
    await nodes.begin(behind, { clockAheadMs: -SKEW_MS })
    await sleep(SKEWED_FOR_MS)
    for (const wrong of [ahead, behind]) {
      await nodes.stop(wrong)
      await nodes.begin(wrong)
    }
  },
} satisfies Record<string, (nodes: Nodes, node: number) => Promise<void>>

export type Fault = keyof typeof FAULTS
export type PlannedFault = { fault: Fault; node: number }

/** While these last, the node itself acknowledges nothing, and is not counted: the others must go on. */
export const NODE_IS_AWAY: readonly Fault[] = ['frozen node', 'cut line', 'silent line']

/** A database that ends six times in a minute is given up by who watches it. */
const OF_THE_DATABASE: readonly Fault[] = ['restarted database', 'killed database', 'full disk']
const ALL: readonly Fault[] = [
  'killed node',
  'rolling restart',
  'ended connections',
  'restarted database',
  'killed database',
  'frozen node',
  'cut line',
  'silent line',
  'wrong clocks',
]

/** What can go wrong besides where the database has a standby. */
const OF_A_STANDBY: readonly Fault[] = ['promoted standby', 'silent primary']

export function drawFault(
  random: Random,
  last: PlannedFault | undefined,
  { standby, fullDisk }: { standby: boolean; fullDisk: boolean },
): PlannedFault {
  const wasDatabase = last !== undefined && OF_THE_DATABASE.includes(last.fault)
  const all: Fault[] = [
    ...ALL,
    ...(standby ? OF_A_STANDBY : []),
    ...(fullDisk ? (['full disk'] as const) : []),
  ]
  const possible = wasDatabase ? all.filter((fault) => !OF_THE_DATABASE.includes(fault)) : all
  return { fault: random.pick(possible), node: random.integer(0, NODES - 1) }
}
