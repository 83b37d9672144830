import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { sendMessage } from '../../../../../../contract/messages.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { Menu } from '../../../../kit/menu.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { laterTexts } from '../../../../texts/later.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { ConversationPlace } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { newId } from '../../../sync/pacing.ts'
import { scheduledPath } from '../../addresses.ts'
import { useAttempt } from '../../frame/attempt.ts'
import { useChatApi } from '../../frame/pages.ts'
import { useTimeEntries } from '../../scheduling/time-entries.ts'
import { useMoment } from '../../scheduling/times.ts'

const ChooseTime = lazy(() => import('../../scheduling/choose-time.tsx'))

/** The menu beside the send button: when to send instead of now. */
export function SendLater({
  place: { topicId },
  answers,
  text,
  hasFiles,
  isDisabled,
  onScheduled,
}: {
  place: ConversationPlace
  /** The message that it answers. */
  answers: { parentId: string; alsoInTopic?: boolean } | undefined
  text: string
  hasFiles: boolean
  isDisabled: boolean
  onScheduled: () => void
}) {
  const t = useTexts(laterTexts)
  const api = useChatApi()
  const attempt = useAttempt()
  const moment = useMoment()
  const entries = useTimeEntries()
  const [, navigate] = useLocation()
  const organizationId = useChat((state) => state.organizationId)
  const [isChoosing, setChoosing] = useState(false)
  const schedule = async (sendAt: number) => {
    await api<typeof sendMessage>('POST', '/messages', {
      body: {
        topicId,
        text,
        sendAt,
        ...(answers && { parentId: answers.parentId }),
        ...(answers?.alsoInTopic && { alsoInTopic: true }),
      },
      key: newId(),
    })
    onScheduled()
    const onAct = () => navigate(scheduledPath(organizationId))
    showToast({ text: t.willBeSent(moment(sendAt)), action: { label: t.show, onAct } })
  }
  return (
    <>
      <Menu
        label={t.sendLater}
        side="top"
        align="end"
        entries={() =>
          hasFiles
            ? [{ kind: 'head', label: t.noFiles }]
            : entries(
                (at) => void attempt(() => schedule(at)),
                // Waits until the menu has closed and returned the focus.
                () => void window.setTimeout(() => setChoosing(true)),
              )
        }
        trigger={(props) => (
          <IconButton {...props} label={t.sendLater} icon={ChevronDown} size="small" disabled={isDisabled} />
        )}
      />
      {isChoosing && (
        <Suspense>
          <ChooseTime
            title={t.choose.sendTitle}
            action={t.choose.send}
            onChosen={schedule}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  )
}
