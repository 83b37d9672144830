import type { ReactNode } from 'react'
import type { Message } from '../../../../../contract/message.ts'
import { Face } from '../../../kit/face.tsx'
import { MemberChip } from '../../../kit/marks.tsx'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { excerptOf } from '../conversation/markdown/excerpt.ts'
import { useMentionedNames } from '../conversation/message/people.ts'
import { Line } from './line.tsx'

/** A message in a list of messages from elsewhere. */
export function MessageLine({
  message,
  hasTopic,
  onGo,
  ...more
}: {
  message: Message
  /** Whether it says which topic it is in. */
  hasTopic: boolean
  unread?: number
  note?: string | undefined
  action?: ReactNode
  onGo: () => void
}) {
  const t = useTexts(places)
  const sender = useChat(({ members }) => members.get(message.senderId))
  const topic = useChat(({ topics }) => topics.get(message.topicId))
  const name = useChat((state) => (topic ? nameOf(state, topic) : ''))
  const text = excerptOf(message.text || message.forwarded?.text || '', useMentionedNames())
  return (
    <Line
      {...more}
      mark={
        <Face
          member={sender ?? { id: message.senderId, name: message.senderName, type: message.senderType }}
          size={32}
        />
      }
      name={
        <>
          <bdi>{sender?.name ?? message.senderName}</bdi>
          <MemberChip type={message.senderType} role={sender?.role} />
        </>
      }
      where={
        hasTopic && name !== '' ? (
          <>
            {t.inTopic} <bdi>{name}</bdi>
          </>
        ) : undefined
      }
      at={message.createdAt}
      text={
        text ||
        message.poll?.title ||
        message.attachmentDetails?.map((file) => file.name ?? file.type).join(', ') ||
        ''
      }
      go={onGo}
    />
  )
}
