import { Plus, Search } from 'lucide-react'
import { Redirect } from 'wouter'
import { recentTopics } from '../../../api/remembered.ts'
import { Button } from '../../../kit/button.tsx'
import { SkeletonMessages } from '../../../kit/skeleton.tsx'
import { guests } from '../../../texts/guests.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { mayCreateTopics } from '../../store/directory.ts'
import { sidebarSections } from '../../store/selectors.ts'
import { topicPath } from '../addresses.ts'
import { useOverlay } from './overlay.ts'
import styles from './shell.module.css'
import { Plain } from './states.tsx'

/** The start of an organization: the place last open, or the topic that everybody is in. */
export function Start() {
  const t = useTexts(shell)
  const g = useTexts(guests)
  const open = useOverlay()
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const mayCreate = useChat(mayCreateTopics)
  const isReady = useChat(({ status }) => status === 'ready')
  const first = useChat((state) => {
    const isMine = (id: string) => state.topics.get(id)?.isMember === true
    const all = sidebarSections(state).groups.flatMap(({ topics }) => topics)
    const everybodys = all.find(({ joinedByDefault }) => joinedByDefault)
    return recentTopics(state.organizationId).find(isMine) ?? (everybodys ?? all[0])?.id
  })
  if (!isReady) {
    return (
      <main className={styles.main} id="content" tabIndex={-1}>
        <SkeletonMessages />
      </main>
    )
  }
  if (first !== undefined) return <Redirect to={topicPath(first) + window.location.search} replace />
  if (isGuest) return <Plain title={g.alone.title} text={g.alone.text} />
  return (
    <Plain title={t.start.title} text={t.start.text}>
      <Button look="primary" icon={Search} onClick={() => open({ kind: 'browse-topics' })}>
        {t.browseTopics}
      </Button>
      {mayCreate && (
        <Button icon={Plus} onClick={() => open({ kind: 'create-topic' })}>
          {t.createTopic}
        </Button>
      )}
    </Plain>
  )
}
