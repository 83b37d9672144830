import { LIMITS } from '../../../contract/limits.ts'
import type { ExternalIdentity } from '../../auth/sign-on.ts'
import type { Visitor } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  lockAccount,
} from '../../queries/accounts/accounts.ts'
import { readHome } from '../../queries/organization/installation.ts'
import type { Newcomers } from '../../settings-reader.ts'
import { domainKey, EMAIL, emailKey, firstCodePoints, nameFrom, toName } from '../../text.ts'
import { joinAsMember } from '../members/invitations.ts'
import { addPerson } from '../members/members.ts'
import { proveAddress } from './accounts.ts'
import { type Entered, enterWithPassword } from './sign-in.ts'

/** The reason, for the server's log, why a person known to the provider is refused. */
export class NotLetIn extends Error {}

const NO_ORGANIZATION_TO_JOIN =
  'no active member, and no organization to join: set OIDC_ORGANIZATION, or name the home organization with `parley org set --org ID --home`'

type Parts = Pick<Parley, 'secrets' | 'config'>

/**
 * Finds the account of a person who comes from the provider. The first time, the verified address finds or creates it,
 * and people who are not members yet become members. Archived and deleted members cannot come back this way.
 */
export async function signOn(
  open: OpenTransaction,
  parts: Parts,
  settings: Newcomers,
  identity: ExternalIdentity,
): Promise<AccountRow> {
  const orgId = await findOrganization(open, settings)
  const tx = orgId === undefined ? undefined : await open.enter(orgId)
  const known = await findLinked(open, identity)
  const email = known?.email ?? identity.email
  if (email === undefined || !EMAIL.test(email) || email.length > LIMITS.email)
    throw new NotLetIn('the address is not verified')
  if (!isAllowed(email, settings))
    throw new NotLetIn('the domain of the address is not among OIDC_DOMAINS, SAML_DOMAINS or LDAP_DOMAINS')
  const before = known ?? (await findAccountByEmail(open, email))
  // A member of another organization joins the one that the settings name, and not just any. A stranger who claimed the address
  // does not keep its reader from joining.
  const isClaimed = before?.canSignIn && !before.isProven
  const isToJoin = settings.organizationId !== undefined || !before?.isActive || isClaimed
  if (tx && isToJoin) await becomeMember(tx, email, identity)
  const account = before ?? (await findAccountByEmail(open, email))
  const current = account && (await lockAccount(open, account.id))
  if (!current?.isActive) throw new NotLetIn(NO_ORGANIZATION_TO_JOIN)
  // An identity that is known may have another address at the provider by now, or none that is verified.
  const isProof = identity.email !== undefined && emailKey(identity.email) === emailKey(current.email)
  if (isProof) await proveAddress(open, current.id)
  await link(open, parts, settings, identity, current)
  return current
}

/** `signOn` by a directory, whose password is one factor: who has a second one here is asked for its code. */
export async function signOnWithPassword(
  open: OpenTransaction,
  parley: Parts & Pick<Parley, 'clock'>,
  settings: Newcomers,
  visitor: Visitor,
  identity: ExternalIdentity,
): Promise<Entered> {
  const { id } = await signOn(open, parley, settings, identity)
  const account = await lockAccount(open, id) // a first proof of the address ends a second factor
  if (!account) throw new NotLetIn('the account was deleted')
  return enterWithPassword(open, parley, visitor, account, 'directory')
}

/**
 * Binds the account to this identity, and to no other of this provider: a new holder of the address does not get the
 * account. The owner gets a mail if they could sign in before.
 */
async function link(
  open: OpenTransaction,
  { secrets, config }: Parts,
  { name }: Newcomers,
  { issuer, subject }: ExternalIdentity,
  { id, email, canSignIn }: AccountRow,
): Promise<void> {
  const linked = await open.query<{ subject: string }>(sql`
    select subject from external_accounts where issuer = ${issuer} and account_id = ${id}`)
  if (linked.some((other) => other.subject === subject)) return
  if (linked.length > 0) throw new NotLetIn('the account is linked to somebody else at the provider')
  await open.query(sql`
    insert into external_accounts (issuer, subject, account_id, created_at)
    values (${issuer}, ${subject}, ${id}, ${open.now()})`)
  if (!canSignIn) return
  await queueMail(open, secrets, {
    to: email,
    subject: 'Your account on Parley was linked to single sign-on',
    text: mailWords`You can now sign in to your account ${asIs(email)} on ${asIs(config.baseUrl)} with ${name}.

If this was not you, tell the people who run this server and ${name}.
`,
  })
}

/** The organization that the settings name, else the home organization. */
export async function findOrganization(
  open: Queryable,
  { organizationId }: Newcomers,
): Promise<string | undefined> {
  const wanted = organizationId ?? (await readHome(open))
  const [row] = await open.query<{ orgId: string }>(sql`
    select org_id as "orgId" from organizations where org_id = ${wanted}`)
  return row?.orgId
}

export async function findLinked(
  open: Queryable,
  { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
): Promise<AccountRow | undefined> {
  const [link] = await open.query<{ accountId: string }>(sql`
    select account_id as "accountId" from external_accounts where issuer = ${issuer} and subject = ${subject}`)
  return link && findAccount(open, link.accountId)
}

function isAllowed(email: string, { domains }: Newcomers): boolean {
  const domain = domainKey(email.slice(email.lastIndexOf('@') + 1))
  return domains.length === 0 || domains.includes(domain)
}

/** Keeps the name that a person has at the provider, as a hash. */
export async function keepExternalName(
  db: Queryable,
  { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
  nameHash: Buffer,
): Promise<void> {
  await db.query(sql`
    update external_accounts set name_hash = ${nameHash} where issuer = ${issuer} and subject = ${subject}`)
}

async function becomeMember(tx: Transaction, email: string, { name }: ExternalIdentity): Promise<void> {
  const [profile] = await tx.query<{ id: string; name: string; status: string }>(sql`
    select id, name, status from profiles where org_id = ${tx.orgId} and email_key = ${emailKey(email)}`)
  if (profile?.status === 'Active') return
  if (profile && profile.status !== 'Pending') throw new NotLetIn('the member was archived or deleted')
  if (profile) return joinAsMember(tx, profile.id, profile.name)
  const chosen = firstCodePoints((name && toName(name)) || nameFrom(email), LIMITS.profileName)
  await joinAsMember(tx, await addPerson(tx, { email, name: chosen, status: 'Pending' }), chosen)
}
