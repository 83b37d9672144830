import { randomBytes } from 'node:crypto'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Secrets } from '../secrets.ts'

export const MARK_KEY_CONTEXT = 'mark key'
const KEY_BYTES = 32

/** Reads the key of import marks, and makes it where there is none yet: of two nodes at once, one does. */
export async function loadMarkKey(db: Queryable, secrets: Secrets, now: number): Promise<Buffer> {
  const key = (await readMarkKey(db, secrets)) ?? (await makeMarkKey(db, secrets, now))
  if (!key) throw new Error('the key of import marks was removed while it was made')
  return key
}

async function readMarkKey(db: Queryable, secrets: Secrets): Promise<Buffer | undefined> {
  const [row] = await db.query<{ key: Buffer }>(sql`select key from mark_keys`)
  return row && secrets.decrypt(row.key, MARK_KEY_CONTEXT)
}

async function makeMarkKey(db: Queryable, secrets: Secrets, now: number): Promise<Buffer | undefined> {
  const sealed = secrets.encrypt(randomBytes(KEY_BYTES), MARK_KEY_CONTEXT)
  await db.query(sql`
    insert into mark_keys (key, created_at) values (${sealed}, ${now}) on conflict (id) do nothing`)
  return readMarkKey(db, secrets)
}
