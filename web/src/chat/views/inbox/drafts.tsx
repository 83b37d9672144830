import { Trash2 } from 'lucide-react'
import { useSearchParams } from 'wouter'
import type { Draft } from '../../../../../contract/people/chat-records.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Segmented } from '../../../kit/choice.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { laterTexts } from '../../../texts/later.ts'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf, sidebarSections } from '../../store/selectors.ts'
import { threadPath, topicPath } from '../addresses.ts'
import { ConversationMark } from '../frame/conversation-mark.tsx'
import { InboxPage } from './inbox-page.tsx'
import { Line } from './line.tsx'
import listStyles from './paged-list.module.css'
import { ScheduledList } from './scheduled.tsx'

/** Unsent drafts, the latest first, and scheduled messages. */
export default function Drafts() {
  const t = useTexts(shellPlaces).draftList
  const l = useTexts(laterTexts)
  const [params, setParams] = useSearchParams()
  const isScheduled = params.get('show') === 'scheduled'
  const filters = (
    <Segmented
      label={l.filter}
      value={isScheduled ? 'scheduled' : 'drafts'}
      options={[
        ['drafts', l.drafts],
        ['scheduled', l.scheduled.title],
      ]}
      onChange={(show) => setParams(show === 'scheduled' ? { show } : {}, { replace: true })}
    />
  )
  return isScheduled ? (
    <InboxPage title={l.scheduled.title} about={l.scheduled.about} filters={filters}>
      <ScheduledList />
    </InboxPage>
  ) : (
    <InboxPage title={t.title} about={t.about} filters={filters}>
      <DraftList />
    </InboxPage>
  )
}

function DraftList() {
  const t = useTexts(shellPlaces).draftList
  const keys = useChat((state) => sidebarSections(state).drafts)
  const drafts = useChat((state) => state.drafts)
  if (keys.length === 0) return <p className={listStyles.none}>{t.empty}</p>
  return (
    <ul className={listStyles.list}>
      {keys.flatMap((key) => {
        const draft = drafts.get(key)
        return draft ? [<Row key={key} draft={draft} />] : []
      })}
    </ul>
  )
}

function Row({ draft }: { draft: Draft }) {
  const t = useTexts(shellPlaces).draftList
  const k = useTexts(kit)
  const actions = useChatActions()
  const topic = useChat(({ topics }) => topics.get(draft.topicId))
  const name = useChat((state) => (topic ? nameOf(state, topic) : ''))
  if (!topic) return null
  const place = { topicId: draft.topicId, ...(draft.parentId !== undefined && { threadId: draft.parentId }) }
  const discard = () => {
    actions.saveDraft(place, '')
    const undo = () => actions.saveDraft(place, draft.text)
    showToast({ text: t.discarded, action: { label: k.undo, onAct: undo } })
  }
  return (
    <li>
      <Line
        mark={<ConversationMark topic={topic} size={32} />}
        name={<Words text={draft.parentId === undefined ? named(name) : t.inThread(named(name))} />}
        at={draft.updatedAt}
        text={draft.text}
        go={draft.parentId === undefined ? topicPath(topic.id) : threadPath(topic.id, draft.parentId)}
        action={<IconButton label={`${t.discard}: ${name}`} icon={Trash2} size="small" onClick={discard} />}
      />
    </li>
  )
}
