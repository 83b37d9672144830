import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { makeBackup, verifyBackup } from '../server/backup/backup.ts'
import { openPlace } from '../server/backup/places.ts'
import { restoreBackup } from '../server/backup/restore.ts'
import { distribute } from '../server/db/distribute.ts'
import { FIRST } from '../server/db/placement.ts'
import { newUuid } from '../server/ids.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { call } from './support/client.ts'
import {
  administer,
  type Cluster,
  createOnCluster,
  createWithExtension,
  removeOnCluster,
} from './support/cluster.ts'
import { SECRET_KEY, startTestParley, type TestParley } from './support/parley.ts'

/* Needs a cluster: CITUS_URL names its coordinator, and a database there that knows the workers. Without it, all of this is skipped. */
const cluster = inject('cluster')
if (!cluster) console.log('skipped: backups of a cluster need one (CITUS_URL)')

const ORGANIZATIONS = 6
const newName = () => `backup_${newUuid().replaceAll('-', '')}`

/** The names of all tables of organizations that a backup has. */
const TABLES = `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname not like 'search\\_%' order by 1`

type Contents = Record<string, { org_id: string; rows: string; sum: string }[]>

async function ask<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** All rows of each organization, table by table. */
const contentsOf = (connection: pg.ClientConfig): Promise<Contents> =>
  ask(connection, async (client) => {
    const contents: Contents = {}
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const { rows } = await client.query(
        `select org_id, count(*) as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as sum
         from ${name} t where org_id is not null group by org_id order by org_id`,
      )
      contents[name] = rows
    }
    return contents
  })

