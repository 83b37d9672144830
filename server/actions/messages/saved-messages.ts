import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { readVisibleMessage } from '../../queries/messages/messages.ts'

/*
 * Writes one person's saved messages. They are private and emit no events of the log: each change is one statement that
 * does not wait for the organization's writer.
 */

const AHEAD_MS = LIMITS.scheduledDays * 86_400_000

/** Returns whether it was not saved before. `remindAt` sets a reminder, null removes it; left out, it stays. */
export async function saveMessage(
  db: Queryable,
  caller: Caller,
  messageId: string,
  { remindAt }: { remindAt?: number | null },
  now: number,
): Promise<{ isNew: boolean }> {
  const { orgId, profileId } = caller
  if (typeof remindAt === 'number' && (remindAt <= now || remindAt > now + AHEAD_MS))
    throw refusal('reminder_time_invalid')
  const message = await readVisibleMessage(caller, db, messageId)
  if (!message) throw refusal('message_not_found')
  const [saved] = await db.query<{ isNew: boolean }>(sql`
    insert into saved_messages as s (org_id, profile_id, message_id, topic_id, saved_at, remind_at)
    select l.org_id, ${profileId}, ${message.id}, ${message.topic_id}, ${now}, ${remindAt ?? null}::bigint
    from organization_logs l
    where l.org_id = ${orgId} and (
      select count(*) from saved_messages
      where org_id = ${orgId} and profile_id = ${profileId} and message_id <> ${message.id}
    ) < ${LIMITS.savedMessages}
    on conflict (org_id, profile_id, message_id) do update set
      remind_at = ${remindAt === undefined ? sql`s.remind_at` : sql`excluded.remind_at`},
      reminded_at = ${remindAt === undefined ? sql`s.reminded_at` : sql`null`}
    returning xmax = 0 as "isNew"`)
  if (!saved) throw refusal('saved_messages_full')
  return saved
}

export async function unsaveMessage(
  db: Queryable,
  { orgId, profileId }: Caller,
  messageId: string,
): Promise<void> {
  const gone = await db.query(sql`
    delete from saved_messages where org_id = ${orgId} and profile_id = ${profileId} and message_id = ${messageId}
    returning 1`)
  if (gone.length === 0) throw refusal('message_not_found')
}
