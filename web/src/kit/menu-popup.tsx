import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Keys } from './keys.tsx'
import styles from './menu.module.css'
import type { MenuAction, MenuEntry } from './menu.tsx'
import { useIsPhone } from './touch.ts'

export type MenuAnchor = RefObject<HTMLElement | null> | Element | { getBoundingClientRect: () => DOMRect }

/** A menu beside whatever `anchor` is: its button, or a point on the page. */
export default function MenuPopup({
  label,
  anchor,
  open,
  onOpenChange,
  entries,
  side = 'bottom',
  align = 'start',
  finalFocus,
}: {
  label: string
  anchor: MenuAnchor
  open: boolean
  onOpenChange: (open: boolean) => void
  entries: () => readonly MenuEntry[]
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  /** The element that gets the focus on closing; the anchor by default. */
  finalFocus?: RefObject<HTMLElement | null> | undefined
}) {
  const anchorRef = 'current' in anchor ? anchor : undefined
  const isSheet = useIsPhone()
  return (
    <Menu.Root
      open={open}
      modal={isSheet}
      onOpenChange={(next, details) => {
        // The button itself closes it with its click; a press on it must not close and open again.
        const target = details.event.target
        if (!next && target instanceof Node && anchorRef?.current?.contains(target)) return
        onOpenChange(next)
      }}
    >
      <Menu.Portal>
        {isSheet && <Menu.Backdrop className={styles.backdrop} />}
        {/* It stands at the end of the page, outside of its landmarks: going from one to the next would pass it by. */}
        <Menu.Positioner
          role="region"
          aria-label={label}
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={4}
          className={styles.positioner}
          {...(isSheet && { style: AT_THE_FOOT })}
        >
          <Menu.Popup
            className={classes(styles.popup, isSheet && styles.sheet)}
            aria-label={label}
            finalFocus={finalFocus ?? anchorRef ?? true}
          >
            {open && entries().map((entry, index) => <Entry key={keyOf(entry, index)} entry={entry} />)}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** In place of a position beside the anchor. */
const AT_THE_FOOT = {
  position: 'fixed',
  top: 'auto',
  bottom: 0,
  left: 0,
  right: 0,
  width: '100%',
  transform: 'none',
} as const

const keyOf = (entry: MenuEntry, index: number): string => `${index} ${'label' in entry ? entry.label : ''}`

function Entry({ entry }: { entry: MenuEntry }) {
  if (!('kind' in entry)) return <Action {...entry} />
  if (entry.kind === 'quick') {
    return (
      <Menu.Group className={styles.quick}>
        {entry.options.map(({ sign, label, isOn, onSelect }) => (
          <Menu.Item
            key={sign}
            className={classes(styles.emoji, isOn && styles.isOn)}
            aria-label={label}
            label={label}
            onClick={onSelect}
          >
            {sign}
          </Menu.Item>
        ))}
      </Menu.Group>
    )
  }
  if (entry.kind === 'line') return <Menu.Separator className={styles.line} />
  if (entry.kind === 'head') return <div className={styles.head}>{entry.label}</div>
  if (entry.kind === 'check') {
    return (
      <Menu.CheckboxItem
        className={styles.item}
        checked={entry.isOn}
        onCheckedChange={entry.onChange}
        closeOnClick
      >
        {entry.icon && <Icon icon={entry.icon} size={18} />}
        <span className={styles.words}>{entry.label}</span>
        <Menu.CheckboxItemIndicator className={styles.chosen}>
          <Icon icon={Check} size={16} />
        </Menu.CheckboxItemIndicator>
      </Menu.CheckboxItem>
    )
  }
  return (
    <Menu.Group>
      <Menu.GroupLabel className={styles.head}>{entry.label}</Menu.GroupLabel>
      <Menu.RadioGroup value={entry.value} onValueChange={entry.onChange}>
        {entry.options.map(([value, label]) => (
          <Menu.RadioItem key={value} value={value} className={styles.item} closeOnClick={false}>
            <span className={styles.words}>{label}</span>
            <Menu.RadioItemIndicator className={styles.chosen}>
              <Icon icon={Check} size={16} />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  )
}

function Action({ label, icon, mark, keys, note, danger, disabled, isChosen, onSelect }: MenuAction) {
  return (
    <Menu.Item
      className={classes(styles.item, danger === true && styles.danger)}
      disabled={disabled ?? false}
      onClick={onSelect}
      aria-current={isChosen}
    >
      {mark ?? (icon && <Icon icon={icon} size={18} />)}
      <span className={styles.words}>
        <bdi>{label}</bdi>
      </span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      {keys !== undefined && (
        <span className={styles.keys}>
          <Keys keys={keys} />
        </span>
      )}
      {isChosen === true && <Icon icon={Check} size={16} className={styles.chosen} />}
    </Menu.Item>
  )
}
