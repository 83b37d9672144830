import { useLocation } from 'wouter'
import { Dialog, DialogActions, DialogBody } from '../../../kit/dialog.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as topicTexts } from '../../../texts/topic.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { organizationPath } from '../addresses.ts'
import styles from '../dialogs/dialogs.module.css'
import { useAttempt, useSubmit } from '../frame/attempt.ts'

/** Asks where one could not come back alone; an open topic is left with a way back in the toast. */
export default function LeaveTopic({ topicId, onClose }: { topicId: string; onClose: () => void }) {
  const t = useTexts(texts)
  const h = useTexts(topicTexts)
  const k = useTexts(kit)
  const [, navigate] = useLocation()
  const actions = useChatActions()
  const attempt = useAttempt()
  const { busy, failure, submit } = useSubmit()
  const topic = useChat(({ topics }) => topics.get(topicId))
  const organizationId = useChat((state) => state.organizationId)
  if (!topic) return null
  const leave = async () => {
    if (!(await submit(() => actions.leave(topicId)))) return
    const join = () => void attempt(() => actions.join(topicId))
    showToast({
      text: t.left(named(topic.name)),
      ...(topic.open && { action: { label: k.undo, onAct: join } }),
    })
    onClose()
    navigate(organizationPath(organizationId))
  }
  return (
    <Dialog title={t.leaveTitle(topic.name)} onClose={onClose} busy={busy} size="small">
      <DialogBody>
        <p className={styles.text}>{topic.open ? t.leaveOpen : t.leaveClosed}</p>
        {failure !== undefined && (
          <p className={styles.failure} role="alert">
            {failure}
          </p>
        )}
      </DialogBody>
      <DialogActions action={h.leave} look="danger" keep={t.stay} onAct={() => void leave()} />
    </Dialog>
  )
}
