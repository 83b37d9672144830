import { useEffect, useState } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useFailureText } from '../frame/failure-text.ts'

/** The server is asked once typing has rested for so long. */
const PAUSE_MS = 200

/** Open topics that the person is not in, by a part of their name. */
export function useOpenTopics(search: string): {
  topics: readonly ChatTopic[] | undefined
  failure: string | undefined
} {
  const actions = useChatActions()
  const failureText = useFailureText()
  const [topics, setTopics] = useState<readonly ChatTopic[]>()
  const [failure, setFailure] = useState<string>()
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const wanted = search.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another search asks again
  useEffect(() => {
    if (isGuest) return
    let isCurrent = true
    const ask = () =>
      actions.findOpenTopics(wanted).then(
        (found) => {
          if (!isCurrent) return
          setTopics(found)
          setFailure(undefined)
        },
        (error: unknown) => isCurrent && setFailure(failureText(error)),
      )
    const timer = window.setTimeout(() => void ask(), wanted === '' ? 0 : PAUSE_MS)
    return () => {
      isCurrent = false
      window.clearTimeout(timer)
    }
  }, [actions, wanted, isGuest])
  return { topics, failure }
}
