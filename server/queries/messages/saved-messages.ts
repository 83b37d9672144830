import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, type Sql, sql } from '../../db/sql.ts'
import { maySee } from '../topics/open-topics.ts'
import { type MessageRow, messageColumns } from './messages.ts'

export type SavedRow = MessageRow & { saved_at: number; remind_at: number | null; reminded_at: number | null }
/** The time of saving or of the reminder, and the message. */
export type SavedPosition = [at: number, messageId: string]

/** Messages that the caller has saved and may still see; one row more than `limit`. Each list is a range of an index of its own. */
export function listSavedMessages(
  caller: Caller,
  db: Queryable,
  { reminders, after, limit }: { reminders: boolean; after?: SavedPosition; limit: number },
): Promise<SavedRow[]> {
  const column = reminders ? sql`s.remind_at` : sql`s.saved_at`
  const direction = reminders ? sql`asc` : sql`desc`
  const beyond = reminders ? sql`>` : sql`<`
  const bound = after && sql`and (${column}, s.message_id) ${beyond} (${after[0]}::bigint, ${after[1]}::uuid)`
  return db.query<SavedRow>(sql`
    select ${messageColumns}, s.saved_at, s.remind_at, s.reminded_at
    from saved_messages s
    join messages x on x.org_id = s.org_id and x.id = s.message_id
    join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    where s.org_id = ${caller.orgId} and s.profile_id = ${caller.profileId}
      ${reminders ? sql`and s.remind_at is not null` : nothing} ${bound ?? nothing}
      and ${maySee(caller, sql`s.topic_id`)}
    order by ${column} ${direction}, s.message_id ${direction} limit ${limit + 1}`)
}

/** When the next reminder is due, of all organizations; null where there is none. */
export async function readNextReminder(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{
    at: number | null
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select min(remind_at) as at from saved_messages where remind_at is not null and reminded_at is null`)
  return row?.at ?? null
}

/** Whether a reminder is due by this time. */
export const isReminderDue = (until: number): Sql => sql`exists (
  select from saved_messages where remind_at <= ${until} and remind_at is not null and reminded_at is null)`
