import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readLastBackup } from '../backup/schedule.ts'
import { probeDatabase } from '../db/unavailable.ts'
import { isLocalVisitor } from '../http/local.ts'
import type { Parley } from '../parley.ts'
import { readBuildId, readVersion } from '../project.ts'
import { countPausedWebhooks, readOldestUndelivered } from '../queries/bots/deliveries.ts'
import { readSearchBacklog } from '../queries/organization/search-backlog.ts'
import { readOldestPush } from '../queries/organization/status.ts'
import { tally } from '../webhooks/tally.ts'
import { mergeMetrics } from './merged-metrics.ts'
import { RequestTimes, SECONDS } from './request-times.ts'
import { workerMetrics } from './worker-metrics.ts'

/** Figures that the database does not give within this time are shown as they were: a scrape must not fail without it. */
const DATABASE_MS = 1000

/** Levels of the log at which each request has a line. */
const TELLS_REQUESTS: ReadonlySet<string> = new Set(['debug', 'trace'])

/** Prometheus metrics, for local visitors unless METRICS=public. */
export function metricsRoutes(app: FastifyInstance, parley: Parley): Registry {
  const registry = new Registry()

  const requestTimes = new RequestTimes(registry)
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections of the pool, by what they do',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, parley.db.pool.idleCount)
      this.set({ state: 'busy' }, parley.db.pool.totalCount - parley.db.pool.idleCount)
      this.set({ state: 'waited for' }, parley.db.pool.waitingCount)
    },
  })

  nodeMetrics(parley, registry)
  ceilingMetrics(parley, registry)
  pollMetrics(parley, registry)
  webhookMetrics(parley, registry)
  pushMetrics(parley, registry)
  imageMetrics(parley, registry)
  searchMetrics(parley, registry)
  workerMetrics(parley, registry)

  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, routeOptions } = request
    const { statusCode: status, elapsedTime: ms } = reply
    const route = routeOptions.url ?? 'unknown'
    requestTimes.add(method, route, status, ms / 1000)
    if (TELLS_REQUESTS.has(parley.log.level))
      parley.log.debug({ reqId, method, route, status, ms }, 'request')
    done()
  })

  const { siblings } = parley
  siblings.ownMetrics = () => {
    const all = withProcess(registry)
    if (siblings.number !== undefined) all.setDefaultLabels({ process: String(siblings.number) })
    return all.metrics()
  }
  app.get('/metrics', async (request, reply) => {
    if (!parley.config.metricsPublic && !isLocalVisitor(request)) return reply.callNotFound()
    const [own, others] = await Promise.all([siblings.ownMetrics(), siblings.otherMetrics()])
    return reply.header('Content-Type', registry.contentType).send(mergeMetrics([own, ...others]))
  })
  return parley.telemetry ? withProcess(registry) : registry
}

let ofProcess: Registry | undefined

/**
 * Metrics of the process, which its servers share. Each set has a timer and an observer that never stop, and would keep
 * its server in memory.
 */
function processMetrics(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** Begins to measure the process when its metrics are read: looking at the event loop wakes it 100 times a second. */
const withProcess = (registry: Registry): Registry => Registry.merge([registry, processMetrics()])

/** Read once, since another build may take the place of the files that run. */
const describeProgram = async () => ({ version: await readVersion(), build: await readBuildId() })

function nodeMetrics(
  { db, config, clock, slowQueries }: Pick<Parley, 'clock' | 'config' | 'db' | 'slowQueries'>,
  registry: Registry,
): void {
  const labels = describeProgram()
  new Gauge({
    name: 'parley_info',
    help: 'Always 1; its labels are the version and the build of this node',
    labelNames: ['version', 'build'],
    registers: [registry],
    async collect() {
      this.set(await labels, 1)
    },
  })
  new Gauge({
    name: 'parley_database_up',
    help: 'Whether the database answers this node within a second',
    registers: [registry],
    async collect() {
      this.set(0)
      await inTime(probeDatabase(db), () => this.set(1))
    },
  })
  new Counter({
    name: 'parley_slow_queries_total',
    help: 'Statements of this node that took longer than SLOW_QUERY_MS',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(slowQueries.count)
    },
  })
  new Gauge({
    name: 'parley_disk_free_bytes',
    help: 'Room on the disk of DATA_DIR',
    registers: [registry],
    async collect() {
      await inTime(statfs(config.dataDir), ({ bavail, bsize }) => this.set(bavail * bsize))
    },
  })
  new Gauge({
    name: 'parley_backup_age_seconds',
    help: 'Age of the last backup, of all nodes; -1: none was made yet',
    registers: [registry],
    async collect() {
      await inTime(readLastBackup(db), (last) =>
        this.set(last === undefined ? -1 : Math.max(0, clock() - last.at) / 1000),
      )
    },
  })
}

