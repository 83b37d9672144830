import { expect, it } from 'vitest'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import { BotBudgets, dayOf } from '../../server/limits/bot-budgets.ts'
import { atAnyTime, RacingDatabase, race, type Scheduler, settle } from './support.ts'

const BOT = { orgId: '11111111-1111-4111-8111-111111111111', botId: 'deploy' }
const DAY_MS = 86_400_000
/** The documented time after which a refusing count is read again. */
const READ_AGAIN_MS = 1000

type Moment = { at: number; day: number; counts: number[] }

/** The usage of one bot in a database, two nodes that add to it, and what each node can know of it at every moment. */
class World {
  now = 20_000 * DAY_MS - 2000
  budget = { messagesPerDay: 2, tokensPerDay: 100 }
  tokens = 0
  /** Messages taken and not given back, by day. */
  readonly taken = new Map<number, number>()
  most = 0
  readonly written = new Map<number, number>()
  readonly nodes: BotBudgets[]
  isDown = false
  readonly #moments: Moment[] = []
  /** Messages taken at each node and not yet stored, by day. */
  readonly #unwritten = [new Map<number, number>(), new Map<number, number>()]
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.nodes = [0, 1].map((number) => {
      const db = new RacingDatabase(scheduler, (statement) => this.#answer(number, statement))
      return new BotBudgets(
        db,
        () => this.now,
        async () => {},
      )
    })
    this.#note()
  }

  take(number: number, { givesBack = false } = {}): Promise<void> {
    return atAnyTime(this.#scheduler, `take at node ${number}`, async () => {
      const since = this.now - READ_AGAIN_MS
      const { messagesPerDay } = this.budget
      const wasOverTokens = this.tokens >= this.budget.tokensPerDay
      const giveBack = await this.node(number)
        .take(BOT, this.budget)
        .catch(() => undefined)
      if (giveBack) {
        expect(wasOverTokens, 'tokens that were reported before count').toBe(false)
        const day = dayOf(this.now)
        this.#add(number, day, 1)
        if (!givesBack) return
        await this.#scheduler.schedule(Promise.resolve(), 'give back')
        giveBack()
        this.#add(number, day, -1)
        return
      }
      if (this.tokens >= this.budget.tokensPerDay) return
      const seen = this.#moments.filter(
        ({ day }, index) => day === dayOf(this.now) && this.#endOf(index) >= since,
      )
      expect(Math.max(...seen.map(({ counts }) => counts[number] ?? 0))).toBeGreaterThanOrEqual(
        messagesPerDay,
      )
    })
  }

  settle(number: number): Promise<void> {
    return atAnyTime(this.#scheduler, `settle node ${number}`, () =>
      this.node(number)
        .settle()
        .catch(() => {}),
    )
  }

  /** The bot reports tokens to the first node. */
  report(tokens: number): Promise<void> {
    return atAnyTime(this.#scheduler, 'report tokens', () => {
      this.tokens += tokens
      this.node(0).forget(BOT)
    })
  }

  pass(milliseconds: number): Promise<void> {
    return atAnyTime(this.#scheduler, `${milliseconds} ms later`, () => {
      this.now += milliseconds
      this.#note()
    })
  }

  node(number: number): BotBudgets {
    const node = this.nodes[number]
    if (!node) throw new Error('there are two nodes')
    return node
  }

  #endOf(index: number): number {
    return this.#moments[index + 1]?.at ?? Number.POSITIVE_INFINITY
  }

  #add(number: number, day: number, change: number): void {
    for (const counts of [this.taken, this.#unwritten[number]])
      counts?.set(day, (counts.get(day) ?? 0) + change)
    this.most = Math.max(this.most, this.taken.get(day) ?? 0)
    this.#note()
  }

  #note(): void {
    const day = dayOf(this.now)
    const counts = this.#unwritten.map(
      (unwritten) => (this.written.get(day) ?? 0) + (unwritten.get(day) ?? 0),
    )
    this.#moments.push({ at: this.now, day, counts })
  }

  #answer(number: number, { text, values }: Statement): Row[] {
    if (!text.includes('insert into bot_usage')) return [this.#usageOn(Number(values[2]))]
    if (this.isDown) {
      this.isDown = false
      throw new Error('the database is away')
    }
    const [, , days, changes] = values
    if (!Array.isArray(days) || !Array.isArray(changes)) throw new Error('days and messages are lists')
    return days.map((day: number, index) => {
      const change = Number(changes[index])
      this.written.set(day, Math.max(0, (this.written.get(day) ?? 0) + change))
      const unwritten = this.#unwritten[number]
      unwritten?.set(day, (unwritten.get(day) ?? 0) - change)
      this.#note()
      return { ...BOT, day, ...this.#usageOn(day) }
    })
  }

  #usageOn(day: number): { messages: number; tokens: number } {
    return { messages: this.written.get(day) ?? 0, tokens: this.tokens }
  }
}

/** Stores everything that was taken. */
const settleAll = (scheduler: Scheduler, world: World) => async () => {
  world.isDown = false
  const settled = Promise.all(world.nodes.map((node) => node.settle()))
  await settle(scheduler)
  await settled
  for (const [day, messages] of world.taken) expect(world.written.get(day) ?? 0).toBe(messages)
}

it('takes exactly what one node may take, whatever is read, added and reported in between', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    world.isDown = true
    const takes = [false, true, false, false, true, false].map((givesBack) => world.take(0, { givesBack }))
    const settles = [world.settle(0), world.settle(0), world.settle(0)]
    return [
      ...[...takes, ...settles, world.report(60), world.report(60), world.pass(1100)],
      () => expect(world.most).toBeLessThanOrEqual(2),
      settleAll(scheduler, world),
    ]
  })
})

it('counts nothing twice that is read while it is added, and misses no report', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const beside = () => [world.settle(0), world.settle(0), world.report(1), world.take(0), world.take(0)]
    const reported = () => world.report(200).then(() => world.take(0))
    return [world.take(0).then(() => Promise.all([...beside(), reported()]))]
  })
})

it('refuses no bot wrongly when a budget is raised, another node counts, or the day ends', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const takes = [0, 1, 0, 0, 1, 0, 0].map((number) => world.take(number))
    const settles = [world.settle(0), world.settle(0), world.settle(1)]
    const raise = atAnyTime(scheduler, 'raise the budget', () => {
      world.budget = { ...world.budget, messagesPerDay: 4 }
    })
    const passing = [world.pass(1100), world.pass(1000)]
    return [...takes, ...settles, raise, ...passing, world.report(10), settleAll(scheduler, world)]
  })
})
