import type { LastBackup } from '../../backup/backup.ts'
import { readLastBackup } from '../../backup/schedule.ts'
import { Database } from '../../db/database.ts'
import { type MigrationState, readMigrationState } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { OperatorError } from '../../errors.ts'
import { readSignups } from '../../queries/organization/installation.ts'
import {
  failingWorkers,
  isSilent,
  type NodeRow,
  readStatus,
  type Status,
} from '../../queries/organization/status.ts'
import { type CommandOutput, command, flag } from '../command.ts'
import { endWithSignals, loadConfig, withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import { describeBusy, describeMachine, describeStandby } from '../replication.ts'
import { describeSignups } from '../signups.ts'

const MB = 1024 * 1024

const OPTIONS = {
  link: flag('Make a link to a page that shows the same, for whoever has it, for 24 hours'),
}

export const status = command(OPTIONS, async ({ link }) => (link ? makeLink() : look()))

function makeLink(): Promise<CommandOutput> {
  return withInstallation('status', async ({ config, secrets }) => {
    const { makeStatusLink } = await import('../../http/status-link.ts')
    const { url, endsAt } = makeStatusLink(secrets, config, Date.now())
    const until = new Date(endsAt).toISOString()
    return {
      json: { url, until },
      lines: [url, `Whoever has it sees the status of this server until ${until}.`],
    }
  })
}

async function look(): Promise<CommandOutput> {
  const config = loadConfig()
  endWithSignals()
  const { openDatabase } = await import('../open.ts')
  const opened = await openDatabase(config, 'status')
  const db = new Database({ ...opened.connection, max: 1 })
  try {
    const [table] = await db.query<{ nodes: string | null }>(sql`select to_regclass('nodes') as nodes`)
    if (table?.nodes == null)
      throw new OperatorError('This database has no Parley of this version yet. Start Parley first.')
    const [row] = await db.query<{ now: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
    )
    const now = row?.now ?? Date.now()
    await db.open()
    const found = await readStatus(db, now)
    const migrations = await readMigrationState(db.pool)
    const backup = await readLastBackup(db)
    const signups = await readSignups(db, config, now)
    return {
      json: {
        ...found,
        nodes: found.nodes.map((node) => ({ ...node, silent: isSilent(node, now) })),
        migrations,
        backup: backup ?? null,
        signups,
      },
      lines: [...describe(found, migrations, backup), ...columns([['Sign-up', describeSignups(signups)]])],
    }
  } finally {
    await db.close()
    await opened.close()
  }
}

function describe(status: Status, migrations: MigrationState, backup: LastBackup | undefined): string[] {
  const { at, nodes, database, machines, busiest, standbys, queues, webhooks, filesBytes, search } = status
  const { all, failing, late } = status.auditDestinations
  const { version, sizeBytes, connections, maxConnections, isStandby } = database
  return [
    nodes.length === 0 ? 'No node runs.' : 'Nodes',
    ...(nodes.length === 0 ? [] : columns(nodes.map((node) => [node.name, describeNode(node, at)]))),
    ...(nodes.length === 0 ? [] : ['', 'Background work', ...columns(describeWorkers(nodes, at))]),
    '',
    'Database',
    ...columns([
      ['PostgreSQL', `${version}${isStandby ? ', a standby' : ''}, ${Math.round(sizeBytes / MB)} MB`],
      ['Connections', `${connections} of ${maxConnections}`],
      ['Migrations', describeMigrations(migrations)],
      ...machines.map((machine): [string, string] => [`Machine ${machine.name}`, describeMachine(machine)]),
      ...busiest.map((one): [string, string] => [`Busy ${one.id}`, describeBusy(one)]),
      ...standbys.map((standby): [string, string] => [
        `Standby ${standby.name ?? '?'}`,
        describeStandby(standby),
      ]),
    ]),
    '',
    'Work',
    ...columns([
      [
        'Webhooks',
        `${webhooks.pendingDeliveries} deliveries wait, the oldest for ${duration(webhooks.lagSeconds)}; ${webhooks.pausedBots} bots paused; ${webhooks.leasedBots} bots in the hands of ${webhooks.leaseHolders} nodes`,
      ],
      ...queues.map(({ kind, waiting, lateSeconds }): [string, string] => [
        kind[0]?.toUpperCase() + kind.slice(1),
        `${waiting} wait, ${lateSeconds === 0 ? 'none is late' : `the oldest is ${duration(lateSeconds)} late`}`,
      ]),
      [
        'Audit logs',
        all === 0
          ? 'no destinations'
          : `${all} destinations, ${failing} fail, ${late.length} are more than 10 minutes late`,
      ],
      ['Search', describeSearch(search)],
      ['Files', `${Math.round(filesBytes / MB)} MB`],
      ['Backup', backup ? `${duration((at - backup.at) / 1000)} old: ${backup.place}` : 'none was made yet'],
    ]),
  ]
}

function describeSearch({ organizations, events, olderTotal, olderDone, waiting }: Status['search']): string {
  if (events + waiting + olderTotal - olderDone <= 0 && organizations === 0) return 'everything can be found'
  const older = olderTotal === 0 ? [] : [`${olderDone} of ${olderTotal} older messages are in`]
  const missing = [`${events} events and ${waiting} messages without one wait`, ...older]
  return `${organizations} organizations are behind: ${missing.join('; ')}`
}

function describeNode(node: NodeRow, now: number): string {
  const { version, roles, startedAt, seenAt, memoryMb, freeDiskMb, parkedPolls, isStopping } = node
  const facts = `${roles.join(',')}, ${memoryMb} MB of memory, ${freeDiskMb} MB of disk free, ${parkedPolls} polls wait`
  if (isSilent(node, now)) return `${version}  SILENT for ${duration((now - seenAt) / 1000)}; ${facts}`
  return `${version}  ${isStopping ? 'stopping' : `up for ${duration((now - startedAt) / 1000)}`}; ${facts}`
}

/** A line for each node, and one for each worker whose last run failed. */
function describeWorkers(nodes: readonly NodeRow[], now: number): [string, string][] {
  return [
    ...nodes.map(({ name, workers }): [string, string] => {
      const sum = (count: 'runs' | 'failures') => workers.reduce((total, worker) => total + worker[count], 0)
      return [name, `${workers.length} workers, ${sum('runs')} runs, ${sum('failures')} failures`]
    }),
    ...failingWorkers(nodes).map(
      ({ name, node, failuresInARow, failingSince, lastError }): [string, string] => [
        `FAILING: ${name}`,
        `on ${node}, ${failuresInARow} times in a row, since ${new Date(failingSince).toISOString()} (${duration((now - failingSince) / 1000)}): ${lastError}`,
      ],
    ),
  ]
}

function describeMigrations({ pending, changed, newer }: MigrationState): string {
  if (changed.length > 0) return `changed: ${changed.join(', ')}`
  if (pending.length > 0) return `not applied yet: ${pending.join(', ')}`
  return newer.length === 0 ? 'up to date' : `of a newer version: ${newer.join(', ')}`
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
