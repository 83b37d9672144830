import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { shareFiles } from '../../files/files.ts'
import { filesOf, type MessageRow } from '../../queries/messages/messages.ts'

/**
 * Copies that a hold has just kept of these messages refer to their files. A trigger counts that on one machine; on several, the register of
 * files is on another one than the copies. To be called before the messages let go of them; an edit says when it was.
 */
export async function shareHeldFiles(
  tx: Transaction,
  messages: readonly Pick<MessageRow, 'id' | 'attachments' | 'details'>[],
  editedAt?: number,
): Promise<void> {
  const ids = messages.filter((message) => filesOf(message).length > 0).map(({ id }) => id)
  if (!tx.isSpread || ids.length === 0) return
  const copies = await tx.query<{ fileIds: string[] }>(sql`
    select distinct on (record_id) file_ids as "fileIds" from held_records
    where org_id = ${tx.orgId} and record_id = any(${ids}::uuid[])
      and ${editedAt === undefined ? sql`change = 'deleted'` : sql`change = 'edited' and changed_at = ${editedAt}`}`)
  for (const { fileIds } of copies) await shareFiles(tx, fileIds)
}
