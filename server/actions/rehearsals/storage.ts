import { LIMITS } from '../../../contract/limits.ts'
import type { RehearsalCaller } from '../../auth/rehearsals.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import type { EntryRow } from '../../queries/bots/bot-storage.ts'
import { jsonOf } from '../bots/bot-storage.ts'
import { requireRunning } from './sayings.ts'

type Place = { key: string; version: number | undefined }

/** Writes a value into the storage of a rehearsal, which begins empty: what the bot has stored outside is neither seen nor changed. */
export async function store(
  tx: Transaction,
  caller: RehearsalCaller,
  { key, value, version }: Place & { value: unknown },
): Promise<EntryRow & { isNew: boolean }> {
  const json = jsonOf(value)
  const bytes = Buffer.byteLength(json)
  if (bytes > LIMITS.storageValueBytes) throw refusal('storage_value_too_large')
  const { id, storageVersion } = await requireRunning(tx, caller)
  const before = await requireVersion(tx, id, { key, version })
  const [all] = await tx.query<{ entries: number; bytes: number }>(sql`
    select count(*) as entries, coalesce(sum(bytes), 0)::bigint as bytes from rehearsal_storage
    where org_id = ${tx.orgId} and rehearsal_id = ${id}`)
  if (!before && (all?.entries ?? 0) >= LIMITS.rehearsalStorageKeys) throw refusal('storage_keys_full')
  if ((all?.bytes ?? 0) + bytes - (before?.bytes ?? 0) > LIMITS.rehearsalStorageBytes)
    throw refusal('storage_full')
  const written = { key, version: storageVersion + 1, bytes, updatedAt: tx.now() }
  await tx.query(sql`
    insert into rehearsal_storage (org_id, rehearsal_id, key, value, bytes, version, updated_at)
    values (${tx.orgId}, ${id}, ${key}, ${json}, ${bytes}, ${written.version}, ${written.updatedAt})
    on conflict (org_id, rehearsal_id, key) do update set value = excluded.value, bytes = excluded.bytes,
      version = excluded.version, updated_at = excluded.updated_at`)
  await tx.query(sql`
    update rehearsals set storage_version = ${written.version} where org_id = ${tx.orgId} and id = ${id}`)
  return { ...written, isNew: !before }
}

export async function unstore(tx: Transaction, caller: RehearsalCaller, place: Place): Promise<void> {
  const { id } = await requireRunning(tx, caller)
  if (!(await requireVersion(tx, id, place))) throw refusal('storage_key_not_found')
  await tx.query(sql`
    delete from rehearsal_storage where org_id = ${tx.orgId} and rehearsal_id = ${id} and key = ${place.key}`)
}

async function requireVersion(tx: Transaction, rehearsalId: string, { key, version }: Place) {
  const [before] = await tx.query<{ version: number; bytes: number }>(sql`
    select version, bytes from rehearsal_storage
    where org_id = ${tx.orgId} and rehearsal_id = ${rehearsalId} and key = ${key}`)
  if (version !== undefined && version !== (before?.version ?? 0)) throw refusal('storage_version_conflict')
  return before
}
