import { BellOff, Pencil } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import type { MessageType } from '../../../../../contract/message.ts'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { plainLine } from '../../../../../contract/plain-text.ts'
import { classes } from '../../../kit/classes.ts'
import { Icon } from '../../../kit/icon.tsx'
import { Count } from '../../../kit/marks.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { messageTexts } from '../../../texts/chat-message.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { isUnread, nameOf } from '../../store/selectors.ts'
import { topicPath } from '../addresses.ts'
import { useTimes } from '../conversation/message/times.ts'
import { ConversationMark } from './conversation-mark.tsx'
import styles from './sidebar.module.css'

export const SidebarRow = memo(function SidebarRow({
  topic,
  isOpen,
  isTall,
}: {
  topic: ChatTopic
  isOpen: boolean
  /** Shows the last message, too: the list fills the whole page. */
  isTall: boolean
}) {
  const t = useTexts(shell)
  const name = useChat((state) => nameOf(state, topic))
  const hasDraft = useChat(({ drafts }) => {
    for (const draft of drafts.values()) {
      if (draft.topicId === topic.id && draft.text.trim() !== '') return true
    }
    return false
  })
  const status = useChat(({ members, me, online }) => {
    const others = topic.type === 'dm' && online ? topic.memberIds.filter((id) => id !== me?.id) : []
    return others.length === 1 ? members.get(others[0] ?? '')?.statusEmoji : undefined
  })
  const isMe = useChat(
    ({ me }) => topic.type === 'dm' && topic.memberCount === 1 && topic.memberIds[0] === me?.id,
  )
  const signs = (
    <>
      {status !== undefined && <span>{status}</span>}
      {isMe && <span className={styles.amount}>{t.you}</span>}
      {hasDraft && !isOpen && (
        <span className={styles.sign}>
          <Icon icon={Pencil} size={14} />
          <VisuallyHidden>{t.hasDraft}</VisuallyHidden>
        </span>
      )}
      {topic.muted && (
        <span className={styles.sign}>
          <Icon icon={BellOff} size={14} />
          <VisuallyHidden>{t.isMuted}</VisuallyHidden>
        </span>
      )}
      <UnreadCounts topic={topic} />
    </>
  )
  return (
    <Link
      to={topicPath(topic.id)}
      className={classes(
        styles.row,
        isTall && styles.tall,
        isOpen && styles.open,
        isUnread(topic) && styles.unread,
        topic.muted && styles.muted,
      )}
      aria-current={isOpen ? 'page' : undefined}
      data-topic={topic.id}
    >
      <ConversationMark topic={topic} size={isTall ? 40 : 20} />
      <span className={styles.words} title={name}>
        <bdi>{name}</bdi>
        {isTall && topic.lastMessage && <LastMessage topic={topic} message={topic.lastMessage} />}
      </span>
      {isTall ? (
        <span className={styles.end}>
          {topic.lastMessage && <LastTime at={topic.lastMessage.createdAt} />}
          <span className={styles.signs}>{signs}</span>
        </span>
      ) : (
        signs
      )}
    </Link>
  )
})

function LastTime({ at }: { at: number }) {
  const { brief } = useTimes()
  return (
    <time className={styles.time} dateTime={new Date(at).toISOString()}>
      {brief(at)}
    </time>
  )
}

/** Names of those whom a message mentions. */
function useMentionedMember(): (profileId: string) => string {
  const t = useTexts(messageTexts)
  const members = useChat((state) => state.members)
  return (id) => members.get(id)?.name ?? t.unknown
}

/** Messages that have a name people gave them: a picture's and a recording's comes from a device. */
const NAMED: ReadonlySet<MessageType | undefined> = new Set([
  'task',
  'poll',
  'file',
  'video',
  'location',
  'contact',
])

/** Characters of a message that are read for one line. */
const LOOKED_AT = 200

function LastMessage({
  topic,
  message,
}: {
  topic: ChatTopic
  message: NonNullable<ChatTopic['lastMessage']>
}) {
  const t = useTexts(shell)
  const sender = useChat(({ members, me }) => {
    if (message.senderId === me?.id) return t.youSaid
    const member = members.get(message.senderId)
    return member?.type === 'bot' ? member.name : member?.name.split(' ')[0]
  })
  const nameOf = useMentionedMember()
  const isTold = sender !== undefined && (topic.type === 'topic' || sender === t.youSaid)
  return (
    <span className={styles.last}>
      {isTold && (
        <>
          <bdi>{sender}</bdi>:{' '}
        </>
      )}
      {plainLine(message.text, LOOKED_AT, nameOf) || (
        <>
          {t.lastMessage[message.type ?? 'text']}
          {message.title !== undefined && NAMED.has(message.type) && <bdi>: {message.title}</bdi>}
        </>
      )}
    </span>
  )
}

/** How much is unread there, and how much of it waits for the reader: direct messages do, every time. */
export function UnreadCounts({ topic: { type, muted, unread, mentions } }: { topic: ChatTopic }) {
  if (type === 'dm') return <Count value={muted ? 0 : unread} waits isMention={false} />
  return (
    <>
      <Count value={mentions} waits />
      {!muted && unread > mentions && <Count value={unread} />}
    </>
  )
}
