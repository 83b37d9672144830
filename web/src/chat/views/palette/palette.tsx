import { useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { recentTopics } from '../../../api/remembered.ts'
import { Face, TopicMark } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { MemberChip } from '../../../kit/marks.tsx'
import {
  PaletteAction,
  type PaletteGroup,
  PaletteRow,
  Palette as PaletteWindow,
} from '../../../kit/palette.tsx'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useFoundMembers } from '../../store/found-members.ts'
import { topicPath } from '../addresses.ts'
import { useAttempt } from '../frame/attempt.ts'
import { ConversationMark } from '../frame/conversation-mark.tsx'
import { UnreadCounts } from '../frame/sidebar-row.tsx'
import { presenceOf } from '../profile/presence.ts'
import { useOpenTopics } from './open-topics.ts'
import { usePaletteActions } from './palette-actions.ts'
import { findItems, type PaletteItem, recentItems, scoreOf } from './palette-items.ts'

const MAX_OPEN_TOPICS = 4

/** Goes anywhere: topics, people, bots, open topics, and what can be done. */
export default function Palette({
  typedAhead,
  topicId,
  onClose,
}: {
  /** Characters typed while the palette was loading. */
  typedAhead: string
  topicId: string | undefined
  onClose: () => void
}) {
  const t = useTexts(shellPlaces).palette
  const [typed, setTyped] = useState(typedAhead)
  const groups = useGroups(typed, topicId)
  const choose = useChoose(onClose)
  return (
    <PaletteWindow
      label={t.label}
      groups={groups}
      typed={typed}
      onTyped={setTyped}
      row={(item) => <Row item={item} />}
      onChoose={choose}
      onClose={onClose}
    />
  )
}

function useGroups(typed: string, topicId: string | undefined): PaletteGroup<PaletteItem>[] {
  const t = useTexts(shellPlaces).palette
  const state = useChat((whole) => whole)
  const search = useDeferredValue(typed)
  const { topics: open = [] } = useOpenTopics(search)
  const actions = usePaletteActions(search, topicId)
  const members = useFoundMembers(search.trim() !== '', { search })
  return useMemo(() => {
    const recent = recentTopics(state.organizationId)
    const isEmpty = search.trim() === ''
    const found = isEmpty ? recentItems(state, recent, topicId) : findItems(state, search, recent, members)
    const openItems = open
      .filter((topic) => !state.topics.get(topic.id)?.isMember && scoreOf(topic.name, search) !== undefined)
      .slice(0, MAX_OPEN_TOPICS)
      .map((topic): PaletteItem => ({ kind: 'open-topic', id: topic.id, name: topic.name, topic }))
    const fitting = actions.filter(({ name, always }) => always || scoreOf(name, search) !== undefined)
    const groups: PaletteGroup<PaletteItem>[] = [
      { value: isEmpty ? t.recent : t.goTo, items: found },
      { value: t.open, items: isEmpty ? [] : openItems },
      { value: t.actions, items: fitting.map(({ always: _, ...item }) => ({ kind: 'action', ...item })) },
    ]
    return groups.filter(({ items }) => items.length > 0)
  }, [state, search, open, members, actions, topicId, t])
}

function useChoose(onClose: () => void): (item: PaletteItem) => void {
  const [, navigate] = useLocation()
  const actions = useChatActions()
  const attempt = useAttempt()
  return (item) => {
    onClose()
    if (item.kind === 'action') item.run()
    else if (item.kind === 'member') {
      void attempt(async () => navigate(topicPath((await actions.openDirectMessage([item.id])).id)))
    } else navigate(topicPath(item.id))
  }
}

function Row({ item }: { item: PaletteItem }) {
  const t = useTexts(shellPlaces).palette
  const online = useChat((state) => state.online)
  if (item.kind === 'action') {
    return <PaletteAction mark={<Icon icon={item.icon} size={18} />} name={item.name} keys={item.keys} />
  }
  const note =
    item.kind === 'open-topic'
      ? t.join
      : item.kind === 'member'
        ? item.member.type === 'bot'
          ? ''
          : t.person
        : item.topic.type === 'dm'
          ? t.direct
          : t.topic
  return (
    <PaletteRow
      mark={
        item.kind === 'member' ? (
          <Face member={item.member} size={24} presence={presenceOf(item.member, online)} />
        ) : item.kind === 'topic' ? (
          <ConversationMark topic={item.topic} size={24} />
        ) : (
          <TopicMark topic={item.topic} size={24} />
        )
      }
      name={item.name}
      chips={
        <>
          {item.kind === 'member' && <MemberChip {...item.member} />}
          {item.kind === 'topic' && <UnreadCounts topic={item.topic} />}
        </>
      }
      note={note}
    />
  )
}
