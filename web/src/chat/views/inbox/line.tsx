import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Count } from '../../../kit/marks.tsx'
import { Words } from '../../../kit/name.tsx'
import { Time } from '../../../kit/time.tsx'
import styles from './line.module.css'

/** A row for a message or draft from elsewhere: author, place, time, two lines of text, and actions. */
export function Line({
  mark,
  name,
  where,
  at,
  text,
  note,
  unread = 0,
  go,
  action,
}: {
  mark: ReactNode
  name: ReactNode
  where?: ReactNode
  at: number
  /** Names in a string are marked. */
  text: ReactNode
  note?: string | undefined
  unread?: number
  /** An address to go to, or an action. */
  go: string | (() => void)
  action?: ReactNode
}) {
  const parts = (
    <>
      {mark}
      <span className={styles.words}>
        <span className={styles.top}>
          <span className={styles.name}>
            {name}
            {where !== undefined && <span className={styles.soft}> {where}</span>}
          </span>
          <Time at={at} />
        </span>
        <span className={styles.text}>{typeof text === 'string' ? <Words text={text} /> : text}</span>
        {note !== undefined && (
          <span className={styles.note}>
            <Words text={note} />
          </span>
        )}
      </span>
      {unread > 0 && <Count value={unread} />}
    </>
  )
  return (
    <div className={styles.row}>
      {typeof go === 'string' ? (
        <Link to={go} className={styles.line}>
          {parts}
        </Link>
      ) : (
        <button type="button" className={styles.line} onClick={go}>
          {parts}
        </button>
      )}
      {action}
    </div>
  )
}
