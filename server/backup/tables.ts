import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/** Rows are kept in portions of about this size, so that the memory of a backup does not grow with the table. */
const PORTION_BYTES = 4 * 1024 * 1024
const NEW_LINE = 0x0a

export type Table = { name: string; columns: string[] }
/** How many rows a table has, and the sum of what each of them makes: the same in whatever order they lie. */
export type TableState = { rows: number; checksum: string }

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const listed = (columns: readonly string[]): string => columns.map(quoted).join(', ')

/** Whether Parley's tables exist. */
export async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('settings') is not null as found`,
  )
  return rows[0]?.found === true
}

/** Everything that survives a crash of the database, but for the lists of migrations and functions, which a restore makes itself. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname not in ('migrations', 'functions')
    group by c.relname order by c.relname`)
  return rows
}

export async function readTableState(client: pg.Client, { name, columns }: Table): Promise<TableState> {
  const { rows } = await client.query<TableState>(`
    select count(*)::float8 as rows,
      coalesce(sum(('x' || substr(md5(row(${listed(columns)})::text), 1, 15))::bit(60)::bigint), 0)::text as checksum
    from ${quoted(name)}`)
  return rows[0] ?? { rows: 0, checksum: '0' }
}

/** The rows of a table in compressed portions, each of whole rows. */
export async function* readRows(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  for await (const portion of readPortions(client, table)) yield compress(portion)
}

export async function* readPortions(client: pg.Client, { name, columns }: Table): AsyncGenerator<Buffer> {
  const source = client.query(copyTo(`copy ${quoted(name)} (${listed(columns)}) to stdout`))
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PORTION_BYTES) continue
    const bytes = Buffer.concat(waiting)
    const end = bytes.lastIndexOf(NEW_LINE) + 1
    if (end > 0) yield bytes.subarray(0, end)
    waiting = [bytes.subarray(end)]
    size = bytes.length - end
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** Compresses fast rather than small: a backup is limited by its duration. */
const deflate = promisify<Buffer, { level: number }, Buffer>(gzip)
const compress = (bytes: Buffer): Promise<Buffer> => deflate(bytes, { level: 3 })

/** Adds the rows of a decompressed portion. */
export async function writeRows(client: pg.Client, { name, columns }: Table, portion: Buffer): Promise<void> {
  await pipeline(
    Readable.from([portion]),
    client.query(copyFrom(`copy ${quoted(name)} (${listed(columns)}) from stdin`)),
  )
}

type ForeignKey = { table: string; name: string; definition: string }

/**
 * Runs `fill` on empty tables without rules: no triggers, which would repeat their work, and no foreign keys, so that
 * the order of tables does not matter. Afterwards all rules hold again for every row.
 */
export async function withoutRules(
  client: pg.Client,
  tables: readonly Table[],
  fill: () => Promise<void>,
): Promise<void> {
  const names = tables.map(({ name }) => quoted(name))
  const { rows: keys } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  await client.query(`truncate ${names.join(', ')}`)
  await fill()
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
}
