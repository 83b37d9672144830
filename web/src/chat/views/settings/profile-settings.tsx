import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { updateOwnProfile } from '../../../../../contract/people/profiles.ts'
import type { renameMyself } from '../../../../../contract/people/session.ts'
import { call } from '../../../api/call.ts'
import { chatPath } from '../../../api/chat.ts'
import { sessionState } from '../../../api/session-state.ts'
import { Button } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { Field, Select, TextInput } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { account } from '../../../texts/account.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useAttempt, useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import { PictureField, removePicture, sendPicture } from '../profile/picture-field.tsx'
import styles from './settings.module.css'

/** One's own profile as others see it. */
export default function ProfileSettings() {
  const t = useTexts(places).profile
  const a = useTexts(account)
  const api = useChatApi()
  const attempt = useAttempt()
  const me = useChat((state) => state.me)
  const organizationId = useChat((state) => state.organizationId)
  const { busy, failure, submit } = useSubmit()
  const [name, setName] = useState(me?.name ?? '')
  const [title, setTitle] = useState(me?.title ?? '')
  const [timeZone, setTimeZone] = useState(me?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [isNameMissing, setNameMissing] = useState(false)
  if (!me) return null
  const photo = chatPath(organizationId, '/me/photo')
  const send = async () => {
    if (name.trim() !== me.name) {
      await call<typeof renameMyself>('PATCH', '/people/organizations/{organizationId}/me', {
        params: { organizationId },
        body: { name: name.trim() },
      })
      void sessionState.read()
    }
    await api<typeof updateOwnProfile>('PATCH', '/me', { body: { title: title.trim(), timeZone } })
  }
  const save = async () => {
    setNameMissing(name.trim() === '')
    if (name.trim() !== '' && (await submit(send))) showToast({ text: t.saved })
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <PictureField
        label={t.photo}
        shown={<Face member={me} size={64} />}
        hasPicture={me.photoId !== undefined}
        onChoose={(file) => void attempt(() => sendPicture(photo, file))}
        onRemove={() => void attempt(() => removePicture(photo))}
      />
      <Field label={t.name} mistake={isNameMissing ? a.nameMissing : undefined}>
        {(wiring) => (
          <TextInput
            {...wiring}
            value={name}
            autoComplete="name"
            maxLength={LIMITS.profileName}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
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
      <div>
        <Button look="primary" submit busy={busy}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
