import { Dialog, DialogActions, DialogBody } from '../../../../kit/dialog.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { TaskState } from '../../../model.ts'
import { useChatActions } from '../../../store/context.tsx'
import { useSubmit } from '../../frame/attempt.ts'
import styles from './cards.module.css'

export default function DeleteTask({ task, onClose }: { task: TaskState; onClose: () => void }) {
  const t = useTexts(cardTexts)
  const actions = useChatActions()
  const { busy, failure, submit } = useSubmit()
  const remove = async () => {
    if (!(await submit(() => actions.deleteTask(task.id)))) return
    showToast({ text: t.taskDeleted })
    onClose()
  }
  return (
    <Dialog title={t.deleteTaskTitle} size="small" busy={busy} onClose={onClose}>
      <DialogBody>
        <p>
          <Words text={t.deleteTaskAbout(named(task.title))} />
        </p>
        {failure !== undefined && (
          <p role="alert" className={styles.bad}>
            {failure}
          </p>
        )}
      </DialogBody>
      <DialogActions
        action={t.deleteTask}
        look="danger"
        keep={t.deleteTaskKeep}
        onAct={() => void remove()}
      />
    </Dialog>
  )
}
