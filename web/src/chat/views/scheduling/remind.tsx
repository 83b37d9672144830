import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import type { saveMessage } from '../../../../../contract/people/saved.ts'
import { MenuPopup } from '../../../kit/menu.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { laterTexts } from '../../../texts/later.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import { useTimeEntries } from './time-entries.ts'
import { useMoment } from './times.ts'

const ChooseTime = lazy(() => import('./choose-time.tsx'))

/** A menu at the message that asks when to send the reminder. */
export default function Remind({
  messageId,
  anchor,
  finalFocus,
  onClose,
}: {
  messageId: string
  anchor: { getBoundingClientRect(): DOMRect }
  finalFocus: RefObject<HTMLElement | null>
  onClose: () => void
}) {
  const t = useTexts(laterTexts)
  const api = useChatApi()
  const attempt = useAttempt()
  const entries = useTimeEntries()
  const moment = useMoment()
  const [isChoosing, setChoosing] = useState(false)
  const isOwn = useRef(false)
  const remind = async (remindAt: number) => {
    await api<typeof saveMessage>('PATCH', '/saved-messages/{messageId}', {
      params: { messageId },
      body: { remindAt },
    })
    showToast({ text: t.saved.willRemind(moment(remindAt)) })
  }
  if (isChoosing)
    return (
      <Suspense>
        <ChooseTime title={t.saved.remind} action={t.saved.remindAct} onChosen={remind} onClose={onClose} />
      </Suspense>
    )
  return (
    <MenuPopup
      label={t.saved.remind}
      anchor={anchor}
      open
      // The chosen entry acts as the menu closes.
      onOpenChange={(isOpen) => !isOpen && window.setTimeout(() => !isOwn.current && onClose())}
      entries={() =>
        entries(
          (at) => void attempt(() => remind(at)),
          () => {
            isOwn.current = true
            window.setTimeout(() => setChoosing(true))
          },
        )
      }
      align="end"
      finalFocus={finalFocus}
    />
  )
}
