import { type Sql, sql } from '../../db/sql.ts'

/** An organization, one of its bots, and the number after which its events are wanted: values, or columns of the statement around. */
type Heard = { orgId: unknown; botId: unknown; after: unknown; limit: unknown; newestFirst?: boolean }

/**
 * The numbers of the events for a bot, in order, as a table with the column `seq`. They are in closed blocks, in the events of the open
 * block, and, of before there were blocks (0096_audience_blocks.sql), in rows of their own; some of those are in a block too.
 */
export function eventsFor({ orgId, botId, after, limit, newestFirst = false }: Heard): Sql {
  const order = newestFirst ? sql`desc` : sql`asc`
  return sql`(
    (select a.seq from audience_rows a
      where a.org_id = ${orgId} and a.bot_id = ${botId} and a.seq > ${after}
      order by a.seq ${order} limit ${limit})
    union
    (select (k.block << 8) + p.place from audience_blocks k cross join lateral unnest(k.places) as p (place)
      where k.org_id = ${orgId} and k.bot_id = ${botId} and k.block >= ${after} >> 8 and (k.block << 8) + p.place > ${after}
      order by k.block ${order}, p.place ${order} limit ${limit})
    union
    (select e.seq from events e
      where e.org_id = ${orgId} and ${botId} = any(e.bot_ids) and e.seq > ${after}
        and e.seq >= (select l.audience_blocks << 8 from organization_logs l where l.org_id = ${orgId})
      order by e.seq ${order} limit ${limit})
    order by seq ${order} limit ${limit}
  )`
}
