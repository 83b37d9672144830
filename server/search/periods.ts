import { refusal } from '../errors.ts'

/** Times in milliseconds: `start` is included, `end` is not. */
export type Period = { start: number; end: number }
/** The time zone and the time of the search. */
export type Moment = { timeZone: string; now: number }

const YEAR_MONTH_DAY = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/
/** Days from today, by name. */
const NAMED = new Map([
  ['today', 0],
  ['yesterday', -1],
])

/** The day, month or year that was written, in the zone of the searcher. A day has 23 or 25 hours where clocks are changed. */
export function periodOf(value: string, moment: Moment): Period {
  const named = NAMED.get(value.toLowerCase())
  const [begin, end] = named === undefined ? datesOf(value) : dayAt(moment, named)
  return { start: midnight(begin, moment.timeZone), end: midnight(end, moment.timeZone) }
}

/** Midnights in UTC that have the dates at which the period begins and ends. */
function datesOf(value: string): [begin: number, end: number] {
  const [, year, month, day] = YEAR_MONTH_DAY.exec(value) ?? []
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  const begin = Date.UTC(y, m - 1, d)
  const written = [value, value.length < 7 ? '-01' : '', value.length < 10 ? '-01' : ''].join('')
  if (Number.isNaN(begin) || new Date(begin).toISOString().slice(0, 10) !== written)
    throw refusal('search_day_invalid')
  const end =
    month === undefined
      ? Date.UTC(y + 1, 0, 1)
      : day === undefined
        ? Date.UTC(y, m, 1)
        : Date.UTC(y, m - 1, d + 1)
  return [begin, end]
}

function dayAt({ timeZone, now }: Moment, days: number): [begin: number, end: number] {
  const local = new Date(now + offsetAt(now, timeZone))
  const at = (step: number) =>
    Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + step)
  return [at(days), at(days + 1)]
}

/** The time at which local clocks show what UTC shows at `at`. */
function midnight(at: number, timeZone: string): number {
  const first = at - offsetAt(at, timeZone)
  return at - offsetAt(first, timeZone)
}

function offsetAt(at: number, timeZone: string): number {
  const shown = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return Date.UTC(year, month - 1, day, hour % 24, minute, second) - (at - (at % 1000))
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    throw refusal('field_invalid', { field: 'timeZone' })
  }
}
