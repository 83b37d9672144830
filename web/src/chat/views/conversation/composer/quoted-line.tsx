import { CornerUpLeft, X } from 'lucide-react'
import type { Message } from '../../../../../../contract/message.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useNames } from '../message/people.ts'
import { summaryOf } from '../message/summary.ts'
import styles from './quoted-line.module.css'

/** The message that is answered in the topic, above the field. */
export function QuotedLine({ message, onRemove }: { message: Message; onRemove: () => void }) {
  const t = useTexts(composerTexts)
  const nameOf = useNames()
  return (
    <div className={styles.quoted}>
      <Icon icon={CornerUpLeft} size={16} />
      <span className={styles.words}>
        <span className={styles.who}>
          <Words text={t.quoting(named(nameOf(message.senderId)))} />
        </span>
        <span className={styles.said} dir="auto">
          {summaryOf(message, nameOf)}
        </span>
      </span>
      <IconButton label={t.stopQuoting} icon={X} size="small" onClick={onRemove} />
    </div>
  )
}
