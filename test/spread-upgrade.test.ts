import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { listTables } from '../server/backup/tables.ts'
import { readFunctions } from '../server/db/functions.ts'
import { migrate, readMigrationState, readMigrations } from '../server/db/migrate.ts'
import { spread } from '../server/db/spread.ts'
import { newUuid } from '../server/ids.ts'
import { UNSEEN } from '../server/long-work.ts'
import { createWithExtension, removeOnCluster } from './support/cluster.ts'

/* Needs a cluster: CITUS_URL names its coordinator, and a database there that knows the workers. Without it, all of this is skipped. */
const cluster = inject('cluster')
/** The newest migration of the version before this one. */
const BEFORE = '0122_readings_keep_who_allowed.sql'

describe.skipIf(!cluster)('a database that the version before spread over a cluster', () => {
  const machines = cluster ?? []
  const database = `spread_before_${newUuid().replaceAll('-', '')}`
  let connection: pg.ClientConfig

  beforeAll(async () => {
    connection = await createWithExtension(machines, database)
    await migrate(connection, { upTo: BEFORE })
    const client = new pg.Client(connection)
    await client.connect()
    const tables = new Set((await listTables(client)).map(({ name }) => name))
    await client.end()
    const former = (await readFunctions()).map((one) => ({
      ...one,
      text: `-- of the version before\n${one.text}`,
      triggers: one.triggers.filter(({ table }) => tables.has(table)),
    }))
    await spread(connection, UNSEEN, former)
  })
  afterAll(() => removeOnCluster(machines, database))

  it('gets the migrations since then, on every machine', async () => {
    const migrations = [...(await readMigrations()).keys()].filter((name) => name > BEFORE)
    expect(await migrate(connection)).toMatchObject({ from: BEFORE, migrations })
    for (const machine of machines) {
      const client = new pg.Client({ ...machine, database })
      await client.connect()
      const { rows } = await client.query(`
        select conname from pg_constraint where contype = 'c' and not convalidated
        union all select relname from pg_class where relname = 'event_audience'`)
      if (machine === machines[0])
        expect(await readMigrationState(client)).toMatchObject({ pending: [], changed: [] })
      await client.end()
      expect(rows).toEqual([])
    }
    expect(await migrate(connection)).toMatchObject({ migrations: [], functions: [] })
  })
})
