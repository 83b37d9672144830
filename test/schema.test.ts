import { describe, expect, it } from 'vitest'
import { migrate, readMigrationState, readMigrations, readSchema } from '../server/db/migrate.ts'
import { statementsOf } from '../server/db/statements.ts'
import { describeCatalog, findFilledTables } from './support/catalog.ts'
import { openEmpty, openFormer } from './support/migrated.ts'

/** Migrations before this number made the first database that landed. */
const AFTER_FIRST = '0002'

describe('the schema', () => {
  it('makes the database that the migrations make one by one, and neither has rows', async () => {
    const fresh = await openEmpty()
    const migrations = [...(await readMigrations()).keys()]
    expect(await migrate(fresh.connection)).toMatchObject({ from: undefined, migrations })
    const { old, upgrade } = await openFormer(AFTER_FIRST)
    await upgrade()
    const catalog = await describeCatalog(fresh.client)
    expect(catalog).toEqual(await describeCatalog(old))
    expect(catalog.get('tables')?.length).toBeGreaterThan(75)
    expect(catalog.get('functions')?.length).toBeGreaterThan(25)
    expect(await findFilledTables(fresh.client)).toEqual([])
    expect(await findFilledTables(old)).toEqual([])
    // The schema is noted as all migrations of this version, which then are not applied.
    const state = { pending: [], changed: [], newer: [], breaking: [] }
    expect(await readMigrationState(fresh.client)).toEqual(state)
    expect(await migrate(fresh.connection)).toMatchObject({ migrations: [], functions: [] })
  })

  it('is made once where several begin at once on an empty database', async () => {
    const { connection, client } = await openEmpty()
    const all = [...(await readMigrations()).keys()]
    const brought = await Promise.all([1, 2, 3].map(() => migrate(connection)))
    expect(brought.map(({ migrations }) => migrations.length).toSorted((one, other) => one - other)).toEqual([
      0,
      0,
      all.length,
    ])
    expect(brought.flatMap(({ functions }) => functions)).toHaveLength(
      (await client.query('select from functions')).rowCount ?? 0,
    )
  })

  it('is made whole or not at all', async () => {
    const { connection, client } = await openEmpty()
    await client.query('create table search_progress (mine text)')
    await expect(migrate(connection)).rejects.toThrow(
      /^Making the tables failed: relation "search_progress" already exists\. Nothing of it was kept\./,
    )
    const { rows } = await client.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    expect(rows).toEqual([{ relname: 'search_progress' }])
  })

  it('says what each of its tables and indexes is for, and has nothing but tables and indexes', async () => {
    for (const [file, text] of await readSchema()) {
      expect(text, file).toMatch(/^-- [A-Z]/)
      for (const statement of statementsOf(text))
        expect(statement.replaceAll(/^\s*--.*$/gm, '').trim(), file).toMatch(
          /^create (unlogged )?(table|index|unique index) /,
        )
      const lines = text.split('\n')
      const bare = lines.filter(
        (line, at) =>
          /^create (unique )?index/.test(line) &&
          !/^(--|create (unique )?index| {2})/.test(lines[at - 1] ?? ''),
      )
      expect(bare, file).toEqual([])
    }
  })
})
