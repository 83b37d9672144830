import { cleanStep } from '../db/clean-some.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { tooMany } from '../errors.ts'

const DAY_MS = 86_400_000
/** A refused bot's count is read again after this time: an admin or a new day may have changed it. */
const READ_AGAIN_MS = 1000
/** A bot that sent nothing for so long is forgotten here; its usage is in the database. */
const IDLE_MS = 600_000
/** Share of a budget whose use people get a notice of. */
export const NEARLY_SPENT = 0.8

/** A bot's limits for a day; null means no limit. */
export type BotBudget = { messagesPerDay: number | null; tokensPerDay: number | null }
export type Used = { messages: number; tokens: number }
type Bot = { orgId: string; botId: string }

/** Days begin at midnight UTC. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS)
export const endOfDay = (day: number): number => (day + 1) * DAY_MS

type Count = Bot & {
  day: number
  /** The count last read from the database. */
  used: Used
  readAt: number
  /** Messages of this node that are being added to the database, and those that will be next. */
  settling: number
  unsettled: number
  usedAt: number
  budget: BotBudget
  /** The budget that people were notified of by this node. */
  toldOf: string
}

/**
 * Messages and tokens of bots with a budget. Messages are counted in memory and added to the database once a second,
 * for all bots together, so that only the first send of a day on each node waits for a statement. Nodes learn of each
 * other by what adding returns: together they may exceed the budget by what each further node takes in a second.
 */
export class BotBudgets {
  #db: Queryable
  #clock: Clock
  #onNearlySpent: (bot: Bot) => Promise<void>
  #counts = new Map<string, Count>()
  #loading = new Map<string, Promise<Count>>()
  /** Bots whose usage was added or reported while it was being read: the answer may have that or not. */
  #outdated = new Set<string>()
  #changed = new Set<Count>()
  /** Counts of bots whose budget may be nearly spent, for a notice to people. */
  #untold = new Set<Count>()
  #lastSettling: Promise<void> = Promise.resolve()
  #writing: Promise<void> | undefined

  constructor(db: Queryable, clock: Clock, onNearlySpent: (bot: Bot) => Promise<void>) {
    this.#db = db
    this.#clock = clock
    this.#onNearlySpent = onNearlySpent
  }

