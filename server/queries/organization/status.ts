import type { Queryable } from '../../db/database.ts'
import { crossing, sql } from '../../db/sql.ts'
import type { NodeState } from '../../node-report.ts'
import { countPausedWebhooks, readOldestUndelivered } from '../bots/deliveries.ts'
import { addresses } from '../bots/webhook-addresses.ts'
import { AUDIT_LATE_MS, readLateAuditDestinations } from './audit-destinations.ts'
import { readBusiest, readMachines } from './machines.ts'
import { readSearchBacklog } from './search-backlog.ts'

type StoredState = Omit<NodeState, 'workers'> & Partial<Pick<NodeState, 'workers'>>

export type NodeRow = {
  name: string
  version: string
  roles: string[]
  startedAt: number
  seenAt: number
} & NodeState

/** Nodes report every ten seconds: one that missed two reports is frozen, cut off or dead. */
const SILENT_MS = 25_000

/** Workers whose last run failed, each with its node. */
export const failingWorkers = (nodes: readonly NodeRow[]) =>
  nodes.flatMap(({ name: node, workers }) =>
    workers.flatMap(({ failingSince, ...worker }) =>
      failingSince === null ? [] : [{ ...worker, failingSince, node }],
    ),
  )

export const isSilent = ({ seenAt }: NodeRow, now: number): boolean => now - seenAt > SILENT_MS

/** The state of an installation, over all nodes and organizations. */
export type Status = Awaited<ReturnType<typeof readStatus>>

export async function readStatus(db: Queryable, now: number) {
  return {
    at: now,
    nodes: await readNodes(db),
    database: await readDatabase(db),
    machines: await readMachines(db),
    busiest: await readBusiest(db),
    standbys: await readStandbys(db),
    queues: await readQueues(db, now),
    webhooks: await readWebhooks(db, now),
    auditDestinations: await readLateAuditDestinations(db, now - AUDIT_LATE_MS),
    filesBytes: await readFilesBytes(db),
    search: await readSearchBacklog(db),
  }
}

async function readNodes(db: Queryable): Promise<NodeRow[]> {
  const rows = await db.query<Omit<NodeRow, keyof NodeState> & { state: StoredState }>(sql`
    select name, version, roles, started_at as "startedAt", seen_at as "seenAt", state
    from nodes order by started_at, name`)
  // Nodes of an earlier version do not report their workers.
  return rows.map(({ state, ...node }) => ({ ...node, ...state, workers: state.workers ?? [] }))
}

async function readDatabase(db: Queryable) {
  const [row] = await db.query<{
    version: string
    sizeBytes: number
    connections: number
    maxConnections: number
    isStandby: boolean
  }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as "sizeBytes",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::integer as "maxConnections", pg_is_in_recovery() as "isStandby"`)
  if (!row) throw new Error('a query without a table has a row')
  return row
}

export type Standby = {
  name: string | null
  state: string | null
  sync: string | null
  lagSeconds: number | null
  /** Bytes of the log that the primary has written, and the standby does not have on its disk yet. */
  missingBytes: number | null
}

/** PostgreSQL shows roles without `pg_monitor` that a standby exists, but not its state. */
export function readStandbys(db: Queryable): Promise<Standby[]> {
  return db.query<Standby>(sql`
    select application_name as name, state, sync_state as sync,
      extract(epoch from replay_lag)::double precision as "lagSeconds",
      greatest(0, pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, flush_lsn))::bigint as "missingBytes"
    from pg_stat_replication order by application_name`)
}

/** Waiting work by kind, and how long the oldest has been due. */
async function readQueues(db: Queryable, now: number) {
  const rows = await db.query<{ kind: string; waiting: number; oldestDueAt: number }>(sql`
    select kind, count(*) as waiting, min(due_at) as "oldestDueAt" from jobs group by kind
    union all
    select 'mail', count(*), min(due_at) from mails having count(*) > 0
    union all
    select 'push messages', count(*), min(due_at) from pushes where state <> 'shown' having count(*) > 0
    order by kind`)
  return rows.map(({ kind, waiting, oldestDueAt }) => ({
    kind,
    waiting,
    lateSeconds: Math.max(0, now - oldestDueAt) / 1000,
  }))
}

async function readWebhooks(db: Queryable, now: number) {
  const [row] = await db.query<{
    leased: number
    holders: number
  }>(sql`${crossing('a number for operators, over all organizations')}
    select count(distinct b.bot_id) filter (where b.webhook_leased_until > ${now}) as leased,
      count(distinct b.webhook_leased_by) filter (where b.webhook_leased_until > ${now}) as holders
    from ${addresses} b where b.delivery = 'webhook'`)
  const [waiting] = await db.query<{
    count: number
  }>(sql`${crossing('a number for operators, over all organizations')}
    select count(*) from deliveries where state = 'pending'`)
  const oldest = await readOldestUndelivered(db)
  return {
    pendingDeliveries: waiting?.count ?? 0,
    lagSeconds: oldest === undefined ? 0 : Math.max(0, now - oldest) / 1000,
    pausedBots: await countPausedWebhooks(db),
    leasedBots: row?.leased ?? 0,
    leaseHolders: row?.holders ?? 0,
  }
}

async function readFilesBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    sql`${crossing('a number for operators, over all organizations')}
      select coalesce(sum(used_bytes), 0)::bigint as bytes from organization_storage`,
  )
  return row?.bytes ?? 0
}

/** The due time of the push that has waited longest. */
export async function readOldestPush(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ dueAt: number }>(
    sql`select due_at as "dueAt" from pushes where state <> 'shown' order by due_at limit 1`,
  )
  return row?.dueAt
}
