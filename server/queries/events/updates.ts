import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { eventsFor } from './audience.ts'

export type UpdateRow = { seq: number; id: string; type: string; data: string; createdAt: number }

/** Data is null if the viewer may not see it. */
export type ShownUpdate = Omit<UpdateRow, 'data'> & { data: string | null }

export type UpdatePage = {
  updates: UpdateRow[]
  /** The newest event of the organization as this was read: nothing for this bot lies unread below it but `updates`. */
  lastSeq: number
  /** Events up to this number are no longer kept. */
  floorSeq: number
}

type Row = { number: number; last_seq: number; floor_seq: number } & (UpdateRow | { seq: null })

/** A request for a bot's unread events: those after `position`, at most `limit`. */
export type Unread = { botId: string; position: number; limit: number }

/** Events for this bot after `position`, in commit order. */
export async function readUpdates(
  caller: Caller,
  db: Queryable,
  position: number,
  limit: number,
): Promise<UpdatePage> {
  const [page] = await readUpdatesOfMany(db, caller.orgId, [{ botId: caller.profileId, position, limit }])
  if (!page) throw new Error('a page for each')
  return page
}

/** Reads for several bots of an organization in one statement, so that events and log row are of one moment. */
export async function readUpdatesOfMany(
  db: Queryable,
  orgId: string,
  unread: readonly Unread[],
): Promise<UpdatePage[]> {
  const rows = await db.query<Row>(sql`
    select x.number, l.last_seq, l.floor_seq, u.*
    from organization_logs l
    cross join unnest(${unread.map(({ botId }) => botId)}::text[], ${unread.map(({ position }) => position)}::bigint[],
      ${unread.map(({ limit }) => limit)}::integer[]) with ordinality as x (bot_id, position, most, number)
    left join lateral (
      select e.seq, e.id, e.type, e.data::text as data, e.created_at as "createdAt"
      from ${eventsFor({ orgId, botId: sql`x.bot_id`, after: sql`greatest(x.position, l.floor_seq)`, limit: sql`x.most` })} a
      join events e on e.org_id = ${orgId} and e.seq = a.seq
    ) u on true
    where l.org_id = ${orgId}
    order by x.number, u.seq`)
  const [log] = rows
  if (!log) throw new Error(`organization ${orgId} has no log`)
  const pages = unread.map(
    (): UpdatePage => ({ updates: [], lastSeq: log.last_seq, floorSeq: log.floor_seq }),
  )
  for (const row of rows) if (row.seq !== null) pages[row.number - 1]?.updates.push(row)
  return pages
}

/** The newest number up to which this bot has confirmed its events, as far as stored. */
export async function readConfirmedSeq(caller: Caller, db: Queryable): Promise<number> {
  const [row] = await db.query<{ polled_seq: number }>(sql`
    select polled_seq from bots where org_id = ${caller.orgId} and id = ${caller.profileId}`)
  return row?.polled_seq ?? 0
}

export async function readLastSeq({ orgId }: Caller, db: Queryable): Promise<number> {
  const [row] = await db.query<{ last_seq: number }>(sql`
    select last_seq from organization_logs where org_id = ${orgId}`)
  return row?.last_seq ?? 0
}

/** The newest events of a bot, in commit order, for operators. */
export async function listLatestUpdates(caller: Caller, db: Queryable, limit: number): Promise<UpdateRow[]> {
  const rows = await listShownUpdates(caller, db, { limit, isShown: sql`true` })
  return rows.map(({ data, ...row }) => ({ ...row, data: data ?? 'null' }))
}

/** Updates of a bot for people who look at them; `isShown` decides which content they see. */
export function listShownUpdates(
  caller: Caller,
  db: Queryable,
  { limit, after = 0, isShown }: { limit: number; after?: number | undefined; isShown: Sql },
): Promise<ShownUpdate[]> {
  return db.query<ShownUpdate>(sql`
    select e.seq, e.id, e.type, case when ${isShown} then e.data::text end as data, e.created_at as "createdAt"
    from ${eventsFor({ ...caller, botId: caller.profileId, after: sql`${after}::bigint`, limit, newestFirst: true })} a
    join events e on e.org_id = ${caller.orgId} and e.seq = a.seq
    order by e.seq`)
}
