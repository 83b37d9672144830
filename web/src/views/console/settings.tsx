import { type ReactNode, useContext, useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { Button, Choices } from '../../ui/controls.tsx'
import { Form, TextField, useForm } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useSettings, useSettingsChange } from './changes.ts'
import { Logo } from './settings-logo.tsx'
import { Retention } from './settings-retention.tsx'
import { Switch } from './switch.tsx'

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
          <div className="grid wide">
            <Card title={t.name.title}>
              <Name settings={data} />
            </Card>
            <Card title={t.logo.title} about={t.logo.about}>
              <Logo settings={data} />
            </Card>
            <Card title={t.rate.title} about={t.rate.about}>
              <RateLimit settings={data} />
            </Card>
            <Card title={t.retention.title} about={t.retention.about}>
              <Retention settings={data} />
            </Card>
            <Card title={t.secondFactor.title}>
              <SecondFactorRule settings={data} />
            </Card>
            <Card title={t.agents.title}>
              <Agents settings={data} />
            </Card>
          </div>
        )}
      </Loaded>
    </>
  )
}

function Card({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="card padded top">
      <div className="stack tight">
        <h2>{title}</h2>
        {about !== undefined && <p className="soft">{about}</p>}
      </div>
      {children}
    </section>
  )
}

type Props = { settings: OrganizationSettings }

function Name({ settings }: Props) {
  const t = useTexts(texts).name
  const c = useTexts(common)
  const toast = useToast()
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
      toast(t.saved)
    },
  })
  return (
    <Form
      form={form}
      actions={
        <Button type="submit" busy={form.busy} aria-label={t.save}>
          {c.save}
        </Button>
      }
    >
      <TextField
        label={t.label}
        autoComplete="organization"
        maxLength={LIMITS.companyName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
    </Form>
  )
}

function RateLimit({ settings: { rateLimit, server } }: Props) {
  const t = useTexts(texts).rate
  const c = useTexts(common)
  const language = useContext(LanguageContext)
  const toast = useToast()
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
      toast(t.saved)
    },
  })
  return (
    <Form
      form={form}
      actions={
        <Button type="submit" busy={form.busy} aria-label={t.save}>
          {c.save}
        </Button>
      }
    >
      <Choices
        legend={t.legend}
        name="rate"
        choices={[
          {
            value: 'server',
            label: t.server,
            hint:
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
    </Form>
  )
}

function SecondFactorRule({ settings: { requireSecondFactor } }: Props) {
  const t = useTexts(texts).secondFactor
  const { role } = useMembership()
  const toast = useToast()
  const change = useSettingsChange()
  if (role !== 'owner') {
    return (
      <div className="stack tight">
        <p>{requireSecondFactor ? t.on : t.off}</p>
        <p className="soft">{t.others}</p>
      </div>
    )
  }
  return (
    <Switch
      label={t.label}
      hint={t.hint}
      isOn={requireSecondFactor}
      onChange={async (isOn) => {
        await change({ requireSecondFactor: isOn })
        toast(isOn ? t.turnedOn : t.turnedOff)
      }}
    />
  )
}

function Agents({ settings: { agentSignup, server } }: Props) {
  const t = useTexts(texts).agents
  const { role } = useMembership()
  const toast = useToast()
  const change = useSettingsChange()
  if (!server.isHome || role !== 'owner') {
    return (
      <div className="stack tight">
        <p>{agentSignup ? t.on : t.off}</p>
        <p className="soft">{t.others}</p>
      </div>
    )
  }
  return (
    <Switch
      label={t.label}
      hint={t.hint}
      isOn={agentSignup}
      onChange={async (isOn) => {
        await change({ agentSignup: isOn })
        toast(isOn ? t.turnedOn : t.turnedOff)
      }}
    />
  )
}
