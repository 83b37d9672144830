import type pg from 'pg'
import type { DatabaseConnection } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { OperatorError } from '../errors.ts'
import { connect, readMigrationNames } from './backup.ts'
import { findUnknownMigrations, isSameState } from './restore.ts'
import {
  hasTables,
  listTables,
  readPortions,
  readTableState,
  type Table,
  withoutRules,
  writeRows,
} from './tables.ts'

/**
 * Copies a database without users into an empty one, which may be of another version of PostgreSQL. Copies all or
 * nothing, and compares each table before the commit.
 */
export async function copyDatabase(from: DatabaseConnection, to: DatabaseConnection): Promise<void> {
  const source = await connect(from)
  const target = await connect(to)
  try {
    if (!(await hasTables(source))) return // no server has worked on it yet
    const migrations = await readMigrationNames(source)
    await refuseNewer(migrations)
    await migrate(to, { upTo: migrations.at(-1) ?? '' })
    const tables = await listTables(source)
    await target.query('begin')
    await withoutRules(target, tables, async () => {
      for (const table of tables) await copyRows(source, target, table)
    })
    for (const table of tables) await compare(source, target, table)
    await target.query('commit')
    await target.query('analyze')
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

async function refuseNewer(migrations: readonly string[]): Promise<void> {
  const unknown = await findUnknownMigrations(migrations)
  if (unknown.length === 0) return
  throw new OperatorError(
    `The database is of a newer version of Parley than this one (${unknown.join(', ')}). Start that version; nothing was changed.`,
  )
}

async function copyRows(source: pg.Client, target: pg.Client, table: Table): Promise<void> {
  for await (const portion of readPortions(source, table)) await writeRows(target, table, portion)
}

async function compare(source: pg.Client, target: pg.Client, table: Table): Promise<void> {
  if (isSameState(await readTableState(source, table), await readTableState(target, table))) return
  throw new Error(`the copy of the table "${table.name}" is not what it was; nothing was kept`)
}
