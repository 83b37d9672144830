import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../caller.ts'
import { type Database, isViolation } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { refusal, unauthorized } from '../../errors.ts'
import type { EntryRow } from '../../queries/bots/bot-storage.ts'

/*
 * Writes a bot's own storage. It is private and emits no events: a change waits for other changes of the same bot, and
 * not for the organization's writer.
 */

type Wanted = { key: string; value: unknown; version: number | undefined }

/** Writes a value. Returns `isNew` if the key had none. */
export async function writeEntry(
  db: Database,
  caller: Caller,
  { key, value, version }: Wanted,
): Promise<EntryRow & { isNew: boolean }> {
  const json = jsonOf(value)
  const bytes = Buffer.byteLength(json)
  if (bytes > LIMITS.storageValueBytes) throw refusal('storage_value_too_large')
  const { orgId, profileId } = caller
  return db.writeBeside(caller, async (tx) => {
    const storage = await lockStorage(tx, caller)
    const before = await requireVersion(tx, caller, key, version)
    const entries = storage.entries + (before ? 0 : 1)
    const total = storage.bytes + bytes - (before?.bytes ?? 0)
    if (entries > LIMITS.storageKeys) throw refusal('storage_keys_full')
    if (total > LIMITS.storageBytes && total > storage.bytes) throw refusal('storage_full')
    const written = { key, version: storage.lastVersion + 1, bytes, updatedAt: tx.now() }
    await tx.query(sql`
      insert into bot_storage_entries (org_id, bot_id, key, value, bytes, version, updated_at)
      values (${orgId}, ${profileId}, ${key}, ${json}, ${bytes}, ${written.version}, ${written.updatedAt})
      on conflict (org_id, bot_id, key) do update set value = excluded.value, bytes = excluded.bytes,
        version = excluded.version, updated_at = excluded.updated_at`)
    await tx.query(sql`
      update bot_storage set entries = ${entries}, bytes = ${total}, last_version = ${written.version}
      where org_id = ${orgId} and bot_id = ${profileId}`)
    return { ...written, isNew: !before }
  })
}

export function deleteEntry(
  db: Database,
  caller: Caller,
  { key, version }: Omit<Wanted, 'value'>,
): Promise<void> {
  const { orgId, profileId } = caller
  return db.writeBeside(caller, async (tx) => {
    await lockStorage(tx, caller)
    const before = await requireVersion(tx, caller, key, version)
    if (!before) throw refusal('storage_key_not_found')
    await tx.query(sql`
      delete from bot_storage_entries where org_id = ${orgId} and bot_id = ${profileId} and key = ${key}`)
    await tx.query(sql`
      update bot_storage set entries = entries - 1, bytes = bytes - ${before.bytes}
      where org_id = ${orgId} and bot_id = ${profileId}`)
  })
}

type Storage = { entries: number; bytes: number; lastVersion: number }

/** Locks the bot's row until the end, and creates it if missing. */
async function lockStorage(tx: OpenTransaction, { orgId, profileId }: Caller): Promise<Storage> {
  const [storage] = await tx
    .query<Storage>(sql`
      insert into bot_storage (org_id, bot_id) values (${orgId}, ${profileId})
      on conflict (org_id, bot_id) do update set entries = bot_storage.entries
      returning entries, bytes, last_version as "lastVersion"`)
    .catch((error: unknown) => {
      const isGone = isViolation(error, 'bot_storage_org_id_bot_id_fkey')
      throw isGone ? unauthorized('The bot was deleted') : error
    })
  if (!storage) throw new Error('a row for each bot that stores')
  return storage
}

/** The present entry, if it has the version that the caller expects. */
async function requireVersion(
  tx: OpenTransaction,
  { orgId, profileId }: Caller,
  key: string,
  version: number | undefined,
): Promise<{ version: number; bytes: number } | undefined> {
  const [before] = await tx.query<{ version: number; bytes: number }>(sql`
    select version, bytes from bot_storage_entries
    where org_id = ${orgId} and bot_id = ${profileId} and key = ${key}`)
  if (version !== undefined && version !== (before?.version ?? 0)) throw refusal('storage_version_conflict')
  return before
}

/** The value as it is kept. Values that would come back as something else are refused: larger numbers lose digits, or become null. */
export function jsonOf(value: unknown): string {
  const open = [{ value, depth: 1 }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === 'number' && Math.abs(next.value) > Number.MAX_SAFE_INTEGER)
      throw refusal('storage_value_inexact')
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth > LIMITS.storageDepth) throw refusal('storage_value_too_deep')
    const depth = next.depth + 1
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth })
  }
  return JSON.stringify(value)
}
