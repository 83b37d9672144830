import { stat } from 'node:fs/promises'
import { readLastBackup } from '../../backup/schedule.ts'
import type { Config } from '../../config.ts'
import { CLOCK_TOLERANCE_MS, DatabaseClock } from '../../db/clock.ts'
import { Database } from '../../db/database.ts'
import { OLDEST_SERVER, readMigrationState } from '../../db/migrate.ts'
import { readLogLevels } from '../../db/move.ts'
import { describeMissingLimits } from '../../db/pooler.ts'
import { sql } from '../../db/sql.ts'
import { hasCode, OperatorError } from '../../errors.ts'
import { keyFile } from '../../keys/key-file.ts'
import { FINGERPRINT, openSecrets } from '../../keys/key-state.ts'
import { type RotationState, readRotationState } from '../../keys/rotation.ts'
import { clusterFolder } from '../../postgres/cluster.ts'
import { AUDIT_LATE_MS, readLateAuditDestinations } from '../../queries/organization/audit-destinations.ts'
import { readSetting, readSignups } from '../../queries/organization/installation.ts'
import { readMachines } from '../../queries/organization/machines.ts'
import { readStandbys, type Standby } from '../../queries/organization/status.ts'
import { describeDatabase, explain } from '../errors.ts'
import { openDatabase } from '../open.ts'
import { describeMachine, describeStandby } from '../replication.ts'
import { describeSignups } from '../signups.ts'
import { type Check, fine, messageOf, problem } from './check.ts'
import { checkFunctions } from './functions.ts'
import { freeMegabytes } from './machine.ts'
import { checkPush } from './push.ts'

/** A standby that lacks more than a segment of the log is not merely a moment behind. */
const MAX_MISSING_BYTES = 16 * 1024 * 1024

/** Everything that needs the database. It is not made here: where there is none yet, there is nothing to check. */
export async function checkDatabase(config: Config): Promise<Check[]> {
  if (config.databaseUrl === undefined && !(await exists(clusterFolder(config.dataDir))))
    return [fine('Database', 'none yet: the first start makes it')]
  try {
    const opened = await openDatabase(config, 'doctor')
    const db = new Database({ ...opened.connection, max: 1 })
    try {
      return await checkOpened(db, config)
    } finally {
      await db.close()
      await opened.close()
    }
  } catch (error) {
    // Any other error, such as that the database is starting, only follows from the full disk.
    if (config.databaseUrl === undefined && (await freeMegabytes(config.dataDir).catch(() => 1)) === 0) {
      const fix = `Make room on the disk of ${config.dataDir}; nothing has to be restarted.`
      return [problem('Database', 'cannot be opened: the disk is full', fix)]
    }
    const where = describeDatabase(config.databaseUrl)
    return [
      problem(
        'Database',
        `cannot be opened: ${messageOf(error)}`,
        explain(error, where) ?? `Check ${where}.`,
      ),
    ]
  }
}

async function checkOpened(db: Database, config: Config): Promise<Check[]> {
  const checks = [
    await checkVersion(db, config),
    ...(await checkPooler(db)),
    await checkMigrations(db),
    await checkDurability(db),
    ...(await checkStandbys(db)),
    ...(await checkMachines(db)),
    ...(await checkFunctions(db)),
  ]
  const [tables] = await db.query<{ settings: string | null }>(
    sql`select to_regclass('settings') as settings`,
  )
  if (tables?.settings === null) return [...checks, await checkClock(db)]
  return [
    ...checks,
    await checkKey(db, config),
    await checkClock(db),
    await checkFuture(db),
    await checkBackup(db, config),
    ...(await checkAuditDestinations(db)),
    await checkPush(db, config),
    await checkSignups(db, config),
  ]
}

async function checkBackup(db: Database, { backups }: Config): Promise<Check> {
  const last = await readLastBackup(db)
  const hours = last && ((await readNow(db)) - last.at) / 3_600_000
  const detail =
    last && hours !== undefined ? `${Math.floor(hours)} hours old: ${last.place}` : 'none was made yet'
  if (backups.folder === undefined || (hours !== undefined && hours < 2 * backups.everyHours))
    return fine('Backup', detail)
  return problem(
    'Backup',
    detail,
    `The server should make one every ${backups.everyHours} hours; its log says why it does not. "parley backup" makes one now.`,
  )
}

