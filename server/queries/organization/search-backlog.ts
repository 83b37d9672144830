import type { Queryable } from '../../db/database.ts'
import { crossing, sql } from '../../db/sql.ts'

/** Counts of messages that search does not have yet, over all organizations. */
export type SearchBacklog = {
  /** Organizations of which something is missing. */
  organizations: number
  /** Events of the logs that the worker has not come to. */
  events: number
  /** Messages from before search was begun, and how many of them are in. */
  olderTotal: number
  olderDone: number
  /** Messages without an event: imported ones, and those whose files were read. */
  waiting: number
}

export async function readSearchBacklog(db: Queryable): Promise<SearchBacklog> {
  const [row] = await db.query<
    Omit<SearchBacklog, 'waiting'>
  >(sql`${crossing('a number for operators, over all organizations')}
    select count(*) filter (where p.seq is distinct from l.last_seq or p.older_than is not null) as organizations,
      coalesce(sum(l.last_seq - coalesce(p.seq, 0)), 0)::bigint as events,
      coalesce(sum(p.older_total) filter (where p.older_than is not null), 0)::bigint as "olderTotal",
      coalesce(sum(p.older_done) filter (where p.older_than is not null), 0)::bigint as "olderDone"
    from organization_logs l left join search_progress p using (org_id)`)
  const [waiting] = await db.query<{ count: number }>(
    sql`${crossing('a number for operators, over all organizations')} select count(*) from search_waiting`,
  )
  if (!row || !waiting) throw new Error('a count is always there')
  return { ...row, waiting: waiting.count }
}
