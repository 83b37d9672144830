import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { useChatActions } from '../../store/context.tsx'

const PAGE = 100
/** A search begins when nothing was typed for so long. */
const REST_MS = 120

type Pages = { of: string; members: ChatMember[]; total: number; nextCursor: string | undefined }

/** People or bots of a topic by name, a page more each time that the end of the list is in sight. */
export function useMemberPages(topic: ChatTopic, type: 'user' | 'bot', search: string) {
  const { findMembers } = useChatActions()
  const [pages, setPages] = useState<Pages>()
  const isReading = useRef(false)
  const { id: topicId, memberCount } = topic
  // A change of members changes their number, and the list is read again.
  const of = JSON.stringify([topicId, memberCount, search])
  useEffect(() => {
    let isCurrent = true
    const read = () =>
      findMembers({ topicId, type, limit: PAGE, ...(search.trim() !== '' && { search }) }).then(
        ({ members, total, nextCursor }) => {
          if (isCurrent) setPages({ of, members, total: total ?? members.length, nextCursor })
        },
        () => {}, // what is shown stays
      )
    const timer = window.setTimeout(() => void read(), search === '' ? 0 : REST_MS)
    return () => {
      isCurrent = false
      window.clearTimeout(timer)
    }
  }, [of, topicId, type, search, findMembers])
  const cursor = pages?.of === of ? pages.nextCursor : undefined
  const readNext = useCallback(() => {
    if (cursor === undefined || isReading.current) return
    isReading.current = true
    const query = { topicId, type, limit: PAGE, cursor, ...(search.trim() !== '' && { search }) }
    void findMembers(query)
      .then(
        ({ members, nextCursor }) =>
          setPages((before) =>
            before?.of === of && before.nextCursor === cursor
              ? {
                  of,
                  members: [...before.members, ...members],
                  total: Math.max(before.total, before.members.length + members.length),
                  nextCursor,
                }
              : before,
          ),
        () => {}, // tried again at the next scroll
      )
      .finally(() => {
        isReading.current = false
      })
  }, [of, topicId, type, search, cursor, findMembers])
  return { members: pages?.members, total: pages?.total ?? 0, readNext }
}
