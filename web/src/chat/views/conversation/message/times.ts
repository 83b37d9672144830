import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { readerLocale } from '../../../../texts/language.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { dayOf } from '../list/rows.ts'

/** Making a format costs more than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()
function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + Object.keys(options).join()
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options)
  formats.set(key, known)
  return known
}

const DAY_MS = 86_400_000

export type Times = {
  /** 16:04 */
  clock: (at: number) => string
  /** Today, Yesterday, Thursday, 12 March; with the year where it is another. */
  day: (at: number) => string
  /** Shorter, with the time: 16:04, Yesterday 16:04, 12 Mar 16:04. */
  moment: (at: number) => string
  /** As short as can be: 16:04, Thu, 12 Mar. */
  brief: (at: number) => string
}

export function useTimes(): Times {
  const t = useTexts(conversationTexts)
  const language = readerLocale()
  const clock = (at: number) => format(language, { hour: 'numeric', minute: '2-digit' }).format(at)
  const near = (at: number) => {
    if (dayOf(at) === dayOf(Date.now())) return t.today
    return dayOf(at) === dayOf(Date.now() - DAY_MS) ? t.yesterday : undefined
  }
  const year = (at: number) =>
    new Date(at).getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const)
  return {
    clock,
    day: (at) =>
      near(at) ??
      format(language, { weekday: 'long', day: 'numeric', month: 'long', ...year(at) }).format(at),
    moment: (at) => {
      if (near(at) === t.today) return clock(at)
      const day = near(at) ?? format(language, { day: 'numeric', month: 'short', ...year(at) }).format(at)
      return `${day} ${clock(at)}`
    },
    brief: (at) => {
      if (near(at) === t.today) return clock(at)
      const isThisWeek = Date.now() - at < 6 * DAY_MS
      return format(
        language,
        isThisWeek ? { weekday: 'short' } : { day: 'numeric', month: 'short', ...year(at) },
      ).format(at)
    },
  }
}
