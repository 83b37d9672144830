import type { Membership } from '../../../../contract/people/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Actions } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { SignOutButton } from '../sign-out.tsx'
import { Entrance } from './entrance.tsx'

type Blocked = Membership & { needs: NonNullable<Membership['needs']> }

export const isBlocked = (membership: Membership): membership is Blocked => membership.needs !== undefined

/** In place of an organization that this session does not open. */
export function NeedsPage({ membership: { organizationName, needs } }: { membership: Blocked }) {
  const t = useTexts(secondFactor).needs[needs]
  return (
    <Entrance>
      <PageHead title={t.title(named(organizationName))} about={t.text} />
      <Actions>
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

/** The same among other things. */
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
    </Notice>
  )
}
