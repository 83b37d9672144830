import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** One of the machines that organizations are spread over. */
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

/** An organization and the statements of its last full minute, as the machines count them. */
export type BusyOrganization = { id: string; name: string; queries: number; cpuSeconds: number }

const MOST_BUSY = 5

/** Empty on one machine, and on machines that do not count (`citus.stat_tenants_track`). */
export async function readBusiest(db: Queryable): Promise<BusyOrganization[]> {
  if (!db.isSpread) return []
  const busy = await db.query<{ id: string; queries: number; cpuSeconds: number }>(sql`
    select tenant_attribute as id, sum(query_count_in_last_period)::integer as queries,
      sum(cpu_usage_in_last_period)::float as "cpuSeconds"
    from citus_stat_tenants
    where colocation_id = (select colocationid from pg_dist_partition where logicalrelid = 'organization_logs'::regclass)
      and query_count_in_last_period > 0
    group by tenant_attribute order by 2 desc, 1 limit ${MOST_BUSY}`)
  if (busy.length === 0) return []
  const named = await db.query<{ id: string; name: string }>(sql`
    select org_id as id, name from organizations where org_id = any(${busy.map(({ id }) => id)}::uuid[])`)
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return busy.map((one) => ({ ...one, name: names.get(one.id) ?? '' }))
}
