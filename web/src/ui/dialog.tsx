import { type ReactNode, useEffect, useId, useRef } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button, type Look } from './controls.tsx'
import { ErrorState } from './states.tsx'

/** A window over the page: focus stays inside, Escape closes it, and focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string
  onClose: () => void
  wide?: boolean
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Asks before something that cannot simply be taken back. */
export function Confirm({
  title,
  text,
  action,
  look = 'danger',
  busy,
  error,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  action: string
  look?: Look
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}) {
  const t = useTexts(common)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error != null && <ErrorState error={error} />}
      <div className="actions end">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look={look} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
