import { LIMITS } from '../../../contract/limits.ts'
import { endAssistantsOf } from '../../auth/assistants.ts'
import { endTokens, issueToken, listTokenEnds, peekAtToken, takeToken } from '../../auth/one-time-tokens.ts'
import { checkPassword } from '../../auth/password-rules.ts'
import { hashPassword, isPassword } from '../../auth/passwords.ts'
import { endSessions, requireFresh, type SignedIn } from '../../auth/sessions.ts'
import type { Client } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { waitForMailTo } from '../../limits/address-mails.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  listOrganizationNames,
  lockAccount,
} from '../../queries/accounts/accounts.ts'
import { auditAccount, enterMemberships } from './account-audit.ts'
import { lockProved, proveAddress } from './accounts.ts'

// A password is compared and hashed before the transaction that changes it: a quarter of a second in which nothing is locked.

const MINUTE_MS = 60_000
/** Links of one account that may work at the same time, for an hour each. */
const MAX_OPEN_LINKS = 20

type Parts = Pick<Parley, 'secrets' | 'config'>
type HashParts = Pick<Parley, 'db' | 'config'>

/** `hash` comes from `hashPassword`. */
export async function setPassword(
  db: Queryable & { now(): number },
  accountId: string,
  hash: string,
): Promise<void> {
  await db.query(sql`
    update accounts set password = ${hash}, password_changed_at = ${db.now()} where id = ${accountId}`)
}

/** Replaces the hash of an unchanged password by a stronger one. */
export async function upgradeHash(open: OpenTransaction, accountId: string, hash: string): Promise<void> {
  await open.query(sql`update accounts set password = ${hash} where id = ${accountId}`)
}

/** Sets the password and ends all sessions but `keptSession`. */
export async function changePassword(
  open: OpenTransaction,
  parts: Parts,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  { hash, keptSession }: { hash: string; keptSession?: string },
): Promise<void> {
  await setPassword(open, id, hash)
  await endSessions(open, id, keptSession)
  await endAssistantsOf(open, id)
  await endTokens(open, 'password reset', id)
  await endTokens(open, 'second factor', id)
  await queueMail(open, parts.secrets, {
    to: email,
    subject: 'Your password on Parley was changed',
    text: mailWords`The password of your account ${asIs(email)} on ${asIs(parts.config.baseUrl)} was changed. All other sessions were signed out, and connected assistants were disconnected.

If this was not you, set a new password now:

${asIs(parts.config.baseUrl)}/reset
`,
  })
}

/**
 * Mails a link to set a new password, and returns its account. Earlier links keep working, so that a stranger's request
 * cannot make them useless. A mail above the limit is not sent: the owner has other working links, or a known browser
 * whose requests count separately. An address without an active account gets a token too, which belongs to no account:
 * either way the answer waits for a commit. The mail is a little more work.
 */
