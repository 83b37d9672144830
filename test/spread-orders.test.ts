import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { readClusterSteps } from '../server/db/cluster-steps.ts'
import { distribute } from '../server/db/distribute.ts'
import { migrate } from '../server/db/migrate.ts'
import { newUuid } from '../server/ids.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { call } from './support/client.ts'
import { addWorker, administer, createPlain, removeOnCluster } from './support/cluster.ts'
import { startNode, type TestParley } from './support/parley.ts'

/*
 * The orders in which a cluster comes about. Most of it needs one: CITUS_URL names its coordinator, and a database there that knows the
 * workers. Without it, that is skipped.
 */
const cluster = inject('cluster')
if (!cluster) console.log('skipped: the orders of set-up need a cluster (CITUS_URL)')

const newName = () => `order_${newUuid().replaceAll('-', '')}`

async function stepsOf(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await readClusterSteps(client)
  } finally {
    await client.end()
  }
}

describe('a PostgreSQL without Citus', () => {
  it('is told all that is missing, in order, and keeps what it has', async () => {
    const connection = inject('postgres')
    const refused = distribute(connection)
    await expect(refused).rejects.toThrow('Nothing was changed. This is missing, in order:')
    await expect(refused).rejects.toThrow('Then run "parley migrate --distributed" again.')
    const fixes = (await stepsOf(connection)).map(({ fix }) => fix[0])
    expect(fixes).toEqual([
      expect.stringMatching(/^Install Citus 13 or newer/),
      expect.stringMatching(/^alter system set shared_preload_libraries = 'citus'.*;$/),
      'create extension citus;',
      `select citus_set_coordinator_host('HOST', ${connection.port});`,
      expect.stringMatching(/^create database .* lc_ctype '.*';$/),
    ])
  })
})

describe.skipIf(!cluster)('a cluster', () => {
  const machines = cluster ?? []
  const [coordinator = {}, first = {}, ...others] = machines
  const database = newName()
  let connection: pg.ClientConfig
  let node: TestParley | undefined
  let bot: StaticTestBot
  let topicId: string
  const sent: string[] = []

  const stop = async () => {
    await node?.close()
    node = undefined
  }
  const start = async () => {
    await migrate(connection)
    node = await startNode(connection)
    return node
  }
  /** Sends a message and reads all: what was sent in one state must be there in each later one. */
  const send = async (text: string) => {
    const running = await start()
    const body = { topicId, text }
    expect((await call(running.url, bot.credentials, 'POST', '/v2/messages', { body })).status).toBe(201)
    sent.push(text)
    expect(await textsOf(running)).toEqual(sent)
    await stop()
  }
  const textsOf = async (running: TestParley) => {
    const { body } = await call(
      running.url,
      bot.credentials,
      'GET',
      `/v2/topics/${topicId}/messages?order=asc&limit=100`,
    )
    return Object(body).messages.map(({ text }: { text: string }) => text)
  }

  beforeAll(async () => {
    connection = await createPlain(machines, database)
  })
  afterEach(stop)
  afterAll(() => removeOnCluster(machines, database))

  it('comes from a plain database that is in use, by doing what is missing in the order in which it is told', async () => {
    const running = await start()
    const org = await organization(running)
    bot = await staticBot(running, org)
    const made = await call(running.url, bot.credentials, 'POST', '/v2/topics', {
      body: { name: 'Records', members: [] },
    })
    topicId = Object(made.body).id
    await stop()
    await send('while it was plain')

    const lacks = async () => (await stepsOf(connection)).map(({ fix }) => fix[0])
    expect(await lacks()).toEqual([
      'create extension citus;',
      expect.stringContaining('select citus_set_coordinator_host('),
      expect.stringContaining('create database'),
    ])
    await administer(coordinator, database, 'create extension citus')
    const [address = ''] = await lacks()
    expect(address).toBe(`select citus_set_coordinator_host('HOST', ${coordinator.port});`)
    await administer(coordinator, database, address.replace('HOST', coordinator.host ?? ''))
    expect(await lacks()).toEqual([expect.stringContaining('create database')])
    await administer(first, database, 'create extension citus')
    await addWorker(coordinator, first, database)
    expect(await lacks()).toEqual([])

    await start() // a server keeps it from moving
    await expect(distribute(connection)).rejects.toThrow('Stop all servers of Parley: 1 of them now.')
    await stop()
    await administer(coordinator, database, `alter database ${database} set citus.shard_count = 4`)
    expect((await distribute(connection)).placed).toBeGreaterThan(50)
    await send('once it was spread')
  })

  it('takes a worker that is added later, and keeps all when another is taken out', async () => {
    const [second] = others
    if (!second) return
    await administer(second, database, 'create extension citus')
    await addWorker(coordinator, second, database)
    expect(await distribute(connection)).toMatchObject({ placed: 0, migrations: [] })
    const moved = `select citus_rebalance_start(shard_transfer_mode => 'block_writes')`
    await administer(coordinator, database, moved, 'select citus_rebalance_wait()')
    await send('with one more worker')
    const name = `'${first.host}', ${first.port}`
    await administer(
      coordinator,
      database,
      `select citus_drain_node(${name}, shard_transfer_mode => 'block_writes')`,
      `select citus_remove_node(${name})`,
    )
    await send('with another worker in its place')
  })

  it('gets back a trigger that a shard has lost', async () => {
    const second = others[0] ?? first
    const triggers = `select t.tgname as name, t.tgrelid::regclass::text as "table" from pg_trigger t
      where t.tgname like 'profiles\\_role\\_%' order by 1`
    const worker = new pg.Client({ ...second, database, options: '-c citus.override_table_visibility=off' })
    await worker.connect()
    try {
      const { rows } = await worker.query(triggers)
      const [lost] = rows
      await worker.query(
        `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on; drop trigger ${lost.name} on ${lost.table}`,
      )
      expect((await worker.query(triggers)).rows).toHaveLength(rows.length - 1)
      expect((await migrate(connection)).functions).toEqual(['move_shape'])
      expect((await worker.query(triggers)).rows).toEqual(rows)
    } finally {
      await worker.end()
    }
  })

  it('does not start while a worker lacks what it cannot be given', async () => {
    const second = others[0] ?? first
    await administer(second, database, 'set citus.enable_ddl_propagation = off', 'drop function is_held')
    await administer(
      coordinator,
      database,
      `alter database ${database} set citus.enable_ddl_propagation = off`,
    )
    await expect(migrate(connection)).rejects.toThrow(
      /lacks, although it was just handed on: is_held\. Run "select start_metadata_sync_to_node/,
    )
    await administer(coordinator, database, `alter database ${database} reset citus.enable_ddl_propagation`)
    await send('once it has all again')
  })
})
