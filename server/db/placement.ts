import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/*
 * The places of rows once organizations are spread over several machines. A table is spread when each of its keys has `org_id` in
 * it: the rows of one organization are together, on one machine, and a statement that touches them names the organization. Rows
 * with a key without it are found before the organization is known (a token, a job, a session) and stay in one place, the center.
 */

/** Tables of which every machine has a copy: they are changed rarely, and rows of organizations refer to them. */
export const EVERYWHERE: readonly string[] = ['accounts', 'organizations']

export type Placement = 'spread' | 'everywhere' | 'central'

/** Each table of Parley by its name. */
export async function readPlacements(db: Queryable): Promise<Map<string, Placement>> {
  const rows = await db.query<{ name: string; is_spread: boolean }>(sql`
    select c.relname as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped and not exists (
        select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum <> all(i.indkey::int2[])
      )
    ) as is_spread
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by c.relname`)
  return new Map(
    rows.map(({ name, is_spread }) => [
      name,
      EVERYWHERE.includes(name) ? 'everywhere' : is_spread ? 'spread' : 'central',
    ]),
  )
}
