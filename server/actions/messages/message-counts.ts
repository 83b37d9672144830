import { OVERVIEW_DAYS, type Overview } from '../../../contract/people/organization.ts'
import type { Caller } from '../../caller.ts'
import type { Database } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { firstUuidAt, LAST_ID, timeOfUuid } from '../../ids.ts'

const DAY_MS = 86_400_000

type DayCount = { day: string; count: number }
type Counted = { from: string; to: string }

/** Fewer are counted again with every look: that costs less than holding up the organization's writer. */
const MIN_KEPT_COUNT = 1000

/**
 * Messages of each of the last days, without system messages. Counting continues from the last stored count, which is
 * kept for every thousand messages and once a day. Earlier messages are final, because ids are in the order of commits.
 * A message that will appear later under an older id, because its files are being processed or a bot still writes it,
 * holds the count back.
 */
export async function countMessages(
  db: Database,
  caller: Caller,
  now: number,
): Promise<Overview['messagesByDay']> {
  const today = Math.floor(now / DAY_MS)
  const days = Array.from({ length: OVERVIEW_DAYS }, (_, index) => dayOf(today - OVERVIEW_DAYS + 1 + index))
  const start = firstUuidAt((today - OVERVIEW_DAYS + 1) * DAY_MS)
  const { from, to } = await readProgress(db, caller, start)
  const isNewDay = timeOfUuid(from) < today * DAY_MS
  if (to > from && (isNewDay || (await areMany(db, caller, { from, to }))))
    await keep(db, caller, { from, to })
  const counts = await db.query<DayCount>(sql`
    select day::text, sum(count)::bigint as count from (
      select day, count from message_counts where org_id = ${caller.orgId} and day >= ${days[0]}::date
      union all
      ${countedByDay(caller, sql`(${countedUpTo(caller, start)})`, sql`${LAST_ID}`)}
    ) counted group by day`)
  return days.map((day) => counts.find((counted) => counted.day === day) ?? { day, count: 0 })
}

const dayOf = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10)

/** Counts nothing before the first day shown. */
const countedUpTo = ({ orgId }: Pick<Caller, 'orgId'>, start: string): Sql => sql`
  select greatest(counted_message_id, ${start}::uuid) from organization_logs where org_id = ${orgId}`

async function readProgress(db: Database, { orgId }: Caller, start: string): Promise<Counted> {
  const [row] = await db.query<Counted>(sql`
    select (${countedUpTo({ orgId }, start)}) as "from", coalesce((
      select m.id from messages m
      where m.org_id = ${orgId} and m.id < coalesce(
        least((select p.id from pending_messages p where p.org_id = ${orgId} order by p.id limit 1),
          (select s.id from streaming_messages s where s.org_id = ${orgId} order by s.id limit 1)), ${LAST_ID}::uuid)
      order by m.id desc limit 1
    ), ${start}::uuid) as "to"
    from organization_logs l where l.org_id = ${orgId}`)
  if (!row) throw new Error(`organization ${orgId} has no log`)
  return row
}

async function areMany(db: Database, { orgId }: Caller, { from, to }: Counted): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from messages where org_id = ${orgId} and id > ${from} and id <= ${to}
    order by id offset ${MIN_KEPT_COUNT - 1} limit 1`)
  return row !== undefined
}

const countedByDay = ({ orgId }: Caller, from: Sql, to: Sql): Sql => sql`
  select (to_timestamp(created_at / 1000.0) at time zone 'UTC')::date as day, count(*) as count
  from messages where org_id = ${orgId} and id > ${from} and id <= ${to} and not is_system group by 1`

/** Counted before the organization's writer is held up; a faster node has counted the same. */
async function keep(db: Database, caller: Caller, { from, to }: Counted): Promise<void> {
  const counts = await db.query<DayCount>(sql`
    select day::text, count from (${countedByDay(caller, sql`${from}`, sql`${to}`)}) counted`)
  await db.write(caller.orgId, async (tx) => {
    const [mine] = await tx.query(sql`
      update organization_logs set counted_message_id = ${to}
      where org_id = ${tx.orgId} and (counted_message_id is null or counted_message_id <= ${from})
      returning org_id`)
    if (!mine) return
    await tx.query(sql`
      insert into message_counts (org_id, day, count)
      select ${tx.orgId}, day, count
      from unnest(${counts.map(({ day }) => day)}::date[], ${counts.map(({ count }) => count)}::bigint[]) as x (day, count)
      on conflict (org_id, day) do update set count = message_counts.count + excluded.count`)
  })
}
