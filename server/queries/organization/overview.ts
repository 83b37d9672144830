import type { Overview } from '../../../contract/people/organization.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'
import { addresses } from '../bots/webhook-addresses.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const MAX_PENDING = 1000

type Counts = Pick<Overview, 'members' | 'bots' | 'topics'>

export async function countThings({ orgId }: Caller, db: Queryable): Promise<Counts> {
  // Ids tell bots from people. The member list's index holds them, so no profile is read.
  const [row] = await db.query<Counts>(sql`
    select
      (select json_build_object('active', count(*) filter (where status = 'Active'),
          'pending', count(*) filter (where status = 'Pending'), 'archived', count(*) filter (where status = 'Archived'))
        from profiles where org_id = ${orgId} and not (id >= 'b@' and id < 'bA')) as members,
      (select json_build_object('active', count(*) filter (where active), 'inactive', count(*) filter (where not active))
        from bots where org_id = ${orgId}) as bots,
      (select count(*) from topics where org_id = ${orgId} and type = 'topic') as topics`)
  if (!row) throw new Error('a query without a table has a row')
  return row
}

type HourRow = { hour: number; delivered: number; failed: number }

/**
 * Attempts of the last 24 hours. There is no index of attempts by time, which every delivery would have to pay for:
 * they are found through the numbers of the events of that time, and what is older and still tried through the queue, in
 * which there are no tests.
 */
export async function countAttempts(
  { orgId }: Caller,
  db: Queryable,
  now: number,
): Promise<Pick<Overview['deliveries'], 'delivered' | 'failed' | 'byHour'>> {
  const first = (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS
  const rows = await db.query<HourRow>(sql`
    with log as (
      select coalesce((select seq from events where org_id = ${orgId} and id >= ${firstUuidAt(first)}
        order by id limit 1), 9007199254740991) as first_seq
    ), attempt as (
      select a.at, a.outcome
      from log, ${addresses} b
      join delivery_attempts a on a.org_id = b.org_id and a.bot_id = b.id
      where b.org_id = ${orgId} and a.seq >= log.first_seq and not a.is_test
      union all
      select a.at, a.outcome
      from log, ${addresses} b
      join deliveries d on d.org_id = b.org_id and d.bot_id = b.id and d.state = 'pending'
      join delivery_attempts a on a.org_id = d.org_id and a.bot_id = d.bot_id and a.seq = d.seq
      where b.org_id = ${orgId} and d.attempts > 0 and d.seq < log.first_seq
    )
    select at / ${HOUR_MS}::bigint * ${HOUR_MS}::bigint as hour, count(*) filter (where outcome = 'ok') as delivered,
      count(*) filter (where outcome <> 'ok') as failed
    from attempt where at >= ${first} group by 1`)
  const byHour = Array.from({ length: HOURS }, (_, index) => {
    const hour = first + index * HOUR_MS
    return rows.find((row) => row.hour === hour) ?? { hour, delivered: 0, failed: 0 }
  })
  return {
    delivered: byHour.reduce((sum, { delivered }) => sum + delivered, 0),
    failed: byHour.reduce((sum, { failed }) => sum + failed, 0),
    byHour,
  }
}

export async function countPending({ orgId }: Caller, db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) from (
      select 1 from ${addresses} b join deliveries d on d.org_id = b.org_id and d.bot_id = b.id and d.state = 'pending'
      where b.org_id = ${orgId} and b.delivery = 'webhook' limit ${MAX_PENDING}
    ) pending`)
  return row?.count ?? 0
}

const MAX_STOPPED = 20

/** Topics in which bots may not write, those first that wait longest. Direct messages are left out: admins are not in them. */
export function listStoppedTopics({ orgId }: Caller, db: Queryable): Promise<Overview['stoppedTopics']> {
  return db.query<Overview['stoppedTopics'][number]>(sql`
    select id as "topicId", name, bots_stopped_at as since from topics
    where org_id = ${orgId} and bots_stopped_at is not null and type = 'topic'
    order by bots_stopped_at, id limit ${MAX_STOPPED}`)
}

/** Webhooks that fail or are paused, those first that have been so for longest. */
export function listUnwell({ orgId }: Caller, db: Queryable): Promise<Overview['deliveries']['unwell']> {
  return db.query<Overview['deliveries']['unwell'][number]>(sql`
    select b.bot_id as "botId", p.name, case when count(b.webhook_paused_at) = 0 then 'failing' else 'paused' end as state,
      min(coalesce(b.webhook_paused_at, b.failing_since)) as since
    from ${addresses} b join profiles p on p.org_id = b.org_id and p.id = b.bot_id
    where b.org_id = ${orgId} and b.delivery = 'webhook' and b.active
      and (b.webhook_paused_at is not null or b.failing_since is not null)
    group by b.bot_id, p.name order by since, b.bot_id`)
}
