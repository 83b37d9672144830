import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
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
import { account } from '../../texts/account.ts'
import { common } from '../../texts/common.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { Badge, Button, LinkButton } from '../../ui/controls.tsx'
import { Form, TextField, useForm } from '../../ui/form.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SignOutButton } from '../sign-out.tsx'
import { PasskeyList } from './account-passkeys.tsx'
import { SecondFactor } from './account-second-factor.tsx'
import { SessionList } from './account-sessions.tsx'
import { Entrance, fieldOf, isTooShort, PasswordField, UsernameForManagers } from './entrance.tsx'
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
        {home !== '/account' && <LinkButton to={home}>{t.account.organizations.openChat}</LinkButton>}
        <SignOutButton />
      </PageHead>
      <Section title={t.account.organizations.title}>
        {memberships.length === 0 && <p>{t.account.organizations.none}</p>}
        {memberships.map((membership) =>
          isBlocked(membership) ? (
            <NeedsNotice key={membership.organizationId} membership={membership} />
          ) : (
            <MembershipForm key={membership.organizationId} membership={membership} />
          ),
        )}
      </Section>
      <Loaded query={details}>{(data) => <SignInWays data={data} email={email} />}</Loaded>
    </Entrance>
  )
}

function SignInWays({ data, email }: { data: AccountData; email: string }) {
  const t = useTexts(account)
  const f = useTexts(secondFactor)
  return (
    <>
      <Section
        title={t.account.password.title}
        about={data.hasPassword ? undefined : t.account.password.none}
      >
        <PasswordForm hasPassword={data.hasPassword} email={email} />
      </Section>
      <Section title={t.account.passkeys.title} about={t.account.passkeys.about}>
        <PasskeyList passkeys={data.passkeys} />
      </Section>
      <Section title={f.title} about={f.about}>
        <SecondFactor data={data} />
      </Section>
      <Section title={t.account.sessions.title}>
        <SessionList sessions={data.sessions} />
      </Section>
    </>
  )
}

function Section({
  title,
  about,
  children,
}: {
  title: string
  about?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="card padded" aria-labelledby={id}>
      <div className="stack tight">
        <h2 id={id}>{title}</h2>
        {about !== undefined && <p className="soft">{about}</p>}
      </div>
      {children}
    </section>
  )
}

function MembershipForm({ membership }: { membership: Membership }) {
  const t = useTexts(account)
  const c = useTexts(common)
  const toast = useToast()
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
    fieldOf,
    onDone: (renamed) => {
      setName(renamed.name)
      toast(t.account.organizations.renamed)
      void sessionState.read()
    },
  })
  return (
    <div className="stack">
      <div className="row">
        <img className="mark" src={logoUrl ?? '/icon.svg'} alt="" />
        <strong>
          <Name text={organizationName} />
        </strong>
        <Badge>{c.roles[role]}</Badge>
        {isAdmin(membership) && (
          <LinkButton
            to={`/console/${organizationId}`}
            look={['plain', 'small']}
            label={t.account.organizations.openConsoleOf(organizationName)}
          >
            {t.account.organizations.openConsole}
          </LinkButton>
        )}
      </div>
      <Form
        form={form}
        inline
        actions={
          <Button
            type="submit"
            busy={form.busy}
            aria-label={t.account.organizations.saveFor(organizationName)}
          >
            {c.save}
          </Button>
        }
      >
        <TextField
          label={t.account.organizations.nameIn(organizationName)}
          autoComplete="name"
          maxLength={LIMITS.profileName}
          required
          value={name}
          onChange={setName}
          mistake={form.mistake('name')}
        />
      </Form>
    </div>
  )
}

function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const t = useTexts(account)
  const toast = useToast()
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
    fieldOf: (refusal) => {
      if (refusal === 'wrong password') return 'current'
      return fieldOf(refusal) === 'password' ? 'password' : undefined
    },
    onDone: () => {
      setCurrent('')
      setPassword('')
      toast(t.account.password.changed)
      void queries.invalidateQueries({ queryKey: keys.account })
    },
  })
  return (
    <Form
      form={form}
      actions={
        <>
          <Button type="submit" busy={form.busy}>
            {hasPassword ? t.account.password.change : t.account.password.set}
          </Button>
          <span className="soft small">{t.account.password.effect}</span>
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
