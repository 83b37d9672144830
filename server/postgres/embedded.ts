import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Address, loopbackAddress, removeLeftoverSockets, socketAddress } from './address.ts'
import {
  type Cluster,
  clusterFolder,
  DATABASE,
  ensurePassword,
  openCluster,
  ROLE,
  readPassword,
} from './cluster.ts'
import { explainFolderFailure } from './failures.ts'
import { endPreviousServer, POLL_MS, readServerFile, type ServerFile } from './processes.ts'
import { PostgresDidNotStart } from './server-process.ts'
import { asFlags, type Settings, serverSettings } from './settings.ts'
import { Supervisor } from './supervisor.ts'
import { type CopyDatabase, upgradeCluster } from './upgrade.ts'

/** Connection settings for `pg`; the host is the folder of a Unix socket, or 127.0.0.1. */
export type Connection = { host: string; port: number; user: string; password: string; database: string }

export type EmbeddedPostgres = {
  connection: Connection
  /** The process number of the server, which changes when it is restarted. */
  pid(): number
  /** Stops fast; resolves when the process has ended. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  settings?: Settings
  /** Listens on a free port of 127.0.0.1 instead of a Unix socket. */
  loopback?: boolean
  /** PostgreSQL ended and could not be restarted. */
  onUnexpectedExit?: (reason: string) => void
  log?: (message: string) => void
  /** Copies everything from one server to another; without it, a folder of a former major version is refused. */
  copyDatabase?: CopyDatabase
}

const PORT_TAKEN = /Address already in use/
const PORT_TRIES = 3
const CONNECT_TIMEOUT_MS = 2_000
const STARTING_PATIENCE_MS = 5_000

/** Runs PostgreSQL on `dataDir` as a child process, until it is stopped. The caller holds the data folder (data-folder.ts). */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await openAndStart(options)
  } catch (error) {
    throw await explainFolderFailure(error, options.dataDir)
  }
}

async function openAndStart({
  dataDir,
  settings = {},
  loopback = process.platform === 'win32',
  onUnexpectedExit = () => {},
  log = () => {},
  copyDatabase,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const options = { settings, loopback, onUnexpectedExit, log }
  const run = (cluster: Cluster, others: Settings = {}) =>
    runCluster(cluster, { ...options, settings: { ...settings, ...others } })
  if (copyDatabase) await upgradeCluster(dataDir, { run, copyDatabase, log })
  return run(await openCluster(dataDir, log))
}

async function runCluster(
  cluster: Cluster,
  {
    settings,
    loopback,
    onUnexpectedExit,
    log,
  }: Required<Pick<EmbeddedPostgresOptions, 'settings' | 'loopback' | 'onUnexpectedExit' | 'log'>>,
): Promise<EmbeddedPostgres> {
  await endPreviousServer(cluster, log)
  await removeLeftoverSockets(cluster.folder)
  const password = await ensurePassword(cluster)

  const start = async (address: Address): Promise<EmbeddedPostgres> => {
    const flags = flagsFor(cluster, address, settings)
    const supervisor = new Supervisor({ cluster, address, flags, onUnexpectedExit, log })
    await supervisor.start()
    const { host, port } = address
    return {
      connection: { host, port, user: ROLE, password, database: DATABASE },
      pid: () => supervisor.pid,
      stop: () => supervisor.stop(),
    }
  }
  return loopback ? startOnFreePort(start) : start(await socketAddress(cluster.user))
}

/** On the command line, not in a file: the code alone decides, and `ps` shows it. */
function flagsFor(cluster: Cluster, address: Address, overrides: Settings): string[] {
  return asFlags({
    ...serverSettings(cluster.binaries.libraries, overrides),
    cluster_name: cluster.name,
    ...address.settings,
  })
}

/** Between finding a free port and listening on it, another program may have taken it. */
async function startOnFreePort(
  start: (address: Address) => Promise<EmbeddedPostgres>,
): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await loopbackAddress())
    } catch (error) {
      const wasTaken = error instanceof PostgresDidNotStart && PORT_TAKEN.test(error.output)
      if (!wasTaken || attempt >= PORT_TRIES) throw error
    }
  }
}

/** The PostgreSQL of a Parley that runs on this data folder, for a command beside it; undefined when there is none. */
export async function findRunningPostgres(dataDir: string): Promise<Connection | undefined> {
  const folder = await realpath(clusterFolder(dataDir)).catch(() => undefined)
  const password = folder && (await readPassword(dataDir))
  const file = folder && (await readServerFileOnceReady(folder))
  if (!file || !password) return undefined
  const host = file.socketFolder || file.address
  const connection = { host, port: file.port, user: ROLE, password, database: DATABASE }
  return (await accepts(connection)) ? connection : undefined
}

/** Waits briefly for a server that is starting or restarting. */
async function readServerFileOnceReady(folder: string): Promise<ServerFile | undefined> {
  const deadline = performance.now() + STARTING_PATIENCE_MS
  for (;;) {
    const file = await readServerFile(folder)
    if (file?.status !== 'starting' || !isRunning(file.pid) || performance.now() > deadline) {
      return file?.status === 'ready' ? file : undefined
    }
    await sleep(POLL_MS)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function accepts(connection: Connection): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
