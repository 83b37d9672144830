import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../../server/postgres/embedded.ts'
import { closedPort, until } from './receiver.ts'

/** Debian puts it where only root's path leads; undefined: it is not installed. */
const PGBOUNCER = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
)
export const hasPgbouncer = PGBOUNCER !== undefined

/** pgbouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }

export type Pgbouncer = { url: string; close(): Promise<void> }

/** Starts pgbouncer in transaction mode, with fewer sessions than two nodes have connections. */
export async function startPgbouncer(
  { host, port, user, password, database }: Connection,
  { sessions = 4, connectQuery = 'select 1' } = {},
): Promise<Pgbouncer> {
  if (PGBOUNCER === undefined) throw new Error('pgbouncer is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const ownPort = await closedPort()
  await writeFile(
    file,
    `[databases]
parley = host=${host} port=${port} dbname=${database} user=${user} password=${password} connect_query='${connectQuery}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
`,
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, file]) await chown(path, NOBODY.uid, NOBODY.gid)
  const child = spawn(PGBOUNCER, ['--quiet', file], { stdio: 'ignore', ...(isRoot && NOBODY) })
  const url = `postgres://parley:unused@127.0.0.1:${ownPort}/parley`
  await until(() => answers(url))
  return {
    url,
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
