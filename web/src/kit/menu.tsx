import { lazy, type ReactNode, Suspense } from 'react'
import type { LucideIcon } from './icon.tsx'
import { type TriggerProps, useOpening } from './opening.ts'

const load = () => import('./menu-popup.tsx')
export const MenuPopup = lazy(load)

export type MenuAction = {
  label: string
  icon?: LucideIcon | undefined
  /** Stands before the words in place of an icon: a face, for example. */
  mark?: ReactNode
  /** The key that does the same. */
  keys?: string | undefined
  /** A few quiet words at the end. */
  note?: string | undefined
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** Chosen, of several of its kind. */
  isChosen?: boolean | undefined
  onSelect: () => void
}
export type MenuEntry =
  | MenuAction
  | { kind: 'line' }
  | { kind: 'head'; label: string }
  /** A row of signs, such as emoji. */
  | {
      kind: 'quick'
      options: readonly { sign: string; label: string; isOn: boolean; onSelect: () => void }[]
    }
  | { kind: 'check'; label: string; icon?: LucideIcon; isOn: boolean; onChange: (isOn: boolean) => void }
  | {
      kind: 'choice'
      label: string
      value: string
      options: readonly (readonly [value: string, label: string])[]
      onChange: (value: string) => void
    }

/**
 * A button and the menu that it opens. The menu's code is loaded when the pointer comes near, or when it is first opened: no
 * menu is open when a page starts.
 */
export function Menu({
  label,
  trigger,
  entries,
  side = 'bottom',
  align = 'start',
}: {
  label: string
  trigger: (props: TriggerProps) => ReactNode
  /** Called when it opens. */
  entries: () => readonly MenuEntry[]
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
}) {
  const { anchor, isOpen, setOpen, wasOpened, trigger: props } = useOpening('menu', load)
  return (
    <>
      {trigger(props)}
      {wasOpened && (
        <Suspense>
          <MenuPopup
            label={label}
            anchor={anchor}
            open={isOpen}
            onOpenChange={setOpen}
            entries={entries}
            side={side}
            align={align}
          />
        </Suspense>
      )}
    </>
  )
}
