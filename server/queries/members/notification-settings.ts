import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'

export type NotificationSettingsRow = {
  keywords: string[]
  /** Minutes of the local day; null: no quiet hours. */
  quietFrom: number | null
  quietTo: number | null
  /** Days of the local week without notifications: 1 is Monday. */
  quietDays: number[]
  timeZone: string
  notWhileActive: boolean
  mailAfterMinutes: number
  /** The end of Do not disturb. */
  dndUntil: number | null
}

/** Columns of `profiles p` and `notification_settings n`, whose row may be missing: the defaults stand here and in the table. */
export const notificationSettingColumns: Sql = sql`
  coalesce(n.keywords, '{}') as keywords, n.quiet_from as "quietFrom", n.quiet_to as "quietTo",
  coalesce(n.quiet_days, '{}') as "quietDays",
  coalesce(n.time_zone, 'UTC') as "timeZone", coalesce(n.not_while_active, true) as "notWhileActive",
  coalesce(n.mail_after_minutes, 60) as "mailAfterMinutes",
  case when (select h.show_presence from organizations h where h.org_id = p.org_id) then p.dnd_until end as "dndUntil"`

export async function readNotificationSettings(
  { orgId, profileId }: Caller,
  db: Queryable,
): Promise<NotificationSettingsRow> {
  const [row] = await db.query<NotificationSettingsRow>(sql`
    select ${notificationSettingColumns}
    from profiles p left join notification_settings n on n.org_id = p.org_id and n.profile_id = p.id
    where p.org_id = ${orgId} and p.id = ${profileId}`)
  if (!row) throw new Error('a caller is a member')
  return row
}
