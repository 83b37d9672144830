import type { MenuEntry } from '../../../kit/menu.tsx'
import { laterTexts } from '../../../texts/later.ts'
import { useTexts } from '../../../texts/texts.ts'
import { timesAfter, useMoment } from './times.ts'

/** Entries of a menu that choose a moment: those that are often chosen, and one of one's own. */
export function useTimeEntries(): (onTime: (at: number) => void, onOwn: () => void) => readonly MenuEntry[] {
  const t = useTexts(laterTexts).when
  const moment = useMoment()
  return (onTime, onOwn) => {
    const times = timesAfter(new Date())
    const entry = (label: string, at: number): MenuEntry => ({
      label,
      note: moment(at),
      onSelect: () => onTime(at),
    })
    return [
      entry(t.inAnHour, times.inAnHour),
      entry(t.tomorrow, times.tomorrow),
      ...(times.monday === times.tomorrow ? [] : [entry(t.monday, times.monday)]),
      { kind: 'line' },
      { label: t.own, onSelect: onOwn },
    ]
  }
}
