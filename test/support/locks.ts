import { expect } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import type { OpenTransaction } from '../../server/db/transaction.ts'
import type { Home } from './cast.ts'

/** Starts `work` while a transaction holds what `lock` locks, does `meanwhile` once it waits for it, and lets it go on. */
export async function whileItWaits<Result>(
  { parley: { db } }: Home,
  lock: (open: OpenTransaction) => Promise<unknown>,
  work: () => Promise<Result>,
  meanwhile: (open: OpenTransaction) => Promise<unknown>,
): Promise<Result> {
  // A cluster's row is waited for on its own machine.
  const activity = db.isSpread ? sql`citus_stat_activity` : sql`pg_stat_activity`
  const waiting = () =>
    db.query(sql`
      select 1 as one from ${activity} where datname = current_database() and wait_event_type = 'Lock'`)
  const { going } = await db.transaction(async (open) => {
    await keepOpen(open)
    await lock(open)
    const going = work()
    await expect.poll(waiting).toHaveLength(1)
    await meanwhile(open)
    return { going }
  })
  return going
}

/** Lifts the limit of a transaction's idle time: on a busy machine, a test passes it between two statements. */
export const keepOpen = (open: OpenTransaction): Promise<unknown> =>
  open.query(sql`set local idle_in_transaction_session_timeout = 0`)
