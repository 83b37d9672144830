import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'

export type DraftRow = { topic_id: string; parent_id: string | null; text: string; updated_at: number }

/** The most drafts that are listed: the newest, in topics that the caller is in. */
export const MAX_DRAFTS = 200

/** The newest first; only those of some topics where `topicIds` names them. */
export function listDrafts(caller: Caller, db: Queryable, topicIds?: readonly string[]): Promise<DraftRow[]> {
  return db.query<DraftRow>(sql`
    select d.topic_id, nullif(d.parent_id, '00000000-0000-0000-0000-000000000000') as parent_id, d.text, d.updated_at
    from drafts d
    join topic_members m on m.org_id = d.org_id and m.topic_id = d.topic_id and m.profile_id = d.profile_id
    where d.org_id = ${caller.orgId} and d.profile_id = ${caller.profileId}
      ${topicIds ? sql`and d.topic_id = any(${topicIds}::uuid[])` : nothing}
    order by d.updated_at desc limit ${MAX_DRAFTS}`)
}
