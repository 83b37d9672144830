import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button } from '../../../../kit/button.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { ChatFailure } from '../../../model.ts'
import { useFailureText } from '../failure.ts'
import { useTimes } from '../message/times.ts'
import styles from './edges.module.css'

/** The day of what stands at the top, while its own line is further up. */
export function StickyDay({ at }: { at: number }) {
  const times = useTimes()
  return (
    <div className={styles.day} aria-hidden>
      <span>{times.day(at)}</span>
    </div>
  )
}

export function UnreadAbove({
  count,
  onGo,
  onMarkRead,
}: {
  count: number
  onGo: () => void
  onMarkRead: () => void
}) {
  const t = useTexts(conversationTexts)
  return (
    <div className={styles.above}>
      <button type="button" onClick={onGo}>
        <Icon icon={ArrowUp} size={16} />
        {t.newAbove(count)}
      </button>
      <button type="button" onClick={onMarkRead}>
        {t.markRead}
      </button>
    </div>
  )
}

export function EndButton({ count, onGo }: { count: number; onGo: () => void }) {
  const t = useTexts(conversationTexts)
  return (
    <button
      type="button"
      className={styles.jump}
      aria-label={count > 0 ? `${t.jump}: ${t.jumpNew(count)}` : t.jump}
      {...tip(t.jump)}
      onClick={onGo}
    >
      {count > 0 && <span>{t.jumpNew(count)}</span>}
      <Icon icon={ArrowDown} size={18} />
    </button>
  )
}

export function LoadNotice({ failure, onRetry }: { failure: ChatFailure; onRetry: () => void }) {
  const t = useTexts(conversationTexts)
  const failureText = useFailureText()
  return (
    <div className={styles.notice} role="alert">
      <p>
        {t.loadFailed} {failureText(failure)}
      </p>
      <Button size="small" onClick={onRetry}>
        {t.retry}
      </Button>
    </div>
  )
}
