import type { Caller } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export type UpdateRow = { seq: number; id: string; type: string; data: string; created_at: number }

export type UpdatePage = {
  updates: UpdateRow[]
  /** The newest event of the organization as this was read: nothing for this bot lies unread below it but `updates`. */
  lastSeq: number
  /** Events up to here are no longer kept. */
  floorSeq: number
}

type Row = { last_seq: number; floor_seq: number } & (UpdateRow | { seq: null })

/** What this bot has after `position`, in commit order. One statement, so that events and log row are of one moment. */
export async function readUpdates(
  caller: Caller,
  db: Queryable,
  position: number,
  limit: number,
): Promise<UpdatePage> {
  const rows = await db.query<Row>(sql`
    select l.last_seq, l.floor_seq, u.*
    from organization_logs l
    left join lateral (
      select e.seq, e.id, e.type, e.data::text as data, e.created_at
      from event_audience a join events e on e.org_id = a.org_id and e.seq = a.seq
      where a.org_id = l.org_id and a.bot_id = ${caller.profileId} and a.seq > greatest(${position}, l.floor_seq)
      order by a.seq limit ${limit}
    ) u on true
    where l.org_id = ${caller.orgId}
    order by u.seq`)
  const [log] = rows
  if (!log) throw new Error(`organization ${caller.orgId} has no log`)
  return {
    updates: rows.filter((row) => row.seq !== null),
    lastSeq: log.last_seq,
    floorSeq: log.floor_seq,
  }
}

/** The newest events of a bot, in commit order: for people who look. */
export async function listLatestUpdates(caller: Caller, db: Queryable, count: number): Promise<UpdateRow[]> {
  const rows = await db.query<UpdateRow>(sql`
    select e.seq, e.id, e.type, e.data::text as data, e.created_at
    from event_audience a join events e on e.org_id = a.org_id and e.seq = a.seq
    where a.org_id = ${caller.orgId} and a.bot_id = ${caller.profileId}
    order by a.seq desc limit ${count}`)
  return rows.reverse()
}
