import { BellOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { listThreads, setThreadState, Thread } from '../../../../../contract/people/places.ts'
import { IconButton } from '../../../kit/button.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { excerptOf } from '../conversation/markdown/excerpt.ts'
import { useMentionedNames } from '../conversation/message/people.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { useShell } from '../seam.ts'
import { InboxPage } from './inbox-page.tsx'
import { MessageLine } from './message-line.tsx'
import { PagedList } from './paged-list.tsx'

/** Threads that the person follows, the one with the newest reply first. */
export default function Threads() {
  const t = useTexts(places).threads
  const api = useChatApi()
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const query = cursor === undefined ? {} : { cursor }
        const { threads, nextCursor } = await api<typeof listThreads>('GET', '/threads', { query })
        return { items: threads.map((thread) => ({ ...thread, id: thread.parent.id })), nextCursor }
      },
      [api],
    ),
  )
  return (
    <InboxPage title={t.title} about={t.about}>
      <PagedList pages={pages} empty={t.empty} label={t.title}>
        {(thread) => <ThreadLine thread={thread} />}
      </PagedList>
    </InboxPage>
  )
}

function ThreadLine({ thread: { parent, lastReply, unread } }: { thread: Thread }) {
  const t = useTexts(places).threads
  const k = useTexts(kit)
  const api = useChatApi()
  const nameOf = useMentionedNames()
  const attempt = useAttempt()
  const { openThread } = useShell()
  const [isFollowed, setFollowed] = useState(true)
  const set = (body: { following: boolean }) =>
    api<typeof setThreadState>('PATCH', '/messages/{messageId}/thread', {
      params: { messageId: parent.id },
      body,
    })
  const follow = async (following: boolean) => {
    if (!(await attempt(() => set({ following })))) return
    setFollowed(following)
    if (following) return
    showToast({ text: t.unfollowed, action: { label: k.undo, onAct: () => void follow(true) } })
  }
  if (!isFollowed) return null
  return (
    <MessageLine
      message={parent}
      hasTopic
      unread={unread}
      note={
        lastReply
          ? `${t.lastReply(named(lastReply.senderName))}: ${excerptOf(lastReply.text, nameOf)}`
          : undefined
      }
      onGo={() => openThread(parent.topicId, parent.id)}
      action={
        <IconButton label={t.unfollow} icon={BellOff} size="small" onClick={() => void follow(false)} />
      }
    />
  )
}
