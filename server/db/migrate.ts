import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { checksumOf } from '../checksum.ts'
import { OperatorError } from '../errors.ts'
import { PROJECT_FOLDER } from '../project.ts'
import type { Brought } from './brought.ts'
import { type DatabaseConnection, newClient } from './connection.ts'
import { queryableOf } from './database.ts'
import { describeLacking, type WorkerFunctions } from './function-places.ts'
import { applyFunctions, findStaleFunctions, readWorkerFunctions } from './functions.ts'
import { inPatientTransaction } from './patient-transaction.ts'
import { readSpreadState } from './placement.ts'
import { keepForLater, placerOf } from './spread.ts'
import { statementsOf } from './statements.ts'

const SCHEMA = join(PROJECT_FOLDER, 'server', 'db', 'schema')
const FOLDER = join(PROJECT_FOLDER, 'server', 'db', 'migrations')
/** Any number, the same on every node: who holds this advisory lock migrates, the others wait. */
const LOCK = 7_265_539
export const OLDEST_SERVER = 15

/** The first line of a migration after which nodes of the versions before it must not start. Without it they may. */
const BREAKS_OLDER = '-- breaks older versions'

/** Checksums of a migration's former text, if that made the same tables on one machine and stopped on a cluster. */
export const FORMER_CHECKSUMS: Readonly<Record<string, string>> = {
  '0108_planned_retention.sql': '58448c722d8138ec2749e65cd0282c263d5aeae3afc275b1e26bf732942abf1c',
  '0170_scim.sql': 'c1ea3a65194482db4c63bacfe6ef17255de381cadfc4e88d734f85fb44dc1c0c',
  '0194_sign_in_days.sql': '1d9162f8ba8d84ad0b74649799f8743bfafe8d929b17d92d6a575771a145a2d2',
  '0199_edit_minutes.sql': 'd41842750305a431b507c85019f62e4e759ee3afb180d18c841f6e6f6090184c',
  '0201_audit_tokens.sql': '3fa09de2d701adbd933821f1cf71491d8f162c7fbfb8593552a1621d7b53ce48',
}

/**
 * The line after which a migration names tables of organizations that are there already, as in a foreign key to one of them. If
 * organizations are spread over machines, new tables get their places first.
 */
export const ONCE_PLACED = '\n-- once placed\n'

/** How the database stands to the migrations of this version; each list in order. */
export type MigrationState = {
  /** Migrations that are not applied yet. */
  pending: string[]
  /** Migrations that were applied with other contents than this version has. */
  changed: string[]
  /** Migrations of a newer version, which this one does not know. */
  newer: string[]
  /** Migrations among `newer` after which this version cannot work. */
  breaking: string[]
}

/**
 * Brings the database up to date, and tells what was brought: an empty one gets the tables of the schema, any other the migrations that it
 * lacks, and both the functions. `trustChanged`: takes the contents of this version for what was applied.
 * `upTo`: stops after the migration of this name.
 */
export async function migrate(
  connection: DatabaseConnection,
  { trustChanged = false, upTo }: { trustChanged?: boolean; upTo?: string } = {},
): Promise<Brought> {
  const client = newClient(connection)
  await client.connect()
  try {
    await refuseOldServer(client)
    const { pending, changed, breaking, newer } = await readMigrationState(client)
    refuseBreaking(breaking)
    if (!trustChanged) refuseChanged(changed)
    // A database of a newer version has that version's functions.
    const takesFunctions = upTo === undefined && newer.length === 0 && !(await isHalfWay(client))
    const isStale = takesFunctions && (await findStaleFunctions(client)).length > 0
    if (pending.length === 0 && changed.length === 0 && !isStale) return NOTHING
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const from = await findNewest(client)
    const still = (await readMigrationState(client)).pending
    const wanted = still.filter((name) => upTo === undefined || name <= upTo)
    // The schema includes all migrations of this version: who wants only some of them, for an older backup, gets these one by one.
    const takesSchema = from === undefined && wanted.length === still.length
    const migrations = takesSchema ? await makeTables(client) : await applyAll(client, wanted)
    await noteChecksums(client, changed)
    const functions = takesFunctions ? await bringFunctions(client) : []
    return { from, to: await findNewest(client), migrations, functions }
  } finally {
    await client.end()
  }
}

const NOTHING: Brought = { from: undefined, to: undefined, migrations: [], functions: [] }

/** Whether only some tables are on several machines: `spread` brings the functions when all are. */
const isHalfWay = async (client: pg.Client): Promise<boolean> =>
  (await readSpreadState(queryableOf(client))) === 'half-way'

async function bringFunctions(client: pg.Client): Promise<string[]> {
  const stale = await findStaleFunctions(client)
  if (stale.length === 0) return []
  await applyFunctions(client, stale)
  refuseLacking(await readWorkerFunctions(client))
  return stale.map(({ file }) => file)
}

/** Refuses a cluster with a worker that lacks a function: it would fail what the others do. */
function refuseLacking(workers: readonly WorkerFunctions[]): void {
  const [first] = workers.filter(({ lacking }) => lacking.length > 0)
  if (!first) return
  const { worker, lacking } = first
  throw new OperatorError(
    `The worker ${worker} lacks, although it was just handed on: ${describeLacking(lacking)}. Run "select start_metadata_sync_to_node('HOST', PORT)" with its address on the coordinator, and start again. "parley doctor" compares all workers.`,
  )
}

