import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button, type Look } from './controls.tsx'
import { Words } from './name.tsx'
import { ErrorState } from './states.tsx'

const WindowContext = createContext({ busy: false, onClose: () => {} })

/**
 * A window over the page: focus stays inside, Escape closes it, and focus goes back to where it was. While it is busy it
 * stays: who closed it would not learn what came of it.
 */
export function Dialog({
  title,
  onClose,
  busy = false,
  wide = false,
  children,
}: {
  title: string
  onClose: () => void
  busy?: boolean
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
        if (!busy) onClose()
      }}
      // Browsers close it at a second Escape, whatever was said to the first.
      onClose={() => (busy ? ref.current?.showModal() : onClose())}
    >
      <div className="inside">
        <h2 id={id}>
          <Words text={title} />
        </h2>
        <WindowContext value={{ busy, onClose }}>{children}</WindowContext>
      </div>
    </dialog>
  )
}

/** Closes the window that it is in. */
export function CancelButton() {
  const t = useTexts(common)
  const { busy, onClose } = useContext(WindowContext)
  return (
    <Button busy={busy} onClick={onClose}>
      {t.cancel}
    </Button>
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
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <p>
        <Words text={text} />
      </p>
      {error != null && <ErrorState error={error} />}
      <div className="actions end">
        <CancelButton />
        <Button look={look} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
