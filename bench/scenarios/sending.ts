import { sql } from '../../server/db/sql.ts'
import { type Backstage, type Bot, openBackstage, type Sender } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import type { Server } from '../parts/server.ts'
import type { Floor } from '../processes/floor.ts'
import type { Job, Load, Outcome } from '../processes/load.ts'
import type { Context, Figure } from '../scenario.ts'

export const TOPICS = 20
export const BOTS_EACH = 2
export const PEOPLE = 5
const CONNECTIONS = 64
/** More than each of the two takes: so many requests are prepared for each second. */
const MOST_PER_SECOND = { bare: 30_000, parley: 15_000 }
const ID_BATCH = 20_000

export const warmUpSeconds = (context: Context): number => (context.quick ? 0.5 : 1)

export type Stage = { server: Server; backstage: Backstage; load: Child<Load>; floor: Child<Floor> }

/** A server with its database at hand, the bare one, and the load generator. */
export async function setStage(context: Context): Promise<Stage> {
  const server = await context.startServer()
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
  { server, backstage, load }: Stage,
  floorPort: number,
  senders: readonly Sender[],
): Promise<Figure[][]> {
  const warmUp = warmUpSeconds(context)
  const jobAt = (port: number, mostPerSecond: number): Job => ({
    port,
    connections: CONNECTIONS,
    seconds: context.seconds,
    warmUpSeconds: warmUp,
    plan: { kind: 'send', senders, most: Math.ceil((context.seconds + warmUp) * mostPerSecond) },
    expect: 201,
  })
  return context.repeat(async () => {
    const bare = await load.ask('run', jobAt(floorPort, MOST_PER_SECOND.bare))
    const before = await countMessages(backstage)
    const parley = await loadServer(server, load, jobAt(server.port, MOST_PER_SECOND.parley))
    await requireCommitted(backstage, parley.ids, before)
    return [throughput('sent', 'requests/s', parley, bare)]
  })
}

/** Loads Parley, and tells which share of a core its process used for that; PostgreSQL is not in it. */
export async function loadServer(server: Server, load: Child<Load>, job: Job): Promise<Loaded> {
  const before = await server.cpuSeconds()
  const outcome = await load.ask('run', job)
  const used = (await server.cpuSeconds()) - before
  return { ...outcome, serverCpu: used / (job.warmUpSeconds + outcome.seconds) }
}

type Loaded = Outcome & { serverCpu?: number }

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

async function countMessages({ db, orgId }: Backstage): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from messages where org_id = ${orgId}`,
  )
  return row?.count ?? 0
}

async function requireCommitted(backstage: Backstage, ids: readonly string[], before: number): Promise<void> {
  const { db, orgId } = backstage
  const distinct = [...new Set(ids)]
  let found = 0
  for (let first = 0; first < distinct.length; first += ID_BATCH) {
    const [row] = await db.query<{ count: number }>(sql`
      select count(*) as count from messages
      where org_id = ${orgId} and id = any(${distinct.slice(first, first + ID_BATCH)}::uuid[])`)
    found += row?.count ?? 0
  }
  const written = (await countMessages(backstage)) - before
  if (distinct.length !== ids.length || found !== ids.length || written < ids.length) {
    throw new Error(
      `${ids.length} messages were acknowledged with ${distinct.length} ids; ${found} of them are there, ${written} new ones in all`,
    )
  }
}
