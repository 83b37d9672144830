import { Calendar, Circle, CircleCheck, MapPin, Phone, User, Video } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import type { Message, MessagePoll, MessageTask } from '../../../../../../contract/message.ts'
import { Face } from '../../../../kit/face.tsx'
import { Icon, type LucideIcon } from '../../../../kit/icon.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { safeAddress } from '../markdown/links.ts'
import styles from './cards.module.css'
import { useTimes } from './times.ts'

/** What a message is besides its text: each kind readable, as a plain card. */
export default function Cards({ message }: { message: Message }) {
  if (message.task) return <TaskCard task={message.task} />
  if (message.poll) return <PollCard poll={message.poll} />
  if (message.location) return <LocationCard location={message.location} />
  if (message.contact) return <ContactCard contact={message.contact} />
  if (message.call) return <CallCard call={message.call} />
  return null
}

function TaskCard({ task }: { task: MessageTask }) {
  const t = useTexts(messageTexts)
  const times = useTimes()
  const assignee = useChat((state) => state.members.get(task.assignee))
  const isDone = task.status === 'Done'
  return (
    <div className={styles.task}>
      <Icon icon={isDone ? CircleCheck : Circle} size={20} className={isDone ? styles.done : styles.open} />
      <div className={styles.words}>
        <p className={styles.title} dir="auto">
          {task.title}
        </p>
        {task.text !== '' && (
          <p className={styles.about} dir="auto">
            {task.text}
          </p>
        )}
        <p className={styles.facts}>
          <span>{isDone ? t.taskDone : t.taskOpen}</span>
          {assignee && (
            <span>
              <Face member={assignee} size={18} />
              <bdi>{assignee.name}</bdi>
            </span>
          )}
          {task.dueDate > 0 && (
            <span>
              <Icon icon={Calendar} size={16} />
              {task.isDueDateTimeSelected ? times.moment(task.dueDate) : times.day(task.dueDate)}
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

function PollCard({ poll }: { poll: MessagePoll }) {
  const t = useTexts(messageTexts)
  const times = useTimes()
  const until = poll.expiresAt === undefined ? undefined : t.pollUntil(times.moment(poll.expiresAt))
  const facts = [
    poll.status === 'closed' ? t.pollClosed : until,
    poll.selectionType === 'single' ? t.pollSingle : t.pollMultiple,
    poll.anonymous ? t.pollAnonymous : undefined,
  ]
  return (
    <div className={styles.poll}>
      <p className={styles.question} dir="auto">
        {poll.title}
      </p>
      {poll.subtitle !== undefined && (
        <p className={styles.about} dir="auto">
          {poll.subtitle}
        </p>
      )}
      <p className={styles.quiet}>{[t.poll, ...facts].filter(Boolean).join(', ')}</p>
      <ul>
        {poll.options.map(({ id, text }) => (
          <li key={id} className={styles.option} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Plain({ icon, title, children }: { icon: LucideIcon; title: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.plain}>
      <Icon icon={icon} size={20} className={styles.open} />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
    </div>
  )
}

function LocationCard({ location }: { location: NonNullable<Message['location']> }) {
  const t = useTexts(messageTexts)
  const [latitude, longitude] = [Number(location.latitude), Number(location.longitude)]
  const isPlace = Number.isFinite(latitude) && Number.isFinite(longitude)
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return (
    <Plain icon={MapPin} title={<bdi>{location.name || location.address || t.location}</bdi>}>
      {location.name && location.address && (
        <p className={styles.about} dir="auto">
          {location.address}
        </p>
      )}
      {isPlace && (
        <p className={styles.about}>
          <a href={map} target="_blank" rel="noopener noreferrer">
            {t.openMap}
          </a>
        </p>
      )}
    </Plain>
  )
}

function ContactCard({ contact }: { contact: NonNullable<Message['contact']> }) {
  const t = useTexts(messageTexts)
  const profile = safeAddress(contact.linkedIn)
  const about = [contact.role, contact.location].filter((part) => part !== '')
  return (
    <Plain icon={User} title={<bdi>{contact.name || t.contact}</bdi>}>
      {about.length > 0 && (
        <p className={styles.about} dir="auto">
          {about.join(', ')}
        </p>
      )}
      {contact.phoneNumbers.map((number) => (
        <p key={number} className={styles.about}>
          <bdi>{number}</bdi>
        </p>
      ))}
      {contact.emails.map((email) => (
        <p key={email} className={styles.about}>
          <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
            <bdi>{email}</bdi>
          </a>
        </p>
      ))}
      {profile !== undefined && (
        <p className={styles.about}>
          <a href={profile} target="_blank" rel="noopener noreferrer">
            {contact.linkedIn}
          </a>
        </p>
      )}
    </Plain>
  )
}

function CallCard({ call }: { call: NonNullable<Message['call']> }) {
  const t = useTexts(messageTexts)
  const language = useContext(LanguageContext)
  const minutes = Math.max(1, Math.round(call.duration / 60_000))
  const length = new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  const isVideo = call.callType === 'video'
  return (
    <Plain icon={isVideo ? Video : Phone} title={isVideo ? t.videoCall : t.call}>
      <p className={styles.about}>{t.callEnded(length.format(minutes), call.participantCount)}</p>
    </Plain>
  )
}
