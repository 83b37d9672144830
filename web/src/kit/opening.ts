import { useRef, useState } from 'react'

/** Props of a button that opens a menu or a popover: spread them over a `Button`, an `IconButton` or a `<button>`. */
export type TriggerProps = {
  ref: (element: HTMLElement | null) => void
  onClick: () => void
  onPointerEnter: () => void
  'aria-haspopup': 'menu' | 'dialog'
  'aria-expanded': boolean
}

/** Opens what a button has, whose code `load` brings: begun when the pointer comes near, drawn from the first opening on. */
export function useOpening(kind: TriggerProps['aria-haspopup'], load: () => Promise<unknown>) {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const anchor = useRef<HTMLElement>(null)
  const trigger: TriggerProps = {
    ref: (element) => {
      anchor.current = element
    },
    onClick: () => {
      setOpened(true)
      setOpen(!isOpen)
    },
    onPointerEnter: () => void load(),
    'aria-haspopup': kind,
    'aria-expanded': isOpen,
  }
  return { anchor, isOpen, setOpen, wasOpened, trigger }
}
