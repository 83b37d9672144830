import { useContext, useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { Choices } from '../../kit/choice.tsx'
import { Card, FormCard, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Columns, Quiet, Stack } from '../../kit/layout.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { useSettings, useSettingsChange } from './changes.ts'
import { SavedSwitch } from './saved-switch.tsx'
import { Logo } from './settings-logo.tsx'
import { Retention } from './settings-retention.tsx'

const RATE_MAX = 1_000_000
/** Plain numbers only: what "1.000" means depends on who writes it. */
const WHOLE = /^\d{1,7}$/

export default function Settings() {
  const t = useTexts(texts)
  const settings = useSettings()
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Loaded query={settings}>
        {(data) => (
          <Columns>
            <NameForm settings={data} />
            <Card title={t.logo.title} about={t.logo.about}>
              <Logo settings={data} />
            </Card>
            <RateLimit settings={data} />
            <Retention settings={data} />
            <Card title={t.secondFactor.title}>
              <SecondFactorRule settings={data} />
            </Card>
            <Card title={t.assistants.title}>
              <Assistants settings={data} />
            </Card>
            <Card title={t.reading.title}>
              <ReadingRule settings={data} />
            </Card>
            <Card title={t.agents.title}>
              <Agents settings={data} />
            </Card>
          </Columns>
        )}
      </Loaded>
    </>
  )
}

type Props = { settings: OrganizationSettings }

function NameForm({ settings }: Props) {
  const t = useTexts(texts).name
  const c = useTexts(common)
  const change = useSettingsChange()
  const [name, setName] = useState(settings.name)
  const form = useForm<'name', OrganizationSettings>({
    check: () => ({ name: name.trim() === '' && t.missing }),
    isSame: name.trim() === settings.name,
    asksBeforeLeaving: true,
    send: () => change({ name: name.trim() }),
    fieldOf: (refusal) => (refusal.startsWith('name ') ? 'name' : undefined),
    onDone: (saved) => {
      setName(saved.name)
      showToast({ text: t.saved })
    },
  })
  return (
    <FormCard form={form} title={t.title} action={c.save} actionLabel={t.save}>
      <TextField
        label={t.label}
        autoComplete="organization"
        maxLength={LIMITS.companyName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
    </FormCard>
  )
}

function RateLimit({ settings: { rateLimit, server } }: Props) {
  const t = useTexts(texts).rate
  const c = useTexts(common)
  const language = useContext(LanguageContext)
  const change = useSettingsChange()
  const [choice, setChoice] = useState<'server' | 'own'>(rateLimit ? 'own' : 'server')
  const [own, setOwn] = useState(String(rateLimit || server.rateLimit || 1000))
  const number = Number(own)
  const most = Math.min(server.rateLimit || RATE_MAX, RATE_MAX)
  const isValid = WHOLE.test(own.trim()) && number >= 1 && number <= most
  const value = choice === 'own' ? number : null
  const form = useForm<'own', OrganizationSettings>({
    check: () => ({ own: choice === 'own' && !isValid && t.invalid(String(most)) }),
    isSame: value === (rateLimit || null),
    asksBeforeLeaving: true,
    send: () => change({ rateLimit: value }),
    fieldOf: (refusal) => (refusal.startsWith('rateLimit ') ? 'own' : undefined),
    onDone: (saved) => {
      if (saved.rateLimit) setOwn(String(saved.rateLimit))
      showToast({ text: t.saved })
    },
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <Choices
        label={t.legend}
        options={[
          {
            value: 'server',
            label: t.server,
            about:
              server.rateLimit === 0 ? t.serverNone : t.serverHint(server.rateLimit.toLocaleString(language)),
          },
          { value: 'own', label: t.own },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'own' && (
        <TextField
          label={t.ownLabel}
          hint={server.rateLimit === 0 ? undefined : t.ownHint(String(most))}
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

function SecondFactorRule({ settings: { requireSecondFactor } }: Props) {
  const t = useTexts(texts).secondFactor
  const { role } = useMembership()
  const change = useSettingsChange()
  if (role !== 'owner') {
    return (
      <Stack tight>
        <p>{requireSecondFactor ? t.on : t.off}</p>
        <Quiet>{t.others}</Quiet>
      </Stack>
    )
  }
  return (
    <SavedSwitch
      label={t.label}
      about={t.hint}
      isOn={requireSecondFactor}
      onChange={async (isOn) => {
        await change({ requireSecondFactor: isOn })
        showToast({ text: isOn ? t.turnedOn : t.turnedOff })
      }}
    />
  )
}

function Assistants({ settings: { allowAssistants } }: Props) {
  const t = useTexts(texts).assistants
  const change = useSettingsChange()
  return (
    <SavedSwitch
      label={t.label}
      about={t.hint}
      isOn={allowAssistants}
      onChange={async (isOn) => {
        await change({ allowAssistants: isOn })
        showToast({ text: isOn ? t.turnedOn : t.turnedOff })
      }}
    />
  )
}

function ReadingRule({ settings: { adminsMayRead } }: Props) {
  const t = useTexts(texts).reading
  const { role } = useMembership()
  const change = useSettingsChange()
  if (role !== 'owner') {
    return (
      <Stack tight>
        <p>{adminsMayRead ? t.on : t.off}</p>
        <Quiet>{t.others}</Quiet>
      </Stack>
    )
  }
  return (
    <SavedSwitch
      label={t.label}
      about={t.hint}
      isOn={adminsMayRead}
      onChange={async (isOn) => {
        await change({ adminsMayRead: isOn })
        showToast({ text: isOn ? t.turnedOn : t.turnedOff })
      }}
    />
  )
}

function Agents({ settings: { agentSignup, server } }: Props) {
  const t = useTexts(texts).agents
  const { role } = useMembership()
  const change = useSettingsChange()
  if (!server.isHome || role !== 'owner') {
    return (
      <Stack tight>
        <p>{agentSignup ? t.on : t.off}</p>
        <Quiet>{t.others}</Quiet>
      </Stack>
    )
  }
  return (
    <SavedSwitch
      label={t.label}
      about={t.hint}
      isOn={agentSignup}
      onChange={async (isOn) => {
        await change({ agentSignup: isOn })
        showToast({ text: isOn ? t.turnedOn : t.turnedOff })
      }}
    />
  )
}
