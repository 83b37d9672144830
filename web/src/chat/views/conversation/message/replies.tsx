import { CornerUpLeft } from 'lucide-react'
import { useEffect } from 'react'
import { useRoute } from 'wouter'
import type { Message } from '../../../../../../contract/message.ts'
import { classes } from '../../../../kit/classes.ts'
import { FaceStack } from '../../../../kit/face.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { VisuallyHidden } from '../../../../kit/visually-hidden.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useShell } from '../../seam.ts'
import { faceOf, useNames } from './people.ts'
import styles from './replies.module.css'
import { summaryOf } from './summary.ts'
import { useTimes } from './times.ts'

/** One line of what a reply replies to; it opens the thread. */
export function ReplyQuote({ topicId, parentId }: { topicId: string; parentId: string }) {
  const t = useTexts(messageTexts)
  const parent = useChat((state) => state.messages.get(parentId))
  const nameOf = useNames()
  const { openThread } = useShell()
  const { loadMessage } = useChatActions()
  const isMissing = parent === undefined
  useEffect(() => {
    // A message that is gone stays unknown; the line says so.
    if (isMissing) void loadMessage(topicId, parentId).catch(() => {})
  }, [isMissing, topicId, parentId, loadMessage])
  if (!parent) {
    return (
      <button type="button" className={styles.quote} onClick={() => openThread(topicId, parentId)}>
        <Icon icon={CornerUpLeft} size={14} />
        <span className={styles.said}>{t.repliedToGone}</span>
      </button>
    )
  }
  return (
    <button type="button" className={styles.quote} onClick={() => openThread(topicId, parentId)}>
      <Icon icon={CornerUpLeft} size={14} />
      <VisuallyHidden>{t.repliedTo} </VisuallyHidden>
      <bdi className={styles.who}>{nameOf(parent.senderId)}</bdi>
      <span className={styles.said} dir="auto">
        {summaryOf(parent, nameOf)}
      </span>
    </button>
  )
}

/** One line for a thread: who replied last, how many replies there are, when the last one came, and whether it is new. */
export function ThreadLink({ message }: { message: Message }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const { openThread } = useShell()
  const line = useChat((state) => state.threadLines.get(message.id))
  const members = useChat((state) => state.members)
  const unread = useChat((state) => state.threads.get(message.id)?.unread ?? 0)
  const [isThread, params] = useRoute('/t/:topicId/thread/:messageId')
  const isOpen = isThread && params.messageId === message.id
  return (
    <button
      type="button"
      className={classes(styles.thread, isOpen && styles.open)}
      onClick={() => openThread(message.topicId, message.id)}
    >
      {line && (
        <FaceStack members={line.replierIds.map((id) => faceOf(id, members.get(id), ''))} size={22} max={3} />
      )}
      <span className={styles.count}>{t.replies(message.replyCount)}</span>
      {line && <span className={styles.last}>{t.lastReplyAt(times.moment(line.lastReplyAt))}</span>}
      {unread > 0 && <span className={styles.new}>{t.newReplies(unread)}</span>}
    </button>
  )
}
