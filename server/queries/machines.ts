import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** One of those that organizations are spread over. */
export type Machine = { name: string; isActive: boolean; groups: number; sizeBytes: number }

/** `groups` are the shares of organizations that a machine has: each is a shard of every table. None where all is in one place. */
export async function readMachines(db: Queryable): Promise<Machine[]> {
  if (!db.isSpread) return []
  return db.query<Machine>(sql`
    select n.nodename || ':' || n.nodeport as name, n.isactive as "isActive",
      count(s.shardid) filter (where s.table_name = 'organization_logs'::regclass)::integer as groups,
      coalesce(sum(s.shard_size), 0)::bigint as "sizeBytes"
    from pg_dist_node n left join citus_shards s on s.nodename = n.nodename and s.nodeport = n.nodeport
    where n.noderole = 'primary' group by n.nodename, n.nodeport, n.isactive, n.groupid order by n.groupid`)
}
