import { MAIL_AFTER_MINUTES, type NotificationSettings } from '../../contract/people/notifications.ts'
import type { NotificationSettingsRow } from '../queries/members/notification-settings.ts'

export function presentNotificationSettings(
  {
    keywords,
    quietFrom,
    quietTo,
    quietDays,
    timeZone,
    notWhileActive,
    mailAfterMinutes,
  }: NotificationSettingsRow,
  pushKey: string | null,
): NotificationSettings {
  return {
    keywords,
    quietHours:
      quietFrom === null || quietTo === null ? null : { from: timeOfDay(quietFrom), to: timeOfDay(quietTo) },
    quietDays,
    timeZone,
    notWhileActive,
    mailAfterMinutes: MAIL_AFTER_MINUTES.find((minutes) => minutes === mailAfterMinutes) ?? 60,
    pushKey,
  }
}

const two = (number: number): string => String(number).padStart(2, '0')
const timeOfDay = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
