import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { kit } from '../texts/kit.ts'
import { useTexts } from '../texts/texts.ts'
import styles from './combobox.module.css'
import { Icon } from './icon.tsx'

/** Rows of the list at a time: the rest is found by typing. Ten thousand rows would keep the page busy for seconds. */
const MAX_ROWS = 100

/** Several of many, found by typing, each a chip once it is chosen. */
export function Combobox<Item extends { id: string; name: string }>({
  label,
  placeholder,
  hint,
  mistake,
  isRequired = false,
  items,
  chosen,
  onChange,
  mark,
  note,
  max,
  onSearch,
  autoFocus = false,
}: {
  label: string
  placeholder: string
  hint?: string | undefined
  mistake?: string | undefined
  isRequired?: boolean
  items: readonly Item[]
  chosen: readonly Item[]
  onChange: (chosen: Item[]) => void
  /** The mark before a name; a face. */
  mark: (item: Item, size: number) => ReactNode
  /** A few quiet words at the end of a row. */
  note?: (item: Item) => ReactNode
  max?: number
  /** Searches for items elsewhere; these are then shown as they are. */
  onSearch?: (text: string) => void
  autoFocus?: boolean
}) {
  const t = useTexts(kit)
  const id = useId()
  const described = mistake !== undefined ? `${id}m` : hint !== undefined ? `${id}h` : undefined
  const [isOpen, setOpen] = useState(false)
  const isFull = max !== undefined && chosen.length >= max
  return (
    <Base.Root
      items={items}
      limit={MAX_ROWS}
      multiple
      autoHighlight
      {...(onSearch && { filter: null, onInputValueChange: (text: string) => onSearch(text) })}
      value={[...chosen]}
      onValueChange={(next: Item[], { reason }) => {
        // Escape closes the list; the chosen members stay.
        if (reason === 'escape-key') return
        onChange(max === undefined ? next : next.slice(0, max))
        if (max !== undefined && next.length >= max) setOpen(false)
      }}
      open={isOpen}
      onOpenChange={setOpen}
      itemToStringLabel={(item: Item) => item.name}
      isItemEqualToValue={(one: Item, other: Item) => one.id === other.id}
    >
      <div className={styles.field}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        <Base.Chips className={styles.chips} aria-label={chosen.length > 0 ? label : undefined}>
          {chosen.map((item) => (
            <Base.Chip key={item.id} className={styles.chip} aria-label={item.name}>
              {mark(item, 18)}
              <span className={styles.name}>
                <bdi>{item.name}</bdi>
              </span>
              <Base.ChipRemove className={styles.remove} aria-label={t.remove(item.name)}>
                <Icon icon={X} size={14} />
              </Base.ChipRemove>
            </Base.Chip>
          ))}
          <Base.Input
            id={id}
            aria-label={label}
            className={styles.input}
            placeholder={chosen.length > 0 ? '' : placeholder}
            disabled={isFull}
            autoFocus={autoFocus}
            aria-describedby={described}
            aria-invalid={mistake !== undefined || undefined}
            aria-required={isRequired || undefined}
          />
        </Base.Chips>
        {mistake !== undefined ? (
          <p className={styles.mistake} id={`${id}m`} role="alert">
            {mistake}
          </p>
        ) : (
          hint !== undefined && (
            <p className={styles.hint} id={`${id}h`}>
              {hint}
            </p>
          )
        )}
      </div>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.popup}>
            <Base.Empty>
              <div className={styles.empty}>{t.nothingFound}</div>
            </Base.Empty>
            <Base.List className={styles.list}>
              {(item: Item) => (
                <Base.Item key={item.id} value={item} className={styles.item}>
                  {mark(item, 24)}
                  <span className={styles.name}>
                    <bdi>{item.name}</bdi>
                  </span>
                  {note && <span className={styles.note}>{note(item)}</span>}
                  <Base.ItemIndicator className={styles.chosen}>
                    <Icon icon={Check} size={16} />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
