import { Popover } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'
import type { MenuAnchor } from './menu-popup.tsx'
import styles from './popover.module.css'

export default function PopoverPopup({
  label,
  anchor,
  open,
  onOpenChange,
  side = 'bottom',
  align = 'start',
  finalFocus,
  children,
}: {
  label: string
  anchor: MenuAnchor
  open: boolean
  onOpenChange: (open: boolean) => void
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  finalFocus?: RefObject<HTMLElement | null> | undefined
  children: ReactNode
}) {
  const anchorRef = 'current' in anchor ? anchor : undefined
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, details) => {
        const target = details.event.target
        if (!next && target instanceof Node && anchorRef?.current?.contains(target)) return
        onOpenChange(next)
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Popover.Popup
            className={styles.popup}
            aria-label={label}
            finalFocus={finalFocus ?? anchorRef ?? true}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
