import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { inviteGuest } from '../../../../../contract/people/guests.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { guests } from '../../../texts/guests.ts'
import { useTexts } from '../../../texts/texts.ts'
import { endOfDay } from '../../../views/end-of-day.ts'
import { useChat } from '../../store/context.tsx'
import { useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import styles from './dialogs.module.css'

/** Invites somebody by mail who sees this topic alone. */
export default function InviteGuest({ topicId, onClose }: { topicId: string; onClose: () => void }) {
  const t = useTexts(guests)
  const api = useChatApi()
  const topic = useChat(({ topics }) => topics.get(topicId))
  const { busy, failure, submit } = useSubmit()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [lastDay, setLastDay] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const address = email.trim()
  const guestUntil = endOfDay(lastDay)
  const isPast = guestUntil !== null && guestUntil <= Date.now()
  const invite = async () => {
    setWasSent(true)
    if (address === '' || isPast) return
    const body = {
      email: address,
      topicIds: [topicId],
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(guestUntil !== null && { guestUntil }),
    }
    if (!(await submit(() => api<typeof inviteGuest>('POST', '/guests', { body })))) return
    showToast({ text: t.invited(named(address)) })
    onClose()
  }
  return (
    <Dialog title={t.title(named(topic?.name ?? ''))} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void invite()}>
        <DialogBody>
          <p>{t.about}</p>
          <Field label={t.email} mistake={wasSent && address === '' ? t.emailMissing : undefined}>
            {(wiring) => (
              <TextInput
                {...wiring}
                type="email"
                autoComplete="off"
                value={email}
                maxLength={LIMITS.email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Field>
          <Field label={t.name}>
            {(wiring) => (
              <TextInput
                {...wiring}
                autoComplete="off"
                value={name}
                maxLength={LIMITS.profileName}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field
            label={t.lastDay}
            hint={t.lastDayHint}
            mistake={wasSent && isPast ? t.lastDayPast : undefined}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                type="date"
                value={lastDay}
                onChange={({ target }) => setLastDay(target.value)}
              />
            )}
          </Field>
          {failure !== undefined && (
            <p className={styles.failure} role="alert">
              {failure}
            </p>
          )}
        </DialogBody>
        <DialogActions action={t.action} />
      </DialogForm>
    </Dialog>
  )
}
