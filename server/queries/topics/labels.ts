import type { Label } from '../../../contract/labels.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export function listLabels(caller: Caller, db: Queryable): Promise<Label[]> {
  return db.query<Label>(
    sql`select id, name from labels where org_id = ${caller.orgId} order by created_at, id`,
  )
}

/** Labels with the number of topics that have each. */
export function listLabelsWithUse(caller: Caller, db: Queryable): Promise<(Label & { topics: number })[]> {
  return db.query<Label & { topics: number }>(sql`
    select l.id, l.name, (
      select count(*) from topics t where t.org_id = ${caller.orgId} and t.label_id = l.id
    ) as topics
    from labels l where l.org_id = ${caller.orgId} order by l.created_at, l.id`)
}
