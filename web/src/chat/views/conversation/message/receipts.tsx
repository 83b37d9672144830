import { CheckCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useNameList, useNames } from './people.ts'
import styles from './receipts.module.css'

/** Receipts are no events: they are asked for while the message is looked at. */
const ASKED_EVERY_MS = 20_000
const FIRST_ASKED_MS = 1500
const NAMED = 20

/** The readers of the person's own newest message. */
export function Receipts({ message }: { message: Message }) {
  const t = useTexts(messageTexts)
  const nameOf = useNames()
  const list = useNameList()
  const { readReceipts } = useChatActions()
  const others = useChat((state) => (state.topics.get(message.topicId)?.memberCount ?? 1) - 1)
  const [readBy, setReadBy] = useState<string[]>([])
  const isComplete = others > 0 && readBy.length >= others
  useEffect(() => {
    if (isComplete) return
    let isShown = true
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      readReceipts(message.id).then(
        (receipts) => isShown && setReadBy(receipts.readBy),
        () => {}, // the next time
      )
    }
    const first = window.setTimeout(ask, FIRST_ASKED_MS)
    const timer = window.setInterval(ask, ASKED_EVERY_MS)
    return () => {
      isShown = false
      window.clearTimeout(first)
      window.clearInterval(timer)
    }
  }, [message.id, isComplete, readReceipts])
  if (readBy.length === 0) return null
  return (
    <p className={styles.receipts} {...tip(list(readBy.slice(0, NAMED).map(nameOf)))}>
      <Icon icon={CheckCheck} size={16} />
      {isComplete && others > 1 ? t.readByAll : t.readBy(readBy.length)}
    </p>
  )
}
