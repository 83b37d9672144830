import { Tabs } from '@base-ui/react/tabs'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { IconButton } from '../../../kit/button.tsx'
import { SCROLLER } from '../../../kit/windowed.tsx'
import { kit } from '../../../texts/kit.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { ConversationMark } from '../frame/conversation-mark.tsx'
import styles from './details.module.css'
import { DetailsHistory } from './details-history.tsx'
import { DetailsFiles, DetailsPolls, DetailsTasks } from './details-lists.tsx'
import { DetailsMembers } from './details-members.tsx'
import { DetailsPins } from './details-pins.tsx'
import { DetailsSettings } from './details-settings.tsx'
import type { DetailsTab } from './details-tab.ts'

/** Everything about a topic: who is in it, what it holds, what has changed, how it is set. */
export default function DetailsPane({
  topic,
  tab,
  onTab,
}: {
  topic: ChatTopic
  tab: DetailsTab
  onTab: (tab: DetailsTab | undefined) => void
}) {
  const t = useTexts(texts)
  const k = useTexts(kit)
  const p = useTexts(places)
  const name = useChat((state) => nameOf(state, topic))
  const actions = useChatActions()
  const isComplete = topic.memberIds.length >= topic.memberCount
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  useEffect(() => {
    // A list of topics holds the first members alone. Of many, the list of members reads those that it shows.
    if (!isComplete && !hasMany) actions.readTopic(topic.id).catch(() => {})
  }, [actions, topic.id, isComplete, hasMany])
  const isTopic = topic.type === 'topic'
  const all: { value: DetailsTab; label: string; count?: number; panel: ReactNode; isShown?: boolean }[] = [
    {
      value: 'members',
      label: t.tabs.members,
      count: topic.memberCount,
      panel: <DetailsMembers topic={topic} />,
    },
    { value: 'pins', label: t.tabs.pins, count: topic.pins, panel: <DetailsPins topic={topic} /> },
    { value: 'files', label: p.tabs.files, panel: <DetailsFiles topic={topic} /> },
    { value: 'tasks', label: p.tabs.tasks, panel: <DetailsTasks topic={topic} /> },
    { value: 'polls', label: p.tabs.polls, panel: <DetailsPolls topic={topic} /> },
    {
      value: 'history',
      label: p.tabs.history,
      panel: <DetailsHistory topic={topic} />,
      isShown: isTopic && topic.isMember,
    },
    {
      value: 'settings',
      label: t.tabs.settings,
      panel: <DetailsSettings key={topic.id} topic={topic} />,
      isShown: isTopic,
    },
  ]
  const tabs = all.filter(({ isShown = true }) => isShown)
  // The list of tabs is wider than the pane.
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = list.current?.querySelector(`[data-tab="${tab}"]`)
    chosen?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [tab])
  return (
    <aside className={styles.pane} aria-label={t.details}>
      <Tabs.Root value={tab} onValueChange={(next: DetailsTab) => onTab(next)} className={styles.tabs}>
        <header className={styles.head}>
          <ConversationMark topic={topic} size={28} />
          <h2 title={name}>
            <bdi>{name}</bdi>
          </h2>
          <IconButton label={k.close} keys="Esc" icon={X} onClick={() => onTab(undefined)} />
        </header>
        <Tabs.List ref={list} className={styles.list}>
          {tabs.map(({ value, label, count }) => (
            <Tabs.Tab key={value} value={value} data-tab={value} className={styles.tab}>
              {label} {count !== undefined && <small>{count}</small>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value} className={styles.panel} {...SCROLLER}>
            {panel}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </aside>
  )
}
