import { useState } from 'react'
import { Redirect } from 'wouter'
import type { Session } from '../../../../contract/people/session.ts'
import { chatOrganizationOf } from '../../api/remembered.ts'
import { organizationPath, settingsPath } from '../../chat/views/addresses.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { PageHead } from '../../kit/page.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { Entrance } from './entrance.tsx'
import Security, { Devices } from './security.tsx'

/** The account of a person whom no organization lets in: what it takes to get in. Others have it in their settings. */
export default function Account({ session }: { session: Session }) {
  const t = useTexts(account).account
  const organizationId = chatOrganizationOf(session)
  // Who is let in while the page is open stays on it: it may show recovery codes just then.
  const [isLetIn] = useState(organizationId !== undefined)
  if (!session.account) return <Redirect to="/sign-in?to=/account" replace />
  if (isLetIn && organizationId !== undefined)
    return <Redirect to={settingsPath(organizationId, 'security')} replace />
  const { email, memberships } = session.account
  return (
    <Entrance roomy>
      <PageHead title={t.title} about={t.about(email)}>
        {organizationId !== undefined && (
          <ButtonLink to={organizationPath(organizationId)} look="primary">
            {t.openChat}
          </ButtonLink>
        )}
      </PageHead>
      {memberships.length === 0 && <p>{t.none}</p>}
      <Security account={session.account} />
      <Devices />
    </Entrance>
  )
}
