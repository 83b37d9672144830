import type { Database, Queryable } from '../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../db/sql.ts'
import { byOrganization, together } from '../db/together.ts'
import { type Bot, delivers, queueId, type StoredTarget, targetColumns } from '../queries/bots/deliveries.ts'
import { addresses, tableOf } from '../queries/bots/webhook-addresses.ts'

/** Deliveries of one address read at a time. */
export const WINDOW = 50

export type Address = Bot & { addressId: string }

export type ClaimedAddress = Address & {
  oldestDueAt: number
  failingSince: number | null
  /** The number of the bot's addresses, including this one. */
  addressCount: number
}

type Lease = { holder: string; now: number; until: number }

const list = (orgIds: readonly string[], ids: readonly string[]): Sql =>
  sql`unnest(${orgIds}::uuid[], ${ids}::text[]) as x (org_id, id)`
const listBots = (bots: readonly Bot[]): Sql =>
  list(
    bots.map(({ orgId }) => orgId),
    bots.map(({ botId }) => botId),
  )
const listAddresses = (asked: readonly Bot[]): Sql =>
  list(
    asked.map(({ orgId }) => orgId),
    asked.map((address) => queueId(address)),
  )

/** The due time of an address's oldest delivery, if it has one. */
const oldestDue = (orgId: Sql, id: Sql, now: number): Sql => sql`(
  select d.due_at from deliveries d
  where d.org_id = ${orgId} and d.bot_id = ${id} and d.state = 'pending' and d.due_at <= ${now}
  order by d.due_at limit 1
)`

/**
 * Claims addresses with due deliveries that no other node serves, those that waited longest first; `among` are the bots
 * whose addresses are considered, `held` are addresses that are ours already. One statement handles first and further
 * addresses, and locks each row in its table.
 */
export async function claimAddresses(db: Database, lease: Lease, wanted: Wanted): Promise<ClaimedAddress[]> {
  if (!db.isSpread) return db.query<ClaimedAddress>(claim(lease, wanted))
  const { among, limit } = wanted
  const claimed: ClaimedAddress[] = []
  for (const orgId of among ? byOrganization(among).keys() : await findDue(db, lease.now, limit)) {
    if (claimed.length >= limit) break
    const own = among?.filter((bot) => bot.orgId === orgId)
    claimed.push(...(await db.query<ClaimedAddress>(claim(lease, { ...wanted, among: own }, orgId))))
  }
  return claimed
}

/** Whether an address that no node serves has something due. */
export const isAnyDue = (until: number): Sql => {
  const isFree = (table: Sql): Sql => sql`${table}.webhook_leased_until <= ${until}`
  return sql`(exists (
      select from bots b cross join lateral ${oldestDue(sql`b.org_id`, sql`b.id`, until)} d
      where ${delivers} and ${isFree(sql`b`)})
    or exists (
      select from webhook_addresses a join bots b on b.org_id = a.org_id and b.id = a.bot_id
      cross join lateral ${oldestDue(sql`a.org_id`, sql`a.id`, until)} d
      where ${mayDeliver} and ${isFree(sql`a`)}))`
}

/** A further address `a` that delivers, as far as it may, beside its bot `b`. */
const mayDeliver = sql`b.delivery = 'webhook' and b.active and b.paused_at is null and a.webhook_paused_at is null`

/** Organizations with due deliveries, on any machine, those that waited longest first. */
async function findDue(db: Queryable, now: number, limit: number): Promise<string[]> {
  const rows = await db.query<{
    id: string
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as id from deliveries where state = 'pending' and due_at <= ${now}
    group by org_id order by min(due_at) limit ${limit}`)
  return rows.map(({ id }) => id)
}

type Wanted = { held: readonly string[]; among: readonly Bot[] | undefined; limit: number }

/** Claims in all organizations, or in the named one. */
function claim(lease: Lease, { held, among, limit }: Wanted, only?: string): Sql {
  const orgId = (column: Sql): Sql => (only === undefined ? column : sql`${only}::uuid`)
  const isOwn = (table: Sql): Sql => (only === undefined ? nothing : sql`${table}.org_id = ${only} and`)
  const isFree = (
    table: Sql,
  ): Sql => sql`(${table}.webhook_leased_until <= ${lease.now} or ${table}.webhook_leased_by = ${lease.holder})
    and ${table}.id <> all(${held})`
  const bots = among
    ? sql`${listBots(among)} join bots b on b.org_id = ${orgId(sql`x.org_id`)} and b.id = x.id`
    : sql`bots b`
  const further = among
    ? sql`${listBots(among)} join webhook_addresses a on a.org_id = ${orgId(sql`x.org_id`)} and a.bot_id = x.id`
    : sql`webhook_addresses a`
  return sql`${crossing('what is due is looked for in all organizations')}
    with due_bot as materialized (
      select b.org_id, b.id, d.due_at
      from ${bots} cross join lateral ${oldestDue(orgId(sql`b.org_id`), sql`b.id`, lease.now)} d
      where ${isOwn(sql`b`)} ${delivers} and ${isFree(sql`b`)}
      order by d.due_at limit ${limit}
      for no key update of b skip locked
    ), due_address as materialized (
      select a.org_id, a.id, d.due_at
      from ${further} join bots b on b.org_id = a.org_id and b.id = a.bot_id
      cross join lateral ${oldestDue(orgId(sql`a.org_id`), sql`a.id`, lease.now)} d
      where ${isOwn(sql`a`)} ${mayDeliver} and ${isFree(sql`a`)}
      order by d.due_at limit ${limit}
      for no key update of a skip locked
    ), bot as (
      update bots b set webhook_leased_by = ${lease.holder}, webhook_leased_until = ${lease.until}
      from due_bot due where b.org_id = ${orgId(sql`due.org_id`)} and b.id = due.id
      returning b.org_id, b.id as bot_id, b.id, due.due_at, b.failing_since
    ), address as (
      update webhook_addresses a set webhook_leased_by = ${lease.holder}, webhook_leased_until = ${lease.until}
      from due_address due where a.org_id = ${orgId(sql`due.org_id`)} and a.id = due.id
      returning a.org_id, a.bot_id, a.id, due.due_at, a.failing_since
    )
    select c.org_id as "orgId", c.bot_id as "botId", c.id as "addressId", c.due_at as "oldestDueAt",
      c.failing_since as "failingSince",
      (select 1 + count(*)::int from webhook_addresses a where a.org_id = ${orgId(sql`c.org_id`)} and a.bot_id = c.bot_id) as "addressCount"
    from (select * from bot union all select * from address) c`
}

/** Renews the leases of addresses that are still ours. Returns them. */
export async function renewLeases(
  db: Database,
  { holder, until }: Pick<Lease, 'holder' | 'until'>,
  held: readonly Address[],
): Promise<string[]> {
  const kept: string[] = []
  for (const [table, some] of byTable(held)) {
    const rows = await together<{ id: string }, Address>(
      db,
      some,
      (own, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
      update ${table} b set webhook_leased_until = ${until}
      from ${listAddresses(own)} where b.org_id = ${orgId} and b.id = x.id and b.webhook_leased_by = ${holder}
      returning b.id`,
    )
    kept.push(...rows.map(({ id }) => id))
  }
  return kept
}

