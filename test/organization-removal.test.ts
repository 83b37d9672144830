import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginRemoval, removeShutOut } from '../server/actions/organization/organization-removal.ts'
import { listOrganizations } from '../server/cli/find.ts'
import { BACKUP_LOCK } from '../server/db/file-locks.ts'
import { sql, verbatim } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { readOrganizationSize } from '../server/queries/organization/organization-size.ts'
import { listOrganizationTables } from '../server/queries/organization/organization-tables.ts'
import { type StaticTestBot, staticBot } from './support/cast.ts'
import { newOrganization, newThings, type TestOrganization } from './support/console.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, visitor } from './support/people.ts'
import { sendFiles } from './support/uploads.ts'

let server: TestParley
let home: TestOrganization
let doomed: TestOrganization
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  home = await newOrganization(server, 'Lighthouse Labs')
  await newThings(server, home.orgId, home.member)
})
afterAll(() => server.close())
beforeEach(async () => {
  doomed = await newOrganization(server, 'Strangers Ltd')
  await newThings(server, doomed.orgId, doomed.member)
  bot = await staticBot(server, doomed.orgId)
})

const begin = async (orgId = doomed.orgId) =>
  beginRemoval(server.parley.db, {
    orgId,
    name: 'Strangers Ltd',
    size: await readOrganizationSize({ orgId }, server.parley.db),
  })
const goOn = (orgId = doomed.orgId) => removeShutOut(server.parley, orgId)

