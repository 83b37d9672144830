import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { cancelWhenStopped } from '../db/cancel.ts'
import type { DatabaseConnection } from '../db/connection.ts'
import { queryableOf } from '../db/database.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { ONE_CONNECTION, OWN, readIsSpread } from '../db/placement.ts'
import { OperatorError } from '../errors.ts'
import type { Storage } from '../files/storage/storage.ts'
import { newUuid } from '../ids.ts'
import { type LongWork, UNSEEN } from '../long-work.ts'
import { bytesOf, type Entry, rowsOf } from './archive.ts'
import {
  connect,
  FILES,
  FORMAT,
  type Manifest,
  readBackup,
  readMigrationNames,
  SECRET_KEYS,
  type Summary,
  TABLES,
  tableOf,
} from './backup.ts'
import type { Place } from './places.ts'
import { hasTables, readTableState, type TableState, withoutRules, writeRows } from './tables.ts'

export type RestoreTarget = {
  connection: DatabaseConnection
  storage: Storage
  /** The folder for files that are about to be stored. */
  incoming: string
  /** Takes over the keys of the backup, or refuses them. */
  keepSecretKeys(keys: [string, ...string[]]): Promise<void>
}

export type CheckedBackup = { manifest: Manifest; summary: Summary }

/**
 * Takes a backup, which was read once to its end, into an empty database and store. The database holds all of it or nothing: it is
 * compared with what the backup says before it is committed, after the files are there.
 */
export async function restoreBackup(
  target: RestoreTarget,
  place: Place,
  passphrase: string | undefined,
  { manifest, summary }: CheckedBackup,
  work: LongWork = UNSEEN,
): Promise<void> {
  await refuseUnknown(manifest)
  const client = await connect(target.connection)
  try {
    await refuseFilled(client)
    const isSpread = await readIsSpread(queryableOf(client))
    if (isSpread) await refuseOtherTables(client, manifest)
    await migrate(target.connection, { upTo: manifest.migrations.at(-1) ?? '' })
    // Backups of clusters had this list of places once.
    const tables = manifest.tables.filter(({ name }) => !OWN.has(name))
    await client.query('begin')
    if (isSpread)
      await client.query(`set local citus.enable_unsafe_triggers = on; set local ${ONE_CONNECTION}`)
    const fill = async () => {
      await takeIn(client, target, place, passphrase, manifest, work)
      await compare(client, tables, summary, work)
      work.begin('Indexes and rules')
    }
    const former = { isSpread: manifest.isSpread === true || tables.length < manifest.tables.length }
    await cancelWhenStopped(client, target.connection, work, () => withoutRules(client, tables, fill, former))
    await client.query('commit')
    await migrate(target.connection)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function refuseUnknown({ format, migrations, parleyVersion }: Manifest): Promise<void> {
  const unknown = await findUnknownMigrations(migrations)
  if (format <= FORMAT && unknown.length === 0) return
  throw new OperatorError(
    `The backup was made by a newer version of Parley (${parleyVersion}) than this one. Restore it with that version, or a later one.`,
  )
}

export async function findUnknownMigrations(names: readonly string[]): Promise<string[]> {
  const own = await readMigrations()
  return names.filter((name) => !own.has(name))
}

/** Tables that have their places cannot be those of an earlier version. */
async function refuseOtherTables(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const found = await readMigrationNames(client)
  if (found.join() === migrations.join()) return
  throw new OperatorError(
    'The backup is of another version than the tables of this cluster. Restore it into a database of the cluster without tables, and run "parley migrate --distributed" then.',
  )
}

/** Tables alone are no installation: the leftovers of a broken restore are taken over by the next. */
async function refuseFilled(client: pg.Client): Promise<void> {
  if (!(await hasTables(client))) return
  const settings = await client.query('select from settings limit 1')
  if (settings.rowCount === 0) return
  throw new OperatorError(
    'There is an installation of Parley already. A backup is restored into a new folder (set DATA_DIR to one that is not there) or an empty database (DATABASE_URL).',
  )
}

async function takeIn(
  client: pg.Client,
  target: RestoreTarget,
  place: Place,
  passphrase: string | undefined,
  { tables }: Manifest,
  work: LongWork,
): Promise<void> {
  await mkdir(target.incoming, { recursive: true, mode: 0o700 })
  const visit = async (entry: Entry): Promise<void> => {
    if (entry.name.startsWith(TABLES)) {
      if (!OWN.has(tableOf(entry.name))) await loadRows(client, tables, entry)
    } else if (entry.name.startsWith(FILES)) await storeFile(target, entry)
    else if (entry.name === SECRET_KEYS) {
      const [newest = '', ...others] = String(await bytesOf(entry))
        .trim()
        .split('\n')
      await target.keepSecretKeys([newest, ...others])
    }
  }
  await readBackup(place, passphrase, visit, { work, part: 'Restoring' })
}

/** Loads each portion in its own statement. Foreign keys, which need whole tables, are not checked during that. */
async function loadRows(client: pg.Client, tables: Manifest['tables'], entry: Entry): Promise<void> {
  const name = tableOf(entry.name)
  const table = tables.find((known) => known.name === name)
  if (!table) throw new Error(`the backup has rows of a table "${name}" that it does not describe`)
  await writeRows(client, table, await rowsOf(entry))
}

/** The type is not stored beside a file on disk, and a bucket is asked with the one that the database has. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** Puts a file of an archive into the store. */
export async function storeFile(
  { storage, incoming }: Pick<RestoreTarget, 'storage' | 'incoming'>,
  entry: Entry,
  contentType = UNKNOWN_TYPE,
): Promise<void> {
  const path = join(incoming, newUuid())
  try {
    await pipeline(entry.content(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    await storage.put(entry.name.slice(FILES.length), path, contentType)
  } finally {
    await rm(path, { force: true })
  }
}

async function compare(
  client: pg.Client,
  tables: Manifest['tables'],
  summary: Summary,
  work: LongWork,
): Promise<void> {
  work.begin('Comparing tables', { total: tables.length })
  for (const table of tables) {
    work.advance(1)
    const found = await readTableState(client, table)
    const expected = summary.tables[table.name]
    if (!expected || !isSameState(found, expected))
      throw new Error(`the table "${table.name}" is not what the backup says; nothing was kept`)
  }
}

export const isSameState = (one: TableState, other: TableState): boolean =>
  one.rows === other.rows && one.checksum === other.checksum
