import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'

/** How much this organization may have in the store, in MiB; 0: no limit; null: the server's setting. */
export async function setStorageQuota(tx: Transaction, quotaMb: number | null): Promise<void> {
  await tx.query(sql`
    insert into organization_storage (org_id, quota_mb) values (${tx.orgId}, ${quotaMb})
    on conflict (org_id) do update set quota_mb = excluded.quota_mb`)
}
