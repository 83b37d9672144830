import type { ReactNode } from 'react'
import { ColouredCode } from '../../chat/views/conversation/markdown/coloured.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import styles from './code.module.css'

/** Code in a frame, with a line above it that says what it is. */
export function CodeCard({
  text,
  language,
  label,
  copied,
  head,
}: {
  text: string
  language: string
  /** The accessible name of the frame, if it is the only one of its kind on the page. */
  label?: string
  /** A description of the copied text, for screen readers. */
  copied: string
  head?: ReactNode
}) {
  const Frame = label === undefined ? 'div' : 'section'
  return (
    <Frame className={styles.card} aria-label={label} dir="ltr">
      <div className={styles.head}>
        {head ?? <span className={styles.language}>{language}</span>}
        <CopyButton text={text} of={copied} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keyboards must be able to */}
      <pre className={styles.code} tabIndex={0}>
        <ColouredCode text={text} language={language} />
      </pre>
    </Frame>
  )
}
