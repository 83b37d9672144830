import { Megaphone } from 'lucide-react'
import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Face, FaceStack, TopicMark } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { useChat } from '../../store/context.tsx'
import { presenceOf } from '../profile/presence.ts'
import styles from './conversation-mark.module.css'

/** The mark before the name of a conversation: a bubble, the face of the other member, or two of several. */
export function ConversationMark({ topic, size }: { topic: ChatTopic; size: number }) {
  const members = useChat((state) => state.members)
  const online = useChat((state) => state.online)
  const me = useChat((state) => state.me)
  if (topic.type === 'topic') {
    if (!topic.announcement) return <TopicMark topic={topic} size={size} />
    return (
      <span className={styles.announcement} style={{ width: size, height: size }} aria-hidden>
        <Icon icon={Megaphone} size={Math.round(size * 0.7)} />
      </span>
    )
  }
  const others = topic.memberIds.filter((id) => id !== me?.id).flatMap((id) => members.get(id) ?? [])
  const [first, second]: (ChatMember | undefined)[] = others.length > 0 ? others : me ? [me] : []
  if (!first) return <TopicMark topic={topic} size={size} />
  if (!second) return <Face member={first} size={size} presence={presenceOf(first, online)} />
  return (
    <span className={styles.two} style={{ width: size }}>
      <FaceStack members={[first, second]} size={Math.round(size * 0.68)} />
    </span>
  )
}
