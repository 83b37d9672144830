import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../server/config.ts'
import { migrate } from '../../server/db/migrate.ts'
import { spread } from '../../server/db/spread.ts'
import { newUuid } from '../../server/ids.ts'
import { createLog } from '../../server/log.ts'
import { openParley, type Parley } from '../../server/parley.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded.ts'
import { PROJECT_FOLDER } from '../../server/project.ts'
import { createWithExtension, type RestartableCluster, removeOnCluster, restartWorker } from './cluster.ts'
import { type CutLine, openCutLine } from './cut-line.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { ReplicatedPostgres, type Replication } from './replicated-postgres.ts'
import { kill, type ServerProcess, startServerProcess, stop } from './server-process.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const FREEZE_LOOKS = 100
const DISK_MB = 1024
const MOST_MS_BETWEEN_LOOKS = 30
const SECRET_KEY = 'the same secret key for all of these nodes'
const SKEWED_CLOCK = join(PROJECT_FOLDER, 'test', 'support', 'skewed-clock.mjs')

/** Distinguishes the sessions of nodes. */
const sessionName = (number: number) => `node-${number}`

/** A PostgreSQL that belongs to none of the nodes, and writes as durably as in real life. */
type NodesDatabase = {
  /** The targets of its lines. */
  targets: readonly string[]
  connection(): pg.ClientConfig
  /** SIGINT: a fast shutdown, as an operator does it. It comes back at the same address. */
  restart(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Given if there is a standby. */
  replicated?: ReplicatedPostgres
  /** Given if it has its own disk. */
  disk?: SmallDisk
  close(): Promise<void>
}

type NodesOptions = {
  /** Whether each node reaches the database by lines that can be cut. */
  hasLines?: boolean
  /** Whether haproxy is one more way to the nodes, if it is installed. */
  isBehindProxy?: boolean
  /** The data folder of the database, which is removed in the end; otherwise a new one is made. */
  dataDir?: string | undefined
  /** The database has a disk of its own that can be full; a mistake where none can be made. */
  hasSmallDisk?: boolean
  /** The folder of another version of Parley, which the nodes run until they are upgraded. */
  former?: string | undefined
  /** The database has a standby that can be promoted. */
  replication?: Replication | undefined
  /** The database is spread over this cluster, and its workers are restarted in turn. */
  cluster?: RestartableCluster | undefined
}

export class Nodes {
  readonly #postgres: NodesDatabase
  readonly #folder: string
  readonly #nodes: ServerProcess[] = []
  readonly #formerNodes = new Set<number>()
  readonly #settings: Record<string, string>
  /** Lines of each node: one to each server of the database. */
  readonly #lines: CutLine[][] = []
  #proxy: Haproxy | undefined
  /** The folder of the version that nodes start with; undefined for this one. */
  #program: string | undefined

  private constructor(postgres: NodesDatabase, folder: string, settings: Record<string, string>) {
    this.#postgres = postgres
    this.#folder = folder
    this.#settings = settings
  }

  static async start(
    count: number,
    settings: Record<string, string> = {},
    {
      hasLines = false,
      isBehindProxy = false,
      dataDir,
      hasSmallDisk = false,
      former,
      replication,
      cluster,
    }: NodesOptions = {},
  ): Promise<Nodes> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-nodes-'))
    const postgres = await (replication
      ? startReplicated(replication)
      : cluster
        ? startSpread(cluster)
        : startSingle(dataDir ?? join(folder, 'database'), hasSmallDisk))
    const nodes = new Nodes(postgres, folder, settings)
    nodes.#program = former
    try {
      for (let number = 0; hasLines && number < count; number++)
        nodes.#lines.push(await Promise.all(postgres.targets.map(openCutLine)))
      await nodes.begin(0) // it brings the database up to date
      await Promise.all(Array.from({ length: count - 1 }, (_, number) => nodes.begin(number + 1)))
      if (isBehindProxy) nodes.#proxy = await startHaproxy(nodes.#nodes.map(({ url }) => url))
      return nodes
    } catch (error) {
      await nodes.close()
      throw error
    }
  }

  get count(): number {
    return this.#nodes.length
  }

  /** All addresses: each node, and the proxy. */
  get entrances(): string[] {
    return [...this.#nodes.map(({ url }) => url), ...(this.#proxy ? [this.#proxy.url] : [])]
  }

  /** Whether a node runs another version. */
  get hasFormer(): boolean {
    return this.#formerNodes.size > 0
  }

  line(number: number): Pick<CutLine, 'cut' | 'silence' | 'mend'> {
    const lines = this.#lines[number]
    if (!lines) throw new Error(`node ${number} has no line of its own`)
    const all = (act: (line: CutLine) => void) => () => lines.forEach(act)
    return {
      cut: all((line) => line.cut()),
      silence: all((line) => line.silence()),
      mend: all((line) => line.mend()),
    }
  }

  /** Makes nodes start with this version. Returns whether they had another one. */
  upgrade(): boolean {
    const hadAnother = this.#program !== undefined
    this.#program = undefined
    return hadAnother
  }

  get disk(): SmallDisk {
    const { disk } = this.#postgres
    if (!disk) throw new Error('this database has no disk of its own')
    return disk
  }

  /** The standby of the database; throws without one. */
  get replicated(): ReplicatedPostgres {
    const { replicated } = this.#postgres
    if (!replicated) throw new Error('this database has no standby')
    return replicated
  }

  /** The terminal output of a node. */
  output(number: number): string {
    return this.#node(number).output()
  }

  /** The address of a node, or its former one. */
  url(number: number): string {
    return this.#node(number).url
  }

  /** Starts a node that is not running, at its former address if it had one. */
  async begin(number: number, { clockAheadMs = 0 } = {}): Promise<void> {
    const { user, password = '', host = '', port, database } = this.#postgres.connection()
    const ports = this.#lines[number]?.map((line) => line.port) ?? this.#postgres.replicated?.ports
    const place = ports
      ? `${ports.map((one) => `127.0.0.1:${one}`).join(',')}/${database}?`
      : `/${database}?host=${encodeURIComponent(host)}&port=${port}&`
    const former = this.#nodes[number]
    const environment = {
      DATABASE_URL: `postgres://${user}:${password}@${place}application_name=${sessionName(number)}`,
      SECRET_KEY,
      PORT: former ? new URL(former.url).port : '0',
      DATA_DIR: join(this.#folder, `node-${number}`),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
      ...this.#settings,
      ...(clockAheadMs !== 0 && {
        NODE_OPTIONS: `--import=${SKEWED_CLOCK}`,
        CLOCK_AHEAD_MS: String(clockAheadMs),
      }),
    }
    this.#nodes[number] = await startServerProcess(environment, this.#program)
    if (this.#program === undefined) this.#formerNodes.delete(number)
    else this.#formerNodes.add(number)
  }

  pid(number: number): number {
    return this.#node(number).process.pid ?? 0
  }

  /** Returns its exit code. */
  stop(number: number): Promise<number | null> {
    return stop(this.#node(number).process)
  }

  async kill(number: number): Promise<void> {
    await kill(this.#node(number).process)
  }

  /** Freezes a node inside a transaction, with its locks, or at any point if it is never seen in one. */
  async freeze(number: number): Promise<void> {
    for (let look = 1; ; look++) {
      this.#node(number).process.kill('SIGSTOP')
      const [row] = await this.#ask(`
        select count(*)::integer as open from pg_stat_activity
        where application_name = '${sessionName(number)}' and state like 'idle in transaction%'`)
      if (row?.open > 0 || look === FREEZE_LOOKS) return
      this.thaw(number)
      await sleep(Math.random() * MOST_MS_BETWEEN_LOOKS)
    }
  }

  thaw(number: number): void {
    this.#node(number).process.kill('SIGCONT')
  }

  restartDatabase(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    return this.#postgres.restart(signal)
  }

  async endConnections(): Promise<void> {
    await this.#ask(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }

  /** Creates people and bots through the database, beside the nodes. */
  async prepare<Result>(work: (beside: { parley: Parley; url: string }) => Promise<Result>): Promise<Result> {
    const connection = this.#postgres.connection()
    if (this.#program !== undefined) await migrate(connection) // as the first upgraded node does beside the others
    const config = readConfig({ DATA_DIR: join(this.#folder, 'beside'), SECRET_KEY })
    const parley = await openParley({ config, connection, log: createLog({ logLevel: 'silent' }) })
    try {
      return await work({ parley, url: this.url(0) })
    } finally {
      await parley.close()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ process }) => kill(process)))
    await this.#proxy?.close()
    for (const line of this.#lines.flat()) await line.close()
    await this.#postgres.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #ask(statement: string): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client(this.#postgres.connection())
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  #node(number: number): ServerProcess {
    const node = this.#nodes[number]
    if (!node) throw new Error(`there is no node ${number}`)
    return node
  }
}

async function startSingle(dataDir: string, hasSmallDisk: boolean): Promise<NodesDatabase> {
  await mkdir(dataDir, { recursive: true })
  const disk = hasSmallDisk ? mountSmallDisk(dataDir, DISK_MB) : undefined
  if (hasSmallDisk && !disk) throw new Error('a disk of its own needs the right to mount one (root)')
  const postgres = await startEmbeddedPostgres({ dataDir })
  const { host, port } = postgres.connection
  return {
    targets: [join(host, `.s.PGSQL.${port}`)],
    connection: () => postgres.connection,
    async restart(signal) {
      process.kill(postgres.pid(), signal) // its supervisor brings it back
    },
    ...(disk && { disk }),
    async close() {
      await postgres.stop()
      disk?.unmount()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function startReplicated(replication: Replication): Promise<NodesDatabase> {
  const replicated = await ReplicatedPostgres.start(replication)
  return {
    targets: replicated.ports.map((port) => `http://127.0.0.1:${port}`),
    connection: () => replicated.connection,
    restart: (signal) => replicated.restart(signal),
    replicated,
    close: () => replicated.close(),
  }
}

async function startSpread(restartable: RestartableCluster): Promise<NodesDatabase> {
  const { cluster } = restartable
  const database = `nodes_${newUuid().replaceAll('-', '')}`
  const connection = await createWithExtension(cluster, database)
  await migrate(connection)
  await spread(connection)
  let restarts = 0
  return {
    targets: [`http://${connection.host}:${connection.port}`],
    connection: () => connection,
    async restart(signal) {
      restarts += 1
      await restartWorker(restartable, restarts, signal === 'SIGINT' ? 'fast' : 'immediate')
    },
    close: () => removeOnCluster(cluster, database),
  }
}
