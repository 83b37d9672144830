import { Suspense, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { locate } from '../../../../../contract/people/chat.ts'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { call } from '../../../api/call.ts'
import { lazyView } from '../../../api/connection.ts'
import { rememberTopic } from '../../../api/remembered.ts'
import { PaneBoundary } from '../../../kit/boundary.tsx'
import { ButtonLink } from '../../../kit/button.tsx'
import { SkeletonMessages } from '../../../kit/skeleton.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useOffer } from '../../attention/offer.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf, unreadTotal } from '../../store/selectors.ts'
import { organizationPath, replyPath, threadPath, topicPath } from '../addresses.ts'
import Conversation from '../conversation/conversation.tsx'
import { DETAILS_TABS, type DetailsTab } from '../details/details-tab.ts'
import { BotKeyCard } from '../dialogs/bot-key-card.tsx'
import { Beginning } from './beginning.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { useIsNarrow } from './narrow.ts'
import { NoComposer } from './no-composer.tsx'
import { Pane } from './pane.tsx'
import styles from './shell.module.css'
import { Plain } from './states.tsx'
import { useSwipeBack } from './swipe.ts'
import { TopicHeader } from './topic-header.tsx'

const ThreadPane = lazyView(() => import('../conversation/thread-pane.tsx'))
const NotificationOffer = lazyView(() => import('./notification-offer.tsx'))
const BotsStopped = lazyView(() => import('./bots-stopped.tsx'))
const DetailsPane = lazyView(() => import('../details/details-pane.tsx'))

/** One conversation with its head and, beside it, a thread or the details. */
export function TopicPlace({
  topicId,
  threadId,
  onElsewhere,
}: {
  topicId: string
  threadId: string | undefined
  /** Called when the topic is in another organization of this person. */
  onElsewhere: (organizationId: string) => void
}) {
  const s = useTexts(shell)
  const organizationId = useChat((state) => state.organizationId)
  const { topic, isMissing } = useTopic(topicId, onElsewhere)
  if (isMissing) {
    return (
      <Plain title={s.missing.title} text={s.missing.text}>
        <ButtonLink to={organizationPath(organizationId)} look="primary">
          {s.missing.home}
        </ButtonLink>
      </Plain>
    )
  }
  if (!topic) {
    return (
      <main className={styles.main} id="content" tabIndex={-1}>
        <SkeletonMessages />
      </main>
    )
  }
  return <OpenTopic topic={topic} threadId={threadId} />
}

function OpenTopic({ topic, threadId }: { topic: ChatTopic; threadId: string | undefined }) {
  const [, navigate] = useLocation()
  const [params, setParams] = useSearchParams()
  const organizationId = useChat((state) => state.organizationId)
  const isNarrow = useIsNarrow()
  const name = useChat((state) => nameOf(state, topic))
  const tab = threadId === undefined ? DETAILS_TABS.find((one) => one === params.get('details')) : undefined
  const setTab = (chosen: DetailsTab | undefined) => {
    if (threadId !== undefined) navigate(`${topicPath(topic.id)}?details=${chosen ?? 'members'}`)
    else {
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (chosen === undefined) after.delete('details')
          else after.set('details', chosen)
          return after
        },
        { replace: tab !== undefined && chosen !== undefined },
      )
    }
  }
  const swipe = useSwipeBack(isNarrow ? () => navigate(organizationPath(organizationId)) : undefined)
  useTitle(name)
  useEffect(() => {
    if (topic.isMember) rememberTopic(organizationId, topic.id)
  }, [organizationId, topic.id, topic.isMember])
  const isOffered = useOffer()
  const instead = topic.isMember && topic.mayWrite ? undefined : <NoComposer topic={topic} />
  const linkedId = params.get('m') ?? undefined
  const messageId = threadId === undefined ? linkedId : undefined
  // A link to a reply that the topic does not show leads into its thread.
  const linked = useChat(({ messages }) => (messageId === undefined ? undefined : messages.get(messageId)))
  useEffect(() => {
    if (linked?.threadOnly && linked.parentId !== undefined)
      navigate(replyPath(topic.id, linked.parentId, linked.id), { replace: true })
  }, [linked, topic.id, navigate])
  return (
    <>
      <main className={styles.main} id="content" tabIndex={-1} {...swipe}>
        <TopicHeader topic={topic} isNarrow={isNarrow} tab={tab} onTab={setTab} />
        <ConnectionBanner />
        {isOffered && (
          <Suspense>
            <NotificationOffer />
          </Suspense>
        )}
        {topic.botsStoppedAt && (
          <Suspense>
            <BotsStopped topic={topic} />
          </Suspense>
        )}
        <PaneBoundary of={topic.id}>
          <Conversation
            key={topic.id}
            topicId={topic.id}
            messageId={messageId}
            beginning={<Beginning topic={topic} onSettings={() => setTab('settings')} />}
            above={<BotKeyCard topicId={topic.id} />}
            instead={instead}
          />
        </PaneBoundary>
      </main>
      {threadId !== undefined && (
        <Pane key={threadPath(topic.id, threadId)} onClose={() => navigate(topicPath(topic.id))}>
          <ThreadPane
            topicId={topic.id}
            messageId={threadId}
            replyId={linkedId}
            onClose={() => navigate(topicPath(topic.id))}
            instead={instead}
          />
        </Pane>
      )}
      {tab !== undefined && (
        <Pane key={`details ${topic.id}`} onClose={() => setTab(undefined)}>
          <DetailsPane topic={topic} tab={tab} onTab={setTab} />
        </Pane>
      )}
    </>
  )
}

/**
 * The topic of this address: one that the person is in, or an open one, which is read when it is looked into. A topic
 * that is neither may be in another organization of theirs.
 */
function useTopic(topicId: string, onElsewhere: (organizationId: string) => void) {
  const topic = useChat(({ topics }) => topics.get(topicId))
  const organizationId = useChat((state) => state.organizationId)
  const isReady = useChat(({ status }) => status === 'ready')
  const actions = useChatActions()
  const [isMissing, setMissing] = useState(false)
  const isKnown = topic !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each topic that is not known
  useEffect(() => {
    setMissing(false)
    if (isKnown || !isReady) return
    let isCurrent = true
    const look = async () => {
      await actions.readTopic(topicId).catch(async () => {
        const query = { topicId }
        const place = await call<typeof locate>('GET', '/people/locate', { query }).catch(() => undefined)
        if (!isCurrent) return
        if (place && place.organizationId !== organizationId) onElsewhere(place.organizationId)
        else setMissing(true)
      })
    }
    void look()
    return () => {
      isCurrent = false
    }
  }, [topicId, isKnown, isReady])
  return { topic, isMissing: isMissing && !isKnown }
}

/** The title of the tab: the current place, and the unread count. */
export function useTitle(name: string): void {
  const organization = useChat((state) => state.organization?.name)
  const waiting = useChat((state) => unreadTotal(state).waiting)
  const unread = useChat((state) => unreadTotal(state).unread)
  useEffect(() => {
    const count = waiting > 0 ? `(${waiting}) ` : unread > 0 ? '• ' : ''
    document.title = `${count}${name} · ${organization ?? 'Parley'}`
  }, [name, organization, waiting, unread])
}
