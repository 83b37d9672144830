import type { Pause } from '../actions/bots/deliveries.ts'
import type { Database, Queryable } from '../db/database.ts'
import { crossing, type Sql, sql } from '../db/sql.ts'
import { byOrganization } from '../db/together.ts'
import type { Attempt } from './call.ts'
import type { Address } from './claim.ts'

/** An address is paused when every attempt has failed for this long, and there were this many. */
const KEEPS_FAILING = { forMs: 24 * 3_600_000, attempts: 20 }
const GONE = 410

export type Result = Attempt &
  Address & {
    deliveryId: string
    seq: number
    at: number
    url: string
    /** Undefined after a success, and after the last failure. */
    retryAt: number | undefined
    /** Whether earlier attempts had failed. */
    wasFailing: boolean
  }

/** Writes many results with one statement; returns the addresses that are to be paused. */
export async function record(db: Database, results: readonly Result[], now: number): Promise<Pause[]> {
  if (db.isSpread) {
    const failing: string[] = []
    for (const [orgId, own] of byOrganization(results))
      failing.push(...(await db.transaction((open) => recordIn(open, orgId, own, now))))
    return pausesAmong(results, new Set(failing))
  }
  const failing = await db.query<{
    id: string
  }>(sql`${crossing('what is wanted of several organizations is asked for together')}
    with ${outcomes(results, sql`r.org_id`)}, attempt as (${attempts}), ${changedHealth(results)},
      bot as (update bots b ${healthChanges(now, sql`h.org_id`)}),
      address as (update webhook_addresses b ${healthChanges(now, sql`h.org_id`)})
    select id from (select * from bot union all select * from address) x where x.keeps_failing`)
  return pausesAmong(results, new Set(failing.map(({ id }) => id)))
}

/** On the machine of the organization, in the three statements that can be planned there. */
async function recordIn(
  open: Queryable,
  orgId: string,
  results: readonly Result[],
  now: number,
): Promise<string[]> {
  await open.query(sql`with ${outcomes(results, sql`${orgId}::uuid`)} ${attempts}`)
  const failing: string[] = []
  for (const table of [sql`bots`, sql`webhook_addresses`]) {
    const rows = await open.query<{ id: string; keeps_failing: boolean }>(sql`
      with ${changedHealth(results)} update ${table} b ${healthChanges(now, sql`${orgId}::uuid`)}`)
    failing.push(...rows.flatMap((row) => (row.keeps_failing ? [row.id] : [])))
  }
  return failing
}

function healthChanges(now: number, orgId: Sql): Sql {
  const keepsFailing = sql`b.failing_since <= ${now - KEEPS_FAILING.forMs} and b.failing_attempts >= ${KEEPS_FAILING.attempts}`
  return sql`set
    failing_since = case when h.failures = 0 then null when h.recovered then h.failed_at
      else coalesce(b.failing_since, h.failed_at) end,
    failing_attempts = h.failures + case when h.recovered then 0 else b.failing_attempts end
    from health h where b.org_id = ${orgId} and b.id = h.id
    returning b.id, ${keepsFailing} as keeps_failing`
}

/** Writes the result of each attempt to the deliveries. */
const outcomes = (results: readonly Result[], orgId: Sql): Sql => sql`result as (
      select * from unnest(
        ${results.map((result) => result.orgId)}::uuid[], ${results.map((result) => result.addressId)}::text[],
        ${results.map((result) => result.seq)}::bigint[], ${results.map((result) => result.at)}::bigint[],
        ${results.map((result) => result.outcome)}::text[], ${results.map((result) => result.status)}::smallint[],
        ${results.map((result) => result.durationMs)}::integer[], ${results.map((result) => result.answer)}::text[],
        ${results.map((result) => result.error)}::text[], ${results.map((result) => result.retryAt)}::bigint[]
      ) as r (org_id, bot_id, seq, at, outcome, status, duration_ms, answer, error, retry_at)
    ), delivery as (
      update deliveries d set
        attempts = d.attempts + 1,
        failures = case when r.outcome = 'ok' then 0 else d.failures + 1 end,
        state = case when r.outcome = 'ok' then 'delivered' when d.state <> 'pending' then d.state
          when r.retry_at is null then 'exhausted' else 'pending' end,
        due_at = coalesce(r.retry_at, d.due_at)
      from result r where d.org_id = ${orgId} and d.bot_id = r.bot_id and d.seq = r.seq
      returning d.org_id, d.bot_id, d.seq, d.attempts, r.at, r.outcome, r.status, r.duration_ms, r.answer, r.error
    )`

const attempts = sql`
  insert into delivery_attempts (org_id, bot_id, seq, number, at, outcome, status, duration_ms, answer, error)
  select * from delivery`

function changedHealth(results: readonly Result[]): Sql {
  const health = healthOf(results)
  return sql`health as (
      select * from unnest(${health.map(({ orgId }) => orgId)}::uuid[], ${health.map(({ addressId }) => addressId)}::text[],
        ${health.map(({ recovered }) => recovered)}::boolean[], ${health.map(({ failures }) => failures)}::integer[],
        ${health.map(({ failedAt }) => failedAt)}::bigint[]) as h (org_id, id, recovered, failures, failed_at)
    )`
}

type Health = Address & { recovered: boolean; failures: number; failedAt: number | undefined }

/** The health of each address whose health changed: the failures since its last success among these results. */
function healthOf(results: readonly Result[]): Health[] {
  const health = new Map<string, Health>()
  for (const { orgId, botId, addressId, outcome, at, wasFailing } of results) {
    if (outcome === 'ok' && !wasFailing) continue
    const address = { orgId, botId, addressId }
    const before = health.get(addressId)
    if (outcome === 'ok') {
      health.set(addressId, { ...address, recovered: true, failures: 0, failedAt: undefined })
    } else {
      const { recovered = false, failures = 0, failedAt = at } = before ?? {}
      health.set(addressId, { ...address, recovered, failures: failures + 1, failedAt })
    }
  }
  return [...health.values()]
}

function pausesAmong(results: readonly Result[], failing: ReadonlySet<string>): Pause[] {
  const pauses = new Map<string, Pause>()
  for (const { orgId, botId, addressId, url, status } of results) {
    const address = { orgId, botId, addressId, url }
    if (status === GONE) pauses.set(addressId, { ...address, reason: 'gone' })
    else if (failing.has(addressId) && !pauses.has(addressId))
      pauses.set(addressId, { ...address, reason: 'failing' })
  }
  return [...pauses.values()]
}
