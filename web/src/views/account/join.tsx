import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { LIMITS } from '../../../../contract/limits.ts'
import type { acceptInvitation, lookAtInvitation, Session } from '../../../../contract/people/session.ts'
import { call, Refused } from '../../api/call.ts'
import { enter, homeOf } from '../../api/session.ts'
import { organizationPath } from '../../chat/views/addresses.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Or, Quiet, Stack } from '../../kit/layout.tsx'
import { named } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { CodeStep } from './code-step.tsx'
import { ACCOUNT_FIELDS, forgetToken, isTooShort, PasswordField, UsernameForManagers } from './entrance.tsx'
import { OpenedLink } from './opened-link.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { passkeySupport } from './passkeys.ts'

type Invitation = Awaited<ReturnType<typeof call<typeof lookAtInvitation>>>

export default function Join({ session }: { session: Session }) {
  const t = useTexts(account)
  return (
    <OpenedLink
      name="invitation"
      look={(token) => call<typeof lookAtInvitation>('POST', '/people/invitations/look', { body: { token } })}
      opening={t.join.opening}
      refused={<RefusedLink />}
    >
      {(invitation, token) => <Accept key={token} session={session} token={token} invitation={invitation} />}
    </OpenedLink>
  )
}

function RefusedLink() {
  const t = useTexts(account)
  useEffect(forgetToken, [])
  return (
    <>
      <PageHead title={t.join.refused.title} about={t.join.refused.text} />
      <p>{t.join.refused.used}</p>
      <div>
        <ButtonLink to="/sign-in">{t.toSignIn}</ButtonLink>
      </div>
    </>
  )
}

function Accept({ session, token, invitation }: { session: Session; token: string; invitation: Invitation }) {
  const t = useTexts(account)
  const [, navigate] = useLocation()
  const [name, setName] = useState(invitation.name)
  const [password, setPassword] = useState('')
  const [isAtCode, setAtCode] = useState(false)
  const { organizationName, email, hasAccount } = invitation
  const isSignedIn = session.account?.email.toLowerCase() === email.toLowerCase()
  const needsPassword = !isSignedIn

  const passwordMistake = () => {
    if (!needsPassword) return undefined
    if (hasAccount) return password === '' && t.passwordMissing
    return isTooShort(password) && t.passwordShort
  }
  const done = (entered: Session) => {
    enter(entered)
    showToast({ text: t.join.done(named(organizationName)) })
    // Opens the invitation's organization. If two have its name, it may be the other one, which the person belongs to
    // as well.
    const joined = entered.account?.memberships.find((one) => one.organizationName === organizationName)
    navigate(joined ? organizationPath(joined.organizationId) : homeOf(entered), { replace: true })
  }
  const form = useForm<'email' | 'password' | 'name', Session>({
    check: () => ({ name: name.trim() === '' && t.nameMissing, password: passwordMistake() }),
    send: () =>
      call<typeof acceptInvitation>('POST', '/people/invitations/accept', {
        body: { token, name: name.trim(), ...(needsPassword && { password }) },
      }),
    fields: ACCOUNT_FIELDS,
    onDone: (entered) => {
      forgetToken()
      if (entered.codeRequired) setAtCode(true)
      else done(entered)
    },
  })
  if (isAtCode) return <CodeStep onDone={done} onBack={() => navigate('/sign-in')} />
  if (form.error instanceof Refused && form.error.status === 403) return <RefusedLink />

  const about = isSignedIn ? t.join.isSignedIn : hasAccount ? t.join.hasAccount : t.join.about
  return (
    <>
      <PageHead title={t.join.title(named(organizationName))} about={about(email)} />
      {session.account && !isSignedIn && (
        <Notice tone="warn">
          <p>{t.join.signedInAs(session.account.email)}</p>
        </Notice>
      )}
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <>
              <Button submit look="primary" busy={form.busy}>
                {t.join.action}
              </Button>
              {needsPassword && hasAccount && (
                <Link to="/reset" onClick={forgetToken}>
                  {t.join.forgotten}
                </Link>
              )}
            </>
          }
        >
          <UsernameForManagers email={email} />
          <TextField
            label={t.name}
            hint={t.join.nameHint}
            autoComplete="name"
            maxLength={LIMITS.profileName}
            required
            value={name}
            onChange={setName}
            mistake={form.mistake('name')}
          />
          {needsPassword && (
            <PasswordField
              label={hasAccount ? t.password : t.join.choosePassword}
              {...(!hasAccount && { hint: t.passwordHint })}
              newFor={hasAccount ? undefined : { email, organizations: [organizationName] }}
              value={password}
              onChange={setPassword}
              mistake={form.mistake('password')}
            />
          )}
        </Form>
        {needsPassword && hasAccount && <SignInFirst />}
      </Card>
    </>
  )
}

/** A way in for people who have an account but no password at hand. */
function SignInFirst() {
  const t = useTexts(account)
  return (
    <Stack>
      {passkeySupport() === 'yes' && (
        <>
          <Or>{t.signIn.or}</Or>
          <PasskeyButton />
        </>
      )}
      <Quiet small>
        {t.join.signInFirst}{' '}
        <Link to="/sign-in" onClick={forgetToken}>
          {t.toSignIn}
        </Link>
      </Quiet>
    </Stack>
  )
}
