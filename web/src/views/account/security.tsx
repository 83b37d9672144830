import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { changePassword, readAccount, Session } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { Button } from '../../kit/button.tsx'
import { Card, Form } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { Loaded } from '../../kit/states.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { assistants } from '../../texts/assistants.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { SignOutButton } from '../sign-out.tsx'
import { AssistantList } from './account-assistants.tsx'
import { PasskeyList } from './account-passkeys.tsx'
import { SecondFactor } from './account-second-factor.tsx'
import { SessionList } from './account-sessions.tsx'
import { isTooShort, PasswordField, UsernameForManagers } from './entrance.tsx'
import { isBlocked, NeedsNotice } from './needs.tsx'

const useAccount = () =>
  useQuery({
    queryKey: keys.account,
    queryFn: () => call<typeof readAccount>('GET', '/people/account', {}),
  })

/** How one signs in, and the assistants that act for one. */
export default function Security({
  account: { email, memberships },
}: {
  account: NonNullable<Session['account']>
}) {
  const t = useTexts(account)
  const f = useTexts(secondFactor)
  const a = useTexts(assistants).list
  return (
    <Stack>
      {memberships.filter(isBlocked).map((membership) => (
        <NeedsNotice key={membership.organizationId} membership={membership} />
      ))}
      <Loaded query={useAccount()}>
        {(data) => (
          <>
            <Card
              title={t.account.password.title}
              about={data.hasPassword ? undefined : t.account.password.none}
            >
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
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** The devices that are signed in. */
export function Devices() {
  const t = useTexts(account).account.sessions
  return (
    <Stack>
      <Loaded query={useAccount()}>
        {({ sessions }) => (
          <Card title={t.title}>
            <SessionList sessions={sessions} />
          </Card>
        )}
      </Loaded>
      <div>
        <SignOutButton />
      </div>
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
        newFor={{ email, organizations: [] }}
        value={password}
        onChange={setPassword}
        mistake={form.mistake('password')}
      />
    </Form>
  )
}