describe.skipIf(!cluster)('a backup', () => {
  const machines = cluster ?? []
  const names: string[] = []
  let server: TestParley
  let folder: string
  let source: pg.ClientConfig
  const bots: { bot: StaticTestBot; topicId: string }[] = []
  let underLoad: Contents

  const placeOf = (name: string) => openPlace(join(folder, name), server.parley.config)
  const backUp = async (connection: pg.ClientConfig, name: string) =>
    makeBackup(
      { connection, storage: server.parley.files.storage, secretKeys: [SECRET_KEY] },
      await placeOf(name),
      undefined,
    )
  const restore = async (connection: pg.ClientConfig, name: string) => {
    const place = await placeOf(name)
    const target = {
      connection,
      storage: server.parley.files.storage,
      incoming: join(folder, 'incoming'),
      keepSecretKeys: async () => {},
    }
    await restoreBackup(target, place, undefined, await verifyBackup(place, undefined))
    return contentsOf(connection)
  }
  const onPlain = async (): Promise<pg.ClientConfig> => {
    const database = newName()
    await administer(inject('postgres'), 'postgres', `create database ${database}`)
    names.push(database)
    return { ...inject('postgres'), database }
  }
  const onCluster = async (
    make: (machines: Cluster, database: string) => Promise<unknown>,
  ): Promise<pg.ClientConfig> => {
    const database = newName()
    await make(machines, database)
    names.push(database)
    return { ...machines[0], database }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-backups-'))
    server = await startTestParley()
    source = server.parley.db.config
    for (let number = 0; number < ORGANIZATIONS; number++) {
      const bot = await staticBot(server, await organization(server, `Organization ${number}`))
      const made = await bot.post('/v2/topics', { name: 'Records', members: [] })
      bots.push({ bot, topicId: Object(made.body).id })
    }
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
    for (const name of names) {
      await administer(inject('postgres'), 'postgres', `drop database if exists ${name} with (force)`)
      await removeOnCluster(machines, name)
    }
  })

  it('of a cluster under load is of one moment, and is restored into a plain database', async () => {
    let isOver = false
    const acknowledged: string[] = []
    const writing = bots.map(async ({ bot, topicId }, number) => {
      for (let turn = 0; !isOver; turn++) {
        const text = `${number}: ${turn}`
        const body = { topicId, text }
        const { status } = await call(server.url, bot.credentials, 'POST', '/v2/messages', { body })
        expect(status).toBe(201)
        acknowledged.push(text)
      }
    })
    // A bot and its key lie on two machines.
    const founding = (async () => {
      const orgIds = bots.map(({ bot }) => bot.orgId)
      for (let turn = 0; !isOver; turn++)
        await staticBot(server, orgIds[turn % orgIds.length] ?? '', `Bot ${turn}`)
    })()
    await expect.poll(() => acknowledged.length).toBeGreaterThan(ORGANIZATIONS)
    const before = [...acknowledged]
    await backUp(source, 'under-load')
    isOver = true
    await Promise.all([...writing, founding])
    expect(acknowledged.length).toBeGreaterThan(before.length)

    const plain = await onPlain()
    underLoad = await restore(plain, 'under-load')
    const found = await ask(plain, async (client) => {
      const query = async (text: string) => (await client.query(text)).rows
      return {
        texts: (await query('select text from messages where text is not null')).map(({ text }) => text),
        gaps: await query(
          `select l.org_id from organization_logs l join events e on e.org_id = l.org_id
           group by l.org_id, l.last_seq having count(*) <> l.last_seq or max(e.seq) <> l.last_seq`,
        ),
        keyless: await query(
          'select b.id from bots b where not exists (select from api_keys k where k.org_id = b.org_id and k.bot_id = b.id)',
        ),
        foreign: await query(
          `select count(*)::int as keys from pg_constraint where contype = 'f' and conrelid = 'api_keys'::regclass`,
        ),
      }
    })
    expect(found.texts).toEqual(expect.arrayContaining(before))
    expect(found).toMatchObject({ gaps: [], keyless: [] })
    expect(found.foreign[0].keys).toBeGreaterThan(0)
  })

  it('of a cluster is restored into a cluster, spread or not yet, equal for each organization', async () => {
    const spread = await onCluster(createOnCluster)
    expect(await restore(spread, 'under-load')).toEqual(underLoad)
    const ready = await onCluster(createWithExtension)
    expect(await restore(ready, 'under-load')).toEqual(underLoad)
    await distribute(ready)
    expect(await contentsOf(ready)).toEqual(underLoad)
  })

  it('of a plain database is restored into a cluster', async () => {
    const plain = await onPlain()
    await restore(plain, 'under-load')
    await backUp(plain, 'plain')
    const spread = await onCluster(createOnCluster)
    expect(await restore(spread, 'plain')).toEqual(underLoad)
    expect(
      await ask(spread, async (client) => {
        const query = `select count(distinct nodeport)::int as machines from citus_shards where table_name = '${FIRST}'::regclass`
        return (await client.query(query)).rows
      }),
    ).toEqual([{ machines: machines.length - 1 }])
  })

  it('waits while a commit of several machines is not told to all of them', async () => {
    const worker = machines[1] ?? {}
    const gid = 'citus_0_1_1_1'
    const client = new pg.Client({ ...worker, database: source.database })
    await client.connect()
    await client.query('begin')
    await client.query('create table left_behind ()')
    await client.query(`prepare transaction '${gid}'`)
    await ask(source, (coordinator) =>
      coordinator.query('insert into pg_dist_transaction (groupid, gid) values (1, $1)', [gid]),
    )
    const waiting = backUp(source, 'waiting')
    let isDone = false
    void waiting.then(() => {
      isDone = true
    })
    const gates = () =>
      ask(source, async (coordinator) => {
        const { rows } = await coordinator.query(
          `select count(*)::int as count from pg_stat_activity where application_name = 'parley-backup' and datname = current_database()`,
        )
        return rows[0].count
      })
    await expect.poll(gates).toBe(2) // the backup and its gate
    expect(isDone).toBe(false)
    await client.query(`rollback prepared '${gid}'`)
    await client.end()
    await waiting
  })
})
