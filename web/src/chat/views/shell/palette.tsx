import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { CornerDownLeft, Search } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { recentTopics } from '../../../api/remembered.ts'
import { Face, TopicMark } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Keys } from '../../../kit/keys.tsx'
import { BotChip } from '../../../kit/marks.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { kit } from '../../../texts/kit.ts'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { topicPath } from '../addresses.ts'
import { useAttempt } from './attempt.ts'
import { ConversationMark } from './conversation-mark.tsx'
import { useOpenTopics } from './open-topics.ts'
import styles from './palette.module.css'
import { usePaletteActions } from './palette-actions.ts'
import { findItems, type PaletteItem, recentItems, scoreOf } from './palette-items.ts'
import { presenceOf } from './presence.ts'
import { UnreadCounts } from './sidebar-row.tsx'

const MAX_OPEN_TOPICS = 4

type Group = { value: string; items: PaletteItem[] }

/** Goes anywhere: topics, people, bots, open topics, and what can be done. */
export default function Palette({ topicId, onClose }: { topicId: string | undefined; onClose: () => void }) {
  const t = useTexts(shellPlaces).palette
  const k = useTexts(kit)
  const [typed, setTyped] = useState('')
  const groups = useGroups(typed, topicId)
  const choose = useChoose(onClose)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={styles.popup} aria-label={t.title}>
            <Autocomplete.Root
              open
              inline
              items={groups}
              mode="none"
              filter={null}
              autoHighlight="always"
              keepHighlight
              value={typed}
              onValueChange={(next, { reason }) => {
                if (reason !== 'item-press') setTyped(next)
              }}
              itemToStringValue={(item: PaletteItem) => item.name}
            >
              <div className={styles.field}>
                <Icon icon={Search} />
                <Autocomplete.Input className={styles.input} aria-label={t.label} placeholder={t.label} />
                <Keys keys="Esc" />
              </div>
              <Dialog.Close className={styles.close}>
                <VisuallyHidden>{k.close}</VisuallyHidden>
              </Dialog.Close>
              <div className={styles.results}>
                <Autocomplete.Empty>
                  {groups.length === 0 && <p className={styles.empty}>{t.nothing(typed.trim())}</p>}
                </Autocomplete.Empty>
                <Autocomplete.List className={styles.list}>
                  {(group: Group) => (
                    <Autocomplete.Group key={group.value} items={group.items}>
                      <Autocomplete.GroupLabel className={styles.head}>{group.value}</Autocomplete.GroupLabel>
                      <Autocomplete.Collection>
                        {(item: PaletteItem) => (
                          <Autocomplete.Item
                            key={`${item.kind} ${item.id}`}
                            value={item}
                            className={styles.item}
                            onClick={() => choose(item)}
                          >
                            <Row item={item} />
                          </Autocomplete.Item>
                        )}
                      </Autocomplete.Collection>
                    </Autocomplete.Group>
                  )}
                </Autocomplete.List>
              </div>
              <div className={styles.foot} aria-hidden>
                <span>
                  <Keys keys="↑" /> <Keys keys="↓" /> {t.choose}
                </span>
                <span>
                  <Keys keys="↵" /> {t.openIt}
                </span>
              </div>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useGroups(typed: string, topicId: string | undefined): Group[] {
  const t = useTexts(shellPlaces).palette
  const state = useChat((whole) => whole)
  const search = useDeferredValue(typed)
  const { topics: open = [] } = useOpenTopics(search)
  const actions = usePaletteActions(search, topicId)
  return useMemo(() => {
    const recent = recentTopics(state.organizationId)
    const isEmpty = search.trim() === ''
    const found = isEmpty ? recentItems(state, recent, topicId) : findItems(state, search, recent)
    const openItems = open
      .filter((topic) => !state.topics.get(topic.id)?.isMember && scoreOf(topic.name, search) !== undefined)
      .slice(0, MAX_OPEN_TOPICS)
      .map((topic): PaletteItem => ({ kind: 'open-topic', id: topic.id, name: topic.name, topic }))
    const fitting = actions.filter(({ name, always }) => always || scoreOf(name, search) !== undefined)
    const groups: Group[] = [
      { value: isEmpty ? t.recent : t.goTo, items: found },
      { value: t.open, items: isEmpty ? [] : openItems },
      { value: t.actions, items: fitting.map(({ always: _, ...item }) => ({ kind: 'action', ...item })) },
    ]
    return groups.filter(({ items }) => items.length > 0)
  }, [state, search, open, actions, topicId, t])
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
    return (
      <>
        <Icon icon={item.icon} size={18} />
        <span className={styles.name}>{item.name}</span>
        {item.keys !== undefined && <Keys keys={item.keys} />}
      </>
    )
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
    <>
      {item.kind === 'member' ? (
        <Face member={item.member} size={24} presence={presenceOf(item.member, online)} />
      ) : item.kind === 'topic' ? (
        <ConversationMark topic={item.topic} size={24} />
      ) : (
        <TopicMark topic={item.topic} size={24} />
      )}
      <span className={styles.name}>
        <bdi>{item.name}</bdi>
      </span>
      {item.kind === 'member' && item.member.type === 'bot' && <BotChip />}
      {item.kind === 'topic' && <UnreadCounts topic={item.topic} />}
      <span className={styles.note}>{note}</span>
      <span className={styles.enter}>
        <Icon icon={CornerDownLeft} size={14} />
      </span>
    </>
  )
}
