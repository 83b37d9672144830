import { useMemo } from 'react'
import { safeAddress } from '../../../../contract/markdown/links.ts'
import { parseGuide } from '../../../../contract/markdown/parse.ts'
import styles from './description.module.css'
import { Blocks } from './guide-text.tsx'

/** A description of the contract, which is Markdown. */
export function Description({ text }: { text: string }) {
  const blocks = useMemo(() => parseGuide(text, safeAddress), [text])
  return (
    <div className={styles.description} lang="en">
      <Blocks blocks={blocks} />
    </div>
  )
}
