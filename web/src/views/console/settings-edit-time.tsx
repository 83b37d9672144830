import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { Choices } from '../../kit/choice.tsx'
import { FormCard, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { useTexts } from '../../texts/texts.ts'
import { useSettingsChange } from './changes.ts'

const WHOLE = /^\d{1,6}$/
/** Minutes that are offered first. */
const USUAL = 15

type Choice = 'always' | 'some' | 'never'

const choiceOf = (minutes: number | null): Choice =>
  minutes === null ? 'always' : minutes === 0 ? 'never' : 'some'

/** The time for which people edit and delete own messages. */
export function EditTime({ settings: { editMinutes } }: { settings: OrganizationSettings }) {
  const t = useTexts(texts).editTime
  const c = useTexts(common)
  const change = useSettingsChange()
  const [choice, setChoice] = useState(choiceOf(editMinutes))
  const [minutes, setMinutes] = useState(String(editMinutes || USUAL))
  const isValid = WHOLE.test(minutes.trim()) && Number(minutes) >= 1 && Number(minutes) <= LIMITS.editMinutes
  const value = { always: null, some: Number(minutes), never: 0 }[choice]
  const form = useForm<'minutes', OrganizationSettings>({
    check: () => ({ minutes: choice === 'some' && !isValid && t.invalid(LIMITS.editMinutes) }),
    isSame: value === editMinutes,
    asksBeforeLeaving: true,
    send: () => change({ editMinutes: value }),
    fields: { editMinutes: 'minutes' },
    onDone: () => showToast({ text: t.saved }),
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <Choices
        label={t.legend}
        options={[
          { value: 'always', label: t.always },
          { value: 'some', label: t.some },
          { value: 'never', label: t.never },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'some' && (
        <TextField
          label={t.label}
          inputMode="numeric"
          autoComplete="off"
          required
          value={minutes}
          onChange={setMinutes}
          mistake={form.mistake('minutes')}
        />
      )}
    </FormCard>
  )
}
