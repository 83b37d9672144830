import type { saveMessage } from '../../../../../contract/people/saved.ts'
import { showToast } from '../../../kit/toast.tsx'
import { laterTexts } from '../../../texts/later.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChatApi } from '../frame/pages.ts'
import ChooseTime from './choose-time.tsx'
import { useMoment } from './times.ts'

/** A window that asks when to send the reminder of a message. */
export default function RemindAt({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const t = useTexts(laterTexts)
  const api = useChatApi()
  const moment = useMoment()
  const remind = async (remindAt: number) => {
    await api<typeof saveMessage>('PATCH', '/saved-messages/{messageId}', {
      params: { messageId },
      body: { remindAt },
    })
    showToast({ text: t.saved.willRemind(moment(remindAt)) })
  }
  return <ChooseTime title={t.saved.remind} action={t.saved.remindAct} onChosen={remind} onClose={onClose} />
}
