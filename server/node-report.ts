import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sql } from './db/sql.ts'
import { newUuid } from './ids.ts'
import type { Parley } from './parley.ts'
import { readBuildId, readVersion } from './project.ts'
import { Worker, type WorkerState } from './worker.ts'

const REPORT_MS = 10_000
/** Time for which a killed node is shown as silent. */
const FORGET_MS = 600_000

/** The state of a node for `parley status`. */
export type NodeState = {
  memoryMb: number
  freeDiskMb: number
  parkedPolls: number
  databaseConnections: number
  isStopping: boolean
  workers: WorkerState[]
}

/** Reports every ten seconds that this node runs, until it stops. */
export async function startReporting(
  parley: Pick<Parley, 'clock' | 'config' | 'db' | 'draining' | 'log' | 'longPolls' | 'workers'>,
  /** Whether no other node can be running: the embedded database lets one server at a time into its folder. */
  { isOnly }: { isOnly: boolean },
): Promise<{ stop(): Promise<void> }> {
  const { db, config, clock } = parley
  const id = newUuid()
  const name = `${hostname()}:${process.pid}`
  const version = `${await readVersion()}+${await readBuildId()}`
  const startedAt = clock()
  if (isOnly) await db.query(sql`delete from nodes`)
  const worker = new Worker('report of this node', parley, REPORT_MS, async () => {
    const state = JSON.stringify(await describeState(parley))
    await db.query(sql`
      insert into nodes (id, name, version, roles, started_at, seen_at, state)
      values (${id}, ${name}, ${version}, ${[...config.roles]}, ${startedAt}, ${clock()}, ${state})
      on conflict (id) do update set seen_at = excluded.seen_at, state = excluded.state`)
    await db.query(sql`delete from nodes where seen_at < ${clock() - FORGET_MS}`)
  })
  return {
    async stop() {
      await worker.stop()
      await db.query(sql`delete from nodes where id = ${id}`).catch(() => {}) // it is forgotten later
    },
  }
}

async function describeState({
  config,
  longPolls,
  db,
  draining,
  workers,
}: Pick<Parley, 'config' | 'db' | 'draining' | 'longPolls' | 'workers'>): Promise<NodeState> {
  const { bavail, bsize } = await statfs(config.dataDir)
  return {
    memoryMb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
    freeDiskMb: Math.floor((bavail * bsize) / 1024 / 1024),
    parkedPolls: longPolls.count,
    databaseConnections: db.pool.totalCount,
    isStopping: draining.isAnnounced,
    workers: [...workers].map(({ state }) => state),
  }
}
