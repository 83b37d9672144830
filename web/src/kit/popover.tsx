import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { TriggerProps } from './menu.tsx'

const load = () => import('./popover-popup.tsx')
export const PopoverPopup = lazy(load)

/** A button and the little window beside it; its code is loaded like that of a menu. */
export function Popover({
  label,
  trigger,
  children,
  side = 'bottom',
  align = 'start',
}: {
  label: string
  trigger: (props: TriggerProps) => ReactNode
  children: (close: () => void) => ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
}) {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const anchor = useRef<HTMLElement>(null)
  return (
    <>
      {trigger({
        ref: (element) => {
          anchor.current = element
        },
        onClick: () => {
          setOpened(true)
          setOpen(!isOpen)
        },
        onPointerEnter: () => void load(),
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
      })}
      {wasOpened && (
        <Suspense>
          <PopoverPopup
            label={label}
            anchor={anchor}
            open={isOpen}
            onOpenChange={setOpen}
            side={side}
            align={align}
          >
            {isOpen && children(() => setOpen(false))}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}
