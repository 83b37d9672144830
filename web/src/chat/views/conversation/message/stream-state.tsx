import { Square } from 'lucide-react'
import type { Message, MessageStream } from '../../../../../../contract/message.ts'
import { Button } from '../../../../kit/button.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useAttempt } from '../../frame/attempt.ts'
import { useNames } from './people.ts'
import styles from './stream-state.module.css'

/** Under what a bot writes: that it goes on, with a way to stop it, or why it ended too early. */
export function StreamState({ message, stream }: { message: Message; stream: MessageStream }) {
  const t = useTexts(messageTexts)
  const nameOf = useNames()
  const { stopStreaming } = useChatActions()
  const attempt = useAttempt()
  const me = useChat((state) => state.me?.id)
  const mayStop = useChat(({ topics }) => topics.get(message.topicId)?.mayWrite === true)
  if (stream.status !== 'streaming') {
    const why = {
      stopped: stream.stoppedBy === me ? t.stoppedByYou : t.stoppedBy(named(nameOf(stream.stoppedBy ?? ''))),
      failed: t.streamFailed,
      interrupted: t.streamInterrupted,
    }[stream.status]
    return (
      <p className={styles.ended}>
        <Words text={why} />
      </p>
    )
  }
  return (
    <div className={styles.writing}>
      <span className={styles.dots} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span dir="auto">{stream.activity ?? t.writing}</span>
      {mayStop && (
        <Button
          look="outline"
          size="small"
          icon={Square}
          onClick={() => void attempt(() => stopStreaming(message.id))}
        >
          {t.stop}
        </Button>
      )}
    </div>
  )
}
