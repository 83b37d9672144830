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

/** Says that a bot is writing this message, with a way to stop it. */
export function Writing({ message }: { message: Message }) {
  const t = useTexts(messageTexts)
  const { stopStreaming } = useChatActions()
  const attempt = useAttempt()
  const mayStop = useChat(({ topics }) => topics.get(message.topicId)?.mayWrite === true)
  return (
    <span className={styles.writing}>
      <span className={styles.activity} dir="auto">
        {message.stream?.activity ?? t.writing}
      </span>
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
    </span>
  )
}

/** A block at the end of a text that still grows. */
export const WritingCaret = () => <i className={styles.caret} aria-hidden />

/** Says why a text ended too early. */
export function StreamEnd({ stream }: { stream: MessageStream }) {
  const t = useTexts(messageTexts)
  const nameOf = useNames()
  const me = useChat((state) => state.me?.id)
  if (stream.status === 'streaming') return null
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
