import { useEffect, useState } from 'react'
import type { Group, listGroups } from '../../../../../contract/groups.ts'
import { LIMITS } from '../../../../../contract/limits.ts'
import { useChat } from '../../store/context.tsx'
import { useChatApi } from './pages.ts'

/** A search begins when nothing was typed for so long. */
const REST_MS = 120
const OFFERED = 5

/** Groups that the server finds by the beginning of their tag or of a word of their name; the last answer stays until the next comes. */
export function useFoundGroups(isWanted: boolean, search: string): readonly Group[] {
  const api = useChatApi()
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const [found, setFound] = useState<readonly Group[]>([])
  useEffect(() => {
    if (!isWanted || isGuest) return
    let isCurrent = true
    const ask = () =>
      api<typeof listGroups>('GET', '/groups', {
        query: { search: search.slice(0, LIMITS.groupName), limit: OFFERED },
      }).then(
        ({ groups }) => isCurrent && setFound(groups),
        () => {}, // names are offered without them
      )
    const timer = window.setTimeout(() => void ask(), search === '' ? 0 : REST_MS)
    return () => {
      isCurrent = false
      window.clearTimeout(timer)
    }
  }, [isWanted, isGuest, search, api])
  return isWanted ? found : []
}
