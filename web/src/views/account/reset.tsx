import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { requestPasswordReset, resetPassword, Session } from '../../../../contract/people/session.ts'
import { call, Refused } from '../../api/call.ts'
import { enter, homeOf } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet } from '../../kit/layout.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { CodeStep } from './code-step.tsx'
import { Entrance, fieldOf, forgetToken, isTooShort, PasswordField, useLinkToken } from './entrance.tsx'

export default function Reset({ session }: { session: Session }) {
  const t = useTexts(account)
  const [token, setToken] = useLinkToken()
  return (
    <Entrance>
      {token === '' ? (
        <Ask sendsMail={session.mail === 'smtp'} />
      ) : (
        <Choose
          key={token}
          token={token}
          onAgain={() => {
            forgetToken()
            setToken('')
          }}
        />
      )}
      <p>
        <Link to="/sign-in" onClick={forgetToken}>
          {t.toSignIn}
        </Link>
      </p>
    </Entrance>
  )
}

function Ask({ sendsMail }: { sendsMail: boolean }) {
  const t = useTexts(account)
  const words = sendsMail ? t.reset : t.reset.noMail
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm<'email' | 'password' | 'name', void>({
    check: () => ({ email: email.trim() === '' && t.emailMissing }),
    send: () =>
      call<typeof requestPasswordReset>('POST', '/people/password-reset', { body: { email: email.trim() } }),
    fieldOf,
    onDone: () => setSentTo(email.trim()),
  })
  if (sentTo !== undefined) {
    return (
      <>
        <PageHead title={words.sent.title} />
        <Notice tone={sendsMail ? 'good' : 'warn'}>
          <p>{words.sent.text(sentTo)}</p>
        </Notice>
        {sendsMail && <Quiet>{t.reset.sent.nothing}</Quiet>}
        <div>
          <Button onClick={() => setSentTo(undefined)}>{t.reset.sent.again}</Button>
        </div>
      </>
    )
  }
  return (
    <>
      <PageHead title={t.reset.title} about={words.about} />
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <Button submit look="primary" busy={form.busy}>
              {words.action}
            </Button>
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
        </Form>
      </Card>
    </>
  )
}

function Choose({ token, onAgain }: { token: string; onAgain: () => void }) {
  const t = useTexts(account)
  const [, navigate] = useLocation()
  const [password, setPassword] = useState('')
  const [isAtCode, setAtCode] = useState(false)
  const done = (session: Session) => {
    enter(session)
    showToast({ text: t.reset.choose.done })
    navigate(homeOf(session), { replace: true })
  }
  const form = useForm<'email' | 'password' | 'name', Session>({
    check: () => ({ password: isTooShort(password) && t.passwordShort }),
    send: () =>
      call<typeof resetPassword>('POST', '/people/password-reset/finish', { body: { token, password } }),
    fieldOf,
    onDone: (session) => {
      forgetToken()
      if (session.codeRequired) setAtCode(true)
      else done(session)
    },
  })
  if (isAtCode) return <CodeStep onDone={done} onBack={() => navigate('/sign-in')} />
  if (form.error instanceof Refused && form.error.status === 403) {
    return (
      <>
        <PageHead title={t.reset.refused.title} about={t.reset.refused.text} />
        <div>
          <Button look="primary" onClick={onAgain}>
            {t.reset.refused.action}
          </Button>
        </div>
      </>
    )
  }
  return (
    <>
      <PageHead title={t.reset.choose.title} about={t.reset.choose.about} />
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <Button submit look="primary" busy={form.busy}>
              {t.reset.choose.action}
            </Button>
          }
        >
          <PasswordField
            label={t.newPassword}
            hint={t.passwordHint}
            isNew
            value={password}
            onChange={setPassword}
            mistake={form.mistake('password')}
          />
        </Form>
      </Card>
    </>
  )
}
