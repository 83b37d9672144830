import { OperatorError } from '../errors.ts'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/*
 * The places of rows once organizations are spread over several machines. A table is spread when each of its keys has `org_id` in
 * it: the rows of one organization are together, on one machine, and a statement that touches them names the organization. Rows
 * with a key without it are found before the organization is known (a token, a job, a session) and stay in one place, the center.
 */

/** Tables of which every machine has a copy: they are changed rarely, and rows of organizations refer to them. */
export const EVERYWHERE: readonly string[] = ['accounts', 'organizations']

/** The first spread table; all other tables of organizations are placed beside it. */
export const FIRST = 'organization_logs'

/**
 * A transaction that looks through all machines and then changes a row that refers to one of a table that every machine has, needs the same
 * connection to each machine for both.
 */
export const ONE_CONNECTION = `citus.multi_shard_modify_mode to 'sequential'`

/** Bookkeeping tables, which need no place, and which a restore makes by itself. */
export const OWN: ReadonlySet<string> = new Set(['migrations', 'functions', 'spreading'])

/** Tables that are made again from others: backups leave them out. */
export const REMADE: readonly string[] = [
  'search_documents',
  'search_file_texts',
  'search_progress',
  'search_ranges',
  'search_waiting',
  'search_entries',
  'search_segments',
  'search_positions',
]

export type Placement = 'spread' | 'everywhere' | 'central'

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

/** How far the tables are spread over several machines. */
export type SpreadState = 'none' | 'half-way' | 'finished'

export async function readSpreadState(db: Queryable): Promise<SpreadState> {
  const [table] = await db.query<{ found: boolean }>(
    sql`select to_regclass('spreading') is not null as found`,
  )
  if (!table?.found) return 'none'
  const [row] = await db.query(sql`select from spreading where kind = 'finished'`)
  return row ? 'finished' : 'half-way'
}

/** Whether organizations live on several machines; refuses where only some of them do. */
export async function readIsSpread(db: Queryable): Promise<boolean> {
  const state = await readSpreadState(db)
  if (state !== 'half-way') return state === 'finished'
  throw new OperatorError(
    'The tables of this database are on their way to several machines. Run "parley migrate --distributed" again: it goes on where it stopped.',
  )
}
