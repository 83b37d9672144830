import { LIMITS } from '../../contract/limits.ts'
import { endTokens, issueToken, listTokenEnds, takeToken } from '../auth/one-time-tokens.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Client } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { queueMail } from '../mail/queue.ts'
import { asIs, mailWords } from '../mail/words.ts'
import type { Parley } from '../parley.ts'
import { type AccountRow, findAccountByEmail, lockAccount } from '../queries/accounts.ts'
import { auditAccount, enterMemberships } from './account-audit.ts'

const MINUTE_MS = 60_000
/** Links that work at the same time, for an hour each. */
const MAX_OPEN_LINKS = 20

type Parts = Pick<Parley, 'secrets' | 'config'>

/** The account, if what was proved about it still holds: its password is the one that was compared. */
export async function lockProved(
  open: OpenTransaction,
  { id, password }: Pick<AccountRow, 'id' | 'password'>,
): Promise<AccountRow | undefined> {
  const account = await lockAccount(open, id)
  return account?.password === password ? account : undefined
}

/** `hash` is what `hashPassword` made. */
export async function setPassword(
  db: Queryable & { now(): number },
  accountId: string,
  hash: string,
): Promise<void> {
  await db.query(sql`
    update accounts set password = ${hash}, password_changed_at = ${db.now()} where id = ${accountId}`)
}

/** What the link says that gave the account its password: one that was mailed proves the address. */
export async function noteProof(
  open: OpenTransaction,
  accountId: string,
  { isProven }: { isProven: boolean },
): Promise<void> {
  await open.query(sql`update accounts set email_proven = ${isProven} where id = ${accountId}`)
}

/**
 * The address is proved: by a link that was mailed to it, or by a provider. Where the account began with a link that an admin
 * passed on, whoever used that link may be somebody else, and has no way in any more.
 */
export async function proveAddress(open: OpenTransaction, accountId: string): Promise<void> {
  const [unproven] = await open.query(sql`
    update accounts set email_proven = true, password = null where id = ${accountId} and not email_proven returning 1`)
  if (!unproven) return
  await open.query(sql`delete from passkeys where account_id = ${accountId}`)
  await endSessions(open, accountId)
  await open.query(sql`delete from second_factors where account_id = ${accountId}`)
  await open.query(sql`delete from recovery_codes where account_id = ${accountId}`)
}

/** The same password under a stronger hash. */
export async function upgradeHash(open: OpenTransaction, accountId: string, hash: string): Promise<void> {
  await open.query(sql`update accounts set password = ${hash} where id = ${accountId}`)
}

/** From now on this password and no other; whoever was signed in elsewhere is not any more. */
export async function changePassword(
  open: OpenTransaction,
  parts: Parts,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  { hash, keptSession }: { hash: string; keptSession?: string },
): Promise<void> {
  await setPassword(open, id, hash)
  await endSessions(open, id, keptSession)
  await endTokens(open, 'password reset', id)
  await endTokens(open, 'second factor', id)
  await queueMail(open, parts.secrets, {
    to: email,
    subject: 'Your password on Parley was changed',
    text: mailWords`The password of your account ${asIs(email)} on ${asIs(parts.config.baseUrl)} was changed, and everybody who was signed in elsewhere was signed out.

If that was not you, set a new one now:

${asIs(parts.config.baseUrl)}/reset
`,
  })
}

/**
 * Mails a link to set a new password, and gives the account that it is for. Links that were sent before work on: whoever
 * else asks can make none of them useless. So a mail that would be one too many is not sent, and its owner has others that
 * work. For an address without an active account a token is written too, which belongs to nobody: either way the answer
 * waits for a commit. The mail is a little more work.
 */
export async function requestPasswordReset(
  open: OpenTransaction,
  { secrets, config }: Parts,
  address: string,
): Promise<AccountRow | undefined> {
  const found = await findAccountByEmail(open, address)
  // Locked, so that of two who ask at once the second finds the link of the first.
  const account = found?.isActive ? await lockAccount(open, found.id) : undefined
  const isEnough = account && (await hasLinksEnough(open, account.id))
  const token = await issueToken(open, {
    purpose: 'password reset',
    accountId: isEnough ? undefined : account?.id,
    expiresAt: open.now() + LIMITS.passwordResetMinutes * MINUTE_MS,
  })
  if (!account || isEnough) return account
  await queueMail(open, secrets, {
    to: account.email,
    subject: 'Set a new password on Parley',
    text: mailWords`Somebody asked for a new password for your account ${asIs(account.email)} on ${asIs(config.baseUrl)}.

If that was you, open this link. It works once, for ${LIMITS.passwordResetMinutes} minutes:

${asIs(`${config.baseUrl}/reset#${token}`)}

If it was not, you can ignore this mail: nothing changes.
`,
  })
  return account
}

/** One is on its way since less than a minute, or there are so many that more would only fill the mailbox. */
async function hasLinksEnough(open: OpenTransaction, accountId: string): Promise<boolean> {
  const now = open.now()
  const ends = await listTokenEnds(open, 'password reset', accountId, now)
  const [newest = 0] = ends
  return ends.length >= MAX_OPEN_LINKS || newest > now + (LIMITS.passwordResetMinutes - 1) * MINUTE_MS
}

/** The account whose password the link changed; undefined when the link does not work any more. */
export async function resetPassword(
  open: OpenTransaction,
  parts: Parts,
  { token, hash, accountId, client }: { token: string; hash: string; accountId: string; client: Client },
): Promise<AccountRow | undefined> {
  const memberships = await enterMemberships(open, accountId)
  const taken = await takeToken(open, 'password reset', token, open.now())
  const account = taken?.accountId === accountId ? await lockAccount(open, accountId) : undefined
  if (!account?.isActive) return undefined
  await proveAddress(open, account.id)
  await changePassword(open, parts, account, { hash })
  await auditAccount(memberships, { client }, { action: 'member.password_reset' })
  return lockAccount(open, account.id)
}
