import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** For screen readers alone. */
export function VisuallyHidden({ children, live = false }: { children: ReactNode; live?: boolean }) {
  return (
    <span className={styles.hidden} {...(live && { role: 'status' })}>
      {children}
    </span>
  )
}
