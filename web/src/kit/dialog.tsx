import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useContext } from 'react'
import { kit } from '../texts/kit.ts'
import { useTexts } from '../texts/texts.ts'
import { Button, type ButtonLook, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { DialogContext } from './dialog-context.ts'
import { Words } from './name.tsx'

/**
 * A window over the page. Focus stays inside and goes back to where it was; Escape closes it, unless it is busy: closing it
 * would hide the result. Rendered while it is open.
 */
export function Dialog({
  title,
  onClose,
  busy = false,
  size = 'normal',
  children,
}: {
  title: string
  onClose: () => void
  busy?: boolean
  /** `whole`: a page of its own where there is little room, with a heading as one. */
  size?: 'small' | 'normal' | 'wide' | 'whole'
  children: ReactNode
}) {
  const t = useTexts(kit)
  return (
    <Base.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={classes(styles.viewport, size === 'whole' && styles.filled)}>
          <Base.Popup className={classes(styles.popup, styles[size])}>
            <div className={styles.head}>
              {/* biome-ignore lint/a11y/useHeadingContent: the title gives it its words */}
              <Base.Title className={styles.title} {...(size === 'whole' && { render: <h1 /> })}>
                <Words text={title} />
              </Base.Title>
              <IconButton
                label={t.close}
                keys="Esc"
                icon={X}
                size="small"
                onClick={() => !busy && onClose()}
              />
            </div>
            <DialogContext value={{ busy, onClose }}>{children}</DialogContext>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The content of a window, above its buttons. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>
}

export function DialogForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submitted = (event: FormEvent) => {
    event.preventDefault()
    // A window may stand, as React sees it, inside of another form.
    event.stopPropagation()
    onSubmit()
  }
  return (
    <form className={styles.form} onSubmit={submitted} noValidate>
      {children}
    </form>
  )
}

/** The line of buttons below a window that only tells something. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

/** The buttons of a window: the safe answer, and the one that repeats the verb of the title. */
export function DialogActions({
  action,
  look = 'primary',
  keep,
  disabled = false,
  onAct,
}: {
  action: string
  look?: ButtonLook
  /** The safe answer; "Cancel" unless told otherwise. */
  keep?: string
  disabled?: boolean
  /** The button submits its form if this is left out. */
  onAct?: () => void
}) {
  const t = useTexts(kit)
  const { busy, onClose } = useContext(DialogContext)
  return (
    <div className={styles.actions}>
      <Button look="quiet" onClick={onClose} disabled={busy}>
        {keep ?? t.cancel}
      </Button>
      <Button
        look={look}
        busy={busy}
        disabled={disabled}
        submit={onAct === undefined}
        {...(onAct && { onClick: onAct })}
      >
        {action}
      </Button>
    </div>
  )
}
