import type { ActionNote } from '../../../contract/people/card-records.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** Notes of bots to the caller alone: of each of these messages, that to their newest answer with a note. */
export async function readNotes(
  caller: Caller,
  db: Queryable,
  messageIds: readonly string[],
): Promise<ActionNote[]> {
  if (messageIds.length === 0) return []
  return db.query<ActionNote>(sql`
    select distinct on (message_id) message_id as "messageId", id as "actionId", note as text from message_actions
    where org_id = ${caller.orgId} and profile_id = ${caller.profileId} and message_id = any(${messageIds}::uuid[])
      and note is not null
    order by message_id, id desc`)
}
