import { type ReactNode, useEffect, useState } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { classes } from './classes.ts'
import styles from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

const APPEARS_MS = 300

/** Delays a placeholder by 300 ms, since most things are there before. */
export function Delayed({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), APPEARS_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return isShown ? children : null
}

/** One grey bar, or one shape of a face. */
export function Skeleton({
  width = '100%',
  shape = 'line',
}: {
  width?: string
  shape?: 'line' | 'face' | 'bot' | 'block'
}) {
  return (
    <i className={classes(styles.bone, styles[shape])} style={shape === 'line' ? { width } : undefined} />
  )
}

const MESSAGES = [
  ['face', '22%', '74%', '58%'],
  ['face', '18%', '52%', ''],
  ['bot', '26%', '80%', '66%'],
  ['face', '20%', '44%', ''],
  ['bot', '24%', '62%', '70%'],
  ['face', '19%', '36%', ''],
] as const

/** The shape of a conversation. */
export function SkeletonMessages() {
  const t = useTexts(common)
  return (
    <Delayed>
      <div className={styles.messages} role="status">
        <VisuallyHidden>{t.loading}</VisuallyHidden>
        {MESSAGES.map(([face, name, first, second]) => (
          <div key={name} className={styles.message}>
            <Skeleton shape={face} />
            <div className={styles.lines}>
              <Skeleton width={name} />
              <Skeleton width={first} />
              {second !== '' && <Skeleton width={second} />}
            </div>
          </div>
        ))}
      </div>
    </Delayed>
  )
}

const ROWS = ['62%', '48%', '70%', '40%', '56%']

/** The shape of a list. */
export function SkeletonRows() {
  const t = useTexts(common)
  return (
    <div aria-busy>
      <Delayed>
        <div className={styles.rows} role="status">
          <VisuallyHidden>{t.loading}</VisuallyHidden>
          {ROWS.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      </Delayed>
    </div>
  )
}
