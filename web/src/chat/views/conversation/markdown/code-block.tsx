import { Copy } from 'lucide-react'
import { IconButton } from '../../../../kit/button.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useCopy } from '../message/copy.ts'
import styles from './code-block.module.css'
import { ColouredCode } from './coloured.tsx'

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const t = useTexts(messageTexts)
  const copy = useCopy()
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{language}</span>
        <IconButton label={t.copyCode} icon={Copy} size="small" onClick={() => copy(text, t.codeCopied)} />
      </div>
      {/* Code that is wider than its place is scrolled with the keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre className={styles.code} tabIndex={0} dir="ltr">
        <ColouredCode text={text} language={language} />
      </pre>
    </div>
  )
}
