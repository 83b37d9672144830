import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkFunctions } from '../server/cli/doctor/functions.ts'
import { Database } from '../server/db/database.ts'
import { distribute } from '../server/db/distribute.ts'
import { readFunctions } from '../server/db/functions.ts'
import { migrate } from '../server/db/migrate.ts'
import { newUuid } from '../server/ids.ts'
import { addExtension, createPlain, removeOnCluster } from './support/cluster.ts'

/* Needs a cluster: CITUS_URL names its coordinator, and a database there that knows the workers. Without it, all of this is skipped. */
const cluster = inject('cluster')

const BODIES = `select proname as name, md5(prosrc) as body from pg_proc where pronamespace = 'public'::regnamespace order by 1`

describe.skipIf(!cluster)('a plain database that comes to a cluster', () => {
  const machines = cluster ?? []
  const database = `plain_${newUuid().replaceAll('-', '')}`
  let connection: pg.ClientConfig

  const ask = async (machine: pg.ClientConfig, ...statements: string[]) => {
    const client = new pg.Client({ ...machine, database })
    await client.connect()
    try {
      let rows: { name: string }[] = []
      for (const statement of statements) rows = (await client.query(statement)).rows
      return rows
    } finally {
      await client.end()
    }
  }
  const checks = async () => {
    const db = new Database({ ...connection, max: 1 })
    try {
      return await checkFunctions(db)
    } finally {
      await db.close()
    }
  }
  const nameOf = ({ host, port }: pg.ClientConfig) => `Functions on ${host}:${port}`

  beforeAll(async () => {
    connection = await createPlain(machines, database)
  })

  afterAll(() => removeOnCluster(machines, database))

  it('is refused before anything is done, as long as its machines do not know each other', async () => {
    await expect(distribute(connection)).rejects.toThrow('create extension citus;')
    expect(
      await ask(
        connection,
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
      ),
    ).toEqual([])
  })

  it('has all functions on all machines once it is spread', async () => {
    await migrate(connection)
    await ask(
      connection,
      `insert into organizations (org_id, name, created_at, updated_at) values (gen_random_uuid(), 'Ada', 1, 1)`,
    )
    await addExtension(machines, database)
    await distribute(connection)
    const wanted = await ask(connection, BODIES)
    expect(wanted.map(({ name }) => name)).toEqual((await readFunctions()).map(({ name }) => name))
    for (const machine of machines) expect(await ask(machine, BODIES)).toEqual(wanted)
    expect((await checks()).filter(({ ok }) => ok)).toHaveLength(machines.length)
    expect(await migrate(connection)).toMatchObject({ migrations: [], functions: [] })
  })

  it('gets back functions that a worker has lost or has in another form, and doctor names them before', async () => {
    const [, one, other] = machines
    if (!one || !other) throw new Error('a cluster has workers')
    const wanted = await ask(connection, BODIES)
    const ALONE = 'set citus.enable_ddl_propagation = off'
    await ask(one, ALONE, 'drop function addresses_of')
    await ask(
      other,
      ALONE,
      `create or replace function is_held(p_org_id uuid, p_topic_id uuid, p_author_id text) returns boolean language plpgsql stable
       as 'begin return false; end'`,
    )
    expect((await checks()).filter(({ ok }) => !ok)).toMatchObject([
      { name: nameOf(one), detail: expect.stringMatching(/: addresses_of$/) },
      { name: nameOf(other), detail: expect.stringMatching(/: is_held$/) },
    ])
    expect(await migrate(connection)).toMatchObject({
      migrations: [],
      functions: ['addresses_of', 'is_held'],
    })
    for (const machine of machines) expect(await ask(machine, BODIES)).toEqual(wanted)
    expect((await checks()).every(({ ok }) => ok)).toBe(true)
  })
})
