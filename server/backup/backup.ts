import { open } from 'node:fs/promises'
import type pg from 'pg'
import { cancelWhenStopped } from '../db/cancel.ts'
import { type DatabaseConnection, newClient } from '../db/connection.ts'
import { queryableOf } from '../db/database.ts'
import { BACKUP_LOCK } from '../db/file-locks.ts'
import { readIsSpread, readPlacements } from '../db/placement.ts'
import { OperatorError } from '../errors.ts'
import { thumbnailKey } from '../files/files.ts'
import { NoSuchFile, type Storage } from '../files/storage/storage.ts'
import { FINGERPRINT } from '../keys/key-state.ts'
import { type LongWork, UNSEEN } from '../long-work.ts'
import { readVersion } from '../project.ts'
import { Secrets } from '../secrets.ts'
import { type Add, addBytes, type Entry, jsonOf, readArchive, rowsOf, writeArchive } from './archive.ts'
import { DamagedBackup } from './byte-reader.ts'
import type { Place } from './places.ts'
import { beginSnapshot } from './snapshot.ts'
import {
  countLines,
  hasTables,
  listTables,
  readRows,
  readTableState,
  type Table,
  type TableState,
} from './tables.ts'

export const FORMAT = 1
export const MANIFEST = 'parley-backup.json'
export const SUMMARY = 'summary.json'
export const SECRET_KEYS = 'keys/secret.key'
export const TABLES = 'tables/'
export const FILES = 'files/'
const FILE_BATCH = 1000
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The setting that says when the last backup was made, and where it lies. */
export const LAST_BACKUP = 'last_backup'
export type LastBackup = { at: number; place: string }

/** The first entry of a backup: what a restore needs to know. */
export type Manifest = {
  format: number
  parleyVersion: string
  createdAt: string
  migrations: string[]
  tables: Table[]
  /** Whether it was made of a cluster. Missing where it was not. */
  isSpread?: boolean
}

/** The last entry of a backup: what a restore must have in the end. */
export type Summary = { tables: Record<string, TableState>; files: number; fileBytes: number }

export const countRows = ({ tables }: Pick<Summary, 'tables'>): number =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

export type BackupReport = Summary & {
  bytes: number
  /** Files that the database knows and the store does not have. */
  missing: string[]
}

export type BackupSource = {
  connection: DatabaseConnection
  storage: Storage
  secretKeys: readonly string[]
}

/**
 * Writes all of Parley's data as of one moment, while the server runs, and reads the backup back before it gets its
 * name. Files deleted during the backup stay until it ends.
 */
export async function makeBackup(
  source: BackupSource,
  place: Place,
  passphrase: string | undefined,
  work: LongWork = UNSEEN,
): Promise<BackupReport> {
  const client = await connect(source.connection)
  try {
    await lockFiles(client)
    let report: Omit<BackupReport, 'bytes'> | undefined
    const fill = async (add: Add) => {
      // The moment is that of the first statement: after the lock, so that no file of it can be gone.
      await beginSnapshot(client, source.connection, connect)
      report = await addEverything(client, source, add, work)
      await client.query('commit')
    }
    const bytes = await writeArchive(
      place,
      passphrase,
      (add) => cancelWhenStopped(client, source.connection, work, () => fill(add)),
      work,
    )
    if (!report) throw new Error('nothing was written')
    await verifyBackup(place, passphrase, { work, part: 'Reading it back' })
    await place.publish()
    await noteBackup(client, place)
    return { ...report, bytes }
  } catch (error) {
    await place.discard()
    throw error
  } finally {
    await client.end()
  }
}

/** Keeps deleted files until this connection ends. */
export async function lockFiles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    BACKUP_LOCK,
  ])
  if (rows[0]?.taken) return
  throw new OperatorError('Another backup or export of this database is being made. Wait until it has ended.')
}

async function noteBackup(client: pg.Client, place: Place): Promise<void> {
  await client.query(
    `insert into settings (name, value)
     values ($1, json_build_object('at', (extract(epoch from now()) * 1000)::bigint, 'place', $2::text)::text)
     on conflict (name) do update set value = excluded.value`,
    [LAST_BACKUP, place.name],
  )
}

/** A connection for long work, with fixed formats of values regardless of the server's settings. */
export async function connect(connection: DatabaseConnection): Promise<pg.Client> {
  const client = newClient(connection, { application_name: 'parley-backup' })
  await client.connect()
  await client.query(`
    set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0;
    set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; set extra_float_digits = 1`)
  return client
}