/** Empty where no organization sends its audit log. */
async function checkAuditDestinations(db: Database): Promise<Check[]> {
  const { all, failing, late } = await readLateAuditDestinations(db, (await readNow(db)) - AUDIT_LATE_MS)
  if (all === 0) return []
  if (late.length === 0) return [fine('Audit logs', `${all} destinations, ${failing} fail for the moment`)]
  const [first] = late
  return [
    problem(
      'Audit logs',
      `${late.length} of ${all} destinations are more than 10 minutes late, one of organization ${first?.orgId} since ${new Date(first?.since ?? 0).toISOString()}`,
      'The console of the organization says what went wrong, under Audit log. If all of them are late, look whether a node with the role worker runs.',
    ),
  ]
}

/** An open server is no fault, but its operator should know. */
async function checkSignups(db: Database, config: Config): Promise<Check> {
  return fine('Sign-up', describeSignups(await readSignups(db, config, await readNow(db))))
}

async function readNow(db: Database): Promise<number> {
  const [row] = await db.query<{ now: number }>(sql`select (extract(epoch from now()) * 1000)::bigint as now`)
  return Number(row?.now)
}

async function checkVersion(db: Database, { databaseUrl }: Config): Promise<Check> {
  const [row] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`)
  const version = row?.version ?? ''
  const detail = `PostgreSQL ${version}, ${describeDatabase(databaseUrl)}`
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return fine('Database', detail)
  const fix = `Upgrade that server to PostgreSQL ${OLDEST_SERVER} or newer, or unset DATABASE_URL to use the embedded one.`
  return problem('Database', detail, fix)
}

async function checkPooler(db: Database): Promise<Check[]> {
  if (db.config.direct === undefined) return []
  const missing = await describeMissingLimits(db)
  if (missing === undefined) return [fine('Pooler', 'its sessions have limits')]
  return [problem('Pooler', missing, 'docs/operations.md has the whole of it, under "A pooler in front".')]
}

async function checkMigrations(db: Database): Promise<Check> {
  const { pending, changed, newer, breaking } = await readMigrationState(db.pool)
  if (changed.length > 0) {
    return problem(
      'Migrations',
      `applied with other contents than this version has: ${changed.join(', ')}`,
      'Start the version that applied them, or, if what they made is the same, run "parley migrate --trust-changed".',
    )
  }
  if (breaking.length > 0)
    return problem('Migrations', `of a newer version: ${breaking.join(', ')}`, 'Start the newer version.')
  if (pending.length === 0)
    return fine(
      'Migrations',
      newer.length === 0 ? 'up to date' : `up to date; of a newer version: ${newer.join(', ')}`,
    )
  return problem(
    'Migrations',
    `not applied yet: ${pending.join(', ')}`,
    'Run "parley migrate", or start Parley.',
  )
}

/** Losing a primary's last moments is the operator's choice; a standby further behind than that is a fault. */
async function checkStandbys(db: Database): Promise<Check[]> {
  return (await readStandbys(db)).map((standby) => {
    const name = `Standby ${standby.name ?? '?'}`
    if (!isFarBehind(standby)) return fine(name, describeStandby(standby))
    const fix =
      'See in its log why it does not follow: its disk, the network, or a primary that no longer has the log that it needs.'
    return problem(name, describeStandby(standby), fix)
  })
}

async function checkMachines(db: Database): Promise<Check[]> {
  try {
    await db.open()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [problem('Machines', 'some tables have no place yet', error.message)]
  }
  const machines = (await readMachines(db)).map((machine) => {
    const name = `Machine ${machine.name}`
    if (machine.isActive) return fine(name, describeMachine(machine))
    return problem(name, describeMachine(machine), 'Start it again; its organizations wait for it.')
  })
  return db.isSpread ? [...machines, await checkMoves(db)] : machines
}

async function checkMoves(db: Database): Promise<Check> {
  const name = 'Moves of organizations'
  const short = (await readLogLevels(db.pool)).filter(({ level }) => level !== 'logical')
  if (short.length === 0) return fine(name, 'stop nobody but for a moment at their end')
  return problem(
    name,
    `stop whoever writes in them: wal_level is ${short[0]?.level} on ${short.map(({ worker }) => worker).join(', ')}`,
    `Run "alter system set wal_level = 'logical'" there, and restart that PostgreSQL.`,
  )
}

const isFarBehind = ({ sync, missingBytes }: Standby): boolean =>
  sync !== 'sync' && missingBytes !== null && missingBytes > MAX_MISSING_BYTES

async function checkDurability(db: Database): Promise<Check> {
  const [row] = await db.query<Record<'fsync' | 'synchronous_commit' | 'full_page_writes', string>>(sql`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes`)
  const settings = Object.entries(row ?? {})
  const off = settings.filter(([, value]) => value === 'off').map(([name]) => name)
  const detail = settings.map(([name, value]) => `${name} ${value}`).join(', ')
  if (off.length === 0) return fine('Durability', detail)
  return problem(
    'Durability',
    detail,
    `Messages can be lost in a crash: set ${off.join(' and ')} to on in PostgreSQL.`,
  )
}

async function checkKey(db: Database, config: Config): Promise<Check> {
  const path = keyFile(config.dataDir)
  const fix = `Set SECRET_KEY to the key this database was set up with, or bring back ${path}.`
  if ((await readSetting(db, FINGERPRINT)) === undefined) return fine('Secret key', 'none in use yet')
  const isFile = config.secretKey === undefined
  if (isFile && !(await exists(path))) return problem('Secret key', `${path} is missing`, fix)
  const secrets = await openSecrets(db, config).catch(() => undefined)
  if (!secrets) return problem('Secret key', 'not the one of this database', fix)
  const isOpen = isFile && ((await stat(path)).mode & 0o077) !== 0
  if (isOpen) return problem('Secret key', `${path} can be read by other users`, `Run "chmod 600 ${path}".`)
  return describeRotation(await readRotationState({ db, secrets }), config)
}

function describeRotation(rotation: RotationState, config: Config): Check {
  const { state, remaining, formerUntil } = rotation
  if (state === 're-encrypting') {
    const detail = `being replaced: ${remaining} values still need the former one`
    return problem(
      'Secret key',
      detail,
      'Run "parley secret-key rotate", or start Parley: both go on with it.',
    )
  }
  if (state === 'waiting') {
    const until = new Date(formerUntil ?? 0).toISOString()
    return fine('Secret key', `replaced; the former one is kept until ${until} for what it has signed`)
  }
  if (state === 'finished' && config.secretKeyPrevious !== undefined)
    return fine('Secret key', 'fits the database; SECRET_KEY_PREVIOUS is not needed any more')
  return fine('Secret key', 'fits the database')
}

async function checkClock(db: Database): Promise<Check> {
  const clock = new DatabaseClock()
  await clock.measure(db)
  const difference = Math.abs(clock.skewMs)
  const detail = `${new Date().toISOString()}, ${difference} ms from that of the database`
  if (difference <= CLOCK_TOLERANCE_MS) return fine('Clock', detail)
  return problem('Clock', detail, 'Let both machines take their time from the network (NTP).')
}

/** Times never run backwards inside an organization, so a clock that was ahead once shows in what it wrote. */
async function checkFuture(db: Database): Promise<Check> {
  const [row] = await db.query<{ newest: number | null }>(
    sql`select max(last_tick) >> 12 as newest from organization_logs`,
  )
  const ahead = (row?.newest ?? 0) - Date.now()
  if (ahead <= CLOCK_TOLERANCE_MS) return fine('Newest record', 'not from the future')
  const detail = `${Math.round(ahead / 1000)} s from the future`
  return problem(
    'Newest record',
    detail,
    'This clock is slow, or another was fast when it wrote: correct it (NTP).',
  )
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    return true
  }
}
