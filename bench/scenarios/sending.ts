import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../server/db/sql.ts'
import { type Backstage, type Bot, openBackstage, type Sender } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import type { Crowd } from '../parts/crowd.ts'
import type { Server } from '../parts/server.ts'
import type { Floor } from '../processes/floor.ts'
import type { Job, Load, Outcome } from '../processes/load.ts'
import type { Context, Figure } from '../scenario.ts'

const CONNECTIONS = 64
/** Requests prepared for each second, more than each of the two takes. */
const MOST_PER_SECOND = { floor: 40_000, parley: 20_000 }
const ID_BATCH = 20_000

export const warmUpSeconds = (context: Context): number => (context.quick ? 0.5 : 1)

export type Stage = { server: Server; backstage: Backstage; load: Child<Load>; floor: Child<Floor> }

/** A server with its database at hand, the bare one, and the load generator. */
export async function setStage(context: Context, environment: Record<string, string> = {}): Promise<Stage> {
  const server = await context.startServer({ environment })
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  return {
    server,
    backstage,
    load: context.startProcess<Load>('load'),
    floor: context.startProcess<Floor>('floor'),
  }
}

export const keysOf = (bots: readonly Bot[]) =>
  bots.map(({ apiKey, apiSecret }) => [apiKey, apiSecret] as const)

/** Sends as fast as it can to the floor, then to Parley, and makes sure that nothing acknowledged is missing. */
export function measureSending(
  context: Context,
  { server, backstage: { db, orgId }, load }: Stage,
  floorPort: number,
  senders: readonly Sender[],
): Promise<Figure[][]> {
  const crowd = { servers: [server], ports: [server.port], db, orgIds: [orgId], senders }
  return context.repeat(async () => {
    const bare = await sendToFloor(context, load, floorPort, senders)
    return [throughput('sent', 'requests/s', await sendToParley(context, load, crowd), bare)]
  })
}

export function sendToFloor(
  context: Context,
  load: Child<Load>,
  port: number,
  senders: readonly Sender[],
): Promise<Outcome> {
  return load.ask('run', sending(context, [port], { senders, mostPerSecond: MOST_PER_SECOND.floor }))
}

/** Fails if an acknowledged message is missing afterwards. */
export async function sendToParley(
  context: Context,
  load: Child<Load>,
  crowd: Omit<Crowd, 'bots'>,
  { keyed = false, connections = CONNECTIONS } = {},
): Promise<Loaded> {
  const { servers, ports, senders } = crowd
  const before = await countMessages(crowd)
  const job = sending(context, ports, { senders, mostPerSecond: MOST_PER_SECOND.parley, keyed })
  const loaded = await loadServer(servers, load, { ...job, connections })
  await requireCommitted(crowd, loaded.ids, before)
  return loaded
}

/** Requests of the first seconds may be a burst, and wait for as long as QUEUE_MS allows: they are not measured. */
const BURST_SECONDS = 2

/** Time from the end of a stall until those who are served are served as quickly as before. */
const RECOVERY_SECONDS = 2

/**
 * Sends at a fixed rate, however many requests are refused. The latency is that of served requests, none of which may
 * be missing. With a stall, it is that of requests answered after the time for recovery.
 */
export async function sendTooMuch(
  context: Context,
  load: Child<Load>,
  crowd: Omit<Crowd, 'bots'>,
  { rate, connections, stallSeconds = 0 }: { rate: number; connections: number; stallSeconds?: number },
): Promise<Outcome> {
  const { ports, senders, servers } = crowd
  const before = await countMessages(crowd)
  const burst = BURST_SECONDS + warmUpSeconds(context)
  const warmUp = stallSeconds === 0 ? burst : burst + stallSeconds + RECOVERY_SECONDS
  const job = sending(context, ports, { senders, mostPerSecond: Math.ceil(rate * 1.1), warmUp })
  const running = load.ask('run', { ...job, connections, rate, sheds: true })
  if (stallSeconds > 0) {
    await load.ask('hasBegun', undefined)
    await sleep(burst * 1000)
    await Promise.all(servers.map((server) => server.stallDatabase(stallSeconds * 1000)))
  }
  const outcome = await running
  await requireCommitted(crowd, outcome.ids, before)
  return outcome
}

function sending(
  context: Context,
  ports: readonly number[],
  {
    senders,
    mostPerSecond,
    keyed,
    warmUp = warmUpSeconds(context),
  }: { senders: readonly Sender[]; mostPerSecond: number; keyed?: boolean; warmUp?: number },
): Job {
  const most = Math.ceil((context.seconds + warmUp) * mostPerSecond)
  return {
    ports,
    connections: CONNECTIONS,
    seconds: context.seconds,
    warmUpSeconds: warmUp,
    plan: { kind: 'send', senders, most, ...(keyed && { keyed }) },
    expect: 201,
  }
}

/** Organizations that are searched for the messages of a load. */
type Organizations = Pick<Crowd, 'db' | 'orgIds'>

/** Loads Parley, and tells how many cores its processes used for that; PostgreSQL is not in it. */
export async function loadServer(servers: readonly Server[], load: Child<Load>, job: Job): Promise<Loaded> {
  const before = await cpuSecondsOf(servers)
  const outcome = await load.ask('run', job)
  const used = (await cpuSecondsOf(servers)) - before
  return { ...outcome, serverCpu: used / (job.warmUpSeconds + outcome.seconds) }
}

async function cpuSecondsOf(servers: readonly Server[]): Promise<number> {
  const seconds = await Promise.all(servers.map((server) => server.cpuSeconds()))
  return seconds.reduce((sum, one) => sum + one, 0)
}

export type Loaded = Outcome & { serverCpu?: number }

export function throughput(name: string, unit: string, parley: Loaded, bare: Outcome): Figure {
  return {
    name,
    unit,
    better: 'more',
    value: parley.perSecond,
    floor: bare.perSecond,
    latency: parley.latency,
    details: {
      floorP99: bare.latency.p99,
      generatorCpu: parley.cpu,
      generatorCpuAtFloor: bare.cpu,
      ...(parley.serverCpu !== undefined && { serverCpu: parley.serverCpu }),
    },
  }
}

async function countMessages({ db, orgIds }: Organizations): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from messages where org_id = any(${orgIds}::uuid[])`,
  )
  return row?.count ?? 0
}

async function requireCommitted(
  organizations: Organizations,
  ids: readonly string[],
  before: number,
): Promise<void> {
  const { db, orgIds } = organizations
  const distinct = [...new Set(ids)]
  let found = 0
  for (let first = 0; first < distinct.length; first += ID_BATCH) {
    const [row] = await db.query<{ count: number }>(sql`
      select count(*) as count from messages
      where org_id = any(${orgIds}::uuid[]) and id = any(${distinct.slice(first, first + ID_BATCH)}::uuid[])`)
    found += row?.count ?? 0
  }
  const written = (await countMessages(organizations)) - before
  if (distinct.length !== ids.length || found !== ids.length || written < ids.length) {
    throw new Error(
      `${ids.length} messages were acknowledged with ${distinct.length} ids; ${found} of them are there, ${written} new ones in all`,
    )
  }
}
