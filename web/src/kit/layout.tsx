import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './layout.module.css'

/** One below the other. */
export function Stack({ tight = false, children }: { tight?: boolean; children: ReactNode }) {
  return <div className={classes(styles.stack, tight && styles.tight)}>{children}</div>
}

/** Side by side, and in several lines where there is no room. A span, so that it can stand in a sentence or a heading. */
export function Row({ children }: { children: ReactNode }) {
  return <span className={styles.row}>{children}</span>
}

/** Buttons below what they belong to. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

/** Cards beside each other where there is room. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>
}

/** Words that explain: quieter than what they explain. */
export function Quiet({
  small = false,
  as: Element = 'p',
  children,
}: {
  small?: boolean
  as?: 'p' | 'span'
  children: ReactNode
}) {
  return <Element className={classes(styles.quiet, small && styles.small)}>{children}</Element>
}

/** Pairs of `dt` and `dd`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** A list whose items are divided by lines: in each, what it is, and then what can be done with it. */
export function Lines({
  label,
  ordered = false,
  children,
}: {
  label?: string
  ordered?: boolean
  children: ReactNode
}) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List className={styles.lines} aria-label={label}>
      {children}
    </List>
  )
}

/** Fields that belong together, under one name. */
export function FieldGroup({
  legend,
  hint,
  mistake,
  children,
}: {
  legend: string
  hint?: string
  mistake?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-describedby={mistake === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {hint !== undefined && <Quiet small>{hint}</Quiet>}
      {children}
      {mistake !== undefined && (
        <p className={styles.mistake} id={id} role="alert">
          {mistake}
        </p>
      )}
    </fieldset>
  )
}

/** Divides two ways to the same thing. */
export function Or({ children }: { children: ReactNode }) {
  return <p className={styles.or}>{children}</p>
}
