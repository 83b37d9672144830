import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { CornerDownLeft, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { kit } from '../texts/kit.ts'
import { shellPlaces } from '../texts/shell-places.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'
import { Keys } from './keys.tsx'
import styles from './palette.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export type PaletteGroup<Item> = { value: string; items: Item[] }

/** The window that goes anywhere: a field, and below it what fits, in groups. */
export function Palette<Item extends { kind: string; id: string; name: string }>({
  label,
  groups,
  typed,
  onTyped,
  row,
  onChoose,
  onClose,
}: {
  /** The accessible name of the search field. */
  label: string
  groups: readonly PaletteGroup<Item>[]
  typed: string
  onTyped: (text: string) => void
  row: (item: Item) => ReactNode
  onChoose: (item: Item) => void
  onClose: () => void
}) {
  const k = useTexts(kit)
  const t = useTexts(shellPlaces).palette
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={styles.popup} aria-label={t.title}>
            <Autocomplete.Root
              open
              inline
              items={groups}
              mode="none"
              filter={null}
              autoHighlight="always"
              keepHighlight
              value={typed}
              onValueChange={(next, { reason }) => {
                if (reason !== 'item-press') onTyped(next)
              }}
              itemToStringValue={(item: Item) => item.name}
            >
              <div className={styles.field}>
                <Icon icon={Search} />
                <Autocomplete.Input className={styles.input} aria-label={label} placeholder={label} />
                <Keys keys="Esc" />
              </div>
              <Dialog.Close className={styles.close}>
                <VisuallyHidden>{k.close}</VisuallyHidden>
              </Dialog.Close>
              <div className={styles.results}>
                <Autocomplete.Empty>
                  {groups.length === 0 && <p className={styles.empty}>{t.nothing(typed.trim())}</p>}
                </Autocomplete.Empty>
                <Autocomplete.List className={styles.list}>
                  {(group: PaletteGroup<Item>) => (
                    <Autocomplete.Group key={group.value} items={group.items}>
                      <Autocomplete.GroupLabel className={styles.head}>{group.value}</Autocomplete.GroupLabel>
                      <Autocomplete.Collection>
                        {(item: Item) => (
                          <Autocomplete.Item
                            key={`${item.kind} ${item.id}`}
                            value={item}
                            className={styles.item}
                            onClick={() => onChoose(item)}
                          >
                            {row(item)}
                          </Autocomplete.Item>
                        )}
                      </Autocomplete.Collection>
                    </Autocomplete.Group>
                  )}
                </Autocomplete.List>
              </div>
              <div className={styles.foot} aria-hidden>
                <span>
                  <Keys keys="↑" /> <Keys keys="↓" /> {t.choose}
                </span>
                <span>
                  <Keys keys="↵" /> {t.openIt}
                </span>
              </div>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A thing found in a palette: its mark, its name, marks behind it, and its kind. */
export function PaletteRow({
  mark,
  name,
  chips,
  note,
}: {
  mark: ReactNode
  name: string
  chips?: ReactNode
  note: string
}) {
  return (
    <>
      {mark}
      <span className={styles.name}>
        <bdi>{name}</bdi>
      </span>
      {chips}
      <span className={styles.note}>{note}</span>
      <span className={styles.enter}>
        <Icon icon={CornerDownLeft} size={14} />
      </span>
    </>
  )
}

/** An action of a palette, beside its keyboard shortcut. */
export function PaletteAction({
  mark,
  name,
  keys,
}: {
  mark: ReactNode
  name: string
  keys?: string | undefined
}) {
  return (
    <>
      {mark}
      <span className={styles.name}>{name}</span>
      {keys !== undefined && <Keys keys={keys} />}
    </>
  )
}
