import type { Membership } from '../../../../contract/people/session.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { LinkButton, Notice } from '../../ui/controls.tsx'
import { PageHead } from '../../ui/page.tsx'
import { SignOutButton } from '../sign-out.tsx'
import { Entrance } from './entrance.tsx'

type Blocked = Membership & { needs: NonNullable<Membership['needs']> }

export const isBlocked = (membership: Membership): membership is Blocked => membership.needs !== undefined

/** In place of an organization that this session does not open. */
export function NeedsPage({ membership: { organizationName, needs } }: { membership: Blocked }) {
  const t = useTexts(secondFactor).needs[needs]
  return (
    <Entrance>
      <PageHead title={t.title(organizationName)} about={t.text} />
      <div className="actions">
        {needs === 'second_factor' && (
          <LinkButton to="/account" look="primary">
            {t.action}
          </LinkButton>
        )}
        <SignOutButton />
      </div>
    </Entrance>
  )
}

/** The same among other things. */
export function NeedsNotice({ membership: { organizationName, needs } }: { membership: Blocked }) {
  const t = useTexts(secondFactor).needs[needs]
  return (
    <Notice tone="warn">
      <p>
        <strong>{t.title(organizationName)}</strong>
      </p>
      <p>{t.text}</p>
    </Notice>
  )
}
