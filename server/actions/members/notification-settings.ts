import type { NotificationSettings } from '../../../contract/people/notifications.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { checkTimeZone } from './profiles.ts'

export type NotificationChange = Partial<Omit<NotificationSettings, 'pushKey'>>

/** Belongs to one person, as read positions do: one statement that does not wait for the organization's writer. */
export async function updateNotificationSettings(
  db: Queryable,
  { orgId, profileId }: Caller,
  { keywords, quietHours, quietDays, timeZone, notWhileActive, mailAfterMinutes }: NotificationChange,
): Promise<void> {
  if (timeZone !== undefined) checkTimeZone(timeZone)
  if (quietHours && quietHours.from === quietHours.to) throw refusal('quiet_hours_empty')
  const from = quietHours ? minutesOf(quietHours.from) : null
  const to = quietHours ? minutesOf(quietHours.to) : null
  await db.query(sql`
    insert into notification_settings as n
      (org_id, profile_id, keywords, quiet_from, quiet_to, quiet_days, time_zone, not_while_active, mail_after_minutes)
    values (${orgId}, ${profileId}, ${distinctWords(keywords ?? [])}, ${from}, ${to},
      ${[...new Set(quietDays)].sort()}, ${timeZone ?? 'UTC'},
      ${notWhileActive ?? true}, ${mailAfterMinutes ?? 60})
    on conflict (org_id, profile_id) do update set
      keywords = ${keywords === undefined ? sql`n.keywords` : sql`excluded.keywords`},
      quiet_from = ${quietHours === undefined ? sql`n.quiet_from` : sql`excluded.quiet_from`},
      quiet_to = ${quietHours === undefined ? sql`n.quiet_to` : sql`excluded.quiet_to`},
      quiet_days = ${quietDays === undefined ? sql`n.quiet_days` : sql`excluded.quiet_days`},
      time_zone = ${timeZone === undefined ? sql`n.time_zone` : sql`excluded.time_zone`},
      not_while_active = ${notWhileActive === undefined ? sql`n.not_while_active` : sql`excluded.not_while_active`},
      mail_after_minutes = ${mailAfterMinutes === undefined ? sql`n.mail_after_minutes` : sql`excluded.mail_after_minutes`}`)
}

/** Stops mails about missed messages, for people who have only the link in such a mail. */
export async function endMissedMails(db: Queryable, { orgId, profileId }: Caller): Promise<void> {
  await db.query(sql`
    insert into notification_settings (org_id, profile_id, mail_after_minutes)
    select p.org_id, p.id, 0 from profiles p where p.org_id = ${orgId} and p.id = ${profileId}
    on conflict (org_id, profile_id) do update set mail_after_minutes = 0`)
}

function minutesOf(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number)
  return hours * 60 + minutes
}

/** Removes duplicates regardless of case, and keeps the first spelling. */
function distinctWords(keywords: readonly string[]): string[] {
  const words = new Map<string, string>()
  for (const keyword of keywords) {
    const word = keyword.trim().replace(/\s+/g, ' ')
    if (!words.has(word.toLowerCase())) words.set(word.toLowerCase(), word)
  }
  return [...words.values()]
}
