import { ArrowLeft, Ellipsis, PanelRight, Pin, Search } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { IconButton } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import { FaceStack } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { BotChip, Chip, GuestChip } from '../../../kit/marks.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { tip } from '../../../kit/tip.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { organizationPath, topicSearchPath } from '../addresses.ts'
import type { DetailsTab } from '../details/details-tab.ts'
import { ConversationMark } from './conversation-mark.tsx'
import { useTopicEntries } from './topic-entries.ts'
import styles from './topic-header.module.css'

/** Members who are looked up for the faces, of which five are shown. */
const MAX_FACES = 8

/** The header of a topic: its name, its members, and the way to everything about it. */
export function TopicHeader({
  topic,
  isNarrow,
  tab,
  onTab,
}: {
  topic: ChatTopic
  isNarrow: boolean
  /** The part of the details that is open beside it. */
  tab: DetailsTab | undefined
  onTab: (tab: DetailsTab | undefined) => void
}) {
  const t = useTexts(texts)
  const s = useTexts(shell)
  const organizationId = useChat((state) => state.organizationId)
  const [, goTo] = useLocation()
  const members = useChat((state) => state.members)
  const me = useChat((state) => state.me)
  const label = useChat(({ labels }) => (topic.labelId === null ? undefined : labels.get(topic.labelId)))
  const name = useChat((state) => nameOf(state, topic))
  const others = topic.memberIds.filter((id) => id !== me?.id)
  const known = topic.memberIds.slice(0, MAX_FACES).flatMap((id) => members.get(id) ?? [])
  const isDirectBot =
    topic.type === 'dm' && others.length === 1 && members.get(others[0] ?? '')?.type === 'bot'
  const isDirectGuest =
    topic.type === 'dm' && others.length === 1 && members.get(others[0] ?? '')?.role === 'guest'
  const toggle = (chosen: DetailsTab) => onTab(tab === chosen ? undefined : chosen)
  return (
    <header className={classes(styles.header, isNarrow && styles.narrow)}>
      {isNarrow && (
        <Link
          to={organizationPath(organizationId)}
          className={styles.back}
          aria-label={s.back}
          {...tip(s.back)}
        >
          <Icon icon={ArrowLeft} />
        </Link>
      )}
      <ConversationMark topic={topic} size={32} />
      <div className={styles.words}>
        <div className={styles.line}>
          <h1 tabIndex={-1} title={name}>
            <bdi>{name}</bdi>
          </h1>
          {isDirectBot && <BotChip />}
          {isDirectGuest && <GuestChip />}
          {label !== undefined && !isNarrow && <Chip tintOf={topic.labelId ?? undefined}>{label}</Chip>}
          {topic.archivedAt !== null && <Chip>{t.archivedNote}</Chip>}
        </div>
        {topic.description !== '' ? (
          <p title={topic.description}>{topic.description}</p>
        ) : (
          topic.type === 'topic' &&
          topic.isMember &&
          me?.role !== 'guest' && (
            <button type="button" className={styles.describe} onClick={() => onTab('settings')}>
              {t.addDescription}
            </button>
          )
        )}
      </div>
      <div className={styles.actions}>
        {!isNarrow && topic.memberCount > 1 && (
          <button
            type="button"
            className={styles.faces}
            onClick={() => toggle('members')}
            aria-label={t.membersButton(topic.memberCount)}
            aria-expanded={tab === 'members'}
            {...tip(t.tabs.members)}
          >
            <FaceStack members={known} size={24} />
            <span>{topic.memberCount}</span>
          </button>
        )}
        {topic.pins > 0 && !isNarrow && (
          <button
            type="button"
            className={styles.faces}
            onClick={() => toggle('pins')}
            aria-label={t.pins(topic.pins)}
            aria-expanded={tab === 'pins'}
            {...tip(t.tabs.pins)}
          >
            <Icon icon={Pin} size={18} />
            <span>{topic.pins}</span>
          </button>
        )}
        <IconButton
          label={s.searchHere}
          icon={Search}
          onClick={() => goTo(topicSearchPath(organizationId, topic.id))}
        />
        {topic.isMember && <TopicMenu topic={topic} name={name} />}
        <IconButton
          label={t.details}
          icon={PanelRight}
          isOn={tab !== undefined}
          onClick={() => onTab(tab === undefined ? 'members' : undefined)}
        />
      </div>
    </header>
  )
}

function TopicMenu({ topic, name }: { topic: ChatTopic; name: string }) {
  const t = useTexts(texts)
  const entriesOf = useTopicEntries()
  return (
    <Menu
      label={t.more}
      align="end"
      entries={() => entriesOf(topic, name)}
      trigger={(props) => <IconButton {...props} label={t.more} icon={Ellipsis} />}
    />
  )
}
