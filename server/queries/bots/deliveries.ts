import type { PauseReason } from '../../../contract/people/webhooks.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'
import { eventsFor } from '../events/audience.ts'
import { addresses } from './webhook-addresses.ts'

/** A bot, or one of the further addresses of its webhook; without `addressId` it is about the first one. */
export type Bot = { orgId: string; botId: string; addressId?: string | undefined }

/** The id of the queue that each address has of its own: that of the first one is the id of its bot. */
export const queueId = ({ botId, addressId }: Omit<Bot, 'orgId'>): string => addressId ?? botId

/**
 * Addresses whose deliveries go out, as far as they may: neither they nor their bot paused, the bot not
 * deactivated, not back in polling mode.
 */
export const delivers = sql`b.delivery = 'webhook' and b.active and b.paused_at is null and b.webhook_paused_at is null`

/** The address of a delivery and the secrets that go with it; nothing of it is opened here. */
export type StoredTarget = {
  url: string | null
  secret: Buffer
  formerSecret: Buffer | null
  formerSecretUntil: number | null
  headers: Buffer | null
}
export const targetColumns = sql`b.webhook_url as url, b.secret, b.previous_secret as "formerSecret",
  b.previous_secret_until as "formerSecretUntil", b.webhook_headers as headers`

/** How an attempt can end. A connection that breaks off before there is an answer counts as refused. */
export type AttemptResult = 'ok' | 'timeout' | 'refused' | 'dns' | 'tls' | 'status' | 'blocked' | 'redirect'

export type DeliveryState = 'pending' | 'delivered' | 'exhausted'

export type DeliveryRow = {
  id: string
  /** The id of the address that it goes to: for the first one, the id of the bot. */
  addressId: string
  seq: number
  eventId: string
  type: string
  topicId: string
  createdAt: number
  state: DeliveryState
  attempts: number
  /** The due time of the next attempt; meaningless if it is not pending. */
  dueAt: number
}

/** An unsent test is shown as pending. */
const columns = sql`d.id, d.bot_id as "addressId", d.seq, e.id as "eventId", e.type, d.topic_id as "topicId", e.created_at as "createdAt",
  case d.state when 'testing' then 'pending' else d.state end as state, d.attempts, d.due_at as "dueAt"`

/** Written out, not as a value: an index that holds only one state is used only where the query names it. */
const STATES = {
  pending: sql`and d.state = 'pending'`,
  delivered: sql`and d.state = 'delivered'`,
  exhausted: sql`and d.state = 'exhausted'`,
  failing: sql`and d.state = 'pending' and d.failures > 0`,
}

export type DeliveryFilters = {
  state?: DeliveryState | 'failing'
  eventType?: string
  /** The id of a delivery or of an event; the latter may begin with `evt_`. */
  id?: string
  /** Time range: `from` inclusive, `to` exclusive. */
  from?: number
  to?: number
}

/** `before` is the end of the previous page. */
type Wanted = DeliveryFilters & { before?: number }

/** Deliveries that one page searches for events of a type: a rare one is not searched for in a whole week. */
const MAX_SEARCHED = 5000

const rangeOf = ({ orgId, ...bot }: Bot, { state, before, id, from, to }: Wanted): Sql => sql`
  d.org_id = ${orgId} and d.bot_id = ${queueId(bot)} ${state === undefined ? nothing : STATES[state]}
    ${before === undefined ? nothing : sql`and d.seq < ${before}`}
    ${from === undefined ? nothing : sql`and d.seq >= ${firstSeqAt(orgId, from)}`}
    ${to === undefined ? nothing : sql`and d.seq < ${firstSeqAt(orgId, to)}`}
    ${id === undefined ? nothing : withId(orgId, id)}`

/** The number of the first event at or after a time; greater than all where there is none. */
const firstSeqAt = (orgId: string, time: number): Sql => sql`coalesce((
  select seq from events where org_id = ${orgId} and id >= ${firstUuidAt(time)} order by id limit 1), 9007199254740991)`

/** Finds a delivery or an event by its id, through the index of each. */
const withId = (orgId: string, id: string): Sql => {
  const uuid = id.replace(/^evt_/, '')
  return sql`and d.seq = any(array(
    select seq from deliveries where org_id = ${orgId} and id = ${uuid}
    union all select seq from events where org_id = ${orgId} and id = ${uuid}))`
}

/** The deliveries of an address, the newest event first; those of one type only among the newest of the rest. */
export function listDeliveries(
  bot: Bot,
  db: Queryable,
  { limit, ...wanted }: Wanted & { limit: number },
): Promise<DeliveryRow[]> {
  const { eventType } = wanted
  const looked = sql`(select * from deliveries d where ${rangeOf(bot, wanted)} order by d.seq desc limit ${MAX_SEARCHED})`
  return db.query<DeliveryRow>(sql`
    select ${columns}
    from ${eventType === undefined ? sql`deliveries` : looked} d
    join events e on e.org_id = ${bot.orgId} and e.seq = d.seq
    where ${eventType === undefined ? rangeOf(bot, wanted) : sql`e.type = ${eventType}`}
    order by d.seq desc limit ${limit}`)
}

/** A page of deliveries, and the start of the next one. It may be short, or empty, although there is a next one. */
export async function pageDeliveries(
  bot: Bot,
  db: Queryable,
  wanted: Wanted,
  limit: number,
): Promise<{ deliveries: DeliveryRow[]; more: number | undefined }> {
  const rows = await listDeliveries(bot, db, { ...wanted, limit: limit + 1 })
  const deliveries = rows.slice(0, limit)
  if (rows.length > limit) return { deliveries, more: deliveries.at(-1)?.seq }
  return { deliveries, more: wanted.eventType === undefined ? undefined : await endOfSpan(bot, db, wanted) }
}

