import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { localPath } from '../../../../contract/people/local-path.ts'
import type { Session, signInWithDirectory } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { enter, homeOf } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { named } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { CodeStep } from './code-step.tsx'
import { Entrance, PasswordField } from './entrance.tsx'
import { GoTo } from './sign-in.tsx'

/** Signs in to the company's directory; also for those who are signed in another way, where it is asked for. */
export default function DirectorySignIn({ session }: { session: Session }) {
  const t = useTexts(account)
  const to = localPath(new URLSearchParams(window.location.search).get('to'), window.location.origin)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [entered, setEntered] = useState<Session>()
  const done = (next: Session) => {
    enter(next)
    setEntered(next)
  }
  const form = useForm<'login' | 'password', Session>({
    check: () => ({
      login: login.trim() === '' && t.signIn.directory.loginMissing,
      password: password === '' && t.passwordMissing,
    }),
    send: () =>
      call<typeof signInWithDirectory>('POST', '/people/sign-in/directory', {
        body: { login: login.trim(), password },
      }),
    fields: { login: 'login', password: 'password' },
    onDone: (next) => {
      setPassword('')
      if (next.codeRequired) setEntered(next)
      else done(next)
    },
  })
  if (entered?.account) return <GoTo path={to ?? homeOf(entered)} />
  if (session.singleSignOn === null) return <Redirect to="/sign-in" replace />
  return (
    <Entrance>
      {entered ? (
        <CodeStep onDone={done} onBack={() => setEntered(undefined)} />
      ) : (
        <>
          <PageHead
            title={t.signIn.directory.title(named(session.singleSignOn))}
            about={t.signIn.directory.about}
          />
          <Card>
            <Form
              form={form}
              startsHere
              actions={
                <>
                  <Button submit look="primary" busy={form.busy}>
                    {t.signIn.action}
                  </Button>
                  <Link to="/sign-in">{t.toSignIn}</Link>
                </>
              }
            >
              <TextField
                label={t.signIn.directory.login}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                value={login}
                onChange={setLogin}
                mistake={form.mistake('login')}
              />
              <PasswordField
                label={t.password}
                value={password}
                onChange={setPassword}
                mistake={form.mistake('password')}
              />
            </Form>
          </Card>
        </>
      )}
    </Entrance>
  )
}
