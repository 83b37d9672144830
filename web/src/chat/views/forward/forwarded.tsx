import { Forward } from 'lucide-react'
import { useMemo } from 'react'
import { parseMarkdown } from '../../../../../contract/markdown/parse.ts'
import type { MessageForward } from '../../../../../contract/message.ts'
import { Icon } from '../../../kit/icon.tsx'
import { BotChip } from '../../../kit/marks.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { tipAt } from '../../../kit/tip.ts'
import { forwardTexts } from '../../../texts/forward.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { MarkdownText } from '../conversation/markdown/render.tsx'
import { useTimes } from '../conversation/message/times.ts'
import { useShell } from '../seam.ts'
import styles from './forwarded.module.css'

/** A message from elsewhere, with its sender and time. Members of that topic can go there; others see no place. */
export default function Forwarded({ forwarded }: { forwarded: MessageForward }) {
  const t = useTexts(forwardTexts)
  const times = useTimes()
  const { goToMessage } = useShell()
  const { senderId, senderType, type, text, createdAt, topicId, messageId } = forwarded
  const name = useChat((state) => state.members.get(senderId)?.name) ?? forwarded.senderName
  const maySee = useChat((state) => state.topics.has(topicId))
  const markdown = useMemo(() => parseMarkdown(text), [text])
  const kind = type === 'poll' ? t.poll : type === 'task' ? t.task : undefined
  return (
    <blockquote className={styles.forwarded}>
      <p className={styles.head}>
        <Icon icon={Forward} size={14} />
        <span>
          <Words text={t.from(named(name))} />
        </span>
        {senderType === 'bot' && <BotChip />}
        <time dateTime={new Date(createdAt).toISOString()} {...tipAt(createdAt)}>
          {times.moment(createdAt)}
        </time>
      </p>
      {kind !== undefined && <p className={styles.kind}>{kind}</p>}
      {text !== '' && <MarkdownText markdown={markdown} />}
      {maySee && (
        <button type="button" className={styles.open} onClick={() => goToMessage(topicId, messageId)}>
          {t.open}
        </button>
      )}
    </blockquote>
  )
}
