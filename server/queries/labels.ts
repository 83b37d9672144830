import type { Label } from '../../contract/labels.ts'
import type { Caller } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export function listLabels(caller: Caller, db: Queryable): Promise<Label[]> {
  return db.query<Label>(
    sql`select id, name from labels where org_id = ${caller.orgId} order by created_at, id`,
  )
}
