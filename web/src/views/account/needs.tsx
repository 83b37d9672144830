import { useState } from 'react'
import type { Membership, requestPasswordReset } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { useErrorText } from '../../kit/error-text.ts'
import { Actions } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { SignOutButton } from '../sign-out.tsx'
import { Entrance } from './entrance.tsx'

type Blocked = Membership & { needs: NonNullable<Membership['needs']> }

export const isBlocked = (membership: Membership): membership is Blocked => membership.needs !== undefined

/** Replaces an organization that this session does not open. */
export function NeedsPage({ membership: { organizationName, needs } }: { membership: Blocked }) {
  const t = useTexts(secondFactor).needs[needs]
  return (
    <Entrance>
      <PageHead title={t.title(named(organizationName))} about={t.text} />
      {needs === 'address_proof' && <ProveAddress />}
      <Actions>
        {needs === 'sign_on' && <SignOnButton to="/" />}
        {needs === 'second_factor' && (
          <ButtonLink to="/account" look="primary">
            {t.action}
          </ButtonLink>
        )}
        <SignOutButton />
      </Actions>
    </Entrance>
  )
}

/** A notice with the message of `NeedsPage`, among other content. */
export function NeedsNotice({ membership: { organizationName, needs } }: { membership: Blocked }) {
  const t = useTexts(secondFactor).needs[needs]
  return (
    <Notice tone="warn">
      <p>
        <strong>
          <Words text={t.title(named(organizationName))} />
        </strong>
      </p>
      <p>{t.text}</p>
      {needs === 'address_proof' && <ProveAddress />}
    </Notice>
  )
}

/** The ways to prove the own address: a link to set a password, which a mail brings, and single sign-on. */
function ProveAddress() {
  const t = useTexts(account)
  const action = useTexts(secondFactor).needs.address_proof.action
  const errorText = useErrorText()
  const { data: session } = useSession()
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)
  if (!session?.account) return null
  const { email } = session.account
  const words = session.mail === 'smtp' ? t.reset.sent : t.reset.noMail.sent
  const send = async () => {
    setBusy(true)
    try {
      await call<typeof requestPasswordReset>('POST', '/people/password-reset', { body: { email } })
      setSent(true)
    } catch (error) {
      showToast({ text: errorText(error), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  if (isSent) return <p role="status">{words.text(email)}</p>
  return (
    <Actions>
      <Button look="primary" busy={isBusy} onClick={() => void send()}>
        {action}
      </Button>
      <SignOnButton to="/account" />
    </Actions>
  )
}

/** Leads to the provider of single sign-on, and back to `to`. */
function SignOnButton({ to }: { to: string }) {
  const t = useTexts(account).signIn
  const { data: session } = useSession()
  if (!session || session.singleSignOn === null) return null
  return (
    <ButtonAnchor href={`/people/sso?to=${encodeURIComponent(to)}`}>
      {t.singleSignOn(session.singleSignOn)}
    </ButtonAnchor>
  )
}
