import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChatActions } from '../../store/context.tsx'
import { topicPath } from '../addresses.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import { useSubmit } from '../frame/attempt.ts'
import styles from './dialogs.module.css'
import { MemberPicker } from './member-picker.tsx'

/** The server's limit, without the person themselves. */
const MAX_MEMBERS = 8

export default function DirectMessage({
  memberIds = [],
  onClose,
}: {
  /** Chosen from the beginning. */
  memberIds?: readonly string[]
  onClose: () => void
}) {
  const t = useTexts(texts).direct
  const actions = useChatActions()
  const snapshot = useSnapshot()
  const [, navigate] = useLocation()
  const { busy, failure, submit } = useSubmit()
  const [members, setMembers] = useState<ChatMember[]>(() =>
    memberIds.flatMap((id) => snapshot().members.get(id) ?? []).slice(0, MAX_MEMBERS),
  )
  const start = async () => {
    if (members.length === 0) return
    const done = await submit(async () => {
      const topic = await actions.openDirectMessage(members.map(({ id }) => id))
      navigate(topicPath(topic.id))
    })
    if (done) onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void start()}>
        <DialogBody>
          <MemberPicker
            label={t.to}
            placeholder={t.placeholder}
            hint={t.hint(MAX_MEMBERS)}
            chosen={members}
            onChange={setMembers}
            max={MAX_MEMBERS}
            autoFocus
          />
          {failure !== undefined && (
            <p className={styles.failure} role="alert">
              {failure}
            </p>
          )}
        </DialogBody>
        <DialogActions action={t.action} disabled={members.length === 0} />
      </DialogForm>
    </Dialog>
  )
}
