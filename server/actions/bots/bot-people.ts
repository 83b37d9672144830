import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'

/** People who answer for bots: owners and admins of the organization, and the owners of these bots. */
export const readAnswerablePeople = (
  tx: Transaction,
  botIds: readonly string[],
): Promise<{ email: string; organization: string }[]> =>
  tx.query(sql`
    select p.email, o.name as organization from profiles p join organizations o using (org_id)
    where p.org_id = ${tx.orgId} and p.kind = 'user' and p.status = 'Active' and (p.role in ('owner', 'admin') or p.id in (
      select b.owner_id from bots b where b.org_id = ${tx.orgId} and b.id = any(${botIds})))
    order by p.id`)
