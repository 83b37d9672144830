import { LIMITS } from '../../contract/limits.ts'
import type { ExternalIdentity } from '../auth/sign-on.ts'
import type { SignOnSettings } from '../config.ts'
import { sql } from '../db/sql.ts'
import type { OpenTransaction, Transaction } from '../db/transaction.ts'
import { type AccountRow, findAccount, findAccountByEmail } from '../queries/accounts.ts'
import { EMAIL, emailKey, firstCodePoints, nameFrom } from '../text.ts'
import { joinAsMember } from './invitations.ts'
import { addPerson } from './members.ts'

/** Why somebody whom the provider knows is not let in; for the log of the server. */
export class NotLetIn extends Error {}

/**
 * The account of somebody who comes from the provider. The first time, the verified address finds the account or makes
 * one, and whoever is no member yet becomes one. Nobody comes back this way who was archived or deleted.
 */
export async function signOn(
  open: OpenTransaction,
  settings: SignOnSettings,
  identity: ExternalIdentity,
): Promise<AccountRow> {
  const orgId = await findOrganization(open, settings)
  const tx = orgId === undefined ? undefined : await open.enter(orgId)
  const known = await findLinked(open, identity)
  const email = known?.email ?? identity.email
  if (email === undefined || !EMAIL.test(email) || email.length > LIMITS.email)
    throw new NotLetIn('the address is not verified')
  if (!isAllowed(email, settings)) throw new NotLetIn('the domain of the address is not among OIDC_DOMAINS')
  if (tx) await becomeMember(tx, email, identity)
  const account = known ?? (await findAccountByEmail(open, email))
  const current = account && (await findAccount(open, account.id))
  if (!current?.isActive)
    throw new NotLetIn('no active member, and no organization to join: see OIDC_ORGANIZATION')
  await open.query(sql`
    insert into external_accounts (issuer, subject, account_id, created_at)
    values (${identity.issuer}, ${identity.subject}, ${current.id}, ${open.now()})
    on conflict do nothing`)
  return current
}

/** The one that the settings name, or the only one there is. */
async function findOrganization(
  open: OpenTransaction,
  { organizationId }: SignOnSettings,
): Promise<string | undefined> {
  const rows = await open.query<{ orgId: string }>(
    organizationId === undefined
      ? sql`select org_id as "orgId" from organizations limit 2`
      : sql`select org_id as "orgId" from organizations where org_id = ${organizationId}`,
  )
  return rows.length === 1 ? rows[0]?.orgId : undefined
}

async function findLinked(
  open: OpenTransaction,
  { issuer, subject }: ExternalIdentity,
): Promise<AccountRow | undefined> {
  const [link] = await open.query<{ accountId: string }>(sql`
    select account_id as "accountId" from external_accounts where issuer = ${issuer} and subject = ${subject}`)
  return link && findAccount(open, link.accountId)
}

function isAllowed(email: string, { domains }: SignOnSettings): boolean {
  const domain = emailKey(email).split('@')[1] ?? ''
  return domains.length === 0 || domains.includes(domain)
}

async function becomeMember(tx: Transaction, email: string, { name }: ExternalIdentity): Promise<void> {
  const [profile] = await tx.query<{ id: string; name: string; status: string }>(sql`
    select id, name, status from profiles where org_id = ${tx.orgId} and email_key = ${emailKey(email)}`)
  if (profile?.status === 'Active') return
  if (profile && profile.status !== 'Pending') throw new NotLetIn('the member was archived or deleted')
  if (profile) return joinAsMember(tx, profile.id, profile.name)
  const given = name?.replace(/\p{Cc}+/gu, ' ').trim()
  const chosen = firstCodePoints(given || nameFrom(email), LIMITS.profileName)
  await joinAsMember(tx, await addPerson(tx, { email, name: chosen, status: 'Pending' }), chosen)
}
