import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect } from 'wouter'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  Account as AccountData,
  changePassword,
  Membership,
  readAccount,
  renameMyself,
  Session,
} from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { homeOf, isAdmin } from '../../api/session.ts'
import { sessionState } from '../../api/session-state.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet, Row, Stack } from '../../kit/layout.tsx'
import { Chip } from '../../kit/marks.tsx'
import { Name, named } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { assistants } from '../../texts/assistants.ts'
import { common } from '../../texts/common.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { SignOutButton } from '../sign-out.tsx'
import styles from './account.module.css'
import { AssistantList } from './account-assistants.tsx'
import { PasskeyList } from './account-passkeys.tsx'
import { SecondFactor } from './account-second-factor.tsx'
import { SessionList } from './account-sessions.tsx'
import { ACCOUNT_FIELDS, Entrance, isTooShort, PasswordField, UsernameForManagers } from './entrance.tsx'
import { isBlocked, NeedsNotice } from './needs.tsx'

export default function Account({ session }: { session: Session }) {
  const t = useTexts(account)
  const details = useQuery({
    queryKey: keys.account,
    queryFn: () => call<typeof readAccount>('GET', '/people/account', {}),
    enabled: session.account !== null,
  })
  if (!session.account) return <Redirect to="/sign-in?to=/account" replace />
  const { email, memberships } = session.account
  const home = homeOf(session)
  return (
    <Entrance roomy>
      <PageHead title={t.account.title} about={t.account.about(email)}>
        {home !== '/account' && <ButtonLink to={home}>{t.account.organizations.openChat}</ButtonLink>}
        <SignOutButton />
      </PageHead>
      <Card title={t.account.organizations.title}>
        {memberships.length === 0 && <p>{t.account.organizations.none}</p>}
        {memberships.map((membership) =>
          isBlocked(membership) ? (
            <NeedsNotice key={membership.organizationId} membership={membership} />
          ) : (
            <MembershipForm key={membership.organizationId} membership={membership} />
          ),
        )}
      </Card>
      <Loaded query={details}>{(data) => <SignInWays data={data} email={email} />}</Loaded>
    </Entrance>
  )
}

function SignInWays({ data, email }: { data: AccountData; email: string }) {
  const t = useTexts(account)
  const f = useTexts(secondFactor)
  const a = useTexts(assistants).list
  return (
    <>
      <Card title={t.account.password.title} about={data.hasPassword ? undefined : t.account.password.none}>
        <PasswordForm hasPassword={data.hasPassword} email={email} />
      </Card>
      <Card title={t.account.passkeys.title} about={t.account.passkeys.about}>
        <PasskeyList passkeys={data.passkeys} />
      </Card>
      <Card title={f.title} about={f.about}>
        <SecondFactor data={data} />
      </Card>
      <Card title={a.title} about={a.about}>
        <AssistantList />
      </Card>
      <Card title={t.account.sessions.title}>
        <SessionList sessions={data.sessions} />
      </Card>
    </>
  )
}

function MembershipForm({ membership }: { membership: Membership }) {
  const t = useTexts(account)
  const c = useTexts(common)
  const [name, setName] = useState(membership.name)
  const { organizationId, organizationName, logoUrl, role } = membership
  const form = useForm<'email' | 'password' | 'name', Membership>({
    check: () => ({ name: name.trim() === '' && t.nameMissing }),
    isSame: name.trim() === membership.name,
    send: () =>
      call<typeof renameMyself>('PATCH', '/people/organizations/{organizationId}/me', {
        params: { organizationId },
        body: { name: name.trim() },
      }),
    fields: ACCOUNT_FIELDS,
    onDone: (renamed) => {
      setName(renamed.name)
      showToast({ text: t.account.organizations.renamed })
      void sessionState.read()
    },
  })
  return (
    <Stack>
      <Row>
        <img className={styles.logo} src={logoUrl ?? '/icon.svg'} alt="" />
        <strong>
          <Name text={organizationName} />
        </strong>
        <Chip>{c.roles[role]}</Chip>
        {isAdmin(membership) && (
          <ButtonLink
            to={`/console/${organizationId}`}
            look="link"
            size="small"
            label={t.account.organizations.openConsoleOf(organizationName)}
          >
            {t.account.organizations.openConsole}
          </ButtonLink>
        )}
      </Row>
      <Form
        form={form}
        inline
        actions={
          <Button submit busy={form.busy} aria-label={t.account.organizations.saveFor(organizationName)}>
            {c.save}
          </Button>
        }
      >
        <TextField
          label={t.account.organizations.nameIn(named(organizationName))}
          autoComplete="name"
          maxLength={LIMITS.profileName}
          required
          value={name}
          onChange={setName}
          mistake={form.mistake('name')}
        />
      </Form>
    </Stack>
  )
}

function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const t = useTexts(account)
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const form = useForm<'current' | 'password', void>({
    check: () => ({
      current: hasPassword && current === '' && t.account.password.currentMissing,
      password: isTooShort(password) && t.passwordShort,
    }),
    send: () =>
      call<typeof changePassword>('POST', '/people/password', {
        body: { password, ...(hasPassword && { currentPassword: current }) },
      }),
    fields: { currentPassword: 'current', password: 'password' },
    onDone: () => {
      setCurrent('')
      setPassword('')
      showToast({ text: t.account.password.changed })
      void queries.invalidateQueries({ queryKey: keys.account })
    },
  })
  return (
    <Form
      form={form}
      actions={
        <>
          <Button submit busy={form.busy}>
            {hasPassword ? t.account.password.change : t.account.password.set}
          </Button>
          <Quiet small as="span">
            {t.account.password.effect}
          </Quiet>
        </>
      }
    >
      <UsernameForManagers email={email} />
      {hasPassword && (
        <PasswordField
          label={t.account.password.current}
          value={current}
          onChange={setCurrent}
          mistake={form.mistake('current')}
        />
      )}
      <PasswordField
        label={t.newPassword}
        hint={t.passwordHint}
        isNew
        value={password}
        onChange={setPassword}
        mistake={form.mistake('password')}
      />
    </Form>
  )
}