async function addEverything(
  client: pg.Client,
  { storage, secretKeys }: BackupSource,
  add: Add,
  work: LongWork,
): Promise<Omit<BackupReport, 'bytes'>> {
  await refuseOtherKeys(client, secretKeys)
  const isSpread = await readIsSpread(queryableOf(client))
  const tables = await listTables(client)
  await addJson(add, MANIFEST, {
    format: FORMAT,
    parleyVersion: await readVersion(),
    createdAt: new Date().toISOString(),
    migrations: await readMigrationNames(client),
    tables,
    ...(isSpread && { isSpread }),
  } satisfies Manifest)
  // The keys come before everything that takes long: a restore that cannot use them ends here.
  await addBytes(add, SECRET_KEYS, Buffer.from(secretKeys.map((key) => `${key}\n`).join('')))
  // The states are of the same moment as the rows. Read before these, they say how many there are.
  const states: Record<string, TableState> = {}
  work.begin('Tables', { total: tables.length })
  for (const table of tables) {
    states[table.name] = await readTableState(client, table)
    work.advance(1)
  }
  work.begin('Rows', { total: countRows({ tables: states }) })
  const placements = isSpread ? await readPlacements(queryableOf(client)) : undefined
  for (const table of tables) {
    let number = 0
    const inPlace = placements !== undefined && placements.get(table.name) !== 'spread'
    for await (const { rows, bytes } of readRows(client, table, { inPlace })) {
      number += 1
      await addBytes(add, `${TABLES}${table.name}/${String(number).padStart(6, '0')}.gz`, bytes)
      work.advance(rows)
    }
  }
  const { missing, ...files } = await addFiles(client, storage, add, work)
  const summary: Summary = { tables: states, ...files }
  await addJson(add, SUMMARY, summary)
  return { ...summary, missing }
}

/** A backup is useless without the key that encrypted its values. */
async function refuseOtherKeys(client: pg.Client, secretKeys: readonly string[]): Promise<void> {
  const settings = (await hasTables(client))
    ? await client.query<{ value: string }>('select value from settings where name = $1', [FINGERPRINT])
    : undefined
  const needed = settings?.rows[0]?.value
  if (needed === undefined)
    throw new OperatorError('No server has worked on this database yet: there is nothing to back up.')
  if (secretKeys.some((key) => new Secrets(key).fingerprint === needed)) return
  throw new OperatorError(
    'The secret key is not the one this database was set up with, so that a backup could not be used. Set SECRET_KEY to the key of the server, or DATA_DIR to its folder.',
  )
}

export const addJson = (add: Add, name: string, value: object): Promise<void> =>
  addBytes(add, name, Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`))

export async function readMigrationNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

/** Adds all files that rows refer to, without those being stored or removed. */
async function addFiles(client: pg.Client, storage: Storage, add: Add, work: LongWork) {
  const report = { files: 0, fileBytes: 0, missing: [] as string[] }
  const { rows: counts } = await client.query<{ files: number }>(
    'select count(*)::float8 as files from stored_files where sweep_at is null',
  )
  work.begin('Files', { total: counts[0]?.files ?? 0 })
  for (let after = NO_ID; ; ) {
    const { rows } = await client.query<{ id: string }>(
      `select id from stored_files where sweep_at is null and id > $1 order by id limit ${FILE_BATCH}`,
      [after],
    )
    for (const { id } of rows) {
      if ((await addFile(storage, id, add, report)) === 'missing') report.missing.push(id)
      await addFile(storage, thumbnailKey(id), add, report)
      work.advance(1)
    }
    const last = rows.at(-1)
    if (!last) return report
    after = last.id
  }
}

export async function addFile(
  storage: Storage,
  key: string,
  add: Add,
  report: { files: number; fileBytes: number },
): Promise<'added' | 'missing'> {
  try {
    await storage.lend(key, async (path) => {
      // The file is opened once, because a file that replaces it has another size.
      const file = await open(path, 'r')
      try {
        const { size } = await file.stat()
        await add(FILES + key, size, file.createReadStream({ autoClose: false }))
        report.files += 1
        report.fileBytes += size
      } finally {
        await file.close()
      }
    })
    return 'added'
  } catch (error) {
    if (error instanceof NoSuchFile) return 'missing'
    throw error
  }
}

/** Reads a backup from its first byte to its last, and refuses one that is not whole. */
export async function verifyBackup(
  place: Place,
  passphrase: string | undefined,
  progress?: Parameters<typeof readArchive>[3],
): Promise<{ manifest: Manifest; summary: Summary }> {
  let manifest: Manifest | undefined
  let summary: Summary | undefined
  const rows = new Map<string, number>()
  let files = 0
  const visit = async (entry: Entry): Promise<void> => {
    if (entry.name === MANIFEST) manifest = Object(await jsonOf(entry))
    else if (entry.name === SUMMARY) summary = Object(await jsonOf(entry))
    else if (entry.name.startsWith(FILES)) files += 1
    else if (entry.name.startsWith(TABLES)) {
      const table = tableOf(entry.name)
      rows.set(table, (rows.get(table) ?? 0) + countLines(await rowsOf(entry)))
    }
  }
  await readBackup(place, passphrase, visit, progress)
  const isWhole =
    summary?.files === files &&
    Object.entries(summary.tables).every(([name, state]) => (rows.get(name) ?? 0) === state.rows)
  if (!manifest || !summary || !isWhole) throw damaged(place, 'it does not hold what it says')
  return { manifest, summary }
}

export const tableOf = (entryName: string): string => entryName.slice(TABLES.length).split('/')[0] ?? ''

export async function readBackup(
  place: Place,
  passphrase: string | undefined,
  visit: (entry: Entry) => Promise<void>,
  progress?: Parameters<typeof readArchive>[3],
): Promise<void> {
  try {
    await readArchive(place, passphrase, visit, progress)
  } catch (error) {
    throw error instanceof DamagedBackup ? damaged(place, error.message) : error
  }
}

const damaged = (place: Place, reason: string): OperatorError =>
  new OperatorError(`${place.name} is no whole backup of Parley: ${reason}. Nothing was done with it.`)
