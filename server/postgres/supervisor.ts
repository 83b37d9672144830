import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './address.ts'
import type { Cluster } from './cluster.ts'
import { endLeftovers, endPreviousServer } from './processes.ts'
import { launchServer, limitLog, logFile, PostgresDidNotStart, type ServerProcess } from './server-process.ts'

const RESTARTS = { most: 5, withinMs: 60_000, firstPauseMs: 100 }
const LOOK_AT_LOG_EVERY_MS = 60_000
const STOP_PATIENCE_MS = 30_000
/** Processes of a killed server hold its shared memory until they notice. */
const MEMORY_IN_USE = /pre-existing shared memory block|is still in use/
const MEMORY_PATIENCE_MS = 10_000
const MEMORY_RETRY_MS = 50

export type SupervisorOptions = {
  cluster: Cluster
  address: Address
  flags: string[]
  onUnexpectedExit: (reason: string) => void
  log: (message: string) => void
}

/** Keeps PostgreSQL running at one address until it is stopped. */
export class Supervisor {
  readonly #options: SupervisorOptions
  #server: ServerProcess | undefined
  #restarts: number[] = []
  #bringingBack: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #logTimer: NodeJS.Timeout | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  async start(): Promise<void> {
    process.on('exit', this.#endWithParley)
    const path = logFile(this.#options.cluster.dataDir)
    this.#logTimer = setInterval(() => limitLog(path).catch(() => {}), LOOK_AT_LOG_EVERY_MS).unref()
    try {
      await this.#run()
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    // A server that is just being restarted gets the signal too, so that waiting requests see it end.
    this.#server?.signal('SIGINT')
    await this.#bringingBack
    await this.#server?.end(STOP_PATIENCE_MS)
    await this.#cleanUp()
  }

  async #cleanUp(): Promise<void> {
    process.off('exit', this.#endWithParley)
    clearInterval(this.#logTimer)
    await this.#options.address.remove()
  }

  /** Ends PostgreSQL when Parley exits without stopping, such as after an uncaught error. */
  readonly #endWithParley = () => this.#server?.signal('SIGINT')

  async #run(): Promise<void> {
    const server = await this.#launch()
    server.ended.then((reason) => {
      if (this.#stopping === undefined) this.#bringingBack = this.#bringBack(`PostgreSQL stopped: ${reason}`)
    })
  }

  async #launch(): Promise<ServerProcess> {
    const { cluster, flags, log } = this.#options
    const deadline = performance.now() + MEMORY_PATIENCE_MS
    const started = (server: ServerProcess) => {
      this.#server = server
    }
    for (;;) {
      try {
        return await launchServer(cluster, flags, { started, log })
      } catch (error) {
        const isWorthWaiting = error instanceof PostgresDidNotStart && MEMORY_IN_USE.test(error.output)
        if (!isWorthWaiting || this.#stopping !== undefined || performance.now() > deadline) throw error
        await endLeftovers(cluster)
        await sleep(MEMORY_RETRY_MS)
      }
    }
  }

  async #bringBack(reason: string): Promise<void> {
    const { cluster, address, log, onUnexpectedExit } = this.#options
    let pauseMs = 0
    while (this.#stopping === undefined) {
      const now = Date.now()
      this.#restarts = this.#restarts.filter((at) => now - at < RESTARTS.withinMs)
      if (this.#restarts.length >= RESTARTS.most) {
        await this.#cleanUp()
        onUnexpectedExit(reason)
        return
      }
      this.#restarts.push(now)
      log(`${reason} Starting it again`)
      await sleep(pauseMs)
      pauseMs = pauseMs * 2 || RESTARTS.firstPauseMs
      try {
        await endPreviousServer(cluster, log)
        await address.clear()
        return await this.#run()
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
    }
  }
}
