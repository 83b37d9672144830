import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Database } from '../db/database.ts'
import type { NoteFailure } from '../worker.ts'
import { indexRound, type Round, waitAfter } from './indexer.ts'

/**
 * The longest rest for each unit of work while there is more to do, so that requests keep the CPU: with a third of it, a
 * busy server sent about a quarter fewer messages. In a flood, search falls behind and catches up later.
 */
const REST_FACTOR = 20
/** How often a resting worker looks whether the machine is idle, and how much of it must be. */
const GLANCE_MS = 100
const IDLE_SHARE = 0.5
/** Share of the time in which this process may have been at work itself. */
const BUSY_SHARE = 0.3

/** Rounds of the indexer one after another; each tells after how many milliseconds the next one is due. */
export function indexing(db: Database): (noteFailure: NoteFailure) => Promise<number | undefined> {
  let rest: { endsAt: number; since: Load } | undefined
  return async (noteFailure) => {
    if (rest && performance.now() < rest.endsAt) {
      const now = readLoad()
      if (!wasIdle(rest.since, now)) {
        rest.since = now
        return Math.min(GLANCE_MS, Math.max(1, rest.endsAt - performance.now()))
      }
    }
    const began = performance.now()
    const round = await indexRound(db, noteFailure).catch((error: unknown): Round => {
      noteFailure(error)
      return { isMore: false, hasFailed: true }
    })
    rest = undefined
    if (!round.isMore || round.hasFailed) return waitAfter(round)
    const ended = performance.now()
    rest = { endsAt: ended + REST_FACTOR * (ended - began), since: readLoad() }
    return Math.min(GLANCE_MS, rest.endsAt - ended)
  }
}

type Load = { idle: number; all: number; loop: ReturnType<typeof performance.eventLoopUtilization> }

/** The time of all cores so far, and that of this process: the database may be on another machine. */
function readLoad(): Load {
  const load: Load = { idle: 0, all: 0, loop: performance.eventLoopUtilization() }
  for (const { times } of cpus()) {
    load.idle += times.idle
    load.all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return load
}

function wasIdle(before: Load, now: Load): boolean {
  const all = now.all - before.all
  if (all <= 0) return false
  const { utilization } = performance.eventLoopUtilization(now.loop, before.loop)
  return (now.idle - before.idle) / all >= IDLE_SHARE && utilization <= BUSY_SHARE
}
