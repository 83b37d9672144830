import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { requestPasswordReset, resetPassword, Session } from '../../../../contract/people/session.ts'
import { call, Refused } from '../../api/call.ts'
import { enter, homeOf } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Card, Form } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet } from '../../kit/layout.tsx'
import { PageHead } from '../../kit/page.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { AskForMail } from './ask-for-mail.tsx'
import { CodeStep } from './code-step.tsx'
import {
  ACCOUNT_FIELDS,
  Entrance,
  forgetToken,
  isTooShort,
  PasswordField,
  useLinkToken,
} from './entrance.tsx'

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
  return (
    <AskForMail
      words={{
        title: t.reset.title,
        about: words.about,
        email: t.email,
        action: words.action,
        sentTitle: words.sent.title,
        sent: words.sent.text,
        again: t.reset.sent.again,
      }}
      autoComplete="username"
      sendsMail={sendsMail}
      send={(email) =>
        call<typeof requestPasswordReset>('POST', '/people/password-reset', { body: { email } })
      }
      beside={sendsMail && <Quiet>{t.reset.sent.nothing}</Quiet>}
    />
  )
}

/** The server alone knows whose link it is. */
const SOMEBODY = { email: '', organizations: [] }

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
    fields: ACCOUNT_FIELDS,
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
            newFor={SOMEBODY}
            value={password}
            onChange={setPassword}
            mistake={form.mistake('password')}
          />
        </Form>
      </Card>
    </>
  )
}
