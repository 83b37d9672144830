import { applyKeptMessages } from '../../server/actions/organization/message-retention-settings.ts'
import { sql } from '../../server/db/sql.ts'
import type { TestParley } from './parley.ts'

/** Ends the day in which a shorter retention can be cancelled. */
export const endDelay = ({ parley: { db } }: TestParley, orgId: string): Promise<void> =>
  db.write(orgId, async (tx) => {
    await tx.query(sql`
      update organizations set keep_messages_next_at = 0 where org_id = ${orgId} and keep_messages_next_at is not null`)
    await applyKeptMessages(tx)
  })

/** Ends the day in which nothing of a topic is deleted because a shorter time was chosen for it. */
export const endTopicDelays = ({ parley: { db } }: TestParley, orgId: string): Promise<unknown> =>
  db.write(orgId, (tx) =>
    tx.query(
      sql`update topics set keep_messages_from = 0 where org_id = ${orgId} and keep_messages_from > 0`,
    ),
  )
