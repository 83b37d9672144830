import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { describeBrought } from './db/brought.ts'
import { describeSkew } from './db/clock.ts'
import { migrate, readMigrationState } from './db/migrate.ts'
import { openOwnDatabase } from './db/open.ts'
import { describeMissingLimits } from './db/pooler.ts'
import { OperatorError } from './errors.ts'
import { moreListeners } from './http/more-listeners.ts'
import { createLog } from './log.ts'
import { startReporting } from './node-report.ts'
import { openParley, type Parley } from './parley.ts'
import { endAllLeases } from './webhooks/claim.ts'
import { startWorkers } from './workers.ts'

/**
 * Connections that wait to be accepted. Node's own 511 are too few for 5,000 polls that come back in one moment: the rest would
 * be tried again after a second, or refused. Linux takes the smaller of this and `net.core.somaxconn`, which is 4096.
 */
const BACKLOG = 4096

/** Work that still runs after this time is aborted. */
const STOP_LIMIT_MS = 20_000

export type RunningServer = {
  parley: Parley
  address: string
  /** Keeps serving for `drainMs`, while load balancers learn of the stop; `hurry` ends that time early. */
  stop(options?: { drainMs: number; hurry: AbortSignal }): Promise<void>
}

/** Everything from the database to the open port; it is stopped backwards, also when the start fails half-way. */
export async function startServer(
  config: Config,
  onFatal: (reason: string) => void = () => {},
): Promise<RunningServer> {
  const log = createLog(config)
  const parts: (() => Promise<void>)[] = []
  let running = false
  const stop = async () => {
    for (let close = parts.pop(); close; close = parts.pop()) await close()
  }
  try {
    const database = await openOwnDatabase(
      config,
      { command: 'start', temporary: false },
      // PostgreSQL's messages are ordinary while it starts; later they mean trouble.
      {
        onUnexpectedExit: onFatal,
        log: (message) => (running ? log.warn(message) : log.debug(message)),
        async copyDatabase(from, to) {
          log.info('the database is of a former version of PostgreSQL; it is copied into one of this version')
          await (await import('./backup/copy.ts')).copyDatabase(from, to)
        },
      },
    )
    parts.push(() => database.close())
    const brought = describeBrought(await migrate(database.connection))
    if (brought !== undefined) log.info(brought)
    const parley = await openParley({ config, connection: database.connection, log })
    parts.push(() => parley.close())
    await warnOfNewer(parley)
    // The embedded database lets one server at a time into its folder: the leftovers of another are those of a dead one.
    if (config.databaseUrl === undefined) {
      await parley.files.recover()
      await endAllLeases(parley.db)
    }
    if (config.roles.includes('worker')) {
      const workers = await startWorkers(parley)
      parts.push(() => workers.stop())
    }
    const report = await startReporting(parley)
    parts.push(() => report.stop())
    const app = buildApp(parley)
    parts.push(() => withLimit(app.close(), STOP_LIMIT_MS))
    const address = await listen(app, config)
    const listeners = moreListeners(app.server, { backlog: BACKLOG })
    parts.push(() => listeners.close())
    // The store may be back in a moment, and everything but files works without it.
    parley.files.storage.check().catch((error: unknown) => {
      log.error(error instanceof Error ? error.message : String(error))
    })
    const skew = describeSkew(parley.databaseClock.skewMs)
    if (skew !== undefined) log.warn(`${skew}; let it take its time from the network (NTP)`)
    const missing = await describeMissingLimits(parley.db)
    if (missing !== undefined) log.warn(missing)
    running = true
    return {
      parley,
      address,
      async stop(options) {
        parley.draining.announce()
        if (options) await sleep(options.drainMs, undefined, { signal: options.hurry }).catch(() => {})
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A node beside newer ones keeps working, but the operator who forgot to upgrade it should know. */
async function warnOfNewer({ db, log }: Pick<Parley, 'db' | 'log'>): Promise<void> {
  const { newer } = await readMigrationState(db.pool)
  if (newer.length > 0)
    log.warn(`the database is of a newer version than this node (${newer.join(', ')}); upgrade this node`)
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    const { level } = app.log
    app.log.level = 'warn' // the address is printed for people, once; Fastify would log it too
    const address = await app.listen({ host: config.host, port: config.port, backlog: BACKLOG })
    app.log.level = level
    if (!config.baseUrlGiven) config.baseUrl = address
    return address
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${config.port} on ${config.host} is taken by another program. Stop it, or choose another one: PORT=${config.port + 1} npm start`,
      )
    }
    if (code === 'EACCES') {
      throw new OperatorError(
        `Port ${config.port} needs more rights than this user has. Choose one above 1023 with PORT.`,
      )
    }
    if (code === 'EADDRNOTAVAIL') {
      throw new OperatorError(
        `HOST is ${config.host}, which is not an address of this machine. Use 127.0.0.1 or 0.0.0.0.`,
      )
    }
    throw error
  }
}

async function withLimit(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