/** Addresses by their table: without further addresses, there is one statement. */
function byTable(held: readonly Address[]): [Sql, Address[]][] {
  const [first, further] = [
    held.filter(({ botId, addressId }) => addressId === botId),
    held.filter(({ botId, addressId }) => addressId !== botId),
  ]
  return [first, further].flatMap((some) => (some[0] ? [[tableOf(some[0].addressId), some]] : []))
}

/** Lets other nodes take the addresses at once. */
export async function releaseLeases(db: Database, holder: string, held: readonly Address[]): Promise<void> {
  await renewLeases(db, { holder, until: 0 }, held)
}

/** Ends all leases when a server has the database to itself: their holders were killed. */
export async function endAllLeases(db: Database): Promise<void> {
  await db.query(
    sql`${crossing('housekeeping goes through all organizations')} update bots set webhook_leased_until = 0 where webhook_leased_until > 0`,
  )
  await db.query(
    sql`${crossing('housekeeping goes through all organizations')} update webhook_addresses set webhook_leased_until = 0 where webhook_leased_until > 0`,
  )
}

export type DueDelivery = {
  addressId: string
  id: string
  seq: number
  topicId: string
  failures: number
  dueAt: number
  /** Deliveries a second while the address catches up. */
  rate: number
}

/** Due deliveries of each of these addresses, the oldest first, without those that are known already; by address. */
export async function readDue(
  db: Database,
  held: readonly (Address & { known: readonly string[] })[],
  now: number,
): Promise<Map<string, DueDelivery[]>> {
  const rows = await together<DueDelivery, Address & { known: readonly string[] }>(
    db,
    held,
    (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
    select d.bot_id as "addressId", d.id, d.seq, d.topic_id as "topicId", d.failures, d.due_at as "dueAt",
      b.webhook_rate as rate
    from ${listAddresses(some)}
    cross join lateral (select * from ${addresses} b where b.org_id = ${orgId} and b.id = x.id and ${delivers} offset 0) b
    cross join lateral (
      select * from deliveries d
      where d.org_id = ${db.isSpread ? orgId : sql`b.org_id`} and d.bot_id = b.id and d.state = 'pending' and d.due_at <= ${now}
        and d.id <> all(${some.flatMap(({ known }) => known)}::uuid[])
      order by d.due_at, d.seq limit ${WINDOW}
    ) d
    order by d.due_at, d.seq`,
  )
  const due = new Map<string, DueDelivery[]>()
  for (const row of rows) {
    const deliveries = due.get(row.addressId)
    if (deliveries) deliveries.push(row)
    else due.set(row.addressId, [row])
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
 * Reads everything for an attempt at its start: a new secret or address applies from then on. A delivery that is not
 * returned must not be sent: it is done, its address delivers no longer, or is not ours for as long as an attempt
 * takes. `offset 0` keeps each row looked up by its key: pending deliveries seem so few that the planner would read all
 * of them.
 */
export async function readReady(
  db: Queryable,
  { holder, until }: Pick<Lease, 'holder' | 'until'>,
  deliveries: readonly (Bot & { seq: number })[],
): Promise<ReadyDelivery[]> {
  return together(
    db,
    deliveries,
    (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
    select d.id, e.id as "eventId", e.type, e.created_at as "createdAt", e.data::text as data,
      b.webhook_gzip as gzip, ${targetColumns}
    from unnest(${some.map((one) => one.orgId)}::uuid[], ${some.map((delivery) => queueId(delivery))}::text[],
      ${some.map(({ seq }) => seq)}::bigint[]) as x (org_id, bot_id, seq)
    cross join lateral (
      select * from deliveries d where d.org_id = ${orgId} and d.bot_id = x.bot_id and d.seq = x.seq offset 0
    ) d
    cross join lateral (select * from ${addresses} b where b.org_id = ${orgId} and b.id = x.bot_id offset 0) b
    join events e on e.org_id = ${orgId} and e.seq = x.seq
    where d.state = 'pending' and ${delivers} and b.webhook_leased_by = ${holder}
      and b.webhook_leased_until >= ${until}`,
  )
}
