import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { queryableOf } from '../db/database.ts'
import { OWN, REMADE, readPlacements } from '../db/placement.ts'

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

/** Everything that survives a crash of the database, but for what is made again from it, and the lists of migrations, functions and places. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname <> all($1)
    group by c.relname order by c.relname`,
    [[...OWN, ...REMADE]],
  )
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
export async function* readRows(
  client: pg.Client,
  table: Table,
  options?: ReadOptions,
): AsyncGenerator<{ rows: number; bytes: Buffer }> {
  for await (const portion of readPortions(client, table, options))
    yield { rows: countLines(portion), bytes: await compress(portion) }
}

/** Each row is a line: what is in its values is escaped. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, at + 1)) count += 1
  return count
}

/** `inPlace`: reads a table of a cluster that this machine has by its own snapshot; Citus would copy it over another connection, which has another. */
type ReadOptions = { inPlace?: boolean }

export async function* readPortions(
  client: pg.Client,
  { name, columns }: Table,
  { inPlace = false }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  const rows = inPlace
    ? `(select ${listed(columns)} from ${quoted(name)})`
    : `${quoted(name)} (${listed(columns)})`
  const source = client.query(copyTo(`copy ${rows} to stdout`))
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
 * the order of tables does not matter. Afterwards all rules hold again for every row. `isSpread`: the rows come from a cluster, where
 * some of these keys cannot be.
 */
export async function withoutRules(
  client: pg.Client,
  tables: readonly Table[],
  fill: () => Promise<void>,
  { isSpread = false }: { isSpread?: boolean } = {},
): Promise<void> {
  const names = tables.map(({ name }) => quoted(name))
  const { rows: keys } = await client.query<ForeignKey>(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`)
  const loose = isSpread ? await findLooseKeys(client) : []
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  for (const { table, name } of keys)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  await client.query(`truncate ${names.join(', ')}`)
  await fill()
  for (const statement of loose) await client.query(statement)
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
}

/**
 * Returns statements that end rows whose owner is gone, for the foreign keys that a cluster leaves out: the server ends them there, and what
 * it was kept from doing is done here.
 */
async function findLooseKeys(client: pg.Client): Promise<string[]> {
  const placements = await readPlacements(queryableOf(client))
  const { rows } = await client.query<{ table: string; other: string; clears: boolean; statement: string }>(`
    select c.relname as table, o.relname as other, k.confdeltype = 'n' as clears, format(
      case k.confdeltype when 'n' then 'update %1$I t set ' || (
        select string_agg(format('%I = null', a.attname), ', ') from pg_attribute a
        where a.attrelid = k.conrelid and a.attnum = any(coalesce(k.confdelsetcols, k.conkey))
      ) else 'delete from %1$I t' end || ' where (%2$s) is not null and not exists (select from %3$I o where (%4$s) = (%2$s))',
      c.relname,
      (select string_agg(format('t.%I', a.attname), ', ' order by n) from unnest(k.conkey) with ordinality as x (num, n)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.num),
      o.relname,
      (select string_agg(format('o.%I', a.attname), ', ' order by n) from unnest(k.confkey) with ordinality as x (num, n)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = x.num)) as statement
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class o on o.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`)
  return rows
    .filter(
      ({ table, other, clears }) =>
        placements.get(other) === 'spread' && (clears || placements.get(table) === 'central'),
    )
    .map(({ statement }) => statement)
}