/** The last delivery that was searched, if others follow. */
async function endOfSpan(bot: Bot, db: Queryable, wanted: Wanted): Promise<number | undefined> {
  const [end, next] = await db.query<{ seq: number }>(sql`
    select d.seq from deliveries d where ${rangeOf(bot, wanted)} order by d.seq desc offset ${MAX_SEARCHED - 1} limit 2`)
  return next && end?.seq
}

export type AttemptRow = {
  number: number
  at: number
  outcome: AttemptResult
  status: number | null
  durationMs: number
  answer: string | null
  error: string | null
}

export type DeliveryWithHistory = DeliveryRow & {
  history: AttemptRow[]
}

/** Whether a delivery goes to the bot: to its first address or to a further one. */
export const isOfBot = ({ orgId, botId }: Bot): Sql => sql`(d.bot_id = ${botId} or exists (
  select from webhook_addresses a where a.org_id = ${orgId} and a.id = d.bot_id and a.bot_id = ${botId}))`

/** One delivery with its attempts, the first one first. */
export async function readDelivery(
  bot: Bot,
  db: Queryable,
  id: string,
): Promise<DeliveryWithHistory | undefined> {
  const [delivery] = await db.query<DeliveryWithHistory>(sql`
    select ${columns}, coalesce(a.history, '[]') as history
    from deliveries d join events e on e.org_id = d.org_id and e.seq = d.seq
    left join lateral (
      select json_agg(json_build_object('number', a.number, 'at', a.at, 'outcome', a.outcome, 'status', a.status,
        'durationMs', a.duration_ms, 'answer', a.answer, 'error', a.error) order by a.number) as history
      from delivery_attempts a where a.org_id = ${bot.orgId} and a.bot_id = d.bot_id and a.seq = d.seq
    ) a on true
    where d.org_id = ${bot.orgId} and d.id = ${id} and ${isOfBot(bot)}`)
  return delivery
}

export type DeliverySource = StoredTarget & { data: string; gzip: boolean; isShown: boolean }

/** The current source of its requests: the stored JSON, and a secret that is still encrypted. */
export async function readDeliverySource(
  { orgId, ...bot }: Bot,
  db: Queryable,
  { seq, isShown }: { seq: number; isShown: Sql },
): Promise<DeliverySource | undefined> {
  const [source] = await db.query<DeliverySource>(sql`
    select e.data::text as data, ${isShown} as "isShown", b.webhook_gzip as gzip, ${targetColumns}
    from events e
    cross join lateral (select * from ${addresses} b where b.org_id = ${orgId} and b.id = ${queueId(bot)} offset 0) b
    where e.org_id = ${orgId} and e.seq = ${seq}`)
  return source
}

export type WebhookState = {
  url: string | null
  gzip: boolean
  rate: number
  pausedAt: number | null
  pauseReason: PauseReason | null
  failingSince: number | null
}

export async function readWebhook(bot: Bot, db: Queryable): Promise<WebhookState | undefined> {
  const [row] = await db.query<WebhookState>(sql`
    select b.webhook_url as url, b.webhook_gzip as gzip, b.webhook_rate as rate, b.webhook_paused_at as "pausedAt",
      b.webhook_pause_reason as "pauseReason", b.failing_since as "failingSince"
    from ${addresses} b where b.org_id = ${bot.orgId} and b.id = ${queueId(bot)}`)
  return row
}

/** The time of the oldest event that a working webhook has not received, over all organizations; for operators. */
export async function readOldestUndelivered(db: Queryable): Promise<number | undefined> {
  const [oldest] = await db.query<{
    id: string
  }>(sql`${crossing('a number for operators, over all organizations')}
    select d.id from deliveries d join ${addresses} b on b.org_id = d.org_id and b.id = d.bot_id
    where d.state = 'pending' and ${delivers} order by d.id limit 1`)
  // The first 48 bits of a time-ordered id are its milliseconds.
  return oldest && Number.parseInt(oldest.id.replace('-', '').slice(0, 12), 16)
}

/** Events before a time that bots have not received, as far as they are counted: `most` of each kind. */
export async function countUndelivered(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { before, most }: { before: number; most: number },
): Promise<{ deliveries: number; updates: number }> {
  const [row] = await db.query<{ deliveries: number; updates: number }>(sql`
    with log as materialized (
      select l.floor_seq, coalesce((select seq from events where org_id = ${orgId} and id < ${firstUuidAt(before)}
        order by id desc limit 1), 0) as last_seq
      from organization_logs l where l.org_id = ${orgId}
    )
    select (
      select count(*) from (
        select 1 from log, ${addresses} b
        join deliveries d on d.org_id = b.org_id and d.bot_id = b.id and d.state = 'pending'
        where b.org_id = ${orgId} and b.delivery = 'webhook' and d.seq <= log.last_seq limit ${most}
      ) pending
    ) as deliveries, (
      select count(*) from (
        select 1 from log, bots b
        cross join lateral ${eventsFor({ orgId, botId: sql`b.id`, after: sql`greatest(b.polled_seq, log.floor_seq)`, limit: most })} a
        where b.org_id = ${orgId} and b.delivery = 'polling' and a.seq <= log.last_seq limit ${most}
      ) unpolled
    ) as updates`)
  if (!row) throw new Error('a query without a table has a row')
  return row
}

export async function countPausedWebhooks(db: Queryable): Promise<number> {
  const [paused] = await db.query<{
    count: number
  }>(sql`${crossing('a number for operators, over all organizations')}
    select count(distinct b.bot_id) from ${addresses} b
    where b.webhook_paused_at is not null and b.delivery = 'webhook' and b.active`)
  return paused?.count ?? 0
}