async function countRows(orgId: string): Promise<Record<string, number>> {
  const { db } = server.parley
  const counts: Record<string, number> = {}
  for (const table of await listOrganizationTables(db)) {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*) as count from ${verbatim(table)} where org_id = ${orgId}`,
    )
    counts[table] = row?.count ?? 0
  }
  return counts
}

const VALUES: Record<string, unknown> = {
  uuid: undefined,
  text: 'x',
  int8: 1,
  int4: 1,
  int2: 1,
  bool: false,
  bytea: Buffer.from('x'),
  jsonb: '{}',
  json: '{}',
  tsvector: 'x',
  float8: 1,
  date: '2026-01-01',
}

/** Puts a row made of the catalog's types into each table that has none of this organization. */
async function fillEmptyTables(orgId: string): Promise<void> {
  const { db } = server.parley
  for (const [table, count] of Object.entries(await countRows(orgId))) {
    if (count > 0 || table === 'organization_removals') continue // the removal itself makes that row
    const columns = await db.query<{ name: string; type: string; rule: string | null }>(sql`
      select a.attname as name, t.typname as type, (
          select pg_get_constraintdef(k.oid) from pg_constraint k
          where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1
        ) as rule
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and (a.attname = 'org_id' or (a.attnotnull and not a.atthasdef))`)
    const values = columns.map(({ name, type, rule }) =>
      // A rule that lists words is named by the first of them.
      name === 'org_id'
        ? orgId
        : (/ARRAY\['(\w+)'/.exec(rule ?? '')?.[1] ??
          VALUES[type] ??
          (type.startsWith('_') ? '{}' : newUuid())),
    )
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const places = columns.map((_, index) => `$${index + 1}`).join(', ')
    const client = await db.pool.connect()
    try {
      await client.query('set session_replication_role = replica') // rows that refer to nothing, without triggers
      await client.query(`insert into ${table} (${names}) values (${places})`, values)
    } finally {
      await client.query('reset session_replication_role')
      client.release()
    }
  }
}

const filesOnDisk = async () =>
  (await readdir(server.parley.config.filesDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe('an organization that is removed', () => {
  it('leaves no row in any table and no file, and takes nothing of another one', async () => {
    const topic = Object(
      (await bot.post('/v2/topics', { name: 'Files', members: [doomed.member.profileId] })).body,
    )
    await sendFiles(bot, { topicId: topic.id }, { content: 'a plan', name: 'plan.txt' })
    const [before] = await server.parley.db.query<{ id: string }>(
      sql`select id from stored_files where org_id = ${doomed.orgId}`,
    )
    expect(await filesOnDisk()).toContain(before?.id)
    await fillEmptyTables(doomed.orgId)
    const full = await countRows(doomed.orgId)
    const empty = Object.keys(full).filter((table) => table !== 'organization_removals' && full[table] === 0)
    expect(empty, 'each table is tried').toEqual([])
    const elsewhere = await countRows(home.orgId)

    await begin()
    await goOn()
    const left = Object.entries(await countRows(doomed.orgId)).filter(([, count]) => count > 0)
    expect(left).toEqual([])
    expect(await filesOnDisk()).toEqual([])
    const { audit_log: audited = 0, events = 0, ...others } = elsewhere
    const { audit_log: auditedNow, events: eventsNow, ...othersNow } = await countRows(home.orgId)
    expect(othersNow).toEqual(others)
    expect([auditedNow, eventsNow], 'the removal itself').toEqual([audited + 1, events + 1])
  })

  it('shuts everybody out at once, on all nodes, also those who wait', async () => {
    const second = await server.secondNode()
    const there = visitor(second.url, doomed.member.cookies)
    const path = `/people/organizations/${doomed.orgId}/chat/start`
    expect((await there.get(path)).status).toBe(200)
    const poll = bot.get('/v2/updates?timeout=30')
    await eventually(async () => server.parley.longPolls.count).toBe(1)
    await begin()
    expect((await poll).status).toBe(401)
    expect((await bot.get('/v2/topics')).status).toBe(401)
    await eventually(async () => (await there.get(path)).status).not.toBe(200)
    const { owner } = doomed
    expect([401, 404]).toContain((await owner.get(`/people/organizations/${doomed.orgId}/members`)).status)
    await goOn()
    expect((await bot.get('/v2/topics')).status).toBe(401)
  })

  it('takes the accounts with it that were only there', async () => {
    const { db } = server.parley
    const both = await signInAs(server, { orgId: home.orgId, name: 'Vera Voss', email: 'vera@example.com' })
    await signInAs(server, { orgId: doomed.orgId, name: 'Vera Voss', email: 'vera@example.com' })
    await begin()
    await goOn()
    const accounts = await db.query<{ id: string }>(sql`
      select id from accounts where id in (${both.accountId}, ${doomed.owner.accountId})`)
    expect(accounts).toEqual([{ id: both.accountId }])
    expect((await both.get(`/people/organizations/${home.orgId}/chat/start`)).status).toBe(200)
    expect((await doomed.owner.get('/people/account')).status).toBe(401)
  })

  it('goes on after a crash, and is in the audit log of the home organization once', async () => {
    const { db, files } = server.parley
    const bots = await bot.post('/v2/topics', { name: 'Files', members: [doomed.member.profileId] })
    await sendFiles(bot, { topicId: Object(bots.body).id }, { content: 'a plan', name: 'plan.txt' })
    await begin()
    const away = vi.spyOn(files.storage, 'remove').mockRejectedValue(new Error('the store is away'))
    await expect(goOn()).rejects.toThrow('the store is away')
    away.mockRestore()
    const listed = (await listOrganizations(db)).find(({ organizationId }) => organizationId === doomed.orgId)
    expect(listed).toMatchObject({ isBeingRemoved: true, people: 0, bots: 0 })
    await begin()
    await goOn()
    expect(await listOrganizations(db)).not.toContainEqual(
      expect.objectContaining({ organizationId: doomed.orgId }),
    )
    const entries = await db.query<{ name: string; changes: { field: string }[] }>(sql`
      select target_name as name, changes from audit_log
      where org_id = ${home.orgId} and action = 'organization.removed' and target_id = ${doomed.orgId}`)
    expect(entries).toMatchObject([{ name: 'Strangers Ltd' }])
    const fields = entries[0]?.changes.map(({ field }) => field)
    expect(fields).toEqual(['people', 'messages', 'files', 'bytes'])
  })

  it('waits for the files that a backup still reads', async () => {
    const { db } = server.parley
    const made = await bot.post('/v2/topics', { name: 'Files', members: [doomed.member.profileId] })
    await sendFiles(bot, { topicId: Object(made.body).id }, { content: 'a plan', name: 'plan.txt' })
    await begin()
    const backup = await db.pool.connect()
    try {
      await backup.query('select pg_advisory_lock($1)', [BACKUP_LOCK])
      await expect(goOn()).rejects.toThrow('1 of its files are still in the store')
      expect((await filesOnDisk()).length).toBeGreaterThan(0)
    } finally {
      await backup.query('select pg_advisory_unlock($1)', [BACKUP_LOCK])
      backup.release()
    }
    await goOn()
    expect(await filesOnDisk()).toEqual([])
  })

  it('is the only one whose audit log can be deleted', async () => {
    const { db } = server.parley
    await expect(db.query(sql`delete from audit_log where org_id = ${home.orgId}`)).rejects.toThrow(
      'the audit log cannot be changed',
    )
    await begin()
    await goOn()
  })
})
