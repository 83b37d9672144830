import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogBody } from '../../../kit/dialog.tsx'
import { TopicMark } from '../../../kit/face.tsx'
import { SearchInput } from '../../../kit/field.tsx'
import { named } from '../../../kit/name.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChatActions } from '../../store/context.tsx'
import { topicPath } from '../addresses.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useOpenTopics } from '../palette/open-topics.ts'
import styles from './dialogs.module.css'

export default function BrowseTopics({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts).browse
  const [search, setSearch] = useState('')
  const { topics, failure } = useOpenTopics(search)
  return (
    <Dialog title={t.title} onClose={onClose} size="wide">
      <DialogBody>
        <SearchInput label={t.search} value={search} onChange={setSearch} />
        <div className={styles.results} aria-live="polite">
          {failure !== undefined && <p className={styles.failure}>{failure}</p>}
          {topics === undefined && failure === undefined && <SkeletonRows />}
          {topics?.length === 0 && (
            <p className={styles.text}>{search.trim() === '' ? t.none : t.noneCalled(search.trim())}</p>
          )}
          <ul>
            {topics?.map((topic) => (
              <li key={topic.id}>
                <OpenTopic topic={topic} onClose={onClose} />
              </li>
            ))}
          </ul>
        </div>
      </DialogBody>
    </Dialog>
  )
}

function OpenTopic({ topic, onClose }: { topic: ChatTopic; onClose: () => void }) {
  const t = useTexts(texts).browse
  const actions = useChatActions()
  const attempt = useAttempt()
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState(false)
  const goThere = () => {
    onClose()
    navigate(topicPath(topic.id))
  }
  const join = async () => {
    setBusy(true)
    const done = await attempt(() => actions.join(topic.id))
    setBusy(false)
    if (!done) return
    showToast({ text: t.joined(named(topic.name)) })
    goThere()
  }
  return (
    <div className={styles.topic}>
      <TopicMark topic={topic} size={32} />
      <div className={styles.words}>
        <span className={styles.name}>
          <bdi>{topic.name}</bdi>
        </span>
        <span className={styles.about}>
          {t.members(topic.memberCount)}
          {topic.description !== '' && ` · ${topic.description}`}
        </span>
      </div>
      <Button look="quiet" size="small" onClick={goThere} aria-label={`${t.look}: ${topic.name}`}>
        {t.look}
      </Button>
      <Button size="small" busy={busy} onClick={() => void join()} aria-label={`${t.join}: ${topic.name}`}>
        {t.join}
      </Button>
    </div>
  )
}
