import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { type Cluster, pathWithin } from './cluster.ts'
import { explainSpawnFailure } from './failures.ts'
import { POLL_MS, readServerFile } from './processes.ts'
import { cleanEnvironment } from './run-program.ts'
import { spawnAs } from './user.ts'

const LOG_LIMIT = 10 * 1024 * 1024
const SHOWN_LINES = 20
/**
 * Replaying 2 GB of log after a crash takes a minute on a slow disk. The operator is informed, and the start goes on.
 */
const STILL_STARTING_EVERY_MS = 10_000

export const logFile = (dataDir: string) => join(dataDir, 'postgres.log')

export class PostgresDidNotStart extends OperatorError {
  override name = 'PostgresDidNotStart'
  readonly output: string

  constructor(reason: string, path: string, output: string) {
    super(`PostgreSQL did not start: ${reason}\nThe last lines of ${path}:\n${output}`)
    this.output = output
  }
}

export class ServerProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<string>
  #hasEnded = false

  /**
   * PostgreSQL runs in its own session, so that Ctrl-C in the terminal does not reach it before Parley has finished its
   * requests.
   */
  constructor(cluster: Cluster, flags: string[], output: number) {
    this.#child = spawn(cluster.binaries.postgres, ['-D', pathWithin(cluster), ...flags], {
      cwd: cluster.folder,
      env: cleanEnvironment(),
      detached: true,
      stdio: ['ignore', output, output],
      ...spawnAs(cluster.user),
    })
    this.ended = new Promise<string>((resolve, reject) => {
      this.#child.on('error', (error) => {
        const isStarted = this.#child.pid !== undefined
        if (!isStarted) reject(explainSpawnFailure(error, cluster.binaries.postgres, cluster.user))
      })
      this.#child.once('exit', (code, signal) => {
        resolve(signal === null ? `it ended with code ${code}.` : `it was ended by ${signal}.`)
      })
    }).finally(() => {
      this.#hasEnded = true
    })
    // The caller of the start awaits it; until then a failure must not count as unhandled.
    this.ended.catch(() => {})
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.#hasEnded) this.#child.kill(signal)
  }

  /** Fast shutdown: open transactions are rolled back, the rest is written. One that hangs is recovered at the next start. */
  async end(patienceMs: number): Promise<void> {
    this.signal('SIGINT')
    const impatience = setTimeout(() => this.signal('SIGQUIT'), patienceMs)
    await this.ended.catch(() => {})
    clearTimeout(impatience)
  }
}

/** Resolves when it accepts connections, within 10 ms of that. `started` is called as soon as there is a process to signal. */
export async function launchServer(
  cluster: Cluster,
  flags: string[],
  { started, log }: { started: (server: ServerProcess) => void; log: (message: string) => void },
): Promise<ServerProcess> {
  const path = logFile(cluster.dataDir)
  await limitLog(path)
  const output = await open(path, 'a', 0o600)
  try {
    const { size } = await output.stat()
    const server = new ServerProcess(cluster, flags, output.fd)
    started(server)
    await untilReady(server, cluster, log)
    if (server.hasEnded) throw new PostgresDidNotStart(await server.ended, path, await lastLines(path, size))
    return server
  } finally {
    await output.close()
  }
}

async function untilReady(
  server: ServerProcess,
  cluster: Cluster,
  log: (message: string) => void,
): Promise<void> {
  let tellAt = performance.now() + STILL_STARTING_EVERY_MS
  while (!server.hasEnded) {
    const file = await readServerFile(cluster.folder)
    if (file?.pid === server.pid && file.status === 'ready') return
    if (performance.now() > tellAt) {
      log(
        `PostgreSQL is still starting, as it does after a crash; ${logFile(cluster.dataDir)} tells how far it is`,
      )
      tellAt += STILL_STARTING_EVERY_MS
    }
    await sleep(POLL_MS)
  }
}

/** PostgreSQL appends to the open file, so it is emptied in place; the former content is kept once. */
export async function limitLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size < LOG_LIMIT) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

async function lastLines(path: string, from: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.max(0, size - from)),
      position: from,
    })
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-SHOWN_LINES).join('\n')
  } finally {
    await file.close()
  }
}
