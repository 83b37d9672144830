import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { updateOwnProfile } from '../../../../../contract/people/profiles.ts'
import { chatPath } from '../../../api/chat.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Face } from '../../../kit/face.tsx'
import { Field, Select, TextInput } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useAttempt, useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import { PictureField, removePicture, sendPicture } from './picture-field.tsx'

/** One's own profile as others see it. The name is changed where the account is. */
export default function EditProfile({ onClose }: { onClose: () => void }) {
  const t = useTexts(places).profile
  const api = useChatApi()
  const attempt = useAttempt()
  const me = useChat((state) => state.me)
  const organizationId = useChat((state) => state.organizationId)
  const { busy, failure, submit } = useSubmit()
  const [title, setTitle] = useState(me?.title ?? '')
  const [timeZone, setTimeZone] = useState(me?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (!me) return null
  const photo = chatPath(organizationId, '/me/photo')
  const save = async () => {
    const body = { title: title.trim(), timeZone }
    if (!(await submit(() => api<typeof updateOwnProfile>('PATCH', '/me', { body })))) return
    showToast({ text: t.saved })
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void save()}>
        <DialogBody>
          <PictureField
            label={t.photo}
            shown={<Face member={me} size={64} />}
            hasPicture={me.photoId !== undefined}
            onChoose={(file) => void attempt(() => sendPicture(photo, file))}
            onRemove={() => void attempt(() => removePicture(photo))}
          />
          <Field label={t.job} mistake={failure}>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={title}
                placeholder={t.jobPlaceholder}
                maxLength={LIMITS.profileLine}
                onChange={(event) => setTitle(event.target.value)}
              />
            )}
          </Field>
          <Field label={t.timeZone}>
            {(wiring) => (
              <Select {...wiring} value={timeZone} onChange={(event) => setTimeZone(event.target.value)}>
                <option value="">{t.noTimeZone}</option>
                {Intl.supportedValuesOf('timeZone').map((zone) => (
                  <option key={zone}>{zone}</option>
                ))}
              </Select>
            )}
          </Field>
        </DialogBody>
        <DialogActions action={t.save} />
      </DialogForm>
    </Dialog>
  )
}
