import type { NotificationSettingsRow } from '../queries/members/notification-settings.ts'

type Quiet = Pick<NotificationSettingsRow, 'quietFrom' | 'quietTo' | 'quietDays' | 'timeZone' | 'dndUntil'>

/**
 * Whether they are not to be disturbed, or have one of their quiet days or hours where they are; the hours may lie around
 * midnight.
 */
export function isQuiet({ quietFrom, quietTo, quietDays, timeZone, dndUntil }: Quiet, now: number): boolean {
  if (dndUntil !== null && dndUntil > now) return true
  const hasHours = quietFrom !== null && quietTo !== null
  if (!hasHours && quietDays.length === 0) return false
  const { day, minute } = localTime(timeZone, now)
  if (quietDays.includes(day)) return true
  if (!hasHours) return false
  return quietFrom < quietTo
    ? minute >= quietFrom && minute < quietTo
    : minute >= quietFrom || minute < quietTo
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const formats = new Map<string, Intl.DateTimeFormat>()

/** The local day of the week, 1 for Monday, and minute of the day, with daylight saving time. */
function localTime(timeZone: string, now: number): { day: number; minute: number } {
  // There are some 600 zones; making a format costs a hundred times as much as using it.
  const known = formats.get(timeZone)
  const format =
    known ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  if (!known) formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return {
    day: WEEK.indexOf(parts.weekday ?? '') + 1,
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  }
}
