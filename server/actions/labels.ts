import { isViolation } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { caseKey } from '../text.ts'

/** Names are unique without regard to case; the database sees to it. */
export async function createLabel(tx: Transaction, name: string): Promise<{ id: string; name: string }> {
  const id = newUuid()
  const at = tx.ownMillisecond()
  await tx
    .query(sql`
      insert into labels (org_id, id, name, name_key, created_at)
      values (${tx.orgId}, ${id}, ${name}, ${caseKey(name)}, ${at})`)
    .catch((error: unknown) => {
      throw isViolation(error, 'labels_name') ? badRequest('Label name already exists') : error
    })
  return { id, name }
}
