import { cleanStep } from '../db/clean-some.ts'
import type { Clock, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { tooMany } from '../errors.ts'

export const MINUTE_MS = 60_000

export type Grant = { granted: number; used: number; endsAt: number }

export const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Takes up to `amount` from a budget of `limit` a minute, or another time. That begins with the first taking. Inside a
 * transaction the taking is undone with it, so that only what succeeded is counted.
 */
export async function takeFromBudget(
  db: Queryable,
  clock: Clock,
  name: string,
  limit: number,
  amount = 1,
  periodMs = MINUTE_MS,
): Promise<Grant> {
  const now = clock()
  const expired = sql`b.started_at <= ${now - periodMs}`
  const before = sql`case when ${expired} then 0 else b.used end`
  const granted = sql`greatest(0, least(${amount}::bigint, ${limit} - ${before}))`
  const [row] = await db.query<{ granted: number; used: number; started_at: number }>(sql`
    insert into budgets as b (name, started_at, used, granted, period_ms)
    values (${name}, ${now}, least(${amount}::bigint, ${limit}), least(${amount}::bigint, ${limit}), ${periodMs})
    on conflict (name) do update set
      period_ms = excluded.period_ms,
      started_at = case when ${expired} then excluded.started_at else b.started_at end,
      used = ${before} + ${granted},
      granted = ${granted}
    returning granted, used, started_at`)
  if (!row) throw new Error('a budget must answer')
  return { granted: row.granted, used: row.used, endsAt: row.started_at + periodMs }
}

/** Takes one from a budget of `limit` a minute, or refuses until there is more. */
export async function spendOne(tx: Transaction, name: string, limit: number): Promise<void> {
  const { granted, endsAt } = await takeFromBudget(tx, () => tx.now(), name, limit)
  if (granted === 0) throw tooMany(endsAt - tx.now())
}

/** The rest of a budget, without taking from it. */
export async function readBudget(db: Queryable, clock: Clock, name: string, limit: number) {
  const [row] = await db.query<{ used: number; started_at: number }>(sql`
    select used, started_at from budgets where name = ${name} and started_at > ${clock() - MINUTE_MS}`)
  return { left: Math.max(0, limit - (row?.used ?? 0)), endsAt: (row?.started_at ?? clock()) + MINUTE_MS }
}

/** Deletes budgets whose time is over, a minute later: the clock of another node may be a little behind. */
export const forgetOldBudgets = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'budgets',
    key: 'name',
    where: sql`started_at + period_ms <= ${now - MINUTE_MS}`,
    limit,
  })
