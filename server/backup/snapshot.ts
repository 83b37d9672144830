import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DatabaseConnection } from '../db/connection.ts'
import { queryableOf, sqlState } from '../db/database.ts'
import { FIRST, ONE_CONNECTION, readIsSpread } from '../db/placement.ts'
import { OperatorError } from '../errors.ts'

const BEGIN = 'begin isolation level repeatable read read only'
/** A commit of several machines waits no longer than this for the moment of a backup. */
const GATE_MS = 1000
const PAUSE_MS = 200
const PATIENCE_MS = 90_000
/** The lock was not granted in time. */
const HELD = '55P03'

/** A session for long work; the caller ends it. */
export type Connect = (connection: DatabaseConnection) => Promise<pg.Client>

/**
 * Begins a transaction that reads all of a database as of one moment, on every machine of a cluster: no transaction is seen on one machine
 * and not on the other. Each machine is read over one connection, which has one snapshot.
 */
export async function beginSnapshot(
  client: pg.Client,
  connection: DatabaseConnection,
  connect: Connect,
): Promise<void> {
  if (!(await readIsSpread(queryableOf(client)))) {
    await client.query(BEGIN)
    return
  }
  const gate = await connect(connection)
  try {
    const deadline = performance.now() + PATIENCE_MS
    while (!(await takeTogether(client, gate))) {
      if (performance.now() > deadline)
        throw new OperatorError(
          'A transaction of several machines of the cluster does not end, so that no moment is the same on all of them. "parley doctor" says which machine does not answer; "select recover_prepared_transactions()" on the coordinator ends what was left behind.',
        )
      await sleep(PAUSE_MS)
    }
  } finally {
    await gate.end()
  }
}

/** Takes the snapshots of all machines while none of their common transactions can be committed; false if one is under way. */
async function takeTogether(client: pg.Client, gate: pg.Client): Promise<boolean> {
  await gate.query('begin')
  try {
    await gate.query(`set local lock_timeout = ${GATE_MS}`)
    // Each commit of several machines is noted in this table first, and holds it until the coordinator has committed.
    await gate.query('lock table pg_catalog.pg_dist_transaction in exclusive mode')
    if (await isOnItsWay(gate)) return false
    await client.query(BEGIN)
    await client.query(`set local ${ONE_CONNECTION}`)
    await client.query(`select count(*) from ${FIRST}`) // all groups of organizations: every machine begins
    return true
  } catch (error) {
    if (sqlState(error) === HELD) return false
    throw error
  } finally {
    await gate.query('rollback')
  }
}

/** Whether a worker has still to be told of a commit that the coordinator has done. */
async function isOnItsWay(gate: pg.Client): Promise<boolean> {
  const { rows } = await gate.query<{ worker: string; success: boolean; result: string }>(`
    select nodename || ':' || nodeport as worker, success, result from run_command_on_workers($$
      select coalesce(json_agg(gid), '[]') from pg_prepared_xacts where database = current_database()$$)`)
  const silent = rows.find(({ success }) => !success)
  if (silent)
    throw new OperatorError(`The worker ${silent.worker} cannot be read: ${silent.result}. Start it again.`)
  const prepared = rows.flatMap(({ result }): string[] => JSON.parse(result))
  if (prepared.length === 0) return false
  const { rows: committed } = await gate.query(
    'select from pg_catalog.pg_dist_transaction where gid = any($1) limit 1',
    [prepared],
  )
  return committed.length > 0
}
