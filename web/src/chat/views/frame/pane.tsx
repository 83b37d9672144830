import { type ReactNode, Suspense, useEffect } from 'react'
import { PaneBoundary } from '../../../kit/boundary.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import styles from './shell.module.css'

/** The third column. Escape closes it, unless something inside has answered to the key. */
export function Pane({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isSomethingOver()) return
      event.preventDefault()
      onClose()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
  return (
    <div className={styles.pane}>
      <PaneBoundary>
        <Suspense fallback={<SkeletonRows />}>{children}</Suspense>
      </PaneBoundary>
    </div>
  )
}

/** Menus, cards and windows are nearer than the pane; a toast, which is called a dialog too, is not. */
const isSomethingOver = (): boolean =>
  document.querySelector('[role="dialog"]:not([data-toast]), [role="menu"], [role="listbox"]') !== null
