import { lazy, type ReactNode, Suspense } from 'react'
import { type TriggerProps, useOpening } from './opening.ts'

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
  const { anchor, isOpen, setOpen, wasOpened, trigger: props } = useOpening('dialog', load)
  return (
    <>
      {trigger(props)}
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
