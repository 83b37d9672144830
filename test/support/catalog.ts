import type pg from 'pg'

/*
 * Describes the tables of a database in lines, the same however they came about: sorted by name, so that the order of columns does not count.
 * Names of not-null constraints are left out: PostgreSQL has them from version 18 on, and a renamed table keeps its old ones. The lists of
 * migrations and of a cluster's tables are made by programs, not by scripts.
 */

const CLASSES = `(
  select c.* from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relname not in ('migrations', 'spreading')
) c`

const PARTS: [name: string, query: string][] = [
  [
    'tables',
    `select concat_ws(' ', c.relname, c.relkind, c.relpersistence, c.reloptions, c.relreplident, c.relrowsecurity, obj_description(c.oid, 'pg_class'))
     from ${CLASSES} where c.relkind not in ('i', 't')`,
  ],
  [
    'columns',
    `select concat_ws(' ', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), k.collname, a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
       a.attgenerated, a.attidentity, a.attstorage, a.attcompression, a.attoptions, a.attstattarget, col_description(c.oid, a.attnum))
     from ${CLASSES} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_collation k on k.oid = a.attcollation left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relkind not in ('i', 't')`,
  ],
  [
    'constraints',
    `select concat_ws(' ', c.relname, o.conname, pg_get_constraintdef(o.oid), o.convalidated)
     from ${CLASSES} join pg_constraint o on o.conrelid = c.oid where o.contype <> 'n'`,
  ],
  [
    'indexes',
    `select concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered, i.indisreplident)
     from ${CLASSES} join pg_index i on i.indrelid = c.oid`,
  ],
  [
    'rules and views',
    `select concat_ws(' ', c.relname, pg_get_ruledef(r.oid)) from ${CLASSES} join pg_rewrite r on r.ev_class = c.oid`,
  ],
  [
    'triggers',
    `select concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
     from ${CLASSES} join pg_trigger t on t.tgrelid = c.oid where not t.tgisinternal`,
  ],
  [
    'functions',
    `select pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = current_schema()::regnamespace
       and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  ],
  [
    'types',
    `select concat_ws(' ', t.typname, t.typtype) from pg_type t
     where t.typnamespace = current_schema()::regnamespace and t.typtype not in ('b', 'c')`,
  ],
  ['statistics', 'select pg_get_statisticsobjdef(s.oid) from pg_statistic_ext s'],
]

export async function describeCatalog(client: pg.Client): Promise<Map<string, string[]>> {
  const catalog = new Map<string, string[]>()
  for (const [name, query] of PARTS) {
    const { rows } = await client.query<{ line: string }>(`select line from (${query}) x (line) order by 1`)
    catalog.set(
      name,
      rows.map(({ line }) => line),
    )
  }
  return catalog
}

/** The tables that have rows, but for the list of functions. */
export async function findFilledTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from ${CLASSES} where c.relkind = 'r' and c.relname <> 'functions' order by 1`,
  )
  const filled: string[] = []
  for (const { name } of rows)
    if ((await client.query(`select from ${name} limit 1`)).rowCount !== 0) filled.push(name)
  return filled
}
