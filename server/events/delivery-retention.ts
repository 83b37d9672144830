import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Deliveries of one step, so that none takes long. */
const STEP = 1000

/**
 * Removes the deliveries of events up to this number with their attempts, in any state, including those of deleted bots
 * and addresses, which the index lists with one lookup each. Runs before the events are removed.
 */
export async function forgetDeliveries(db: Database, orgId: string, floorSeq: number): Promise<void> {
  while ((await forgetStep(db, orgId, floorSeq)) === STEP);
}

async function forgetStep(db: Database, orgId: string, floorSeq: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    with recursive queue as (
      (select bot_id from deliveries where org_id = ${orgId} order by bot_id limit 1)
      union all
      select (select d.bot_id from deliveries d where d.org_id = ${orgId} and d.bot_id > queue.bot_id order by d.bot_id limit 1)
      from queue where queue.bot_id is not null
    ), old as materialized (
      select d.bot_id, d.seq
      from queue
      cross join lateral (
        select d.bot_id, d.seq from deliveries d
        where d.org_id = ${orgId} and d.bot_id = queue.bot_id and d.seq <= ${floorSeq}
        order by d.seq limit ${STEP}
      ) d
      limit ${STEP}
    ), attempt as (
      delete from delivery_attempts a using old
      where a.org_id = ${orgId} and a.bot_id = old.bot_id and a.seq = old.seq
    ), delivery as (
      delete from deliveries d using old where d.org_id = ${orgId} and d.bot_id = old.bot_id and d.seq = old.seq
    )
    select count(*) from old`)
  return row?.count ?? 0
}
