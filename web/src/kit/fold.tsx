import type { ReactNode } from 'react'
import styles from './fold.module.css'

/** A line that opens what belongs to it. */
export function Fold({
  summary,
  isOpen = false,
  onToggle,
  children,
}: {
  summary: ReactNode
  /** At first. */
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}) {
  return (
    <details
      className={styles.fold}
      open={isOpen || undefined}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>{summary}</summary>
      <div>{children}</div>
    </details>
  )
}
