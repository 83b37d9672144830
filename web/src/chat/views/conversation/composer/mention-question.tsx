import { type ReactNode, useRef, useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import type { previewMentions } from '../../../../../../contract/people/groups.ts'
import { Confirm } from '../../../../kit/confirm.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { groupTexts } from '../../../../texts/groups.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatApi } from '../../frame/pages.ts'
import { mayMentionGroups } from './written.ts'

type Text = { text: string; parentId?: string; alsoInTopic?: boolean }
type Counted = { people: number; outsiders: number; send: () => void }

/**
 * Asks before a message notifies more than 20 people, and says who of a group is not notified. Texts that mention no group are sent at
 * once, and so are all texts while the server cannot be asked: it refuses by itself what is not allowed.
 */
export function useMentionQuestion(topicId: string): {
  ask: (text: Text, send: () => void) => void
  question: ReactNode
} {
  const t = useTexts(groupTexts)
  const api = useChatApi()
  const [counted, setCounted] = useState<Counted>()
  const isAsking = useRef(false)
  const count = async ({ text, parentId, alsoInTopic }: Text, send: () => void) => {
    const body = { text, ...(parentId !== undefined && { parentId }), ...(alsoInTopic && { alsoInTopic }) }
    const path = '/topics/{topicId}/mentions'
    const answer = await api<typeof previewMentions>('POST', path, { params: { topicId }, body }).catch(
      () => undefined,
    )
    if (answer && !answer.isAllowed) {
      showToast({ text: t.tooMany(answer.people, LIMITS.mentionedFreely), tone: 'bad' })
    } else if (answer && answer.people > LIMITS.mentionedFreely) {
      setCounted({ ...answer, send })
    } else {
      send()
      if (answer && answer.outsiders > 0) showToast({ text: t.outsiders(answer.outsiders) })
    }
  }
  const ask = (text: Text, send: () => void) => {
    if (!mayMentionGroups(text.text)) return send()
    if (isAsking.current) return
    isAsking.current = true
    void count(text, send).finally(() => {
      isAsking.current = false
    })
  }
  const question = counted && (
    <Confirm
      title={t.notify(counted.people)}
      text={t.notifyText(counted.people)}
      costs={counted.outsiders > 0 ? [t.outsiders(counted.outsiders)] : []}
      action={t.notifyAction}
      look="primary"
      busy={false}
      onConfirm={() => {
        setCounted(undefined)
        counted.send()
      }}
      onClose={() => setCounted(undefined)}
    />
  )
  return { ask, question }
}
