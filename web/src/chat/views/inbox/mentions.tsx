import { useCallback } from 'react'
import type { listMentions } from '../../../../../contract/people/places.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { useShell } from '../seam.ts'
import { InboxPage } from './inbox-page.tsx'
import { MessageLine } from './message-line.tsx'
import { PagedList } from './paged-list.tsx'

/** Messages that mention the person, wherever they are. */
export default function Mentions() {
  const t = useTexts(places).mentions
  const api = useChatApi()
  const { goToMessage } = useShell()
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const query = cursor === undefined ? {} : { cursor }
        const { messages, nextCursor } = await api<typeof listMentions>('GET', '/mentions', { query })
        return { items: messages, nextCursor }
      },
      [api],
    ),
  )
  return (
    <InboxPage title={t.title} about={t.about}>
      <PagedList pages={pages} empty={t.empty} label={t.title}>
        {(message) => (
          <MessageLine message={message} hasTopic onGo={() => goToMessage(message.topicId, message.id)} />
        )}
      </PagedList>
    </InboxPage>
  )
}
