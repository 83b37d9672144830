import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { DAY_MS, forgetOldBudgets, MINUTE_MS, takeFromBudget } from '../server/limits/budget.ts'
import { at, oauthBot, organization, type StaticTestBot, staticBot, tokenFor } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { setRateLimit } from './support/limits.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const SECOND = 1000

let server: TestParley

beforeAll(async () => {
  server = await startTestParley({ rateLimitPerMinute: 20 })
})
afterAll(() => server.close())

/** A bot in its own organization, so that each test has a fresh minute. */
async function botWithLimit(limit: number | null): Promise<StaticTestBot> {
  const orgId = await organization(server)
  await setRateLimit(server, orgId, limit)
  return staticBot(server, orgId)
}

const me = (bot: StaticTestBot) => bot.get('/v2/members/me')
const status = async (bot: StaticTestBot) => (await me(bot)).status

async function spend(bot: StaticTestBot, requests: number): Promise<void> {
  for (let request = 0; request < requests; request++) expect(await status(bot)).toBe(200)
}

async function allowedOf(requests: Promise<Answer>[]): Promise<number> {
  return (await Promise.all(requests)).filter(({ status }) => status === 200).length
}

function limitHeaders({ headers }: Answer) {
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN)
  return {
    limit: number('ratelimit-limit'),
    remaining: number('ratelimit-remaining'),
    reset: number('ratelimit-reset'),
  }
}

const NO_HEADERS = { limit: Number.NaN, remaining: Number.NaN, reset: Number.NaN }

describe('a limited organization', () => {
  it('reads on every answer how much is left', async () => {
    const bot = await botWithLimit(10)
    const answers = [
      await bot.get('/v2/members'),
      await bot.get('/v2/members?limit=0'),
      await bot.get(`/v2/members/${newUuid()}`),
      await bot.post('/v2/topics', {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 400])
    answers.forEach((answer, index) => {
      const { limit, remaining, reset } = limitHeaders(answer)
      expect({ limit, remaining }).toEqual({ limit: 10, remaining: 9 - index })
      expect(reset).toBeGreaterThan(50)
      expect(reset).toBeLessThanOrEqual(60)
    })
  })

  it('is refused beyond its limit, and told when to come back', async () => {
    const bot = await botWithLimit(10)
    await spend(bot, 10)
    const refused = await me(bot)
    expect([refused.status, refused.body]).toEqual([429, 'rate limit exceeded'])
    const { limit, remaining, reset } = limitHeaders(refused)
    expect({ limit, remaining }).toEqual({ limit: 10, remaining: 0 })
    expect(Number(refused.headers.get('retry-after'))).toBe(reset)
    expect(reset).toBeGreaterThan(50)
    expect(reset).toBeLessThanOrEqual(60)
  })

  it('is refused late, once it goes on and on', async () => {
    const bot = await botWithLimit(10)
    await spend(bot, 10)
    const times = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const began = performance.now()
        expect(await status(bot)).toBe(429)
        return performance.now() - began
      }),
    )
    expect(times.filter((time) => time > 490).length).toBeGreaterThanOrEqual(5)
  })

  it('is refused beyond its limit, and not before, when everything comes at once', async () => {
    const [bot, free] = [await botWithLimit(25), await botWithLimit(0)]
    expect(await allowedOf([me(free)])).toBe(1)
    const gate = await server.parley.db.pool.connect()
    await gate.query('begin; lock table budgets')
    const requests = Array.from({ length: 60 }, () => me(bot))
    await eventually(async () => {
      const { rows } = await gate.query(`
        select 1 from pg_locks l join pg_database d on d.oid = l.database
        where not granted and datname = current_database()`)
      return rows.length
    }).toBeGreaterThan(0)
    await me(free) // answered after the others have come in, though they still wait
    await gate.query('commit')
    gate.release()
    expect(await allowedOf(requests)).toBe(25)
  })

  it('has its whole limit again when the minute is over', async () => {
    const bot = await botWithLimit(10)
    await spend(bot, 10)
    server.clock.ahead += 55 * SECOND
    const early = await me(bot)
    expect(early.status).toBe(429)
    expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(5)
    server.clock.ahead += 5 * SECOND
    await spend(bot, 10)
    expect(await status(bot)).toBe(429)
    server.clock.ahead = 0
  })

  it('lets one bot use all of it, and leaves a tenth to every other one', async () => {
    const bot = await botWithLimit(200)
    const [colleague, stranger] = [await staticBot(server, bot.orgId, 'Audit bot'), await botWithLimit(10)]
    await spend(bot, 200)
    expect(await status(bot)).toBe(429)
    expect(limitHeaders(await me(colleague))).toMatchObject({ limit: 200, remaining: 19 })
    await spend(colleague, 19)
    const refused = await me(colleague)
    expect(refused.status).toBe(429)
    expect(limitHeaders(refused)).toMatchObject({ limit: 200, remaining: 0 })
    await spend(stranger, 10)
  })

  it('does not pay for what cannot be shown to be its own', async () => {
    const bot = await botWithLimit(10)
    for (let request = 0; request < 15; request++) {
      const forged = await bot.get('/v2/members/me', { signature: '0'.repeat(64) })
      expect(forged.status).toBe(401)
      expect(limitHeaders(forged)).toEqual(NO_HEADERS)
    }
    expect(limitHeaders(await me(bot))).toMatchObject({ remaining: 9 })
  })

  it('pays once for a poll that waits, from a budget of its own', async () => {
    const bot = await botWithLimit(10)
    expect(limitHeaders(await bot.get('/v2/updates?timeout=1'))).toMatchObject({ limit: 10, remaining: 9 })
    expect(limitHeaders(await me(bot))).toMatchObject({ remaining: 9 })
    expect(limitHeaders(await bot.get('/v2/updates'))).toMatchObject({ remaining: 8 })
  })
})

