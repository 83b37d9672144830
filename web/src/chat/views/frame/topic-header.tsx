import {
  Archive,
  ArrowLeft,
  BellOff,
  Ellipsis,
  Link2,
  LogOut,
  PanelRight,
  Pin,
  Search,
  Star,
  Volume2,
} from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { IconButton } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import { FaceStack } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { BotChip, Chip } from '../../../kit/marks.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { tip } from '../../../kit/tip.ts'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { organizationPath, topicSearchPath } from '../addresses.ts'
import type { DetailsTab } from '../details/details-tab.ts'
import { useAttempt } from './attempt.ts'
import { ConversationMark } from './conversation-mark.tsx'
import { useOverlay } from './overlay.ts'
import styles from './topic-header.module.css'

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
  const known = topic.memberIds.flatMap((id) => members.get(id) ?? [])
  const isDirectBot =
    topic.type === 'dm' && others.length === 1 && members.get(others[0] ?? '')?.type === 'bot'
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
          {label !== undefined && !isNarrow && <Chip tintOf={topic.labelId ?? undefined}>{label}</Chip>}
          {topic.archivedAt !== null && <Chip>{t.archivedNote}</Chip>}
        </div>
        {topic.description !== '' ? (
          <p title={topic.description}>{topic.description}</p>
        ) : (
          topic.type === 'topic' &&
          topic.isMember && (
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
  const k = useTexts(kit)
  const actions = useChatActions()
  const attempt = useAttempt()
  const open = useOverlay()
  const setMuted = async (muted: boolean, canUndo = true) => {
    if (!(await attempt(() => actions.setTopicState(topic.id, { muted })))) return
    showToast({
      text: muted ? t.muted(named(name)) : t.unmuted(named(name)),
      ...(canUndo && { action: { label: k.undo, onAct: () => void setMuted(!muted, false) } }),
    })
  }
  const setArchived = async (archived: boolean, canUndo = true) => {
    if (!(await attempt(() => actions.updateTopic(topic.id, { archived })))) return
    showToast({
      text: archived ? t.archived(named(name)) : t.unarchived(named(name)),
      ...(canUndo && { action: { label: k.undo, onAct: () => void setArchived(!archived, false) } }),
    })
  }
  const copyLink = async () => {
    const address = `${window.location.origin}/t/${topic.id}`
    if (await attempt(() => navigator.clipboard.writeText(address))) showToast({ text: t.linkCopied })
  }
  const entries = (): MenuEntry[] => [
    {
      label: topic.favourite ? t.unfavourite : t.favourite,
      icon: Star,
      onSelect: () => void attempt(() => actions.setTopicState(topic.id, { favourite: !topic.favourite })),
    },
    {
      label: topic.muted ? t.unmute : t.mute,
      icon: topic.muted ? Volume2 : BellOff,
      onSelect: () => void setMuted(!topic.muted),
    },
    { label: t.copyLink, icon: Link2, onSelect: () => void copyLink() },
    ...(topic.type === 'topic'
      ? ([
          { kind: 'line' },
          ...(topic.maySet
            ? [
                {
                  label: topic.archivedAt === null ? t.archive : t.unarchive,
                  icon: Archive,
                  onSelect: () => void setArchived(topic.archivedAt === null),
                },
              ]
            : []),
          {
            label: t.leave,
            icon: LogOut,
            danger: true,
            onSelect: () => open({ kind: 'leave-topic', topicId: topic.id }),
          },
        ] satisfies MenuEntry[])
      : []),
  ]
  return (
    <Menu
      label={t.more}
      align="end"
      entries={entries}
      trigger={(props) => <IconButton {...props} label={t.more} icon={Ellipsis} />}
    />
  )
}
