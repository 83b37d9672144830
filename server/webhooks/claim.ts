import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Bot, delivers, type StoredTarget, targetColumns } from '../queries/deliveries.ts'

/** Deliveries of one bot that are read at a time. */
export const WINDOW = 50

export type ClaimedBot = Bot & { oldestDueAt: number; failingSince: number | null }

type Lease = { holder: string; now: number; until: number }

const list = (bots: readonly Bot[]): Sql =>
  sql`unnest(${bots.map(({ orgId }) => orgId)}::uuid[], ${bots.map(({ botId }) => botId)}::text[]) as x (org_id, id)`

/**
 * Takes bots that have something due and that no other node looks after, those first that have waited longest.
 * `held` are ours already.
 */
export async function claimBots(
  db: Database,
  lease: Lease,
  { held, among, limit }: { held: readonly string[]; among: readonly Bot[] | undefined; limit: number },
): Promise<ClaimedBot[]> {
  return db.query<ClaimedBot>(sql`
    with due as materialized (
      select b.org_id, b.id, d.due_at
      from ${among ? sql`${list(among)} join bots b on b.org_id = x.org_id and b.id = x.id` : sql`bots b`}
      cross join lateral (
        select d.due_at from deliveries d
        where d.org_id = b.org_id and d.bot_id = b.id and d.state = 'pending' and d.due_at <= ${lease.now}
        order by d.due_at limit 1
      ) d
      where ${delivers} and (b.webhook_leased_until <= ${lease.now} or b.webhook_leased_by = ${lease.holder})
        and b.id <> all(${held})
      order by d.due_at
      limit ${limit}
      for no key update of b skip locked
    )
    update bots b set webhook_leased_by = ${lease.holder}, webhook_leased_until = ${lease.until}
    from due where b.org_id = due.org_id and b.id = due.id
    returning b.org_id as "orgId", b.id as "botId", due.due_at as "oldestDueAt", b.failing_since as "failingSince"`)
}

/** Keeps these bots, as far as they are still ours; tells which. */
export async function renewLeases(
  db: Database,
  { holder, until }: Pick<Lease, 'holder' | 'until'>,
  bots: readonly Bot[],
): Promise<string[]> {
  if (bots.length === 0) return []
  const rows = await db.query<{ id: string }>(sql`
    update bots b set webhook_leased_until = ${until}
    from ${list(bots)} where b.org_id = x.org_id and b.id = x.id and b.webhook_leased_by = ${holder}
    returning b.id`)
  return rows.map(({ id }) => id)
}

/** Other nodes may have them at once. */
export async function releaseLeases(db: Database, holder: string, bots: readonly Bot[]): Promise<void> {
  await renewLeases(db, { holder, until: 0 }, bots)
}

/** For a server that has its database to itself: whoever holds a lease now was killed. */
export async function endAllLeases(db: Database): Promise<void> {
  await db.query(sql`update bots set webhook_leased_until = 0 where webhook_leased_until > 0`)
}

export type DueDelivery = {
  botId: string
  id: string
  seq: number
  topicId: string
  failures: number
  dueAt: number
  /** Deliveries a second while its bot catches up. */
  rate: number
}

/** What is due for each of these bots, the oldest first, without those that are known already; by bot. */
export async function readDue(
  db: Database,
  bots: readonly (Bot & { known: readonly string[] })[],
  now: number,
): Promise<Map<string, DueDelivery[]>> {
  const rows = await db.query<DueDelivery>(sql`
    select d.bot_id as "botId", d.id, d.seq, d.topic_id as "topicId", d.failures, d.due_at as "dueAt",
      b.webhook_rate as rate
    from ${list(bots)}
    join bots b on b.org_id = x.org_id and b.id = x.id and ${delivers}
    cross join lateral (
      select * from deliveries d
      where d.org_id = b.org_id and d.bot_id = b.id and d.state = 'pending' and d.due_at <= ${now}
        and d.id <> all(${bots.flatMap(({ known }) => known)}::uuid[])
      order by d.due_at, d.seq limit ${WINDOW}
    ) d
    order by d.due_at, d.seq`)
  const due = new Map<string, DueDelivery[]>()
  for (const row of rows) {
    const deliveries = due.get(row.botId)
    if (deliveries) deliveries.push(row)
    else due.set(row.botId, [row])
  }
  return due
}

export type ReadyDelivery = {
  id: string
  eventId: string
  type: string
  createdAt: number
  data: string
  gzip: boolean
} & StoredTarget & { url: string }

/**
 * All that an attempt needs, read when it starts: a new secret or address counts from that moment. What is not
 * returned must not go out: it is done, its bot delivers no longer, or is not ours for as long as an attempt takes.
 * `offset 0` keeps each row looked up by its key: what is pending seems so little that all of it would be gone through.
 */
export async function readReady(
  db: Queryable,
  { holder, until }: Pick<Lease, 'holder' | 'until'>,
  deliveries: readonly (Bot & { seq: number })[],
): Promise<ReadyDelivery[]> {
  return db.query<ReadyDelivery>(sql`
    select d.id, e.id as "eventId", e.type, e.created_at as "createdAt", e.data::text as data,
      b.webhook_gzip as gzip, ${targetColumns}
    from unnest(${deliveries.map(({ orgId }) => orgId)}::uuid[], ${deliveries.map(({ botId }) => botId)}::text[],
      ${deliveries.map(({ seq }) => seq)}::bigint[]) as x (org_id, bot_id, seq)
    cross join lateral (
      select * from deliveries d where d.org_id = x.org_id and d.bot_id = x.bot_id and d.seq = x.seq offset 0
    ) d
    cross join lateral (select * from bots b where b.org_id = x.org_id and b.id = x.bot_id offset 0) b
    join events e on e.org_id = x.org_id and e.seq = x.seq
    where d.state = 'pending' and ${delivers} and b.webhook_leased_by = ${holder}
      and b.webhook_leased_until >= ${until}`)
}
