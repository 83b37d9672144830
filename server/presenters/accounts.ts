import type { Membership, Session } from '../../contract/people/session.ts'
import type { SignedIn } from '../auth/sessions.ts'
import { type Links, linkTarget } from '../files/links.ts'
import type { Parley } from '../parley.ts'
import { listMemberships, type MembershipRow } from '../queries/accounts.ts'
import { hasOrganization, readHome } from '../queries/installation.ts'
import { attachmentId } from './attachments.ts'

export const presentMembership = (
  { logoFileId, needs, ...membership }: MembershipRow,
  links: Links,
): Membership => ({
  ...membership,
  ...(needs !== null && { needs }),
  ...(logoFileId !== null && { logoUrl: links.to(linkTarget(attachmentId(logoFileId), 'logo')) }),
})

/** What the pages need to know first: whether there is anything here, and who is asking. */
export async function presentSession(
  { db, config, links }: Pick<Parley, 'db' | 'config' | 'links'>,
  account: Pick<SignedIn, 'accountId' | 'email' | 'since' | 'signedInWith'> | undefined,
): Promise<Session> {
  const memberships = account ? await listMemberships(db, account) : []
  const isSetUp = (await readHome(db)) !== undefined
  return {
    isSetUp,
    hasOrganization: isSetUp || memberships.length > 0 || (await hasOrganization(db)),
    singleSignOn: config.signOn?.name ?? null,
    mail: config.smtpUrl === undefined ? 'outbox' : 'smtp',
    account: account
      ? {
          id: account.accountId,
          email: account.email,
          memberships: memberships.map((membership) => presentMembership(membership, links)),
        }
      : null,
  }
}
