import { Archive, Eye, Megaphone } from 'lucide-react'
import { useState } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChatActions } from '../../store/context.tsx'
import { useAttempt } from './attempt.ts'
import styles from './no-composer.module.css'

/** Replaces the composer if the person cannot write here: the reason, and what to do about it. */
export function NoComposer({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts).instead
  const actions = useChatActions()
  const attempt = useAttempt()
  const [busy, setBusy] = useState(false)
  const join = async () => {
    setBusy(true)
    await attempt(() => actions.join(topic.id))
    setBusy(false)
  }
  if (topic.archivedAt !== null) {
    return (
      <div className={styles.instead}>
        <Icon icon={Archive} size={18} />
        <p>{t.archived}</p>
      </div>
    )
  }
  if (!topic.isMember) {
    return (
      <div className={styles.instead}>
        <Icon icon={Eye} size={18} />
        <p>{t.look}</p>
        <Button look="primary" busy={busy} onClick={() => void join()}>
          {t.join}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.instead}>
      <Icon icon={Megaphone} size={18} />
      <p>{t.announcement}</p>
    </div>
  )
}
