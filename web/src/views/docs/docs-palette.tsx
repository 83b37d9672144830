import { BookOpen, Hash } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../../kit/icon.tsx'
import { Palette, PaletteRow } from '../../kit/palette.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import { useDocs } from './context.ts'
import { Method } from './method.tsx'
import { type Entry, find, indexOf } from './search.ts'

/** Entries offered before anything is typed. */
const FIRST = ['bot-api', 'authentication', 'messages', 'events', 'sendMessage', 'readUpdates']

/** Finds guides, their sections, operations and events. */
export default function DocsPalette({ onClose }: { onClose: () => void }) {
  const t = useTexts(docs)
  const content = useDocs()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const entries = useMemo(() => indexOf(content), [content])
  const groups = useMemo(() => {
    if (search.trim() === '') {
      return [
        {
          value: t.found.start,
          items: FIRST.flatMap((id) => entries.find((entry) => entry.id === id) ?? []),
        },
      ]
    }
    const found = find(entries, search)
    const operations = { value: t.found.operations, items: found.filter(({ kind }) => kind === 'operation') }
    const guides = { value: t.found.guides, items: found.filter(({ kind }) => kind !== 'operation') }
    const inOrder = found[0]?.kind === 'operation' ? [operations, guides] : [guides, operations]
    return inOrder.filter(({ items }) => items.length > 0)
  }, [entries, search, t])
  return (
    <Palette
      label={t.searchLabel}
      groups={groups}
      typed={typed}
      onTyped={setTyped}
      row={(entry) => <PaletteRow mark={<Mark entry={entry} />} name={entry.name} note={entry.note} />}
      onChoose={({ to }) => {
        onClose()
        navigate(to)
      }}
      onClose={onClose}
    />
  )
}

const Mark = ({ entry: { kind, method } }: { entry: Entry }) =>
  method !== undefined ? (
    <Method method={method} isSmall />
  ) : (
    <Icon icon={kind === 'guide' ? BookOpen : Hash} size={18} />
  )
