import type { Message } from '../../../../../contract/message.ts'
import { Face } from '../../../kit/face.tsx'
import { BotChip, Count } from '../../../kit/marks.tsx'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Time } from '../../../ui/time.tsx'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { excerptOf } from '../conversation/markdown/excerpt.ts'
import styles from './message-line.module.css'

/** A message in a list of messages from elsewhere: who, where, when, and two lines of what. */
export function MessageLine({
  message,
  hasTopic,
  unread = 0,
  note,
  onGo,
}: {
  message: Message
  /** Whether it says which topic it is in. */
  hasTopic: boolean
  unread?: number
  note?: string | undefined
  onGo: () => void
}) {
  const t = useTexts(places)
  const sender = useChat(({ members }) => members.get(message.senderId))
  const members = useChat((state) => state.members)
  const topic = useChat(({ topics }) => topics.get(message.topicId))
  const name = useChat((state) => (topic ? nameOf(state, topic) : ''))
  const text = excerptOf(message.text, (id) => members.get(id)?.name)
  return (
    <button type="button" className={styles.line} onClick={onGo}>
      <Face
        member={sender ?? { id: message.senderId, name: message.senderName, type: message.senderType }}
        size={32}
      />
      <span className={styles.words}>
        <span className={styles.top}>
          <span className={styles.name}>
            <bdi>{sender?.name ?? message.senderName}</bdi>
            {message.senderType === 'bot' && <BotChip />}
            {hasTopic && name !== '' && (
              <span className={styles.soft}>
                {' '}
                {t.inTopic} <bdi>{name}</bdi>
              </span>
            )}
          </span>
          <Time at={message.createdAt} />
        </span>
        <span className={styles.text}>
          {text ||
            message.poll?.title ||
            message.attachmentDetails?.map((file) => file.name ?? file.type).join(', ')}
        </span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </span>
      {unread > 0 && <Count value={unread} />}
    </button>
  )
}
