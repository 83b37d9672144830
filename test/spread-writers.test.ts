import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { applyFunctions, readFunctions } from '../server/db/functions.ts'
import { readPlacements } from '../server/db/placement.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

/* Needs a cluster: CITUS_URL names its coordinator, and a database there that knows the workers. Without it, all of this is skipped. */
const cluster = inject('cluster')

const COPIES = `select proname as name, prosrc as text from pg_proc where pronamespace = 'group_writers'::regnamespace order by 1`

describe.skipIf(!cluster)('the writers of groups', () => {
  const [, ...workers] = cluster ?? []
  let parley: TestParley
  let coordinator: pg.Client
  let bot: StaticTestBot
  let org: string
  let topicId: string
  let home: { group: string; host: string; port: number }
  let sent = 0

  const open = async (machine: pg.ClientConfig, application_name = 'test') => {
    const client = new pg.Client({ ...machine, database: parley.parley.db.config.database, application_name })
    await client.connect()
    return client
  }
  const ask = async <Row extends pg.QueryResultRow>(machine: pg.ClientConfig, text: string) => {
    const client = await open(machine)
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  const machineOf = ({ port }: { port: number }) => {
    const found = workers.find((worker) => worker.port === port)
    if (!found) throw new Error(`no worker has the port ${port}`)
    return found
  }
  const send = async (fields: object = {}) => {
    const body = { topicId, text: `Message ${++sent}`, ...fields }
    const answer = await call(parley.url, bot.credentials, 'POST', '/v2/messages', { body })
    expect(answer.status).toBe(201)
    return Object(answer.body).id as string
  }
  const texts = async () => {
    const { rows } = await coordinator.query<{ text: string }>(
      'select text from messages where org_id = $1 and topic_id = $2 order by id',
      [org, topicId],
    )
    return rows.map(({ text }) => text)
  }
  const expectAll = async () =>
    expect(await texts()).toEqual(Array.from({ length: sent }, (_, number) => `Message ${number + 1}`))
  const findHome = async (orgId: string) => {
    const { rows } = await coordinator.query<typeof home>(
      `select s.shardid as "group", n.nodename as host, n.nodeport as port from pg_dist_shard s
       join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
       where s.shardid = get_shard_id_for_distribution_column('organization_logs', $1::uuid)`,
      [orgId],
    )
    if (!rows[0]) throw new Error('the organization is nowhere')
    return rows[0]
  }

  beforeAll(async () => {
    parley = await startTestParley()
    coordinator = await open(cluster?.[0] ?? {})
    org = await organization(parley)
    bot = await staticBot(parley, org)
    const made = await call(parley.url, bot.credentials, 'POST', '/v2/topics', {
      body: { name: 'Records', members: [] },
    })
    topicId = Object(made.body).id
    home = await findHome(org)
  })
  afterAll(async () => {
    await coordinator.end()
    await parley.close()
  })

  it('are made by the first message, on the machine of the group, and name its tables alone', async () => {
    await send()
    const copies = await ask<{ name: string; text: string }>(machineOf(home), COPIES)
    expect(copies.map(({ name }) => name)).toEqual(
      [
        'addresses_of',
        'append_events',
        'audience_of',
        'close_audience_blocks',
        'insert_messages',
        'write_messages',
      ].map((name) => `${name}_${home.group}`),
    )
    const spread = [...(await readPlacements(parley.parley.db))].filter(([, place]) => place === 'spread')
    for (const { name, text } of copies) {
      for (const [table] of spread)
        expect(text, name).not.toMatch(new RegExp(`\\b(from|join|into|update|delete from) ${table}\\b`))
    }
    for (const worker of workers) {
      if (worker.port !== home.port) expect(await ask(worker, COPIES)).toEqual([])
    }
  })

  it('write what plain messages, replies, mentions and repeated requests are', async () => {
    const parentId = await send()
    await send({ parentId })
    const options = { body: { topicId, text: `Message ${++sent}` }, headers: { 'idempotency-key': 'once' } }
    const answers = []
    for (let turn = 0; turn < 2; turn++)
      answers.push(await call(parley.url, bot.credentials, 'POST', '/v2/messages', options))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    await expectAll()
  })

  it('wait for the lock of a group that is moved', async () => {
    const worker = await open(machineOf(home))
    await worker.query('begin')
    await worker.query('select lock_shard_metadata(7, array[$1::bigint])', [home.group])
    const sending = send()
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%write_messages%' and pid <> pg_backend_pid()`
    await eventually(async () => (await ask(machineOf(home), waiting)).length).toBeGreaterThan(0)
    await worker.query('commit')
    await worker.end()
    await sending
    await expectAll()
  })

  it('follow the group to another machine, and write nothing where it was', async () => {
    const target = workers.find(({ port }) => port !== home.port)
    if (!target) throw new Error('a cluster for tests has several workers')
    const places = [home.host, home.port, target.host, target.port]
    const moving = coordinator.query('select citus_move_shard_placement($1, $2, $3, $4, $5)', [
      home.group,
      ...places,
    ])
    let isMoved = false
    moving
      .finally(() => {
        isMoved = true
      })
      .catch(() => {})
    while (!isMoved) await send()
    await moving
    await send()
    await expectAll()
    expect((await ask(machineOf({ port: target.port ?? 0 }), COPIES)).length).toBeGreaterThan(0)
  })

  it('are made again when a function changed', async () => {
    const connected = await open(cluster?.[0] ?? {})
    await applyFunctions(connected, (await readFunctions()).slice(0, 1))
    await connected.end()
    for (const worker of workers) expect(await ask(worker, COPIES)).toEqual([])
    await send()
    await expectAll()
  })
})
