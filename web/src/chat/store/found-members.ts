import { useEffect, useState } from 'react'
import type { ChatMember } from '../../../../contract/people/chat-records.ts'
import type { MemberSearch } from '../model.ts'
import { useChat, useChatActions } from './context.tsx'

/** A search begins when nothing was typed for so long. */
const REST_MS = 120

/**
 * Members that the server finds, in an organization with too many to know them all. Undefined where all are known, and
 * until there is an answer; then the last answer stays until the next one comes.
 */
export function useFoundMembers(
  isWanted: boolean,
  { search = '', topicId, near, limit = 20 }: MemberSearch,
): readonly ChatMember[] | undefined {
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  const { findMembers } = useChatActions()
  const [found, setFound] = useState<readonly ChatMember[]>()
  const isAsked = isWanted && hasMany
  useEffect(() => {
    if (!isAsked) return
    let isCurrent = true
    const ask = () =>
      findMembers({ search, limit, ...(topicId && { topicId }), ...(near && { near }) }).then(
        ({ members }) => isCurrent && setFound(members),
        () => {}, // those who are known are offered
      )
    const timer = window.setTimeout(() => void ask(), search === '' ? 0 : REST_MS)
    return () => {
      isCurrent = false
      window.clearTimeout(timer)
    }
  }, [isAsked, search, topicId, near, limit, findMembers])
  return isAsked ? found : undefined
}
