import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import type { StreamingRow } from '../../queries/messages/streamed-messages.ts'

/** Deletes a message that is still being written; returns whether there was one. Bots never hear of it. */
export async function deleteStreaming(tx: Transaction, caller: Caller, messageId: string): Promise<boolean> {
  const [row] = await tx.query<StreamingRow>(sql`
    select s.* from streaming_messages s
    join topic_members m on m.org_id = s.org_id and m.topic_id = s.topic_id and m.profile_id = ${caller.profileId}
    where s.org_id = ${tx.orgId} and s.id = ${messageId}`)
  if (!row) return false
  if (row.sender_id !== caller.profileId) throw refusal('forbidden')
  await tx.query(sql`delete from streaming_messages where org_id = ${tx.orgId} and id = ${row.id}`)
  await emitToPeople(tx, 'stream.discarded', row.topic_id, { topicId: row.topic_id, messageId: row.id })
  return true
}
