import { escapeLiteral } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Person } from '../contract/people/members.ts'
import { type Sql, sql, toStatement } from '../server/db/sql.ts'
import { listBots } from '../server/queries/bots/bots.ts'
import { type PeopleFilters, peoplePage } from '../server/queries/members/people.ts'
import { organization } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { type Plan, rowsTouched } from './support/plan.ts'
import { vacuumed } from './support/vacuumed.ts'

const MANY = 10_000
const BOTS = 1000
const LIMIT = 50
/**
 * Buffers from the root of an index to a leaf, for the step to the next leaf, and read ahead by a merge of three
 * ranges.
 */
const DESCENT = 12

let server: TestParley
let orgId: string
let admin: TestPerson

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'owner', name: 'Zoë Last', email: 'zoe@example.com' })
  // Names are no order of age, and every tenth has been seen; a third of them is pending, and a few are deleted.
  await server.parley.db.query(sql`
    insert into profiles (org_id, id, kind, name, email, status, role, created_at, updated_at, last_seen_at)
    select ${orgId}, gen_random_uuid()::text, 'user', 'Person ' || lpad((n * 7919 % ${MANY})::text, 5, '0'),
      'p' || n || '@example.com',
      case when n % 1000 = 7 then 'Deleted' when n % 3 = 0 then 'Pending' else 'Active' end,
      case when n % 500 = 1 then 'admin' else 'member' end, n, n, case when n % 10 = 0 then n end
    from generate_series(1, ${MANY}) n`)
  await vacuumed(server.parley.db, ['profiles'])
})
afterAll(() => server.close())

type Page = {
  members: Person[]
  from: number
  total: number
  hasMore: boolean
  nextCursor?: string
  previousCursor?: string
}

async function page(query: string): Promise<Page> {
  const { status, body, text } = await admin.get(`/people/organizations/${orgId}/members?${query}`)
  expect(status, text).toBe(200)
  return Object(body)
}
const ids = ({ members }: Page) => members.map(({ id }) => id)

