import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { SearchInput } from '../../../kit/field.tsx'
import { searchTexts } from '../../../texts/search.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { type Completion, completionsOf } from './complete.ts'
import styles from './search.module.css'

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
])

/** The field of a search, which completes operators and their values. Enter picks only what was chosen with the arrows. */
export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTexts(searchTexts)
  const listId = useId()
  const members = useChat((state) => state.members)
  const topics = useChat((state) => state.topics)
  const field = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const found = isOpen ? completionsOf(value, { members: members.values(), topics: topics.values() }) : []
  const type = (next: string) => {
    setOpen(true)
    setChosen(-1)
    onChange(next)
  }
  const pick = ({ text, start }: Completion) => {
    type(value.slice(0, start) + text)
    field.current?.querySelector('input')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (found.length === 0 || event.nativeEvent.isComposing) return
    const completion = found[chosen]
    const step = STEPS.get(event.key)
    if (step !== undefined) setChosen((chosen + step + found.length + 1) % (found.length + 1))
    else if (event.key === 'Escape') setOpen(false)
    else if ((event.key === 'Enter' || event.key === 'Tab') && completion) pick(completion)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field inside
    <div
      className={styles.field}
      ref={field}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <SearchInput
        label={t.field}
        value={value}
        onChange={type}
        list={{ id: listId, isOpen: found.length > 0, chosenId: found[chosen] && `${listId}-${chosen}` }}
      />
      {found.length > 0 && (
        <div className={styles.completions} id={listId} role="listbox" aria-label={t.completions}>
          {found.map((completion, index) => (
            <div
              key={completion.label}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={styles.completion}
              onPointerDown={(event) => {
                event.preventDefault()
                pick(completion)
              }}
            >
              <bdi>{completion.label}</bdi>
              {completion.label === `${completion.operator}:` && (
                <span className={styles.soft}>{t.operators[completion.operator]}</span>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
