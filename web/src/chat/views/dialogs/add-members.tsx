import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import type { Reach } from '../../../../../contract/reach.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { ReachField } from '../../../views/reach-field.tsx'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useSubmit } from '../frame/attempt.ts'
import styles from './dialogs.module.css'
import { MemberPicker } from './member-picker.tsx'

export default function AddMembers({ topicId, onClose }: { topicId: string; onClose: () => void }) {
  const t = useTexts(texts)
  const actions = useChatActions()
  const topic = useChat(({ topics }) => topics.get(topicId))
  const { busy, failure, submit } = useSubmit()
  const [members, setMembers] = useState<ChatMember[]>([])
  const [reach, setReach] = useState<Reach>('everything')
  const bots = members.filter(({ type }) => type === 'bot').map((bot) => bot.name)
  const add = async () => {
    if (members.length === 0) return
    const ids = members.map(({ id }) => id)
    const chosen = bots.length > 0 ? reach : undefined
    if (!(await submit(() => actions.addMembers(topicId, ids, chosen)))) return
    showToast({ text: t.add.done(ids.length) })
    onClose()
  }
  return (
    <Dialog title={t.add.title(named(topic?.name ?? ''))} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void add()}>
        <DialogBody>
          <MemberPicker
            label={t.create.members}
            placeholder={t.create.membersPlaceholder}
            hint={bots.length > 0 ? t.create.botHint(bots.join(', ')) : t.add.hint}
            chosen={members}
            onChange={setMembers}
            without={topic?.memberIds ?? []}
            max={LIMITS.topicMembersOnCreation}
            autoFocus
          />
          {bots.length > 0 && <ReachField value={reach} onChange={setReach} />}
          {failure !== undefined && (
            <p className={styles.failure} role="alert">
              {failure}
            </p>
          )}
        </DialogBody>
        <DialogActions action={t.add.action} disabled={members.length === 0} />
      </DialogForm>
    </Dialog>
  )
}