describe('a list of ten thousand people', () => {
  it('is counted, filtered by role, and sorted by name without regard to case', async () => {
    const all = await page('sort=name&limit=3')
    expect(all).toMatchObject({ from: 0, total: MANY + 1 - 10, hasMore: true })
    expect(all.members.map(({ name }) => name)).toEqual(['Person 00000', 'Person 00001', 'Person 00002'])
    const last = await page('sort=name&order=desc&limit=1')
    expect(last.members[0]).toMatchObject({ id: admin.profileId, lastSeenAt: expect.any(Number) })
    expect(await page('role=admin')).toMatchObject({ total: 20, hasMore: false })
    expect(await page('role=owner&status=Active')).toMatchObject({ total: 1 })
    expect(await page('search=p77%40')).toMatchObject({ total: 1 })
    expect((await page('status=Deleted&limit=5')).total).toBe(10)
  })

  it('has who was here last first, and who was never here last', async () => {
    const newest = await page('sort=lastSeen&order=desc&limit=2')
    expect(newest.members[0]?.id).toBe(admin.profileId)
    expect(newest.members[1]?.lastSeenAt).toBe(MANY)
    const never = await page('sort=lastSeen&limit=1')
    expect(never.members[0]?.lastSeenAt).toBeUndefined()
  })

  it.each([
    'sort=name',
    'sort=name&order=desc',
    'sort=lastSeen',
    'sort=lastSeen&order=desc',
    'sort=createdAt',
    'sort=createdAt&order=desc&status=Active',
    'search=99',
  ])('is turned forwards and backwards: %s', async (query) => {
    const first = await page(`${query}&limit=20`)
    const second = await page(`limit=20&cursor=${first.nextCursor}`)
    const third = await page(`limit=20&cursor=${second.nextCursor}`)
    expect([first.from, second.from, third.from]).toEqual([0, 20, 40])
    expect(first.previousCursor).toBeUndefined()
    expect(new Set([...ids(first), ...ids(second), ...ids(third)]).size).toBe(60)
    const back = await page(`limit=20&cursor=${third.previousCursor}`)
    expect(ids(back)).toEqual(ids(second))
    expect(back).toMatchObject({ from: 20, total: first.total, hasMore: true })
    const start = await page(`limit=20&cursor=${back.previousCursor}`)
    expect(ids(start)).toEqual(ids(first))
    expect(start.from).toBe(0)
    expect(start.previousCursor).toBeUndefined()
    expect(ids(await page(`limit=20&cursor=${start.nextCursor}`))).toEqual(ids(second))
  })

  it('ends where the last page ends', async () => {
    const end = await page('sort=name&order=desc&limit=1')
    const before = await page(`limit=3&cursor=${end.nextCursor}`)
    const back = await page(`limit=3&cursor=${before.previousCursor}`)
    expect(back).toMatchObject({ from: 0, members: [{ id: admin.profileId }], hasMore: true })
  })

  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

  /** Runs the server's own statement, and returns what it touched in the table of profiles. */
  async function costOf(filters: PeopleFilters, start: Parameters<typeof peoplePage>[2]) {
    const { text, values } = toStatement(peoplePage({ orgId }, filters, start, LIMIT + 1))
    const literals = values
      .map((value) =>
        Array.isArray(value)
          ? `array[${value.map((one) => escapeLiteral(one))}]`
          : escapeLiteral(String(value)),
      )
      .join(', ')
    const client = await server.parley.db.pool.connect()
    try {
      await client.query(`prepare page as ${text}`)
      const { rows } = await client.query(
        `explain (analyze, buffers, timing off, format json) execute page(${literals})`,
      )
      const plan: Plan = rows[0]['QUERY PLAN'][0].Plan
      const scans = nodes(plan).filter((node) => node['Relation Name'] === 'profiles')
      const sum = (of: (scan: Plan) => number) => scans.reduce((total, scan) => total + of(scan), 0)
      return {
        touched: rowsTouched(plan, 'profiles'),
        buffers: sum((scan) => scan['Shared Hit Blocks'] + scan['Shared Read Blocks']),
      }
    } finally {
      await client.query('deallocate page')
      client.release()
    }
  }

  const statuses: PeopleFilters['statuses'] = ['Pending', 'Active', 'Archived']
  const orders: [PeopleFilters['sort'], key: string | number][] = [
    ['name', 'person 05000'],
    ['createdAt', MANY / 2],
    ['lastSeen', MANY / 2],
  ]
  // The plan of a cluster has that of the machine with the rows inside of it, in words of its own.
  it.skipIf(inject('cluster') !== null).each(orders)(
    'costs the same at any page, by %s',
    async (sort, middle) => {
      for (const order of ['asc', 'desc'] as const) {
        const filters: PeopleFilters = { statuses, sort, order }
        const first = await costOf(filters, undefined)
        // Each of three states may fill the whole page.
        expect(first.touched).toBeLessThanOrEqual(3 * (LIMIT + 1))
        for (const isBackwards of [false, true]) {
          const deep = await costOf(filters, { at: [middle, ''], isBackwards })
          expect(deep.touched).toBeLessThanOrEqual(3 * (LIMIT + 1))
          expect(deep.buffers).toBeLessThanOrEqual(first.touched + DESCENT)
        }
      }
    },
  )
})

