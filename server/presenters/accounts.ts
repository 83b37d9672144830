import type { Membership, Session } from '../../contract/people/session.ts'
import type { SignedIn } from '../auth/sessions.ts'
import { type Link, linkTarget } from '../files/links.ts'
import type { Parley } from '../parley.ts'
import type { MembershipRow, SessionFacts } from '../queries/accounts/accounts.ts'
import { attachmentId } from './attachments.ts'

export const presentMembership = (
  { logoFileId, needs, ...membership }: MembershipRow,
  link: Link,
): Membership => ({
  ...membership,
  ...(needs !== null && { needs }),
  ...(logoFileId !== null && { logoUrl: link(linkTarget(attachmentId(logoFileId), 'logo')) }),
})

/** The first facts that pages need: whether there is anything here, and who is asking. */
export const presentSession = (
  { config, links }: Pick<Parley, 'config' | 'links'>,
  account: Pick<SignedIn, 'accountId' | 'email'> | undefined,
  { isSetUp, hasOrganization, memberships }: SessionFacts,
): Session => ({
  isSetUp,
  hasOrganization,
  singleSignOn: (config.signOn ?? config.saml ?? config.ldap)?.name ?? null,
  mail: config.smtpUrl === undefined ? 'outbox' : 'smtp',
  account: account
    ? {
        id: account.accountId,
        email: account.email,
        memberships: memberships.map((membership) => {
          const { organizationId: orgId, profileId } = membership
          return presentMembership(membership, links.for({ orgId, profileId }))
        }),
      }
    : null,
})
