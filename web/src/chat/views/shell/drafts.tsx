import { ArrowLeft, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import type { Draft } from '../../../../../contract/people/chat.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { shell } from '../../../texts/shell.ts'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Time } from '../../../ui/time.tsx'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf, sidebarSections } from '../../store/selectors.ts'
import { organizationPath, threadPath, topicPath } from '../addresses.ts'
import { ConversationMark } from './conversation-mark.tsx'
import styles from './drafts.module.css'
import { useIsNarrow } from './narrow.ts'
import shellStyles from './shell.module.css'
import { useTitle } from './topic-place.tsx'

/** What was begun and not sent, the latest first. */
export default function Drafts() {
  const t = useTexts(shell)
  const p = useTexts(shellPlaces)
  const organizationId = useChat((state) => state.organizationId)
  const keys = useChat((state) => sidebarSections(state).drafts)
  const drafts = useChat((state) => state.drafts)
  const isNarrow = useIsNarrow()
  useTitle(p.draftList.title)
  return (
    <main className={shellStyles.main} id="content" tabIndex={-1}>
      <header className={styles.header}>
        {isNarrow && (
          <Link to={organizationPath(organizationId)} className={styles.back} aria-label={t.back}>
            <Icon icon={ArrowLeft} />
          </Link>
        )}
        <div>
          <h1 tabIndex={-1}>{p.draftList.title}</h1>
          <p>{p.draftList.about}</p>
        </div>
      </header>
      {keys.length === 0 ? (
        <p className={styles.none}>{p.draftList.empty}</p>
      ) : (
        <ul className={styles.list}>
          {keys.flatMap((key) => {
            const draft = drafts.get(key)
            return draft ? [<Row key={key} draft={draft} />] : []
          })}
        </ul>
      )}
    </main>
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
    <li className={styles.row}>
      <Link
        to={draft.parentId === undefined ? topicPath(topic.id) : threadPath(topic.id, draft.parentId)}
        className={styles.link}
      >
        <ConversationMark topic={topic} size={32} />
        <span className={styles.words}>
          <span className={styles.top}>
            <span className={styles.name}>
              <bdi>{draft.parentId === undefined ? name : t.inThread(name)}</bdi>
            </span>
            <Time at={draft.updatedAt} />
          </span>
          <span className={styles.text}>{draft.text}</span>
        </span>
      </Link>
      <IconButton label={`${t.discard}: ${name}`} icon={Trash2} size="small" onClick={discard} />
    </li>
  )
}
