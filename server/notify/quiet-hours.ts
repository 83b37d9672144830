import type { NotificationSettingsRow } from '../queries/members/notification-settings.ts'

type Quiet = Pick<NotificationSettingsRow, 'quietFrom' | 'quietTo' | 'timeZone' | 'dndUntil'>

/** Whether they are not to be disturbed, or it is between their quiet hours where they are; these may lie around midnight. */
export function isQuiet({ quietFrom, quietTo, timeZone, dndUntil }: Quiet, now: number): boolean {
  if (dndUntil !== null && dndUntil > now) return true
  if (quietFrom === null || quietTo === null) return false
  const minute = minuteOfDay(timeZone, now)
  return quietFrom < quietTo
    ? minute >= quietFrom && minute < quietTo
    : minute >= quietFrom || minute < quietTo
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time of day, with daylight saving time. */
function minuteOfDay(timeZone: string, now: number): number {
  // There are some 600 zones; making a format costs a hundred times as much as using it.
  const known = formats.get(timeZone)
  const format =
    known ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (!known) formats.set(timeZone, format)
  const [hours = 0, minutes = 0] = format.format(now).split(':').map(Number)
  return hours * 60 + minutes
}