/** The name of the newest migration that was applied. */
async function findNewest(client: pg.Client): Promise<string | undefined> {
  return (await readApplied(client)).at(-1)?.name
}

/** A row of an applied migration. Databases from before checksums have the name alone. */
type Applied = { name: string; checksum?: string | null; breaks_older?: boolean }

async function readApplied(client: pg.Client | pg.Pool): Promise<Applied[]> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('migrations') is not null as found`,
  )
  return rows[0]?.found ? (await client.query<Applied>('select * from migrations order by name')).rows : []
}

export async function readMigrationState(client: pg.Client | pg.Pool): Promise<MigrationState> {
  const applied = await readApplied(client)
  const own = await readMigrations()
  const isApplied = new Set(applied.map(({ name }) => name))
  const newer = applied.filter(({ name }) => !own.has(name))
  return {
    pending: [...own.keys()].filter((name) => !isApplied.has(name)),
    changed: applied
      .filter(
        ({ name, checksum }) =>
          checksum &&
          own.has(name) &&
          checksumOf(own.get(name) ?? '') !== checksum &&
          FORMER_CHECKSUMS[name] !== checksum,
      )
      .map(({ name }) => name),
    newer: newer.map(({ name }) => name),
    breaking: newer.filter(({ breaks_older }) => breaks_older).map(({ name }) => name),
  }
}

/** The contents of the migrations of this version by name, in order. */
export const readMigrations = (): Promise<Map<string, string>> => readScripts(FOLDER)

/** The contents of the schema by name, in order: a file for each subject. */
export const readSchema = (): Promise<Map<string, string>> => readScripts(SCHEMA)

async function readScripts(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return new Map(names.map((name, index) => [name, texts[index] ?? '']))
}

function refuseBreaking(breaking: readonly string[]): void {
  if (breaking.length === 0) return
  throw new OperatorError(
    `A newer version of Parley has changed this database so that this one cannot work with it (${breaking.join(', ')}). Start the newer version, or restore a backup from before.`,
  )
}

function refuseChanged(changed: readonly string[]): void {
  if (changed.length === 0) return
  throw new OperatorError(
    `Migrations were applied to this database with other contents than this version of Parley has: ${changed.join(', ')}. Start the version that applied them. If you know that what they made is the same, run "parley migrate --trust-changed".`,
  )
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (major < OLDEST_SERVER) {
    throw new OperatorError(
      `DATABASE_URL points to PostgreSQL ${major}; Parley needs ${OLDEST_SERVER} or newer. Upgrade that server, or unset DATABASE_URL to use the embedded one.`,
    )
  }
}

/** Makes the tables of an empty database by the schema, all or none, and notes the migrations that it includes. */
async function makeTables(client: pg.Client): Promise<string[]> {
  const included = await readMigrations()
  const schema = await readSchema()
  await inPatientTransaction(client, 'Making the tables', async () => {
    await makeMigrationList(client)
    for (const text of schema.values())
      for (const statement of statementsOf(text)) await client.query(statement)
    for (const [name, text] of included) await noteMigration(client, name, text)
  })
  return [...included.keys()]
}

async function applyAll(client: pg.Client, pending: readonly string[]): Promise<string[]> {
  await makeMigrationList(client)
  const place = pending.length > 0 ? await placerOf(client) : undefined
  for (const name of pending) {
    await apply(client, name, place !== undefined)
    await place?.()
  }
  // Migrations applied before there were checksums get that of their present text.
  await noteChecksums(client, await namesWithoutChecksum(client))
  return [...pending]
}

/** The columns come apart from the table, which a database from before checksums has without them. */
async function makeMigrationList(client: pg.Client): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  await client.query(
    'alter table migrations add column if not exists checksum text, add column if not exists breaks_older boolean not null default false',
  )
}

async function namesWithoutChecksum(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations where checksum is null')
  return rows.map(({ name }) => name)
}

async function noteChecksums(client: pg.Client, names: readonly string[]): Promise<void> {
  const own = await readMigrations()
  for (const name of names) {
    const text = own.get(name)
    if (text !== undefined)
      await client.query('update migrations set checksum = $2 where name = $1', [name, checksumOf(text)])
  }
}

async function apply(client: pg.Client, name: string, isSpread: boolean): Promise<void> {
  const text = await readFile(join(FOLDER, name), 'utf8')
  await inPatientTransaction(client, `The migration ${name}`, async () => {
    const [first = '', ...later] = isSpread ? text.split(ONCE_PLACED) : [text]
    for (const statement of statementsOf(first)) await client.query(statement)
    if (later.length > 0) await keepForLater(client, name, later.join('\n'))
    await noteMigration(client, name, text)
  })
}

async function noteMigration(client: pg.Client, name: string, text: string): Promise<void> {
  await client.query('insert into migrations (name, checksum, breaks_older) values ($1, $2, $3)', [
    name,
    checksumOf(text),
    text.startsWith(BREAKS_OLDER),
  ])
}
