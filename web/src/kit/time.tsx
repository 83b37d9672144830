import { useContext, useSyncExternalStore } from 'react'
import { LanguageContext } from '../texts/texts.ts'

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

const TICK_MS = 10_000

/** One clock for all times on a page, so that "3 seconds ago" does not stay so. */
const watchers = new Set<() => void>()
let timer: number | undefined

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= window.setInterval(() => {
    for (const each of watchers) each()
  }, TICK_MS)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}
const now = (): number => Math.floor(Date.now() / TICK_MS)

/** How long ago, or ahead; the exact time is in the tooltip. */
export function Time({ at, exact = false }: { at: number; exact?: boolean }) {
  const language = useContext(LanguageContext)
  useSyncExternalStore(watch, now)
  const date = new Date(at)
  const full = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time dateTime={date.toISOString()} title={full}>
      {exact ? full : ago(at, language)}
    </time>
  )
}

function ago(at: number, language: string): string {
  const difference = at - Date.now()
  if (Math.abs(difference) > 30 * 86_400_000) {
    return new Date(at).toLocaleDateString(language, { dateStyle: 'medium' })
  }
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1000]
  return format.format(Math.round(difference / length), unit)
}