describe('the setting', () => {
  it('of the server counts where the organization has none', async () => {
    const bot = await botWithLimit(null)
    expect(limitHeaders(await me(bot))).toMatchObject({ limit: 20, remaining: 19 })
  })

  it('of 0 means no limit, and then there are no headers', async () => {
    const bot = await botWithLimit(0)
    expect(await allowedOf(Array.from({ length: 40 }, () => me(bot)))).toBe(40)
    expect(limitHeaders(await me(bot))).toEqual(NO_HEADERS)

    const node = await server.secondNode({ rateLimitPerMinute: 0 })
    const unlimited = at(node.url, await botWithLimit(null))
    expect(await allowedOf(Array.from({ length: 40 }, () => me(unlimited)))).toBe(40)
    const limited = at(node.url, await botWithLimit(3))
    await spend(limited, 3)
    expect(await status(limited)).toBe(429)
  })

  it('can be raised while the server runs', async () => {
    const bot = await botWithLimit(5)
    await spend(bot, 5)
    expect(await status(bot)).toBe(429)
    await setRateLimit(server, bot.orgId, 8)
    await eventually(() => status(bot)).toBe(200)
    await spend(bot, 2)
    expect(await status(bot)).toBe(429)
  })

  it('can be lowered while the server runs', async () => {
    const bot = await botWithLimit(100)
    await spend(bot, 10)
    await setRateLimit(server, bot.orgId, 5)
    await eventually(() => status(bot)).toBe(429)
    expect(limitHeaders(await me(bot))).toMatchObject({ limit: 5, remaining: 0 })
  })

  it('can be taken away while the server runs', async () => {
    const bot = await botWithLimit(1)
    await spend(bot, 1)
    expect(await status(bot)).toBe(429)
    await setRateLimit(server, bot.orgId, 0)
    await eventually(() => status(bot)).toBe(200)
    await spend(bot, 20)
  })
})

describe('two nodes', () => {
  const LIMIT = 200

  it('share one limit, when both are busy', async () => {
    const bot = await botWithLimit(LIMIT)
    const nodes = [bot, at((await server.secondNode()).url, bot)]
    let allowed = 0
    for (let round = 0; round < 12; round++) {
      allowed += await allowedOf(nodes.flatMap((node) => Array.from({ length: 10 }, () => me(node))))
    }
    expect(allowed).toBeGreaterThanOrEqual(0.9 * LIMIT)
    expect(allowed).toBeLessThanOrEqual(LIMIT)
  })

  it('share one limit, when one of them is idle', async () => {
    const bot = await botWithLimit(LIMIT)
    const abroad = at((await server.secondNode()).url, bot)
    expect(await status(abroad)).toBe(200)
    const allowed = 1 + (await allowedOf(Array.from({ length: 240 }, () => me(bot))))
    expect(allowed).toBeGreaterThanOrEqual(0.9 * LIMIT)
    expect(allowed).toBeLessThanOrEqual(LIMIT)
  })
})

describe('counting', () => {
  /** Every statement of the server goes over a connection that it takes from its pool. */
  async function connectionsTakenDuring(work: () => Promise<void>): Promise<number> {
    const { pool } = server.parley.db
    let taken = 0
    const count = () => {
      taken += 1
    }
    pool.on('acquire', count)
    await work()
    pool.off('acquire', count)
    return taken
  }

  it('does not ask the database', async () => {
    const orgId = await organization(server)
    await setRateLimit(server, orgId, 1_000_000)
    const bot = await oauthBot(server, orgId)
    const token = await tokenFor(server.url, bot.clientId, bot.clientSecret, 'task:read')
    // Refused for want of a scope, which comes after the limit: nothing is left that could ask the database.
    const refused = () => call(server.url, { token }, 'GET', '/v2/members/me')
    const hundred = async () => {
      for (let request = 0; request < 100; request++) expect((await refused()).status).toBe(403)
    }
    const before = limitHeaders(await refused()).remaining
    // Once, news of the bots above may still arrive and make the server look again.
    await eventually(() => connectionsTakenDuring(hundred)).toBe(0)
    expect(before - limitHeaders(await refused()).remaining).toBeGreaterThan(100)
    // The first request of an hour records the visit as well.
    await eventually(() => connectionsTakenDuring(async () => void (await bot.get('/v2/members/me')))).toBe(1)
  })
})

describe('a budget', () => {
  it('is forgotten when its own time is over: one of a minute long before one of a day', async () => {
    const { db, clock } = server.parley
    await takeFromBudget(db, clock, 'of a minute', 10)
    await takeFromBudget(db, clock, 'of a day', 10, 1, DAY_MS)
    const keptAfter = async (milliseconds: number) => {
      await forgetOldBudgets(db, clock() + milliseconds, 1000)
      const rows = await db.query<{ name: string }>(
        sql`select name from budgets where name like 'of a %' order by name`,
      )
      return rows.map(({ name }) => name)
    }
    expect(await keptAfter(MINUTE_MS)).toEqual(['of a day', 'of a minute'])
    expect(await keptAfter(3 * MINUTE_MS)).toEqual(['of a day'])
    expect(await keptAfter(DAY_MS)).toEqual(['of a day'])
    expect(await keptAfter(DAY_MS + 3 * MINUTE_MS)).toEqual([])
  })
})
