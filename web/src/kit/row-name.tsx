import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Name } from './name.tsx'
import styles from './row-name.module.css'

/** The first cell of a table row: a face, a name, which may be a link, and a few quiet words below. */
export function RowName({
  mark,
  name,
  to,
  chip,
  note,
}: {
  mark?: ReactNode
  name: string
  to?: string
  /** Behind the name. */
  chip?: ReactNode
  note?: string | undefined
}) {
  return (
    <span className={styles.whole}>
      {mark}
      <span className={styles.words}>
        <span className={styles.line}>
          {to === undefined ? (
            <strong>
              <Name text={name} />
            </strong>
          ) : (
            <Link to={to}>
              <Name text={name} />
            </Link>
          )}
          {chip}
        </span>
        {note !== undefined && note !== '' && (
          <span className={styles.note}>
            <Name text={note} />
          </span>
        )}
      </span>
    </span>
  )
}
