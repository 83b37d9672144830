import type { Caller } from '../../caller.ts'
import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

const MB = 1024 * 1024

/** `quotaMb` is null for the server's setting, and 0 for no limit. */
export type StorageRow = { usedBytes: number; quotaMb: number | null }

export async function readStorage(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { storageQuotaMb }: Pick<Config, 'storageQuotaMb'>,
): Promise<StorageRow & { quotaBytes: number | null }> {
  const [row = { usedBytes: 0, quotaMb: null }] = await db.query<StorageRow>(sql`
    select used_bytes as "usedBytes", quota_mb as "quotaMb" from organization_storage where org_id = ${orgId}`)
  const quotaMb = row.quotaMb ?? storageQuotaMb
  return { ...row, quotaBytes: quotaMb === 0 ? null : quotaMb * MB }
}

/** Bytes that the organization may still store; undefined without a limit. */
export async function readBytesLeft(...asked: Parameters<typeof readStorage>): Promise<number | undefined> {
  const { usedBytes, quotaBytes } = await readStorage(...asked)
  return quotaBytes === null ? undefined : Math.max(0, quotaBytes - usedBytes)
}
