import type pg from 'pg'
import { type Add, addBytes, writeArchive } from '../backup/archive.ts'
import { addFile, addJson, connect, lockFiles } from '../backup/backup.ts'
import type { Place } from '../backup/places.ts'
import { cancelWhenStopped } from '../db/cancel.ts'
import type { DatabaseConnection } from '../db/connection.ts'
import { thumbnailKey } from '../files/files.ts'
import type { Storage } from '../files/storage/storage.ts'
import { type LongWork, UNSEEN } from '../long-work.ts'
import { readVersion } from '../project.ts'
import { fieldOf, RECORD_KINDS, type RecordKind } from './records.ts'

export const FORMAT = 1
export const MANIFEST = 'parley-export.json'
export const SUMMARY = 'summary.json'
export const RECORDS = 'records/'

/** Lines are kept in portions of about this size, so that memory does not grow with an organization. */
const PORTION_BYTES = 4 * 1024 * 1024
const ROWS_AT_ONCE = 1000

/** The first entry of an export. */
export type Manifest = {
  format: number
  parleyVersion: string
  createdAt: string
  organization: { id: string; name: string }
  fields: Record<string, string[]>
}

/** The last entry of an export. */
export type Summary = { records: Record<string, number>; files: number; fileBytes: number }

export type ExportReport = Summary & {
  bytes: number
  /** Files that the database knows and the store does not have. */
  missing: string[]
}

export type ExportSource = { connection: DatabaseConnection; storage: Storage }

/** Writes an organization's data as of one moment, while it stays in use. */
export async function exportOrganization(
  { connection, storage }: ExportSource,
  organization: { id: string; name: string },
  place: Place,
  work: LongWork = UNSEEN,
): Promise<ExportReport> {
  const client = await connect(connection)
  try {
    await lockFiles(client)
    let report: Omit<ExportReport, 'bytes'> | undefined
    const fill = async (add: Add) => {
      await client.query('begin isolation level repeatable read read only')
      await addJson(add, MANIFEST, {
        format: FORMAT,
        parleyVersion: await readVersion(),
        createdAt: new Date().toISOString(),
        organization,
        fields: Object.fromEntries(RECORD_KINDS.map((kind) => [kind.name, fieldsOf(kind)])),
      } satisfies Manifest)
      const records: Summary['records'] = {}
      work.begin('Records', { total: await countRecords(client, organization.id) })
      for (const kind of RECORD_KINDS)
        records[kind.name] = await addRecords(client, organization.id, kind, add, work)
      const { missing, ...files } = await addFiles(client, storage, organization.id, add, work)
      const summary: Summary = { records, ...files }
      await addJson(add, SUMMARY, summary)
      report = { ...summary, missing }
      await client.query('commit')
    }
    const bytes = await writeArchive(
      place,
      undefined,
      (add) => cancelWhenStopped(client, connection, work, () => fill(add)),
      work,
    )
    if (!report) throw new Error('nothing was written')
    await place.publish()
    return { ...report, bytes }
  } catch (error) {
    await place.discard()
    throw error
  } finally {
    await client.end()
  }
}

const fieldsOf = ({ columns, told = {} }: RecordKind): string[] => [
  ...columns.map(fieldOf),
  ...Object.keys(told),
]

/** Counting costs a fraction of writing the same rows. */
async function countRecords(client: pg.Client, orgId: string): Promise<number> {
  let records = 0
  for (const kind of RECORD_KINDS) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::float8 as count from ${kind.table} x where ${exportedRows(kind, orgId)}`,
    )
    records += rows[0]?.count ?? 0
  }
  return records
}

/** The id comes from the database: the declaration of a cursor takes no parameters. */
const exportedRows = ({ table }: RecordKind, orgId: string): string =>
  `x.org_id = '${orgId}' ${table === 'stored_files' ? `and ${exportedFiles(`'${orgId}'`)}` : ''}`

async function addRecords(
  client: pg.Client,
  orgId: string,
  kind: RecordKind,
  add: Add,
  work: LongWork,
): Promise<number> {
  let count = 0
  let number = 0
  for await (const lines of readPortions(client, orgId, kind)) {
    count += lines.length
    number += 1
    const name = `${RECORDS}${kind.name}/${String(number).padStart(6, '0')}.jsonl`
    await addBytes(add, name, Buffer.from(lines.join('')))
    work.advance(lines.length)
  }
  return count
}

/** The rows of a table that are the organization's, each as a line of JSON that the database writes. */
async function* readPortions(client: pg.Client, orgId: string, kind: RecordKind): AsyncGenerator<string[]> {
  const { table, columns, order, told = {} } = kind
  const fields = [
    ...columns.map((column) => `'${fieldOf(column)}', x.${column}`),
    ...Object.entries(told).map(([field, expression]) => `'${field}', ${expression}`),
  ]
  await client.query(`
    declare records no scroll cursor for
    select json_build_object(${fields.join(', ')})::text as line from ${table} x
    where ${exportedRows(kind, orgId)}
    order by ${order.map((column) => `x.${column}`).join(', ')}`)
  let portion: string[] = []
  let size = 0
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from records`)
    if (rows.length === 0) break
    for (const { line } of rows) {
      portion.push(`${line}\n`)
      size += line.length
    }
    if (size < PORTION_BYTES) continue
    yield portion
    portion = []
    size = 0
  }
  if (portion.length > 0) yield portion
  await client.query('close records')
}

/** Files that records refer to. Preview pictures that no message shows are left out and fetched again. */
const exportedFiles = (orgId: string): string => `x.sweep_at is null and not (x.shares = 0
  and x.id in (select p.image_file_id from link_previews p where p.org_id = ${orgId} and p.image_file_id is not null))`

async function addFiles(client: pg.Client, storage: Storage, orgId: string, add: Add, work: LongWork) {
  const report = { files: 0, fileBytes: 0, missing: [] as string[] }
  const { rows } = await client.query<{ id: string }>(
    `select id from stored_files x where org_id = $1 and ${exportedFiles('$1')} order by id`,
    [orgId],
  )
  work.begin('Files', { total: rows.length })
  for (const { id } of rows) {
    if ((await addFile(storage, id, add, report)) === 'missing') report.missing.push(id)
    await addFile(storage, thumbnailKey(id), add, report)
    work.advance(1)
  }
  return report
}
