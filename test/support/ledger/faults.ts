import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../fuzz/random.ts'
import type { Nodes } from '../nodes.ts'

/** Durations of the faults, and the writers' pace during them. */
export type Pace = {
  /** The pause of each writer between two messages. */
  pauseMs: number
  /** The time between an end and a new start. */
  awayMs: number
  cutMs: number
  fullMs: number
  /** Longer than PostgreSQL allows an idle transaction, 3 s, and longer than a node waits for a silent server. */
  frozenMs: number
  silentMs: number
  skewedMs: number
}
export const LEISURELY: Pace = {
  pauseMs: 30,
  awayMs: 1000,
  cutMs: 3000,
  fullMs: 3000,
  frozenMs: 8000,
  silentMs: 6000,
  skewedMs: 5000,
}
/** Many faults in little time. Writers pause longer, to leave the CPU to nodes that restart. */
export const BRISK: Pace = {
  pauseMs: 100,
  awayMs: 200,
  cutMs: 600,
  fullMs: 1000,
  frozenMs: 3500,
  silentMs: 3500,
  skewedMs: 500,
}
/** The calm before the first fault and after each one: a time, and a number of acknowledged messages. */
export type Calm = { ms: number; messages: number }
export const CALM: Calm = { ms: 1500, messages: 100 }
export const BRISK_CALM: Calm = { ms: 100, messages: 50 }
const SKEW_MS = 10 * 60_000
export const NODES = 3

/** Faults while everybody writes and listens, at this node; all nodes are well again when they are over. */
export const FAULTS = {
  async 'killed node'(nodes, node, { awayMs }) {
    await nodes.kill(node)
    await sleep(awayMs)
    await nodes.begin(node)
  },

  /** Restarts the nodes one by one, as an upgrade does, each once the one before is back. */
  async 'rolling restart'(nodes) {
    for (let node = 0; node < nodes.count; node++) {
      const code = await nodes.stop(node)
      if (code !== 0) throw new Error(`node ${node} stopped with ${code}`)
      await nodes.begin(node)
    }
  },

  /**
   * Upgrades the nodes one by one while the former version still runs. Once all are upgraded, this is a rolling
   * restart.
   */
  async 'rolling upgrade'(nodes) {
    nodes.upgrade()
    await FAULTS['rolling restart'](nodes)
  },

  /** Fills the disk: nothing can be written until there is room. */
  async 'full disk'(nodes, _, { fullMs }) {
    await nodes.disk.fill()
    await sleep(fullMs)
    await nodes.disk.empty()
  },

  async 'ended connections'(nodes, _, { awayMs }) {
    for (let time = 0; time < 3; time++) {
      await nodes.endConnections()
      await sleep(awayMs / 2)
    }
  },

  async 'restarted database'(nodes, _, { awayMs }) {
    await nodes.restartDatabase('SIGINT')
    await sleep(awayMs)
  },

  /** The database is killed without warning: acknowledged messages must be in its log. */
  async 'killed database'(nodes, _, { awayMs }) {
    await nodes.restartDatabase('SIGKILL')
    await sleep(awayMs)
  },

  /** Kills the primary, and promotes its standby. */
  async 'promoted standby'(nodes, _, { awayMs }) {
    await nodes.replicated.failOver()
    await sleep(awayMs)
    await nodes.replicated.replaceStandby()
  },

  /** The machine of the primary is gone, and no connection breaks; its standby takes over. */
  async 'silent primary'(nodes, _, { silentMs }) {
    await nodes.replicated.failOver({ silent: true })
    await sleep(silentMs)
    await nodes.replicated.replaceStandby()
  },

  /** Freezes a node: the others must go on without it. */
  async 'frozen node'(nodes, node, { frozenMs }) {
    await nodes.freeze(node)
    await sleep(frozenMs)
    nodes.thaw(node)
  },

  /** Cuts every connection of a node to the database. */
  async 'cut line'(nodes, node, { cutMs }) {
    nodes.line(node).cut()
    await sleep(cutMs)
    nodes.line(node).mend()
  },

  /** Connections of a node to the database stay, and nothing gets through, as behind a firewall that forgot them. */
  async 'silent line'(nodes, node, { frozenMs }) {
    nodes.line(node).silence()
    await sleep(frozenMs)
    nodes.line(node).mend()
  },

  /** Sets one clock ahead and one behind; the third is right. */
  async 'wrong clocks'(nodes, node, { skewedMs }) {
    const restart = async (other: number, clockAheadMs: number) => {
      await nodes.stop(other)
      await nodes.begin(other, { clockAheadMs })
    }
    const [ahead, behind] = [(node + 1) % nodes.count, (node + 2) % nodes.count]
    await Promise.all([restart(ahead, SKEW_MS), restart(behind, -SKEW_MS)])
    await sleep(skewedMs)
    await Promise.all([restart(ahead, 0), restart(behind, 0)])
  },
} satisfies Record<string, (nodes: Nodes, node: number, pace: Pace) => Promise<void>>

export type Fault = keyof typeof FAULTS
export type PlannedFault = { fault: Fault; node: number }

/** The node itself acknowledges nothing during these faults and is not counted; the others must go on. */
export const NODE_IS_AWAY: readonly Fault[] = ['frozen node', 'cut line', 'silent line']

/** A database that ends six times in a minute is given up by its watcher: it ends five times among as many faults as a minute can hold. */
const OF_THE_DATABASE: readonly Fault[] = ['restarted database', 'killed database', 'full disk']
const MINUTE = { faults: 20, ofTheDatabase: 5 }
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

/** Further faults of a database with a standby. */
const OF_A_STANDBY: readonly Fault[] = ['promoted standby', 'silent primary']

/** Draws the fault after those drawn `before`. */
export function drawFault(
  random: Random,
  before: readonly PlannedFault[],
  { standby, fullDisk }: { standby: boolean; fullDisk: boolean },
): PlannedFault {
  const all: Fault[] = [
    ...ALL,
    ...(standby ? OF_A_STANDBY : []),
    ...(fullDisk ? (['full disk'] as const) : []),
  ]
  const possible = mayEndDatabase(before) ? all : all.filter((fault) => !OF_THE_DATABASE.includes(fault))
  return { fault: random.pick(possible), node: random.integer(0, NODES - 1) }
}

function mayEndDatabase(before: readonly PlannedFault[]): boolean {
  const wasEnded = before.slice(-MINUTE.faults).map(({ fault }) => OF_THE_DATABASE.includes(fault))
  return !wasEnded.at(-1) && wasEnded.filter(Boolean).length < MINUTE.ofTheDatabase
}

/** Draws faults for a database without a standby. */
export function drawFaults(random: Random, count: number): PlannedFault[] {
  const drawn: PlannedFault[] = []
  while (drawn.length < count) drawn.push(drawFault(random, drawn, { standby: false, fullDisk: false }))
  return drawn
}
