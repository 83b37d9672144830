import type { MessagePoll } from '../../../../../../contract/message.ts'
import { Dialog, DialogActions, DialogBody } from '../../../../kit/dialog.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatActions } from '../../../store/context.tsx'
import { useSubmit } from '../../frame/attempt.ts'
import styles from './cards.module.css'

export default function ClosePoll({ poll, onClose }: { poll: MessagePoll; onClose: () => void }) {
  const t = useTexts(cardTexts)
  const actions = useChatActions()
  const { busy, failure, submit } = useSubmit()
  const close = async () => {
    if (!(await submit(() => actions.closePoll(poll.id)))) return
    showToast({ text: t.pollClosed })
    onClose()
  }
  return (
    <Dialog title={t.closeTitle} size="small" busy={busy} onClose={onClose}>
      <DialogBody>
        <p>{t.closeAbout}</p>
        {failure !== undefined && (
          <p role="alert" className={styles.bad}>
            {failure}
          </p>
        )}
      </DialogBody>
      <DialogActions action={t.closePoll} keep={t.closeKeep} onAct={() => void close()} />
    </Dialog>
  )
}
