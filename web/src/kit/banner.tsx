import type { ReactNode } from 'react'
import styles from './banner.module.css'
import { classes } from './classes.ts'
import { Icon, type LucideIcon } from './icon.tsx'

/** One line over the whole width of a pane: what is the matter, and what can be done. */
export function Banner({
  icon,
  tone = 'warn',
  children,
  action,
}: {
  icon: LucideIcon
  tone?: 'warn' | 'bad' | 'plain'
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div role="status" className={classes(styles.banner, styles[tone])}>
      <Icon icon={icon} size={18} />
      <p>{children}</p>
      {action}
    </div>
  )
}
