import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { useErrorText } from './error-text.ts'
import styles from './notice.module.css'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

/** A few sentences on tinted ground, inside of a view or a window. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={classes(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** An error message, and a button to try again. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const t = useTexts(common)
  const errorText = useErrorText()
  return (
    <Notice tone="bad">
      <p>{errorText(error)}</p>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </Notice>
  )
}

/** The state of something in a word: a dot carries its colour, and each colour has a shape of its own. */
export function StateMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.state}>
      <i className={classes(styles.dot, styles[`dot-${tone}`])} aria-hidden />
      {children}
    </span>
  )
}
