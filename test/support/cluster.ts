import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { sqlState } from '../../server/db/database.ts'
import { migrate } from '../../server/db/migrate.ts'
import { ONE_CONNECTION } from '../../server/db/placement.ts'
import { spread } from '../../server/db/spread.ts'
import { TEMPLATE } from './template.ts'

/** The machines of a Citus cluster, the coordinator first: all of them let the same user in. */
export type Cluster = pg.ClientConfig[]

/**
 * A cluster whose workers can be restarted by a shell command, which gets the HOST and PORT of one and a MODE of
 * pg_ctl.
 */
export type RestartableCluster = { cluster: Cluster; command: string }

/** The error code for a database that others are connected to. */
const IN_USE = '55006'

/** Groups of organizations. There are few, because each test file creates all these tables. */
const SHARDS = 4

/** The cluster of CITUS_URL, which names its coordinator and a database that has the extension and knows the workers. */
export async function findCluster(url: string | undefined): Promise<Cluster | undefined> {
  if (!url) return undefined
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`,
    )
    const { user, password } = client
    return rows.map((row) => ({ ...row, user, password }))
  } finally {
    await client.end()
  }
}

/** An empty database that is spread over the cluster, for each file to copy. */
export async function makeClusterTemplate(cluster: Cluster): Promise<void> {
  const connection = await createWithExtension(cluster, TEMPLATE)
  await migrate(connection)
  await spread(connection)
}

/** A database whose machines know each other, without tables. */
export async function createWithExtension(cluster: Cluster, database: string): Promise<pg.ClientConfig> {
  const connection = await createPlain(cluster, database)
  await addExtension(cluster, database)
  return connection
}

/** An empty database on each machine, without a link between them. */
export async function createPlain(cluster: Cluster, database: string): Promise<pg.ClientConfig> {
  await removeOnCluster(cluster, database)
  for (const machine of cluster) {
    // The locale is that of the embedded PostgreSQL: lower case is more than that of ASCII.
    await administer(
      machine,
      'postgres',
      `create database ${database} template template0 encoding 'UTF8' locale 'C.UTF-8'`,
    )
  }
  const [coordinator] = cluster
  if (!coordinator) throw new Error('a cluster has a coordinator')
  return { ...coordinator, database }
}

/** Lets the machines of a plain database know each other. */
export async function addExtension(cluster: Cluster, database: string): Promise<void> {
  for (const machine of cluster) await administer(machine, database, 'create extension citus')
  const [coordinator, ...workers] = cluster
  if (!coordinator) throw new Error('a cluster has a coordinator')
  await administer(
    coordinator,
    database,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    `alter database ${database} set citus.shard_count = ${SHARDS}`,
  )
  for (const worker of workers) await addWorker(coordinator, worker, database)
}

/** Lets a coordinator know a worker, whose database has the extension. */
export async function addWorker(
  coordinator: pg.ClientConfig,
  { host, port }: pg.ClientConfig,
  database: string,
): Promise<void> {
  await administer(coordinator, database, `select citus_add_node('${host}', ${port})`)
}

/** A copy of the template on every machine: their knowledge of each other is in it. */
export async function createOnCluster(cluster: Cluster, database: string): Promise<void> {
  for (const machine of cluster) {
    await persistently(() =>
      administer(
        machine,
        'postgres',
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`,
        `create database ${database} template ${TEMPLATE} strategy file_copy`,
      ),
    )
  }
  // A copy has the tables, but not the settings of the database.
  if (cluster[0]) await administer(cluster[0], database, `alter database ${database} set ${ONE_CONNECTION}`)
}

/** The extension keeps a process in each database, which comes back while a busy machine still ends the former one. */
export async function removeOnCluster(cluster: Cluster, database: string): Promise<void> {
  for (const machine of cluster)
    await persistently(() =>
      administer(machine, 'postgres', `drop database if exists ${database} with (force)`),
    )
}

async function persistently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 20 || sqlState(error) !== IN_USE) throw error
    }
  }
}

/** Restarts one worker after the other, from turn to turn, and waits until it is back. */
export async function restartWorker(
  { cluster: [, ...workers], command }: RestartableCluster,
  turn: number,
  mode: 'fast' | 'immediate',
): Promise<void> {
  const worker = workers[turn % workers.length]
  if (!worker) throw new Error('a cluster has workers')
  const env = { ...process.env, HOST: worker.host, PORT: String(worker.port), MODE: mode }
  await promisify(execFile)('sh', ['-c', command], { env })
}

export async function administer(
  machine: pg.ClientConfig,
  database: string,
  ...statements: string[]
): Promise<void> {
  const client = new pg.Client({ ...machine, database })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
