import type pg from 'pg'
import { OperatorError } from '../errors.ts'
import { type LongWork, UNSEEN } from '../long-work.ts'
import { cancelWhenStopped } from './cancel.ts'
import { type DatabaseConnection, directOf, newClient } from './connection.ts'
import { FIRST } from './placement.ts'

/** The place of an organization: its group is a shard of each table, and `isAlone` if no other organization can be in it. */
export type Home = { group: string; machine: string; isAlone: boolean }

/**
 * Moves an organization into its own group, and that to a machine, which is a worker named as in `status`. Both steps
 * are Citus's own and atomic: an interrupted move continues when it is repeated. Writers of the former
 * group wait for the first: done without that, it asks PostgreSQL for Citus as an output plugin, which newer versions do not allow by
 * themselves. In the second the organization waits at the end, or for all of it where the workers log too little.
 */
export async function moveOrganization(
  connection: DatabaseConnection,
  orgId: string,
  machine: string,
  work: LongWork = UNSEEN,
): Promise<{ from: Home; to: Home }> {
  const client = newClient(directOf(connection))
  await client.connect()
  try {
    const target = await findWorker(client, machine)
    const mode = (await readLogLevels(client)).every(({ level }) => level === 'logical')
      ? 'auto'
      : 'block_writes'
    const from = await findHome(client, orgId)
    work.begin('A group of its own')
    if (!from.isAlone)
      await cancelWhenStopped(client, connection, work, () =>
        client.query(
          `select isolate_tenant_to_new_shard($1, $2::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`,
          [FIRST, orgId],
        ),
      )
    const alone = await findHome(client, orgId)
    if (alone.machine !== machine) {
      const source = await findWorker(client, alone.machine)
      const move = () =>
        client.query(`select citus_move_shard_placement($1, $2, $3, $4, $5, $6)`, [
          alone.group,
          source.host,
          source.port,
          target.host,
          target.port,
          mode,
        ])
      await whileWatching(connection, work, () => cancelWhenStopped(client, connection, work, move))
    }
    return { from, to: await findHome(client, orgId) }
  } finally {
    await client.end()
  }
}

const LOOK_MS = 1000

/** Shows how much of an organization the cluster has copied, while it moves. */
async function whileWatching<Result>(
  connection: DatabaseConnection,
  work: LongWork,
  move: () => Promise<Result>,
): Promise<Result> {
  work.begin('Copying', { unit: 'share' })
  const watcher = newClient(connection)
  await watcher.connect()
  let isLooking = false
  const look = async () => {
    if (isLooking || work.signal.aborted) return
    isLooking = true
    const { rows } = await watcher.query<{ share: number | null }>(
      `select sum(target_shard_size)::float8 / nullif(sum(source_shard_size), 0) as share from get_rebalance_progress()`,
    )
    work.advance(1, rows[0]?.share ?? 0)
    isLooking = false
  }
  // The move goes on unwatched where the cluster tells nothing.
  const timer = setInterval(() => look().catch(() => clearInterval(timer)), LOOK_MS)
  try {
    return await move()
  } finally {
    clearInterval(timer)
    await watcher.end()
  }
}

/** Reads how much each worker writes into its log: a move without a stop needs `logical`. */
export async function readLogLevels(
  client: pg.Client | pg.Pool,
): Promise<{ worker: string; level: string }[]> {
  const { rows } = await client.query<{ worker: string; level: string }>(
    `select nodename || ':' || nodeport as worker, result as level from run_command_on_workers('show wal_level')
     where success order by 1`,
  )
  return rows
}

async function findWorker(client: pg.Client, name: string): Promise<{ host: string; port: number }> {
  const { rows } = await client.query<{ name: string; host: string; port: number }>(
    `select nodename || ':' || nodeport as name, nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive and shouldhaveshards order by groupid`,
  )
  const found = rows.find((row) => row.name === name)
  if (!found)
    throw new OperatorError(
      `No machine for organizations has the name ${name}. There are: ${rows.map((row) => row.name).join(', ')}.`,
    )
  return found
}

async function findHome(client: pg.Client, orgId: string): Promise<Home> {
  const { rows } = await client.query<Home>(
    `select s.shardid::text as "group", n.nodename || ':' || n.nodeport as machine, s.shardminvalue = s.shardmaxvalue as "isAlone"
     from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
     where s.shardid = get_shard_id_for_distribution_column($1, $2::uuid) and n.noderole = 'primary'`,
    [FIRST, orgId],
  )
  const [home] = rows
  if (!home) throw new OperatorError('No machine has this organization.')
  return home
}
