import { useContext } from 'react'
import { LanguageContext } from '../../../texts/texts.ts'

const MORNING_HOUR = 9
const MONDAY = 1

export type Times = { inAnHour: number; tomorrow: number; monday: number }

/** Times that are often chosen, by the clock and calendar of the reader. If tomorrow is Monday, `monday` is the same. */
export function timesAfter(now: Date): Times {
  const morningIn = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR).getTime()
  return {
    inAnHour: now.getTime() + 3_600_000,
    tomorrow: morningIn(1),
    monday: morningIn((MONDAY + 7 - now.getDay()) % 7 || 7),
  }
}

export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A moment ahead in words: "tomorrow, 09:00" would be shorter, and wrong a day later; a toast may stay open. */
export function useMoment(): (at: number) => string {
  const language = useContext(LanguageContext)
  return (at) => {
    const date = new Date(at)
    const isThisYear = date.getFullYear() === new Date().getFullYear()
    return date.toLocaleString(language, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      ...(!isThisYear && { year: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
    })
  }
}
