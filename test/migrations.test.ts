import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { migrate, ONCE_PLACED, readMigrationState, readMigrations } from '../server/db/migrate.ts'
import { readPlacements } from '../server/db/placement.ts'
import { spread } from '../server/db/spread.ts'
import { type Sql, toStatement } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { TEMPLATE } from './support/global-setup.ts'

const ONE = '0005_files.sql'
const FUTURE = '9000_from_the_future.sql'

let connection: pg.ClientConfig
let client: pg.Client

/** A migrated database of its own. */
beforeEach(async () => {
  const administrator = new pg.Client(inject('postgres'))
  await administrator.connect()
  const database = `migrations_${newUuid().replaceAll('-', '')}`
  await administrator.query(`create database ${database} template ${TEMPLATE} strategy file_copy`)
  connection = { ...inject('postgres'), database }
  client = new pg.Client(connection)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await administrator.query(`drop database ${database} with (force)`)
    await administrator.end()
  })
})

const namesWithChecksum = async () =>
  (
    await client.query<{ name: string }>(
      'select name from migrations where checksum is not null order by name',
    )
  ).rows.map(({ name }) => name)

describe('applied migrations', () => {
  it('are kept with a checksum each, and fit', async () => {
    const files = (await readdir('server/db/migrations')).filter((name) => name.endsWith('.sql')).sort()
    expect(await namesWithChecksum()).toEqual(files)
    expect(await readMigrationState(client)).toEqual({ pending: [], changed: [], newer: [], breaking: [] })
    expect(await migrate(connection)).toEqual([])
  })

  it('that differ are refused by name, until the operator says that they are the same', async () => {
    await client.query(`update migrations set checksum = 'another' where name = $1`, [ONE])
    await expect(migrate(connection)).rejects.toThrow(
      new RegExp(`other contents than this version of Parley has: ${ONE}\\. .*--trust-changed`),
    )
    expect(await migrate(connection, { trustChanged: true })).toEqual([])
    expect(await migrate(connection)).toEqual([])
    expect((await readMigrationState(client)).changed).toEqual([])
  })

  it('from before checksums get theirs, and what was changed under them is repaired', async () => {
    const triggers = async () =>
      (
        await client.query(
          `select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
        )
      ).rows
    const intended = await triggers()
    await client.query(`delete from migrations where name = '0022_repair.sql'`)
    await client.query('alter table migrations drop column checksum, drop column breaks_older')
    await client.query('drop trigger topics_announcement on topics')
    expect(await migrate(connection)).toEqual(['0022_repair.sql'])
    expect(await triggers()).toEqual(intended)
    expect(await namesWithChecksum()).toContain(ONE)
    expect((await readMigrationState(client)).changed).toEqual([])
  })
})

describe('a database of a newer version', () => {
  const applyFuture = (breaksOlder: boolean) =>
    client.query('insert into migrations (name, checksum, breaks_older) values ($1, $2, $3)', [
      FUTURE,
      'of another version',
      breaksOlder,
    ])

  it('is used by this one, which can tell', async () => {
    await applyFuture(false)
    expect(await migrate(connection)).toEqual([])
    expect(await readMigrationState(client)).toMatchObject({ newer: [FUTURE], breaking: [], pending: [] })
  })

  it('is refused where this one cannot work with it', async () => {
    await applyFuture(true)
    await expect(migrate(connection)).rejects.toThrow(
      `A newer version of Parley has changed this database so that this one cannot work with it (${FUTURE}).`,
    )
  })
})

describe('a database for several machines', () => {
  /** Migrations up to this number came with the first version that can spread a database: there was none yet. */
  const FIRST_VERSION = '0099'

  it('is refused with words where PostgreSQL has no Citus, and nothing has changed', async () => {
    await expect(spread(connection)).rejects.toThrow(/has no extension Citus.*DATABASE_URL/)
    expect((await client.query(`select to_regclass('spreading') as found`)).rows).toEqual([{ found: null }])
  })

  it('gets tables that refer to those of organizations only once they have their places', async () => {
    const placements = await readPlacements({
      query: async <R extends pg.QueryResultRow>(query: Sql) => {
        const { text, values } = toStatement(query)
        return (await client.query<R>(text, values)).rows
      },
    })
    const later = [...(await readMigrations())].filter(([name]) => name > FIRST_VERSION)
    const early = later.filter(([, text]) => {
      const [before = ''] = text.split(ONCE_PLACED)
      return [...before.matchAll(/\breferences (\w+)/g)].some(
        ([, table]) => placements.get(table ?? '') === 'spread',
      )
    })
    expect(early.map(([name]) => name)).toEqual([])
  })
})
