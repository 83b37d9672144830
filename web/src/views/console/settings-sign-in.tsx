import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { Choices } from '../../kit/choice.tsx'
import { Card, FormCard, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { useTexts } from '../../texts/texts.ts'
import { useSettingsChange } from './changes.ts'

const WHOLE = /^\d{1,3}$/
/** Days that are offered first. */
const USUAL = 30

/** How long a session opens the organization. People who may not change it read its value. */
export function SignInDays({ settings: { signInDays } }: { settings: OrganizationSettings }) {
  const t = useTexts(texts).signIn
  const { role } = useMembership()
  if (role === 'owner') return <SignInDaysForm signInDays={signInDays} />
  return (
    <Card title={t.title}>
      <Stack tight>
        <p>{t.current(signInDays ?? LIMITS.signInDays)}</p>
        <Quiet>{t.others}</Quiet>
      </Stack>
    </Card>
  )
}

function SignInDaysForm({ signInDays }: Pick<OrganizationSettings, 'signInDays'>) {
  const t = useTexts(texts).signIn
  const c = useTexts(common)
  const change = useSettingsChange()
  const [choice, setChoice] = useState<'longest' | 'own'>(signInDays === null ? 'longest' : 'own')
  const [own, setOwn] = useState(String(signInDays ?? USUAL))
  const days = Number(own)
  const isValid = WHOLE.test(own.trim()) && days >= 1 && days <= LIMITS.signInDays
  const value = choice === 'own' ? days : null
  const form = useForm<'own', OrganizationSettings>({
    check: () => ({ own: choice === 'own' && !isValid && t.invalid(LIMITS.signInDays) }),
    isSame: value === signInDays,
    asksBeforeLeaving: true,
    send: () => change({ signInDays: value }),
    fields: { signInDays: 'own' },
    onDone: () => showToast({ text: t.saved }),
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <Choices
        label={t.legend}
        options={[
          { value: 'longest', label: t.longest(LIMITS.signInDays) },
          { value: 'own', label: t.own },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'own' && (
        <TextField
          label={t.ownLabel}
          hint={t.ownHint}
          inputMode="numeric"
          autoComplete="off"
          required
          value={own}
          onChange={setOwn}
          mistake={form.mistake('own')}
        />
      )}
    </FormCard>
  )
}
