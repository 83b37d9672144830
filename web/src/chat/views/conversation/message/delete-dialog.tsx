import { useState } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { Dialog, DialogActions, DialogBody } from '../../../../kit/dialog.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatActions } from '../../../store/context.tsx'
import { failureOf, useFailureText } from '../failure.ts'
import { excerptOf } from '../markdown/excerpt.ts'
import { useNames } from './people.ts'

/** Deleting cannot be undone: bots have been told. So it asks first, and says what is lost. */
export default function DeleteDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTexts(messageTexts)
  const { deleteMessage } = useChatActions()
  const failureText = useFailureText()
  const [isBusy, setBusy] = useState(false)
  const said = excerptOf(message.text, useNames()).slice(0, 120)
  const remove = async () => {
    setBusy(true)
    try {
      await deleteMessage(message.id)
    } catch (error) {
      showToast({ text: failureText(failureOf(error)), tone: 'bad' })
    }
    onClose()
  }
  return (
    <Dialog title={t.deleteTitle} onClose={onClose} busy={isBusy} size="small">
      <DialogBody>
        {said !== '' && (
          <p dir="auto">
            <q>{said}</q>
          </p>
        )}
        <p>{t.deleteAbout}</p>
        {message.replyCount > 0 && <p>{t.deleteReplies(message.replyCount)}</p>}
      </DialogBody>
      <DialogActions action={t.deleteAct} look="danger" keep={t.deleteKeep} onAct={() => void remove()} />
    </Dialog>
  )
}
