import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** Every table with rows of organizations, by the catalog of the database: those that refer to others come before them. */
export async function listOrganizationTables(db: Queryable): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname`)
  const keys = await db.query<{ from: string; to: string }>(sql`
    select f.relname as "from", t.relname as "to"
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`)
  const ordered = new Set<string>()
  const visit = (table: string): void => {
    if (ordered.has(table)) return
    for (const { from, to } of keys) if (to === table && from !== table) visit(from)
    ordered.add(table)
  }
  const names = tables.map(({ name }) => name)
  for (const name of names) visit(name)
  return [...ordered].filter((name) => names.includes(name))
}
