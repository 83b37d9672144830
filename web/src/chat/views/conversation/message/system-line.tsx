import { CircleCheck, CircleDot, Info, Phone, PhoneMissed, Video } from 'lucide-react'
import { useContext } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { Icon, type LucideIcon } from '../../../../kit/icon.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { tipAt } from '../../../../kit/tip.ts'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import styles from './system-line.module.css'
import { useTimes } from './times.ts'

export default function SystemLine({ message }: { message: Message }) {
  const times = useTimes()
  const [icon, words] = useWords(message)
  return (
    <p className={styles.line}>
      <Icon icon={icon} size={16} />
      <span className={styles.words}>
        <Words text={words} />
      </span>
      <time dateTime={new Date(message.createdAt).toISOString()} {...tipAt(message.createdAt)}>
        {times.clock(message.createdAt)}
      </time>
    </p>
  )
}

function useWords({ senderId, senderName, task, call, text }: Message): [LucideIcon, string] {
  const t = useTexts(cardTexts)
  const language = useContext(LanguageContext)
  const actorId = call?.initiatorId ?? senderId
  const name = useChat((state) => state.members.get(actorId)?.name)
  const who = named(name ?? senderName)
  if (task) {
    const isDone = task.action === 'MarkedAsDone'
    return [isDone ? CircleCheck : CircleDot, t.line[task.action](who, named(task.title))]
  }
  if (!call) return [Info, text]
  const isVideo = call.callType === 'video'
  const icon = isVideo ? Video : Phone
  // Missed calls, by any word that the server has for them.
  if (/miss|no.?answer|reject|decline|busy|cancel/i.test(`${call.status} ${call.endReason}`))
    return [PhoneMissed, isVideo ? t.call.missedVideo(who) : t.call.missed(who)]
  if (call.status !== 'ended') return [icon, isVideo ? t.call.startedVideo(who) : t.call.started(who)]
  const minutes = Math.max(1, Math.round(call.duration / 60_000))
  const length = new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  const facts = [length.format(minutes), t.call.people(call.participantCount)]
  const ended = isVideo ? t.call.endedVideo(who) : t.call.ended(who)
  return [icon, `${ended} (${facts.join(', ')})`]
}
