import { PinOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message } from '../../../../../contract/message.ts'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useAttempt } from '../frame/attempt.ts'
import { useFailureText } from '../frame/failure-text.ts'
import { useShell } from '../seam.ts'
import styles from './details.module.css'

/** The pinned messages of a topic, the latest pin first. */
export function DetailsPins({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts)
  const actions = useChatActions()
  const failureText = useFailureText()
  const [pins, setPins] = useState<readonly Message[]>()
  const [failure, setFailure] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `pins` counts them: another count is another list
  useEffect(() => {
    let isCurrent = true
    actions.readPins(topic.id).then(
      (messages) => isCurrent && setPins(messages),
      (error: unknown) => isCurrent && setFailure(error),
    )
    return () => {
      isCurrent = false
    }
  }, [actions, topic.id, topic.pins])
  if (failure !== undefined && pins === undefined)
    return <p className={styles.none}>{failureText(failure)}</p>
  if (pins === undefined) return <SkeletonRows />
  if (pins.length === 0) return <p className={styles.none}>{t.noPins}</p>
  return (
    <ul className={styles.members}>
      {pins.map((message) => (
        <li key={message.id}>
          <Pinned
            message={message}
            mayUnpin={topic.isMember}
            onUnpinned={() => setPins(pins.filter(({ id }) => id !== message.id))}
          />
        </li>
      ))}
    </ul>
  )
}

function Pinned({
  message,
  mayUnpin,
  onUnpinned,
}: {
  message: Message
  mayUnpin: boolean
  onUnpinned: () => void
}) {
  const t = useTexts(texts)
  const k = useTexts(kit)
  const { goToMessage } = useShell()
  const actions = useChatActions()
  const attempt = useAttempt()
  const sender = useChat(({ members }) => members.get(message.senderId))
  const unpin = async () => {
    if (!(await attempt(() => actions.pin(message.id, false)))) return
    onUnpinned()
    const again = () => void attempt(() => actions.pin(message.id, true))
    showToast({ text: t.unpinned, action: { label: k.undo, onAct: again } })
  }
  return (
    <div className={styles.member}>
      <button type="button" className={styles.who} onClick={() => goToMessage(message.topicId, message.id)}>
        {sender && <Face member={sender} size={28} />}
        <span className={styles.words}>
          <span className={styles.name}>
            <bdi>{sender?.name}</bdi>
            <span className={styles.soft}>
              <Time at={message.createdAt} />
            </span>
          </span>
          <span className={styles.quote}>{message.text || message.forwarded?.text}</span>
        </span>
      </button>
      {mayUnpin && <IconButton label={t.unpin} icon={PinOff} size="small" onClick={() => void unpin()} />}
    </div>
  )
}