describe('a list of a thousand bots', () => {
  let botsOrgId: string
  let keeper: TestPerson

  beforeAll(async () => {
    botsOrgId = await organization(server, 'Robots')
    keeper = await signInAs(server, {
      orgId: botsOrgId,
      role: 'admin',
      name: 'Kim',
      email: 'kim@example.com',
    })
    await server.parley.db.query(sql`
      with made as (
        insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
        select ${botsOrgId}, 'b@' || gen_random_uuid(), 'bot', 'Bot ' || lpad((n * 7919 % ${BOTS})::text, 4, '0'), 'Active', n, n
        from generate_series(1, ${BOTS}) n
        returning org_id, id, created_at
      )
      insert into bots (org_id, id, credential, permission, scopes, secret, key_hint, delivery, webhook_url, created_at, updated_at)
      select org_id, id, 'static', 'write', '{}', '', '', 'webhook', 'https://example.com/' || created_at, created_at, created_at
      from made`)
    await vacuumed(server.parley.db, ['profiles', 'bots'])
  })

  const found = async (query: string) => {
    const { status, body, text } = await keeper.get(`/people/organizations/${botsOrgId}/bots?${query}`)
    expect(status, text).toBe(200)
    return Object(body)
  }

  it('has each of them on one page, and finds any of them by its name', async () => {
    const seen = new Set<string>()
    let query = 'sort=attention&limit=100'
    for (let number = 0; number < BOTS / 100; number += 1) {
      const { bots, nextCursor, total } = await found(query)
      expect(total).toBe(BOTS)
      for (const { id } of bots) seen.add(id)
      query = `limit=100&cursor=${nextCursor}`
    }
    expect(seen.size).toBe(BOTS)
    for (const name of ['Bot 0000', 'Bot 0500', 'Bot 0999']) {
      const { bots } = await found(`search=${encodeURIComponent(name)}&sort=name&limit=20`)
      expect(bots.map((bot: { name: string }) => bot.name)).toEqual([name])
    }
  })

  /** Runs the server's own statement, and returns the rows that it touched. */
  async function costOf(...[filters, start]: [Filters, Start]): Promise<number> {
    const asked: Sql[] = []
    const listener = {
      query: async (query: Sql) => {
        asked.push(query)
        return []
      },
    }
    await listBots(listener, { orgId: botsOrgId }, filters, start, LIMIT + 1)
    const { text, values } = toStatement(asked[0] ?? sql``)
    const { rows } = await server.parley.db.pool.query(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    )
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    expect(plan['Actual Rows']).toBe(LIMIT + 1)
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  type Filters = Parameters<typeof listBots>[2]
  type Start = Parameters<typeof listBots>[3]

  it.each([
    ['name', 'bot 0400', 'bot 0900'],
    ['attention', '3 bot 0400', '3 bot 0900'],
    ['createdAt', 400, 900],
    ['lastSeen', 0, 0],
  ] as const)('costs the same at any page, by %s', async (sort, middle, late) => {
    const filters: Filters = { sort, order: 'asc' }
    const first = await costOf(filters, undefined)
    // All of them are looked through once, and each on the page is read again with its topics and its owner.
    expect(first).toBeLessThan(10 * BOTS)
    // Where few are left, PostgreSQL may prefer to find each by an index, in two steps.
    const most = Math.max(first * 1.1, 2 * BOTS)
    for (const key of [middle, late])
      expect(await costOf(filters, { at: [key, ''], isBackwards: false })).toBeLessThanOrEqual(most)
  })
})

describe('the time of the last visit', () => {
  it('is noted once an hour, in this organization alone', async () => {
    const elsewhere = await organization(server, 'Elsewhere')
    const there = await signInAs(server, { orgId: elsewhere, role: 'owner', name: 'Eve', email: admin.email })
    const seen = async (inside: string, id: string) =>
      (
        await server.parley.db.query<{ at: number | null }>(sql`
          select last_seen_at as at from profiles where org_id = ${inside} and id = ${id}`)
      )[0]?.at
    await page('limit=1')
    const before = await seen(orgId, admin.profileId)
    server.clock.ahead += 59 * 60_000
    await page('limit=1')
    expect(await seen(orgId, admin.profileId)).toBe(before)
    server.clock.ahead += 2 * 60_000
    await page('limit=1')
    expect(await seen(orgId, admin.profileId)).toBeGreaterThan(Number(before))
    expect(await seen(elsewhere, there.profileId)).toBeNull()
  })
})
