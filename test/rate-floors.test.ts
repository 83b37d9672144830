import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../fuzz/random.ts'
import type { Queryable } from '../server/db/database.ts'
import { newUuid } from '../server/ids.ts'
import { floorOf } from '../server/limits/floors.ts'
import { type Bot, RateLimiter } from '../server/limits/rate-limiter.ts'
import { inTimeOf, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { setRateLimit } from './support/limits.ts'
import { mailsTo } from './support/mails.ts'
import { connectAssistant, toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { countOf } from './support/thorough.ts'

/** Another seed draws other sequences: `FLOOR_SEED=7 npx vitest run test/rate-floors.test.ts`. */
const SEED = Number(process.env.FLOOR_SEED ?? 1)
const MINUTE_MS = 60_000
/** Fewer than those after which a refusal is held back. */
const MAX_REFUSALS = 15

let server: TestParley

beforeAll(async () => {
  server = await startTestParley({ rateLimitPerMinute: 0 })
})
afterAll(() => server.close())

const newBots = (count: number): Bot[] => {
  const orgId = newUuid()
  return Array.from({ length: count }, () => ({ orgId, botId: `b@${newUuid()}` }))
}

/** Limiters of as many nodes, with a clock that the test moves. */
function nodes(count: number, onCrowdedOut?: (bot: Bot) => void) {
  const clock = { now: 1_800_000_000_000 }
  const running = new Set<Promise<unknown>>()
  const cost = { statements: 0 }
  const db: Queryable = {
    query: (query) => {
      cost.statements += 1
      const result = server.parley.db.query<never>(query)
      running.add(result)
      return result.finally(() => running.delete(result))
    },
  }
  const limiters = Array.from({ length: count }, () => new RateLimiter(db, () => clock.now, onCrowdedOut))
  const take = async (node: number, limit: number, bot: Bot) => {
    const limiter = limiters[node % count]
    if (!limiter) throw new Error('there is no such node')
    return limiter.take(bot.orgId, limit, bot)
  }
  /** How many of this bot's requests one node after the other allows, until each of them has refused it. */
  async function takeAll(limit: number, bot: Bot): Promise<number> {
    const isRefused = limiters.map(() => false)
    let allowed = 0
    while (isRefused.includes(false)) {
      for (let node = 0; node < count; node++) {
        if (isRefused[node]) continue
        if ((await take(node, limit, bot)).allowed) allowed += 1
        else isRefused[node] = true
      }
    }
    return allowed
  }
  /** Moves the clock once no earlier statement is running. */
  async function pass(ms: number): Promise<void> {
    await Promise.all(running)
    clock.now += ms
  }
  return { clock, cost, pass, take, takeAll }
}

describe('one bot alone', () => {
  it('may use the whole figure, and nothing beyond it', async () => {
    for (const limit of [1, 5, 9, 10, 11, 99, 100, 101, 1000]) {
      const [bot] = newBots(1)
      if (!bot) throw new Error('there is one')
      expect(await nodes(1).takeAll(limit, bot), `a limit of ${limit}`).toBe(limit)
    }
  })

  it('has no more on three nodes', async () => {
    const [bot] = newBots(1)
    if (!bot) throw new Error('there is one')
    expect(await nodes(3).takeAll(300, bot)).toBe(300)
  })
})

it(`refuses a bot only beyond the figure and its floor, whatever comes in which order (FLOOR_SEED=${SEED})`, async () => {
  for (let run = 0; run < countOf(5, 15); run++) {
    const random = new Random(SEED, run)
    const limit = random.pick([3, 10, 12, 40, 150])
    const bots = newBots(random.integer(1, 6))
    const { clock, pass, take } = nodes(1)
    let endsAt = 0
    let ofAll = 0
    let used = new Map<string, number>()
    let refused = new Map<string, number>()
    for (let request = 0; request < 400; request++) {
      if (random.chance(0.02)) await pass(random.integer(1, MINUTE_MS))
      if (clock.now >= endsAt) {
        endsAt = clock.now + MINUTE_MS
        ofAll = 0
        used = new Map()
        refused = new Map()
      }
      // The first bot sends most.
      const bot = random.chance(0.6) ? bots[0] : random.pick(bots)
      if (!bot || (refused.get(bot.botId) ?? 0) >= MAX_REFUSALS) continue
      const own = used.get(bot.botId) ?? 0
      const { allowed, remaining, resetMs } = await take(0, limit, bot)
      expect(resetMs).toBe(endsAt - clock.now)
      const isExpected = ofAll < limit || own < floorOf(limit)
      expect({ run, request, allowed }).toEqual({ run, request, allowed: isExpected })
      if (!allowed) {
        refused.set(bot.botId, (refused.get(bot.botId) ?? 0) + 1)
        expect(remaining).toBe(0)
        continue
      }
      if (ofAll < limit) ofAll += 1
      used.set(bot.botId, own + 1)
      expect(remaining).toBe(Math.max(limit - ofAll, floorOf(limit) - own - 1, 0))
    }
  }
})

describe('several nodes', () => {
  it('hold the floor of each bot, and do not multiply it', async () => {
    for (const count of [2, 3, 6, 12]) {
      const [wild, quiet] = newBots(2)
      if (!wild || !quiet) throw new Error('there are two')
      const { takeAll } = nodes(count)
      await takeAll(100, wild)
      const allowed = await takeAll(100, quiet)
      expect(allowed, `${count} nodes`).toBeGreaterThanOrEqual(floorOf(100))
      expect(allowed, `${count} nodes`).toBeLessThanOrEqual(2 * floorOf(100))
    }
  })

  it('give a bot no floor where it has used more on another one', async () => {
    const [wild] = newBots(1)
    if (!wild) throw new Error('there is one')
    const { take } = nodes(2)
    while ((await take(0, 100, wild)).allowed);
    // The second node has learned it from the database.
    await eventually(async () => (await take(1, 100, wild)).allowed).toBe(false)
    expect((await take(1, 100, wild)).allowed).toBe(false)
  })
})

it('twenty bots cost no statement more than one, and floors one for each share', async () => {
  const bots = newBots(20)
  const { cost, take } = nodes(1)
  for (let request = 0; request < 1000; request++) {
    const bot = bots[request % bots.length]
    if (bot) expect((await take(0, 1000, bot)).allowed).toBe(true)
  }
  // A share is a twentieth, and the last attempt finds nothing.
  expect(cost.statements).toBeLessThanOrEqual(21)
  const before = cost.statements
  const [bot] = bots
  for (let request = 0; bot && request < 50; request++) expect((await take(0, 1000, bot)).allowed).toBe(true)
  expect(cost.statements - before).toBeLessThanOrEqual(4)
})

it('names the bot that used more than half of a budget, and none if several shared it', async () => {
  const named: string[] = []
  const bots = newBots(2)
  const [wild, quiet] = bots
  if (!wild || !quiet) throw new Error('there are two')
  const { takeAll } = nodes(1, ({ botId }) => named.push(botId))
  await takeAll(100, wild)
  await eventually(async () => named).toEqual([wild.botId])
  await takeAll(100, quiet)
  expect(named).toEqual([wild.botId])

  const shared: string[] = []
  const [one, other] = newBots(2)
  if (!one || !other) throw new Error('there are two')
  const together = nodes(1, ({ botId }) => shared.push(botId))
  for (let request = 0; request < 50; request++)
    for (const bot of [one, other]) expect((await together.take(0, 100, bot)).allowed).toBe(true)
  for (const bot of [one, other]) expect((await together.take(0, 100, bot)).allowed).toBe(false)
  await together.takeAll(100, one)
  expect(shared).toEqual([])
})

describe('a bot that runs wild', () => {
  const LIMIT = 20
  let cast: ChatCast
  let wild: StaticTestBot

  const me = (bot: StaticTestBot) => bot.get('/v2/members/me')
  async function useUp(bot: StaticTestBot): Promise<void> {
    await eventually(async () => (await me(bot)).status).toBe(429)
  }
  const told = async () =>
    (await mailsTo(server, cast.ada.email)).filter(({ subject }) => subject.includes('uses up the requests'))

  beforeAll(async () => {
    cast = await chatCast(server)
    wild = inTimeOf(server, await staticBot(server, cast.orgId, 'Wild'))
    await setRateLimit(server, cast.orgId, LIMIT)
  })
  afterAll(() => cast.close())

  it('keeps no bot from its events, by a poll, a confirmation or a tool that reads', async () => {
    const quiet = await staticBot(server, cast.orgId, 'Quiet')
    await useUp(wild)
    for (const bot of [wild, quiet]) {
      const client = await connectAssistant(bot)
      for (let poll = 0; poll < 3; poll++) expect((await bot.get('/v2/updates')).status).toBe(200)
      expect((await bot.post(`/v2/messages/${newUuid()}/delivered`)).status).toBe(404)
      expect((await bot.post(`/v2/messages/${newUuid()}/read`)).status).toBe(404)
      await toolValue(client, 'list_topics', {})
      await client.close()
    }
    const client = await connectAssistant(wild)
    const refused = await client.callTool({ name: 'create_topic', arguments: { name: 'More', members: [] } })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('rate limit') }],
    })
    await client.close()
  })

  it('is mailed to admins and its owner, once in an hour', async () => {
    await useUp(wild)
    await eventually(async () => (await told()).length).toBe(1)
    const [mail] = await told()
    expect(mail?.text).toContain(`/console/${cast.orgId}/bots/${wild.id}`)
    server.clock.ahead += MINUTE_MS
    await useUp(wild)
    server.clock.ahead += 60 * MINUTE_MS
    await useUp(wild)
    await eventually(async () => (await told()).length).toBe(2)
    const audit = await cast.ada.get(`/people/organizations/${cast.orgId}/audit?targetId=${wild.id}`)
    const entries: { action: string; actor: { kind: string } }[] = Object(audit.body).entries
    expect(entries.filter(({ action }) => action === 'bot.rate_limit_used_up')).toMatchObject([
      { actor: { kind: 'server' } },
      { actor: { kind: 'server' } },
    ])
    server.clock.ahead = 0
  })
})

it('an organization in which one bot runs wild leaves the others of the server alone', async () => {
  const [busy, calm] = [await organization(server), await organization(server)]
  for (const orgId of [busy, calm]) await setRateLimit(server, orgId, 10)
  const [wild, stranger] = [await staticBot(server, busy), await staticBot(server, calm)]
  await eventually(async () => (await wild.get('/v2/members/me')).status).toBe(429)
  for (let request = 0; request < 10; request++)
    expect((await stranger.get('/v2/members/me')).status).toBe(200)
})
