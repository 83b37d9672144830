import type { Label } from '../../../contract/labels.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'

/** All labels; for guests, those of their topics. */
export function listLabels(caller: Caller, db: Queryable): Promise<Label[]> {
  const { orgId, profileId } = caller
  const isSeen = sql`and exists (
    select from topics t join topic_members m on m.org_id = t.org_id and m.topic_id = t.id
    where t.org_id = ${orgId} and t.label_id = l.id and m.org_id = ${orgId} and m.profile_id = ${profileId})`
  return db.query<Label>(sql`
    select l.id, l.name from labels l where l.org_id = ${orgId} ${isGuest(caller) ? isSeen : nothing} order by l.created_at, l.id`)
}

/** Labels with the number of topics that have each. */
export function listLabelsWithUse(caller: Caller, db: Queryable): Promise<(Label & { topics: number })[]> {
  return db.query<Label & { topics: number }>(sql`
    select l.id, l.name, (
      select count(*) from topics t where t.org_id = ${caller.orgId} and t.label_id = l.id
    ) as topics
    from labels l where l.org_id = ${caller.orgId} order by l.created_at, l.id`)
}