export async function requestPasswordReset(
  open: OpenTransaction,
  { secrets, config }: Parts,
  address: string,
  { isKnownBrowser }: { isKnownBrowser: boolean },
): Promise<AccountRow | undefined> {
  const found = await findAccountByEmail(open, address)
  // Locked, so that of two who ask at once the second finds the link of the first.
  const account = found?.isActive ? await lockAccount(open, found.id) : undefined
  const isEnough =
    (account && (await hasLinksEnough(open, account.id))) ||
    (await waitForMailTo(open, secrets, address, isKnownBrowser ? 'reset in a known browser' : 'reset')) > 0
  const token = await issueToken(open, {
    purpose: 'password reset',
    accountId: isEnough ? undefined : account?.id,
    expiresAt: open.now() + LIMITS.passwordResetMinutes * MINUTE_MS,
  })
  if (!account || isEnough) return account
  await queueMail(open, secrets, {
    to: account.email,
    subject: 'Set a new password on Parley',
    text: mailWords`Someone requested a new password for your account ${asIs(account.email)} on ${asIs(config.baseUrl)}.

If this was you, open this link. It works once and expires after ${LIMITS.passwordResetMinutes} minutes:

${asIs(`${config.baseUrl}/reset#${token}`)}

If this was not you, ignore this mail. Nothing changes.
`,
  })
  return account
}

/** Whether a link was mailed within the last minute, or `MAX_OPEN_LINKS` are open. */
async function hasLinksEnough(open: OpenTransaction, accountId: string): Promise<boolean> {
  const now = open.now()
  const ends = await listTokenEnds(open, 'password reset', accountId, now)
  const [newest = 0] = ends
  return ends.length >= MAX_OPEN_LINKS || newest > now + (LIMITS.passwordResetMinutes - 1) * MINUTE_MS
}

/** The account whose password a link may set, and the hash of the new one. A password that is refused does not cost the link. */
export async function preparePasswordReset(
  { db, config, clock }: Pick<Parley, 'clock' | 'config' | 'db'>,
  { token, password }: { token: string; password: string },
): Promise<{ accountId: string; hash: string }> {
  const known = await peekAtToken(db, 'password reset', token, clock())
  const owner = known?.accountId ? await findAccount(db, known.accountId) : undefined
  if (!owner) throw refusal('link_not_valid')
  return { accountId: owner.id, hash: await hashFor({ db, config }, owner, password) }
}

/** Uses the link up, and returns the account whose password it changed. */
export async function resetPassword(
  open: OpenTransaction,
  parts: Parts,
  client: Client,
  { token, accountId, hash }: { token: string; accountId: string; hash: string },
): Promise<AccountRow> {
  const memberships = await enterMemberships(open, accountId)
  const taken = await takeToken(open, 'password reset', token, open.now())
  const account = taken?.accountId === accountId ? await lockAccount(open, accountId) : undefined
  if (!account?.isActive) throw refusal('link_not_valid')
  await proveAddress(open, account.id)
  await changePassword(open, parts, account, { hash })
  await auditAccount(memberships, { client }, { action: 'member.password_reset' })
  const changed = await lockAccount(open, account.id)
  if (!changed) throw new Error(`account ${account.id} does not exist`)
  return changed
}

/** The account of a session. To give it its first password, its owner must have signed in a moment ago. */
export async function readOwnAccount(
  { db, clock }: Pick<Parley, 'clock' | 'db'>,
  signedIn: SignedIn,
): Promise<AccountRow> {
  const account = await findAccount(db, signedIn.accountId)
  if (!account) throw new Error(`account ${signedIn.accountId} does not exist`)
  if (account.password === null) requireFresh(signedIn, clock())
  return account
}

/** The hash of a new password, for people who know the current one. */
export async function prepareOwnPassword(
  { db, config }: HashParts,
  account: AccountRow,
  { currentPassword = '', password }: { currentPassword?: string; password: string },
): Promise<string> {
  const isOwn =
    account.password === null || (await isPassword(currentPassword, account.password, config.passwordCost))
  if (!isOwn) throw new Refusal('password_wrong', { field: 'currentPassword' })
  return hashFor({ db, config }, account, password)
}

export async function changeOwnPassword(
  open: OpenTransaction,
  parts: Parts,
  signedIn: SignedIn,
  { account: known, hash }: { account: AccountRow; hash: string },
): Promise<void> {
  const memberships = await enterMemberships(open, known.id)
  const account = await lockProved(open, known)
  if (!account) throw new Refusal('password_wrong', { field: 'currentPassword' })
  await changePassword(open, parts, account, { hash, keptSession: signedIn.sessionId })
  await auditAccount(memberships, signedIn, { action: 'member.password_changed' })
}

/** Refuses a signed-in person who does not know the account's password. */
export async function proveOwnPassword(
  { db, config }: HashParts,
  { accountId }: SignedIn,
  password: string,
): Promise<void> {
  const account = await findAccount(db, accountId)
  if (!(await isPassword(password, account?.password, config.passwordCost)))
    throw new Refusal('password_wrong', { field: 'password' })
}

async function hashFor(
  { db, config }: HashParts,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  password: string,
): Promise<string> {
  checkPassword(password, { email, organizations: await listOrganizationNames(db, id) })
  return hashPassword(password, config.passwordCost)
}
