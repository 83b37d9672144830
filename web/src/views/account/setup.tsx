import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { LIMITS } from '../../../../contract/limits.ts'
import type { lookAtSetup, Session, setUp } from '../../../../contract/people/session.ts'
import { call, Refused } from '../../api/call.ts'
import { enter, homeOf } from '../../api/session.ts'
import { topicPath } from '../../chat/views/addresses.ts'
import { setHandover } from '../../chat/views/dialogs/bot-handover.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/choice.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { account } from '../../texts/account.ts'
import { setup } from '../../texts/setup.ts'
import { useTexts } from '../../texts/texts.ts'
import styles from './account.module.css'
import { Entrance, forgetToken, isTooShort, PasswordField, useLinkToken } from './entrance.tsx'

const STEPS = 3

type SetUp = Awaited<ReturnType<typeof call<typeof setUp>>>

type AboutServer = Awaited<ReturnType<typeof call<typeof lookAtSetup>>>

type FieldName = 'organizationName' | 'adminName' | 'adminEmail' | 'password' | 'botName'
type Values = Record<FieldName, string>

/** On which step a field is. */
const STEP_OF: Record<FieldName, number> = {
  organizationName: 1,
  adminName: 2,
  adminEmail: 2,
  password: 2,
  botName: 3,
}

export default function Setup({ session }: { session: Session }) {
  const t = useTexts(setup)
  const [token] = useLinkToken()
  const [, navigate] = useLocation()
  const link = useQuery({
    queryKey: ['set-up link', token],
    queryFn: () => call<typeof lookAtSetup>('POST', '/people/setup/look', { body: { token } }),
    enabled: token !== '' && !session.isSetUp,
    staleTime: Number.POSITIVE_INFINITY,
    // The query's key holds the token, so it leaves memory with the page.
    gcTime: 0,
  })
  if (session.isSetUp) {
    return (
      <Entrance>
        <PageHead title={t.used.title} about={t.used.text} />
        <div>
          <ButtonLink to={homeOf(session)} look="primary">
            {session.account ? t.used.open : t.used.signIn}
          </ButtonLink>
        </div>
      </Entrance>
    )
  }
  if (token === '') {
    return (
      <Entrance>
        <PageHead title={t.noToken.title} about={t.noToken.text} />
        <p>{t.noToken.restart}</p>
      </Entrance>
    )
  }
  if (link.error instanceof Refused && link.error.status === 403) {
    return (
      <Entrance>
        <PageHead title={t.refused.title} about={t.refused.text} />
      </Entrance>
    )
  }
  return (
    <Entrance>
      <Loaded query={link}>
        {(about) => (
          <Steps
            key={token}
            token={token}
            about={about}
            onDone={({ session: entered, topicId, bot }) => {
              forgetToken()
              setHandover({ topicId, bot, apiKey: bot.apiKey, apiSecret: bot.apiSecret })
              enter(entered)
              // The first run ends in a room, where the bot will speak.
              navigate(topicPath(topicId), { replace: true })
            }}
          />
        )}
      </Loaded>
    </Entrance>
  )
}

