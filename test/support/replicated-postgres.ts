import { execFile } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { closedPort, until } from './receiver.ts'
import { isRunning } from './server-process.ts'

const DEBIAN = '/usr/lib/postgresql'
const run = promisify(execFile)

/** The folder with the programs of this machine's newest PostgreSQL; undefined: there is none. */
const BINARIES = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(DEBIAN, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'pg_basebackup')))
  : undefined
export const hasStandbys = BINARIES !== undefined

const ROLE = 'parley'
const DATABASE = 'parley'
const STANDBY = 'standby'
/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const user = process.getuid?.() === 0 ? NOBODY : {}

type Server = { port: number; folder: string }

/** Whether a commit waits until the standby has it, so that nothing acknowledged can be lost with the primary. */
export type Replication = 'synchronous' | 'asynchronous'

/** A primary and a standby that follows it, on two ports of loopback. */
export class ReplicatedPostgres {
  readonly #folder: string
  readonly #replication: Replication
  #primary: Server
  #standby: Server

  private constructor(folder: string, replication: Replication, primary: Server, standby: Server) {
    this.#folder = folder
    this.#replication = replication
    this.#primary = primary
    this.#standby = standby
  }

  static async start(replication: Replication): Promise<ReplicatedPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-replicated-'))
    if (user === NOBODY) chownSync(folder, NOBODY.uid, NOBODY.gid)
    const [primary, standby] = [
      { port: await closedPort(), folder: join(folder, 'one') },
      { port: await closedPort(), folder: join(folder, 'two') },
    ]
    const postgres = new ReplicatedPostgres(folder, replication, primary, standby)
    await program('initdb', [
      '--pgdata',
      primary.folder,
      '--username',
      ROLE,
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
    ])
    await postgres.#begin(primary)
    await postgres.ask(`create database ${DATABASE}`, 'postgres')
    await postgres.#follow()
    return postgres
  }

  /** Ports in the order of their folders, no matter which is the primary. */
  get ports(): [number, number] {
    const [one, two] = [this.#primary, this.#standby].sort((a, b) => (a.folder < b.folder ? -1 : 1))
    if (!one || !two) throw new Error('there are two')
    return [one.port, two.port]
  }

  /** Connection to the current primary. */
  get connection() {
    return { host: '127.0.0.1', port: this.#primary.port, user: ROLE, password: 'unused', database: DATABASE }
  }

  async ask(statement: string, database = DATABASE): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client({ ...this.connection, database })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** Kills or stops the primary, and starts it again at its address. */
  async restart(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    await this.#end(this.#primary, signal)
    await this.#begin(this.#primary)
  }

  /**
   * Ends the primary and promotes the standby; returns how long the promotion took. `silent`: like a machine that lost
   * its network, the primary keeps its connections and does not answer. It never comes back: a new standby takes its
   * place.
   */
  async failOver({ silent = false } = {}): Promise<number> {
    const former = this.#primary
    if (silent) await freeze(await this.#pid(former))
    else await this.#end(former, 'SIGKILL')
    const began = performance.now()
    await program('pg_ctl', ['promote', '--wait', '--pgdata', this.#standby.folder])
    const took = performance.now() - began
    this.#primary = this.#standby
    this.#standby = former
    return took
  }

  /** Freezes the standby while `work` runs. */
  async whileStandbyIsFrozen<Result>(work: () => Promise<Result>): Promise<Result> {
    const pid = await this.#pid(this.#standby)
    const pids = [pid, ...(await childrenOf(pid))]
    await freeze(pid)
    try {
      return await work()
    } finally {
      for (const one of pids) endQuietly(one, 'SIGCONT')
    }
  }

  /** Adds a new standby in place of the lost one. */
  async replaceStandby(): Promise<void> {
    await this.#end(this.#standby, 'SIGKILL')
    await rm(this.#standby.folder, { recursive: true, force: true })
    await this.#follow()
  }

  async close(): Promise<void> {
    for (const server of [this.#primary, this.#standby]) await this.#end(server, 'SIGKILL')
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #follow(): Promise<void> {
    const { port } = this.#primary
    await program('pg_basebackup', [
      '--pgdata',
      this.#standby.folder,
      '--checkpoint=fast',
      '--write-recovery-conf',
      '--dbname',
      `host=127.0.0.1 port=${port} user=${ROLE} application_name=${STANDBY}`,
    ])
    await this.#begin(this.#standby)
    await until(
      async () => (await this.ask(`select from pg_stat_replication where state = 'streaming'`)).length > 0,
    )
    if (this.#replication === 'asynchronous') return
    // Set only once the standby follows: commits would wait for it.
    await this.ask(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await this.ask('select pg_reload_conf()')
    await until(
      async () => (await this.ask(`select from pg_stat_replication where sync_state = 'sync'`)).length > 0,
    )
  }

  async #begin({ port, folder }: Server): Promise<void> {
    const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200`
    await program('pg_ctl', [
      'start',
      '--wait',
      '--pgdata',
      folder,
      '--log',
      `${folder}.log`,
      '--options',
      settings,
    ])
  }

  async #pid({ folder }: Server): Promise<number> {
    return Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  }

  async #end(server: Server, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const pid = await this.#pid(server)
    if (!pid || !(await isRunning(pid))) return
    if (signal === 'SIGKILL') endQuietly(pid, 'SIGSTOP') // else it may take in one more session after its children were counted
    const pids = signal === 'SIGKILL' ? [pid, ...(await childrenOf(pid))] : [pid]
    for (const one of pids) endQuietly(one, signal)
    await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true))
    // A killed postmaster counts as running for the next one until its new parent has buried it, whenever that is.
    await rm(join(server.folder, 'postmaster.pid'), { force: true })
  }
}

async function program(name: string, args: readonly string[]): Promise<void> {
  if (BINARIES === undefined) throw new Error(`there is no PostgreSQL in ${DEBIAN}`)
  await run(join(BINARIES, name), [...args], {
    ...user,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
}

/** Stops a PostgreSQL with all of its sessions, the one that feeds a standby among them. Returns the processes. */
export async function freeze(pid: number): Promise<number[]> {
  process.kill(pid, 'SIGSTOP') // before its children are counted: it starts no more of them
  const pids = [pid, ...(await childrenOf(pid))]
  for (const one of pids) process.kill(one, 'SIGSTOP')
  return pids
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

function endQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended by itself.
  }
}