  /** Takes one message from the budget of a bot, or refuses it until the day ends. The answer gives it back, where nothing was sent. */
  async take(bot: Bot, budget: BotBudget): Promise<() => void> {
    let count = this.#known(bot) ?? (await this.#load(bot))
    if (isSpent(count, budget) && this.#clock() - count.readAt >= READ_AGAIN_MS) count = await this.#load(bot)
    while (count.day !== dayOf(this.#clock())) count = await this.#load(bot) // the day has ended while it was read
    if (isSpent(count, budget)) throw tooMany(endOfDay(count.day) - this.#clock(), 'bot_budget_spent')
    count.budget = budget
    this.#add(count, 1)
    return () => this.#add(count, -1)
  }

  /** Drops the count of a bot that has reported tokens. */
  forget({ botId }: Bot): void {
    const count = this.#counts.get(botId)
    if (count) count.readAt = Number.NEGATIVE_INFINITY
    this.#outdate(botId)
  }

  #outdate(botId: string): void {
    if (this.#loading.has(botId)) this.#outdated.add(botId)
  }

  /** Adds the counts of this node to the database, one run at a time; a failed count is added with the next. */
  settle(): Promise<void> {
    this.#lastSettling = this.#lastSettling.catch(() => {}).then(() => this.#settle())
    return this.#lastSettling
  }

  async #settle(): Promise<void> {
    const now = this.#clock()
    for (const [botId, count] of this.#counts)
      if (count.day !== dayOf(now) || now - count.usedAt > IDLE_MS) this.#counts.delete(botId)
    const batch = [...this.#changed].filter(({ unsettled }) => unsettled !== 0)
    this.#changed.clear()
    if (batch.length === 0) return this.#tell()
    for (const count of batch) {
      count.settling = count.unsettled
      count.unsettled = 0
      this.#outdate(count.botId)
    }
    try {
      const written = this.#write(batch)
      this.#writing = written.catch(() => {}) // told below
      await written
    } catch (error) {
      for (const count of batch) {
        count.unsettled += count.settling
        this.#changed.add(count)
      }
      throw error
    } finally {
      this.#writing = undefined
      for (const count of batch) count.settling = 0
    }
    for (const count of batch) this.#untold.add(count)
    await this.#tell()
  }

  async #write(batch: readonly Count[]): Promise<void> {
    // Rows come in the same order on all nodes, so that two nodes that add at once cannot deadlock.
    const rows = await this.#db.query<
      Bot & { day: number } & Used
    >(sql`${crossing('what is wanted of several organizations is asked for together')}
      insert into bot_usage as u (org_id, bot_id, day, messages)
      select * from unnest(${batch.map(({ orgId }) => orgId)}::uuid[], ${batch.map(({ botId }) => botId)}::text[],
        ${batch.map(({ day }) => day)}::integer[], ${batch.map(({ settling }) => settling)}::bigint[])
        as a (org_id, bot_id, day, messages) order by org_id, bot_id, day
      on conflict (org_id, bot_id, day) do update set messages = greatest(0, u.messages + excluded.messages)
      returning org_id as "orgId", bot_id as "botId", day, messages, tokens`)
    const now = this.#clock()
    for (const count of batch) {
      const row = rows.find(({ botId, day }) => botId === count.botId && day === count.day)
      if (!row) continue
      count.used = { messages: row.messages, tokens: row.tokens }
      count.settling = 0
      // A count that was forgotten while the statement ran stays forgotten: this answer may be older.
      if (count.readAt !== Number.NEGATIVE_INFINITY) count.readAt = now
    }
  }

  async #tell(): Promise<void> {
    for (const count of this.#untold) {
      const name = JSON.stringify(count.budget)
      if (isNearlySpent(count.used, count.budget) && count.toldOf !== name) {
        await this.#onNearlySpent(count)
        count.toldOf = name
      }
      this.#untold.delete(count)
    }
  }

  #add(count: Count, change: 1 | -1): void {
    count.unsettled += change
    count.usedAt = this.#clock()
    this.#changed.add(count)
  }

  #known({ botId }: Bot): Count | undefined {
    const count = this.#counts.get(botId)
    const isCurrent = count?.day === dayOf(this.#clock()) && count.readAt !== Number.NEGATIVE_INFINITY
    return isCurrent ? count : undefined
  }

  /** Concurrent callers share one read. */
  #load(bot: Bot): Promise<Count> {
    const known = this.#loading.get(bot.botId)
    if (known) return known
    const loading = this.#read(bot).finally(() => this.#loading.delete(bot.botId))
    this.#loading.set(bot.botId, loading)
    return loading
  }

  async #read({ orgId, botId }: Bot): Promise<Count> {
    // Running additions end first: otherwise it is unclear whether the answer includes them.
    while (this.#writing) await this.#writing
    this.#outdated.delete(botId)
    const readAt = this.#clock()
    const day = dayOf(readAt)
    const used = await readUsed(this.#db, { orgId, botId }, day)
    if (this.#outdated.has(botId)) return this.#read({ orgId, botId })
    const known = this.#counts.get(botId)
    if (known?.day === day) return Object.assign(known, { used, readAt })
    const budget = { messagesPerDay: null, tokensPerDay: null }
    const rest = { settling: 0, unsettled: 0, usedAt: readAt, budget, toldOf: '' }
    const count: Count = { orgId, botId, day, used, readAt, ...rest }
    this.#counts.set(botId, count)
    return count
  }
}

const isSpent = (
  { used, settling, unsettled }: Count,
  { messagesPerDay, tokensPerDay }: BotBudget,
): boolean =>
  (messagesPerDay !== null && used.messages + settling + unsettled >= messagesPerDay) ||
  (tokensPerDay !== null && used.tokens >= tokensPerDay)

/** Whether so much of a budget is used that people should know. */
export const isNearlySpent = (
  { messages, tokens }: Used,
  { messagesPerDay, tokensPerDay }: BotBudget,
): boolean =>
  (messagesPerDay !== null && messages >= NEARLY_SPENT * messagesPerDay) ||
  (tokensPerDay !== null && tokens >= NEARLY_SPENT * tokensPerDay)

/** A bot's usage on a day, as stored by the nodes. */
export async function readUsed(db: Queryable, { orgId, botId }: Bot, day: number): Promise<Used> {
  const [row] = await db.query<Used>(sql`
    select messages, tokens from bot_usage where org_id = ${orgId} and bot_id = ${botId} and day = ${day}`)
  return row ?? { messages: 0, tokens: 0 }
}

/** Deletes the usage of days that are over; yesterday's is kept, for nodes that are late. */
export const forgetOldUsage = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'bot_usage',
    key: 'org_id, bot_id, day',
    where: sql`day < ${dayOf(now) - 1}`,
    limit,
  })