function Steps({
  token,
  about: server,
  onDone,
}: {
  token: string
  about: AboutServer
  onDone: (made: SetUp) => void
}) {
  const t = useTexts(setup)
  const a = useTexts(account)
  const [step, setStep] = useState(1)
  const [values, setValues] = useState<Values>({
    organizationName: '',
    adminName: '',
    adminEmail: '',
    password: '',
    botName: t.bot.suggested,
  })
  const [agentSignup, setAgentSignup] = useState(server.isLocal)
  const set = (name: FieldName) => (value: string) => setValues({ ...values, [name]: value })
  const isEmpty = (name: FieldName) => values[name].trim() === ''
  const mistakesOf = (): { [Name in FieldName]?: string | false } => {
    if (step === 1) return { organizationName: isEmpty('organizationName') && t.organization.missing }
    if (step === 3) return { botName: isEmpty('botName') && t.bot.missing }
    return {
      adminName: isEmpty('adminName') && t.you.nameMissing,
      adminEmail: !/^\S+@\S+$/.test(values.adminEmail.trim()) && t.you.emailMissing,
      password: isTooShort(values.password) && a.passwordShort,
    }
  }
  const form = useForm<FieldName, SetUp | undefined>({
    check: mistakesOf,
    send: async () => {
      if (step < STEPS) return undefined
      const { password, ...names } = values
      const trimmed = {
        organizationName: names.organizationName.trim(),
        adminName: names.adminName.trim(),
        adminEmail: names.adminEmail.trim(),
        botName: names.botName.trim(),
      }
      return call<typeof setUp>('POST', '/people/setup', {
        body: { token, password, ...trimmed, ...(server.asksAboutAgents && { agentSignup }) },
      })
    },
    fields: {
      organizationName: 'organizationName',
      adminName: 'adminName',
      adminEmail: 'adminEmail',
      botName: 'botName',
      password: 'password',
    },
    // The mistake may be on an earlier step.
    onField: (field) => setStep(STEP_OF[field]),
    onDone: (made) => (made ? onDone(made) : setStep(step + 1)),
  })
  if (form.error instanceof Refused && form.error.status === 403) {
    return <PageHead title={t.refused.title} about={t.refused.text} />
  }

  const [title, about] = [
    [t.organization.title, t.organization.about],
    [t.you.title, t.you.about],
    [t.bot.title, t.bot.about],
  ][step - 1] ?? ['', '']
  return (
    <>
      <Stack tight key={`head ${step}`}>
        <Progress step={step} />
        <PageHead title={title ?? ''} about={about} />
      </Stack>
      <Card>
        <Form
          key={step}
          form={form}
          startsHere
          actions={
            <>
              <Button submit look="primary" busy={form.busy}>
                {step === STEPS ? t.bot.action : t.next}
              </Button>
              {step > 1 && (
                <Button look="quiet" disabled={form.busy} onClick={() => setStep(step - 1)}>
                  {t.back}
                </Button>
              )}
            </>
          }
        >
          {step === 1 && (
            <>
              <TextField
                label={t.organization.name}
                hint={t.organization.hint}
                autoComplete="organization"
                maxLength={LIMITS.companyName}
                required
                value={values.organizationName}
                onChange={set('organizationName')}
                mistake={form.mistake('organizationName')}
              />
              {server.asksAboutAgents && (
                <Checkbox
                  label={t.organization.agents}
                  about={server.isLocal ? t.organization.agentsHere : t.organization.agentsAnywhere}
                  isOn={agentSignup}
                  onChange={setAgentSignup}
                />
              )}
            </>
          )}
          {step === 2 && (
            <>
              <TextField
                label={t.you.name}
                autoComplete="name"
                maxLength={LIMITS.profileName}
                required
                value={values.adminName}
                onChange={set('adminName')}
                mistake={form.mistake('adminName')}
              />
              <TextField
                label={t.you.email}
                hint={t.you.emailHint}
                type="email"
                autoComplete="username"
                required
                value={values.adminEmail}
                onChange={set('adminEmail')}
                mistake={form.mistake('adminEmail')}
              />
              <PasswordField
                label={t.you.password}
                hint={a.passwordHint}
                newFor={{ email: values.adminEmail, organizations: [values.organizationName] }}
                value={values.password}
                onChange={set('password')}
                mistake={form.mistake('password')}
              />
            </>
          )}
          {step === 3 && (
            <TextField
              label={t.bot.name}
              hint={t.bot.hint}
              autoComplete="off"
              maxLength={LIMITS.botName}
              required
              value={values.botName}
              onChange={set('botName')}
              mistake={form.mistake('botName')}
            />
          )}
        </Form>
      </Card>
    </>
  )
}

function Progress({ step }: { step: number }) {
  const t = useTexts(setup)
  return (
    <div className={styles.steps}>
      <Quiet small as="span">
        {t.step(step, STEPS)}
      </Quiet>
      <progress value={step} max={STEPS} aria-hidden="true" />
    </div>
  )
}
