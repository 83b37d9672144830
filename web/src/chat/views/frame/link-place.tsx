import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { AnswerOf } from '../../../../../contract/operation.ts'
import type { locate } from '../../../../../contract/people/chat.ts'
import { call } from '../../../api/call.ts'
import { lazyView } from '../../../api/connection.ts'
import { ButtonAnchor, ButtonLink } from '../../../kit/button.tsx'
import { nothingHere } from '../../../texts/nothing-here.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { messageInTopicPath, replyPath, topicPath } from '../addresses.ts'
import { Plain } from './states.tsx'

const ChooseTopic = lazyView(() => import('../dialogs/choose-topic.tsx'))

export type LinkQuery = { messageId: string } | { externalTopic: string }
type Choices = NonNullable<AnswerOf<typeof locate>['body']['choices']>

/** Addresses a message where it stands: in its topic, or only in its thread. */
const pathOf = (topicId: string, threadId: string | undefined, messageId: string): string =>
  threadId === undefined ? messageInTopicPath(topicId, messageId) : replyPath(topicId, threadId, messageId)

/** A link to a message, or to a topic by the id that a bot gave it: finds where it is, and goes there. */
export default function LinkPlace({
  query,
  onFound,
}: {
  query: LinkQuery
  onFound: (organizationId: string) => void
}) {
  const t = useTexts(nothingHere).missingMessage
  const s = useTexts(shell)
  const [, navigate] = useLocation()
  const [isMissing, setMissing] = useState(false)
  const [choices, setChoices] = useState<Choices>()
  const wanted = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(() => {
    let isCurrent = true
    setMissing(false)
    call<typeof locate>('GET', '/people/locate', { query }).then(
      ({ organizationId, topicId, parentId, threadOnly, choices: several }) => {
        if (!isCurrent) return
        setChoices(several)
        if (several) return
        onFound(organizationId)
        const threadId = threadOnly && parentId
        navigate('messageId' in query ? pathOf(topicId, threadId, query.messageId) : topicPath(topicId), {
          replace: true,
        })
      },
      () => isCurrent && setMissing(true),
    )
    return () => {
      isCurrent = false
    }
  }, [wanted])
  if (choices) {
    return (
      <Suspense>
        <ChooseTopic
          choices={choices}
          onChosen={({ organizationId, topicId }) => {
            onFound(organizationId)
            navigate(topicPath(topicId), { replace: true })
          }}
        />
      </Suspense>
    )
  }
  if (!isMissing) return null
  return (
    <Plain title={t.title} text={t.text}>
      <ButtonLink to="/" look="primary">
        {s.missing.home}
      </ButtonLink>
    </Plain>
  )
}

/**
 * Shown when the session has ended. The link to sign in reloads the page, which may not know yet that the session is
 * over.
 */
export function Ended() {
  const t = useTexts(nothingHere).ended
  const { pathname, search } = window.location
  return (
    <Plain title={t.title} text={t.text}>
      <ButtonAnchor href={`/sign-in?to=${encodeURIComponent(pathname + search)}`} look="primary">
        {t.signIn}
      </ButtonAnchor>
    </Plain>
  )
}
