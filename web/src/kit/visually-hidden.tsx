import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

export function VisuallyHidden({
  as: Element = 'span',
  live = false,
  children,
}: {
  as?: 'span' | 'div'
  live?: boolean
  children: ReactNode
}) {
  return (
    <Element className={styles.hidden} {...(live && { role: 'status' })}>
      {children}
    </Element>
  )
}
