import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import type { ButtonLook } from './button.tsx'
import styles from './confirm.module.css'
import { Dialog, DialogActions, DialogBody } from './dialog.tsx'
import { Words } from './name.tsx'
import { ErrorNotice } from './notice.tsx'

/**
 * Asks before something that cannot simply be taken back. It says what it costs: what happens, then what each of the
 * concerned loses or keeps, and whether there is a way back.
 */
export function Confirm({
  title,
  text,
  costs = [],
  action,
  look = 'danger',
  busy,
  error,
  children,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  costs?: readonly string[]
  /** Repeats the verb of the title. */
  action: string
  look?: ButtonLook
  busy: boolean
  error?: unknown
  /** Further choices, below the costs. */
  children?: ReactNode
  onConfirm: () => void
  onClose: () => void
}) {
  const t = useTexts(common)
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <DialogBody>
        <p className={styles.text}>
          <Words text={text} />
        </p>
        {costs.length > 0 && (
          <ul className={styles.costs}>
            {costs.map((cost) => (
              <li key={cost}>
                <Words text={cost} />
              </li>
            ))}
          </ul>
        )}
        {children}
        {error != null && <ErrorNotice error={error} />}
      </DialogBody>
      <DialogActions action={action} look={look} keep={t.cancel} onAct={onConfirm} />
    </Dialog>
  )
}
