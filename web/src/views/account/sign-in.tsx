import { useEffect, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { localPath } from '../../../../contract/people/local-path.ts'
import type { Session, signIn } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { registerServiceWorker } from '../../api/service-worker.ts'
import { enter, homeOf } from '../../api/session.ts'
import { Button, ButtonAnchor } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Or, Stack } from '../../kit/layout.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { CodeStep } from './code-step.tsx'
import { ACCOUNT_FIELDS, Entrance, PasswordField } from './entrance.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { passkeySupport } from './passkeys.ts'

export default function SignIn({ session }: { session: Session }) {
  const t = useTexts(account)
  const query = new URLSearchParams(window.location.search)
  const to = localPath(query.get('to'), window.location.origin)
  useEffect(registerServiceWorker, [])
  if (session.account) return <GoTo path={to ?? homeOf(session)} />
  return (
    <Entrance>
      {session.hasOrganization ? (
        <Ways session={session} to={to} isFailed={query.get('error') === 'sso'} />
      ) : (
        <>
          <PageHead title={t.signIn.title} />
          <Notice>
            <h2>{t.signIn.notSetUp.title}</h2>
            <p>{t.signIn.notSetUp.text}</p>
            <p>{t.signIn.notSetUp.restart}</p>
          </Notice>
        </>
      )}
    </Entrance>
  )
}

function Ways({ session, to, isFailed }: { session: Session; to: string | undefined; isFailed: boolean }) {
  const t = useTexts(account)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isAtCode, setAtCode] = useState(false)
  const form = useForm<'email' | 'password' | 'name', Session>({
    check: () => ({
      email: email.trim() === '' && t.emailMissing,
      password: password === '' && t.passwordMissing,
    }),
    send: () => call<typeof signIn>('POST', '/people/sign-in', { body: { email: email.trim(), password } }),
    fields: ACCOUNT_FIELDS,
    onDone: (entered) => {
      if (!entered.codeRequired) return enter(entered)
      setPassword('')
      setAtCode(true)
    },
  })
  if (isAtCode) return <CodeStep onDone={enter} onBack={() => setAtCode(false)} />
  return (
    <>
      <PageHead title={t.signIn.title} about={t.signIn.about} />
      {isFailed && (
        <Notice tone="bad">
          <p>{t.signIn.singleSignOnFailed}</p>
        </Notice>
      )}
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <>
              <Button submit look="primary" busy={form.busy}>
                {t.signIn.action}
              </Button>
              <Link to="/reset">{t.signIn.forgotten}</Link>
            </>
          }
        >
          <TextField
            label={t.email}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={setEmail}
            mistake={form.mistake('email')}
          />
          <PasswordField
            label={t.password}
            value={password}
            onChange={setPassword}
            mistake={form.mistake('password')}
          />
        </Form>
        <OtherWays session={session} to={to} />
      </Card>
    </>
  )
}

function OtherWays({ session, to }: { session: Session; to: string | undefined }) {
  const t = useTexts(account)
  const hasPasskeys = passkeySupport() === 'yes'
  if (!hasPasskeys && session.singleSignOn === null) return null

  const sso = `/people/sso${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`
  return (
    <Stack>
      <Or>{t.signIn.or}</Or>
      {hasPasskeys && <PasskeyButton />}
      {session.singleSignOn !== null && (
        <ButtonAnchor href={sso} wide>
          {t.signIn.singleSignOn(session.singleSignOn)}
        </ButtonAnchor>
      )}
    </Stack>
  )
}

/** Most paths belong to this app; the server has a few pages of its own. */
export function GoTo({ path }: { path: string }) {
  const isHere = /^\/(console|account|oauth\/assistants\/authorize|[otm])([/?#]|$)/.test(path)
  useEffect(() => {
    if (!isHere) window.location.replace(path)
  }, [isHere, path])
  return isHere ? <Redirect to={path} replace /> : null
}