/** The usage of a limit by name (an address, a bot, a person) is that of its largest user. */
function ceilingMetrics({ ceilings, bodies }: Pick<Parley, 'bodies' | 'ceilings'>, registry: Registry): void {
  const labelNames = ['limit'] as const
  new Gauge({
    name: 'parley_limit_used',
    help: 'How much of a limit of this node is used now; of one by address, bot or person: by the one that uses most',
    labelNames,
    registers: [registry],
    collect() {
      for (const { name, used } of ceilings.all) this.set({ limit: name }, used())
    },
  })
  new Gauge({
    name: 'parley_limit',
    help: 'The limits of this node as they are set; 0: none',
    labelNames,
    registers: [registry],
    collect() {
      for (const { name, limit } of ceilings.all) this.set({ limit: name }, limit)
    },
  })
  new Counter({
    name: 'parley_limit_refusals_total',
    help: 'What was refused, or given up, because a limit of this node was reached',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, refusals } of ceilings.all) this.inc({ limit: name }, refusals)
    },
  })
  new Counter({
    name: 'parley_late_bodies_total',
    help: 'Bodies that were given up because they took too long: in all, or in progress',
    labelNames: ['measured_by'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [pace, count] of Object.entries(bodies.cut)) this.inc({ measured_by: pace }, count)
    },
  })
}

function pollMetrics({ longPolls }: Pick<Parley, 'longPolls'>, registry: Registry): void {
  new Gauge({
    name: 'parley_parked_polls',
    help: 'Long polls of this node that wait',
    registers: [registry],
    collect() {
      this.set(longPolls.count)
    },
  })
  const wakeUps = new Histogram({
    name: 'parley_poll_wake_up_seconds',
    help: 'Time from the commit that wakes a waiting poll to its answer',
    buckets: SECONDS,
    registers: [registry],
  })
  longPolls.onAnswered = (milliseconds) => wakeUps.observe(milliseconds / 1000)
}

function webhookMetrics({ db, clock }: Pick<Parley, 'clock' | 'db'>, registry: Registry): void {
  new Counter({
    name: 'parley_webhook_attempts_total',
    help: 'Attempts of this node to deliver to a webhook, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of tally.outcomes) this.inc({ outcome }, count)
    },
  })
  new Gauge({
    name: 'parley_webhook_attempts_in_flight',
    help: 'Attempts of this node that are under way',
    registers: [registry],
    collect() {
      this.set(tally.inFlight)
    },
  })
  new Gauge({
    name: 'parley_webhook_paused_bots',
    help: 'Bots whose webhook is paused, on all nodes',
    registers: [registry],
    async collect() {
      await inTime(countPausedWebhooks(db), (count) => this.set(count))
    },
  })
  new Gauge({
    name: 'parley_webhook_lag_seconds',
    help: 'Age of the oldest event that a webhook which is not paused has not received, on all nodes',
    registers: [registry],
    async collect() {
      await inTime(readOldestUndelivered(db), (oldest) =>
        this.set(oldest === undefined ? 0 : Math.max(0, clock() - oldest) / 1000),
      )
    },
  })
}

function pushMetrics({ db, clock }: Pick<Parley, 'clock' | 'db'>, registry: Registry): void {
  new Counter({
    name: 'parley_push_attempts_total',
    help: 'Attempts of this node to hand a push message to the service of a browser, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of tally.pushes) this.inc({ outcome }, count)
    },
  })
  new Gauge({
    name: 'parley_push_lag_seconds',
    help: 'For how long the push message that has waited longest is due, on all nodes',
    registers: [registry],
    async collect() {
      await inTime(readOldestPush(db), (dueAt) =>
        this.set(dueAt === undefined ? 0 : Math.max(0, clock() - dueAt) / 1000),
      )
    },
  })
}

function searchMetrics({ db }: Pick<Parley, 'db'>, registry: Registry): void {
  new Gauge({
    name: 'parley_search_waiting',
    help: 'What cannot be found yet, of all organizations: events, older messages from before search, and messages without an event',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      await inTime(readSearchBacklog(db), ({ events, olderTotal, olderDone, waiting }) => {
        this.set({ kind: 'events' }, events)
        this.set({ kind: 'older messages' }, Math.max(0, olderTotal - olderDone))
        this.set({ kind: 'without event' }, waiting)
      })
    },
  })
}

/** Takes the result if it comes in time; if not, or if there is none, the last figures stay. */
async function inTime<Result>(asking: Promise<Result>, take: (result: Result) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DATABASE_MS)
  })
  await Promise.race([asking.then(take).catch(() => {}), late]).finally(() => clearTimeout(timer))
}

function imageMetrics({ images }: Pick<Parley, 'images'>, registry: Registry): void {
  new Gauge({
    name: 'parley_images',
    help: 'Images of this node that are being worked on, and that wait for their turn',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'running' }, images.work.turns.running)
      this.set({ state: 'waiting' }, images.work.turns.waiting)
    },
  })
  new Counter({
    name: 'parley_images_too_slow_total',
    help: 'Images of this node that took longer than IMAGE_SECONDS',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(images.tooSlow)
    },
  })
}
