import { identityChanged } from '../auth/identity.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

export type OrganizationSettings = {
  restrictToOrgUnits?: boolean | undefined
  /** Requests a minute; 0: no limit; null: the server's setting. */
  rateLimit?: number | null | undefined
}

/** What is left out stays as it is. */
export async function setOrganization(tx: Transaction, settings: OrganizationSettings): Promise<void> {
  const { restrictToOrgUnits, rateLimit } = settings
  await tx.query(sql`
    update organizations set
      restrict_to_org_units = coalesce(${restrictToOrgUnits}::boolean, restrict_to_org_units),
      rate_limit = case when ${rateLimit !== undefined}::boolean then ${rateLimit}::integer else rate_limit end,
      updated_at = ${tx.now()}
    where org_id = ${tx.orgId}`)
  await identityChanged(tx, tx.orgId)
}
