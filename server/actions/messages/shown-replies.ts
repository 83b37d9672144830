import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emitToPeople } from '../../events/log.ts'
import { FIRST_ID, LAST_ID } from '../../ids.ts'

/**
 * Shows the first reply of each thread in its topic when the message at the head of the thread was deleted: without it, no
 * way in the topic would lead to the replies that are left. Each costs one look into an index.
 */
export async function showOrphans(
  tx: Transaction,
  topicId: string,
  parentIds: readonly string[],
): Promise<void> {
  const shown = await tx.query<{ id: string; parent_id: string }>(sql`
    update messages m set thread_only = false
    from unnest(${parentIds}::uuid[]) as p (id) cross join lateral (
      select x.id, x.thread_only from messages x
      where x.org_id = ${tx.orgId} and x.parent_id is not null
        and (x.parent_id, x.id) >= (p.id, ${FIRST_ID}::uuid)
        and (x.parent_id, x.id) <= (p.id, ${LAST_ID}::uuid)
      order by x.parent_id, x.id limit 1
    ) r
    where m.org_id = ${tx.orgId} and m.id = r.id and r.thread_only
    returning m.id, m.parent_id`)
  if (shown.length === 0) return
  const messageIds = shown.map(({ id }) => id)
  await tx.query(sql`
    update mentions set parent_id = null
    where org_id = ${tx.orgId} and topic_id = ${topicId} and message_id = any(${messageIds}::uuid[])`)
  for (const messageId of messageIds) await emitToPeople(tx, 'reply.shown', topicId, { topicId, messageId })
}
