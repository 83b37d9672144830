import { type Add, addBytes, bytesOf, readArchive, writeArchive } from '../../server/backup/archive.ts'
import type { Place } from '../../server/backup/places.ts'
import { exportOrganization, RECORDS } from '../../server/export/export.ts'
import type { Parley } from '../../server/parley.ts'

export type Entries = Map<string, Buffer>
export type Records = Map<string, Record<string, unknown>[]>

/** An archive in memory. */
export function memoryPlace(content: Buffer[] = []): Place {
  const chunks = content
  return {
    name: 'the export',
    async write(bytes) {
      for await (const chunk of bytes) chunks.push(chunk)
    },
    async *read() {
      yield* chunks
    },
    size: async () => chunks.reduce((sum, { length }) => sum + length, 0),
    publish: async () => {},
    discard: async () => {},
  }
}

/** The entries of an organization's export. */
export async function exportedEntries(
  { db, files }: Pick<Parley, 'db' | 'files'>,
  id: string,
): Promise<Entries> {
  const place = memoryPlace()
  await exportOrganization({ connection: db.config, storage: files.storage }, { id, name: 'Acme' }, place)
  const entries: Entries = new Map()
  await readArchive(place, undefined, async (entry) => {
    entries.set(entry.name, await bytesOf(entry))
  })
  return entries
}

const kindOf = (entryName: string): string => entryName.slice(RECORDS.length).split('/')[0] ?? ''

/** All records of an export by their kind. */
export function recordsOf(entries: Entries): Records {
  const records: Records = new Map()
  for (const [name, bytes] of entries) {
    if (!name.startsWith(RECORDS)) continue
    const lines = bytes.toString().split('\n').filter(Boolean)
    records.set(kindOf(name), [
      ...(records.get(kindOf(name)) ?? []),
      ...lines.map((line) => JSON.parse(line)),
    ])
  }
  return records
}

/** The record of a kind that is forged: the last, and of members the last with an account. */
export const targetOf = (kind: string, records: readonly Record<string, unknown>[]) =>
  records.findLast(({ hasAccount }) => kind !== 'members' || hasAccount === true) ?? {}

/** The export with one record of a kind changed, and otherwise intact. */
export async function forge(
  entries: Entries,
  kind: string,
  changes: Record<string, unknown>,
): Promise<Place> {
  const place = memoryPlace()
  const target = JSON.stringify(targetOf(kind, recordsOf(entries).get(kind) ?? []))
  await writeArchive(place, undefined, async (add: Add) => {
    for (const [name, bytes] of entries) {
      const isKind = name.startsWith(RECORDS) && kindOf(name) === kind
      await addBytes(add, name, isKind ? changed(bytes, target, changes) : bytes)
    }
  })
  return place
}

function changed(bytes: Buffer, target: string, changes: Record<string, unknown>): Buffer {
  const records = bytes
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const lines = records.map((record) =>
    JSON.stringify(JSON.stringify(record) === target ? { ...record, ...changes } : record),
  )
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}
