import { Tabs } from '@base-ui/react/tabs'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat.ts'
import { IconButton } from '../../../kit/button.tsx'
import { kit } from '../../../texts/kit.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { ConversationMark } from './conversation-mark.tsx'
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
  useEffect(() => {
    // A list of topics holds the first members alone.
    if (!isComplete) actions.readTopic(topic.id).catch(() => {})
  }, [actions, topic.id, isComplete])
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
        <Tabs.List className={styles.list}>
          <Tabs.Tab value="members" className={styles.tab}>
            {t.tabs.members} <small>{topic.memberCount}</small>
          </Tabs.Tab>
          <Tabs.Tab value="pins" className={styles.tab}>
            {t.tabs.pins} <small>{topic.pins}</small>
          </Tabs.Tab>
          {(['files', 'tasks', 'polls'] as const).map((value) => (
            <Tabs.Tab key={value} value={value} className={styles.tab}>
              {p.tabs[value]}
            </Tabs.Tab>
          ))}
          {topic.type === 'topic' && topic.isMember && (
            <Tabs.Tab value="history" className={styles.tab}>
              {p.tabs.history}
            </Tabs.Tab>
          )}
          {topic.type === 'topic' && (
            <Tabs.Tab value="settings" className={styles.tab}>
              {t.tabs.settings}
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="members" className={styles.panel}>
          <DetailsMembers topic={topic} />
        </Tabs.Panel>
        <Tabs.Panel value="pins" className={styles.panel}>
          <DetailsPins topic={topic} />
        </Tabs.Panel>
        <Tabs.Panel value="files" className={styles.panel}>
          <DetailsFiles topic={topic} />
        </Tabs.Panel>
        <Tabs.Panel value="tasks" className={styles.panel}>
          <DetailsTasks topic={topic} />
        </Tabs.Panel>
        <Tabs.Panel value="polls" className={styles.panel}>
          <DetailsPolls topic={topic} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className={styles.panel}>
          <DetailsHistory topic={topic} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={styles.panel}>
          <DetailsSettings key={topic.id} topic={topic} />
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  )
}
