import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { describeBrought } from './db/brought.ts'
import { describeSkew } from './db/clock.ts'
import { migrate, readMigrationState } from './db/migrate.ts'
import { type OpenDatabase, openOwnDatabase } from './db/open.ts'
import { describeMissingLimits } from './db/pooler.ts'
import { OperatorError } from './errors.ts'
import { moreListeners } from './http/more-listeners.ts'
import { leaveListener } from './http/stop-accepting.ts'
import { createLog } from './log.ts'
import { startReporting } from './node-report.ts'
import { openParley, type Parley } from './parley.ts'
import type { Connection } from './postgres/embedded.ts'
import { FurtherProcesses } from './processes/further.ts'
import { endAllLeases } from './webhooks/claim.ts'
import { withLimit } from './with-limit.ts'
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
  /** Leaves new connections to the other processes; for a further process alone. */
  stopAccepting(): Promise<void>
  /** Keeps serving for `drainMs`, while load balancers learn of the stop; `hurry` ends that time early. */
  stop(options?: { drainMs: number; hurry: AbortSignal }): Promise<void>
}

/** The things that a further process shares with the first one. */
export type Shared = {
  /** The number of the further process, from 2. */
  number: number
  /** The listener, as Node hands it from one process to another. */
  listener: object
  baseUrl: string
  /** The embedded database, if there is one. */
  connection: Connection | undefined
  otherMetrics(): Promise<string[]>
  /** Called just before it accepts connections. */
  onListening(): void
}

/**
 * Everything from the database to the open port; it is stopped backwards, also when the start fails half-way. A further process gets
 * what it shares with the first one, which has brought the database up.
 */
export async function startServer(
  config: Config,
  onFatal: (reason: string) => void = () => {},
  shared?: Shared,
): Promise<RunningServer> {
  const log = createLog(config)
  const isFirst = shared === undefined
  const parts: (() => Promise<void>)[] = []
  let running = false
  const stop = async () => {
    for (let close = parts.pop(); close; close = parts.pop()) await close()
  }
  try {
    const database = await openDatabase()
    parts.push(() => database.close())
    const brought = isFirst ? describeBrought(await migrate(database.connection)) : undefined
    if (brought !== undefined) log.info(brought)
    const parley = await openParley({ config, connection: database.connection, log })
    parts.push(() => parley.close())
    if (shared) {
      parley.siblings.number = shared.number
      parley.siblings.otherMetrics = shared.otherMetrics
    }
    await warnOfNewer(parley)
    // The embedded database lets one server at a time into its folder: the leftovers of another are those of a dead one.
    const isOnly = isFirst && config.databaseUrl === undefined
    if (isOnly) {
      await parley.files.recover()
      await endAllLeases(parley.db)
    }
    if (config.roles.includes('worker')) {
      const workers = await startWorkers(parley)
      parts.push(() => workers.stop())
    }
    const report = await startReporting(parley, { isOnly })
    parts.push(() => report.stop())
    const app = buildApp(parley)
    parts.push(() => withLimit(app.close(), STOP_LIMIT_MS))
    const address = shared ? await listenAlong(app, config, shared) : await listen(app, config)
    const listeners = moreListeners(app.server, { backlog: BACKLOG })
    parts.push(() => listeners.close())
    const isShared = isFirst && config.workers > 1 && config.roles.includes('api')
    const further = isShared ? startFurther(app.server, database.embedded, parley) : undefined
    if (further) {
      parts.splice(parts.length - 2, 0, () => further.stop()) // they end beside this one
      parts.push(() => further.stopAccepting())
    }
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
      async stopAccepting() {
        await listeners.close()
        leaveListener(app.server)
      },
      async stop(options) {
        parley.draining.announce()
        further?.drain()
        if (options) await sleep(options.drainMs, undefined, { signal: options.hurry }).catch(() => {})
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }

  async function openDatabase(): Promise<OpenDatabase> {
    if (shared?.connection) return { connection: shared.connection, close: async () => {} }
    return openOwnDatabase(
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
  }
}

function startFurther(
  server: Server,
  connection: Connection | undefined,
  { config, siblings, log }: Parley,
): FurtherProcesses {
  const { workers, baseUrl } = config
  return new FurtherProcesses({ count: workers - 1, server, baseUrl, connection, siblings, log })
}

/** Accepts connections from the listener of the first process, together with it. */
async function listenAlong(
  app: FastifyInstance,
  config: Config,
  { listener, baseUrl, onListening }: Shared,
): Promise<string> {
  config.baseUrl = baseUrl
  await app.ready()
  onListening()
  app.server.listen({ _handle: listener }, BACKLOG)
  await once(app.server, 'listening')
  return baseUrl
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
