import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '../server/db/migrate.ts'
import { moveOrganization } from '../server/db/move.ts'
import { spread } from '../server/db/spread.ts'
import { newUuid } from '../server/ids.ts'
import { UNSEEN } from '../server/long-work.ts'
import { createWithExtension, removeOnCluster } from './support/cluster.ts'

/* Needs a cluster: CITUS_URL names its coordinator, and a database there that knows the workers. Without it, all of this is skipped. */
const cluster = inject('cluster')

const ORGANIZATIONS = 20
const MESSAGES = 2000
const TABLES = ['organizations', 'organization_logs', 'profiles', 'topics', 'topic_members', 'messages']

describe.skipIf(!cluster)('a filled database on a cluster', () => {
  const database = `filled_${newUuid().replaceAll('-', '')}`
  let connection: pg.ClientConfig
  let client: pg.Client
  let before: unknown

  const contents = async () => {
    const rows: unknown[] = []
    for (const table of TABLES) {
      const found = await client.query(
        `select count(*), md5(string_agg(md5(t::text), '' order by md5(t::text))) from ${table} t`,
      )
      rows.push({ table, ...found.rows[0] })
    }
    return rows
  }

  beforeAll(async () => {
    connection = await createWithExtension(cluster ?? [], database)
    await migrate(connection)
    client = new pg.Client(connection)
    await client.connect()
    await client.query(`
      create temporary table o as select gen_random_uuid() as org_id, n from generate_series(1, ${ORGANIZATIONS}) n;
      insert into organizations (org_id, name, created_at, updated_at) select org_id, 'Organization ' || n, 1, 1 from o;
      insert into organization_logs (org_id) select org_id from o;
      insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
        select org_id, org_id, 'user', 'Ada', 'Active', 1, 1 from o;
      insert into topics (org_id, id, type, name, created_by, created_at, updated_at)
        select org_id, org_id, 'topic', 'General', org_id, 1, 1 from o;
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
        select org_id, org_id, org_id, 1, 1 from o;
      insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, created_at, updated_at)
        select o.org_id, gen_random_uuid(), o.org_id, o.org_id, 'text', 'Message ' || m, '{}', m, m
        from generate_series(1, ${MESSAGES}) m join o on o.n = 1 + m % ${ORGANIZATIONS};
      drop table o`)
    before = await contents()
  })

  afterAll(async () => {
    await client.end()
    await removeOnCluster(cluster ?? [], database)
  })

  it('goes on where it was interrupted, and is equal afterwards', async () => {
    let places = 0
    const advance = () => {
      places += 1
      if (places === 30) throw new Error('the power went out')
    }
    const interrupted = spread(connection, { ...UNSEEN, advance })
    await expect(interrupted).rejects.toThrow('the power went out')
    expect(await spread(connection)).toBeGreaterThan(20)
    expect(await contents()).toEqual(before)
    expect(await spread(connection)).toBe(0)
  })

  it('has its organizations on all workers, the keys that can be kept, and a version that moves with memberships', async () => {
    const { rows } = await client.query(`
      select count(distinct nodeport)::int as machines from citus_shards where table_name = 'messages'::regclass`)
    expect(rows).toEqual([{ machines: (cluster?.length ?? 0) - 1 }])
    const left = await client.query(
      `select table_name from spreading where kind = 'key' and left_out is not null order by 1`,
    )
    expect(left.rows.map(({ table_name }) => table_name)).toEqual([
      'api_keys',
      'assistant_tokens',
      'bot_directory',
      'incoming_tokens',
      'invitations',
      'topics',
    ])
    const [organization] = (await client.query('select org_id from organizations limit 1')).rows
    const version = async () =>
      (
        await client.query('select membership_version::int as v from organization_logs where org_id = $1', [
          organization.org_id,
        ])
      ).rows[0].v
    const was = await version()
    await client.query(`update profiles set name = 'Eve' where org_id = $1`, [organization.org_id])
    await client.query('delete from topic_members where org_id = $1', [organization.org_id])
    expect(await version()).toBe(was + 2)
  })

  it('has an organization alone on a machine when it was moved there, with all that it had', async () => {
    const was = await contents()
    const [organization] = (await client.query('select org_id from organizations order by 1 limit 1')).rows
    const workers = (cluster ?? []).slice(1).map(({ host, port }) => `${host}:${port}`)
    const move = (to: string) => moveOrganization(connection, organization.org_id, to)
    await expect(move('nowhere:1')).rejects.toThrow(`nowhere:1. There are: ${workers.join(', ')}`)
    for (const worker of workers) {
      const { to } = await move(worker)
      expect(to).toMatchObject({ machine: worker, isAlone: true })
    }
    expect(await contents()).toEqual(was)
  })
})
