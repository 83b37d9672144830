import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'

export type EntryRow = { key: string; version: number; bytes: number; updatedAt: number }
/** `value` is JSON. */
export type ValueRow = EntryRow & { value: string }

const columns = sql`key, version, bytes, updated_at as "updatedAt"`

/** The calling bot's entry under this key. */
export async function readEntry(
  { orgId, profileId }: Caller,
  db: Queryable,
  key: string,
): Promise<ValueRow | undefined> {
  const [row] = await db.query<ValueRow>(sql`
    select ${columns}, value from bot_storage_entries
    where org_id = ${orgId} and bot_id = ${profileId} and key = ${key}`)
  return row
}

/** Sorted by the bytes of the key; returns one row more than `limit`. */
export function listEntries(
  { orgId, profileId }: Caller,
  db: Queryable,
  { prefix, after, limit }: { prefix: string; after?: string; limit: number },
): Promise<EntryRow[]> {
  // A `~` comes after every character that a key may have.
  return db.query<EntryRow>(sql`
    select ${columns} from bot_storage_entries
    where org_id = ${orgId} and bot_id = ${profileId}
      and key >= ${prefix} and key < ${`${prefix}~`} ${after === undefined ? nothing : sql`and key > ${after}`}
    order by key limit ${limit + 1}`)
}
