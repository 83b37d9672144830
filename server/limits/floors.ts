import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { MINUTE_MS } from './budget.ts'

/** The part of an organization's requests a minute that each of its bots has in any case, and the least that it is. */
const FLOOR = 1 / 10
const MIN_FLOOR = 10
/** The share of a floor that a node takes at once. */
const FLOOR_SHARE = 1 / 5
/** Nodes together let a bot have its floor so many times at most: then five others may hold a share that lies unused. */
const FLOOR_FACTOR = 2

/** Requests a minute that a bot has where others have used up the limit. One bot alone has no more than the limit. */
export const floorOf = (limit: number): number =>
  Math.min(limit, Math.max(MIN_FLOOR, Math.ceil(limit * FLOOR)))

export const floorShare = (limit: number): number => Math.max(1, Math.floor(floorOf(limit) * FLOOR_SHARE))

type Floor = { name: string; amount: number }
type Taken = { granted: number; used: number }

/**
 * Adds amounts to the floors of bots in the minute that began at `startedAt`, and tells how much of each was still there. `used` is what
 * all nodes have added, also beyond the floor.
 */
export async function takeFloors(
  db: Queryable,
  startedAt: number,
  limit: number,
  floors: readonly Floor[],
): Promise<ReadonlyMap<string, Taken>> {
  const most = FLOOR_FACTOR * floorOf(limit)
  // Rows are locked in the order of their names on all nodes: two that add at the same time never wait in a circle. A cluster takes no value
  // of a statement behind `on conflict`, where rows come from a list: what is granted follows from `used`.
  const rows = await db.query<{ name: string; amount: number; used: number }>(sql`
    insert into budgets as b (name, started_at, used, granted, period_ms)
    select a.name, ${startedAt}::bigint, a.amount, a.amount, ${MINUTE_MS}::bigint
    from unnest(${floors.map(({ name }) => name)}::text[], ${floors.map(({ amount }) => amount)}::bigint[])
      as a (name, amount) order by a.name
    on conflict (name) do update set
      started_at = greatest(b.started_at, excluded.started_at),
      used = case when b.started_at >= excluded.started_at then b.used else 0 end + excluded.used,
      granted = excluded.granted,
      period_ms = excluded.period_ms
    returning name, granted as amount, used`)
  return new Map(
    rows.map(({ name, amount, used }) => [
      name,
      { used, granted: Math.max(0, Math.min(amount, most - (used - amount))) },
    ]),
  )
}
