import { LIMITS } from '../../../contract/limits.ts'
import { endAssistantsOf, narrowAssistantsOf } from '../../auth/assistants.ts'
import { endTokens } from '../../auth/one-time-tokens.ts'
import { endSessions, isFresh, isOpenSession, requireFresh, type SignedIn } from '../../auth/sessions.ts'
import { matchingStep, newTotpSecret } from '../../auth/totp.ts'
import type { Client } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { randomCode, sha256 } from '../../ids.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { lockAccount } from '../../queries/accounts/accounts.ts'
import type { Secrets } from '../../secrets.ts'
import { auditAccount, type EnteredMembership, enterMemberships } from './account-audit.ts'

type Parts = Pick<Parley, 'secrets' | 'config'>
type ClockedParts = Parts & Pick<Parley, 'clock'>
type Owner = { id: string; email: string }

const START_MS = LIMITS.freshSessionMinutes * 60_000

/** A secret that counts for nothing until a code of it was right; in place of one that was begun before. */
export async function startSecondFactor(
  open: OpenTransaction,
  secrets: Secrets,
  accountId: string,
): Promise<Buffer> {
  const account = await lockAccount(open, accountId)
  if (account?.hasSecondFactor) throw refusal('second_factor_exists')
  const secret = newTotpSecret()
  await open.query(sql`
    insert into second_factors (account_id, secret, started_at)
    values (${accountId}, ${secrets.encrypt(secret, contextOf(accountId))}, ${open.now()})
    on conflict (account_id) do update
      set secret = excluded.secret, started_at = excluded.started_at, last_step = 0`)
  return secret
}

/** Turns the second factor on, and ends the other sessions, which proved a password alone. */
export async function enableSecondFactor(
  open: OpenTransaction,
  parts: Parts,
  signedIn: SignedIn,
  code: string,
): Promise<string[]> {
  const { accountId: id, email, sessionId } = signedIn
  const memberships = await enterMemberships(open, id)
  const account = await lockAccount(open, id)
  if (!(await isOpenSession(open, signedIn))) throw refusal('sign_in_required')
  const [begun] = await open.query(sql`
    select from second_factors
    where account_id = ${id} and enabled_at is null and started_at > ${open.now() - START_MS}`)
  if (!begun || account?.hasSecondFactor) throw refusal('second_factor_setup_expired')
  if (!(await spendTotpCode(open, parts.secrets, id, code))) throw refusal('code_wrong')
  await open.query(sql`update second_factors set enabled_at = ${open.now()} where account_id = ${id}`)
  await endSessions(open, id, sessionId)
  await open.query(sql`update sessions set signed_in_with = case signed_in_with when 'directory' then 'directory-code' else 'code' end
    where id = ${sessionId}`)
  await tellOwner(open, parts, { id, email }, 'enabled')
  const codes = await makeRecoveryCodes(open, id)
  await auditAccount(memberships, signedIn, { action: 'member.second_factor_enabled' })
  return codes
}

/** Sessions that were signed in to with a code, and assistants of them, rest on the password alone from here on. */
export async function disableSecondFactor(
  open: OpenTransaction,
  parts: ClockedParts,
  signedIn: SignedIn,
  code: string | undefined,
): Promise<void> {
  const { accountId: id, email } = signedIn
  const memberships = await requireProof(open, parts, signedIn, code)
  await removeSecondFactor(open, id)
  await open.query(sql`
    update sessions set signed_in_with = case signed_in_with when 'code' then 'password' else 'directory' end
    where account_id = ${id} and signed_in_with in ('code', 'directory-code')`)
  await narrowAssistantsOf(open, id)
  await tellOwner(open, parts, { id, email }, 'disabled')
  await auditAccount(memberships, signedIn, { action: 'member.second_factor_disabled' })
}

export async function renewRecoveryCodes(
  open: OpenTransaction,
  parts: ClockedParts,
  signedIn: SignedIn,
  code: string | undefined,
): Promise<string[]> {
  const memberships = await requireProof(open, parts, signedIn, code)
  await auditAccount(memberships, signedIn, { action: 'member.recovery_codes_renewed' })
  return makeRecoveryCodes(open, signedIn.accountId)
}

/** Refuses a session that is not fresh and comes without a code, before anything is counted as an attempt. */
export function requireFreshOrCode(
  { clock }: Pick<Parley, 'clock'>,
  signedIn: SignedIn,
  code: string | undefined,
): void {
  if (code === undefined) requireFresh(signedIn, clock())
}

/** Lets in who has just signed in, or gives a code: a session that was stolen is not enough. */
async function requireProof(
  open: OpenTransaction,
  parts: ClockedParts,
  signedIn: SignedIn,
  code = '',
): Promise<EnteredMembership[]> {
  const memberships = await enterMemberships(open, signedIn.accountId)
  const account = await lockAccount(open, signedIn.accountId)
  if (!account || !(await isOpenSession(open, signedIn))) throw refusal('sign_in_required')
  if (!account.hasSecondFactor) throw refusal('second_factor_missing')
  if (isFresh(signedIn, parts.clock())) return memberships
  const used = await spendCode(open, parts, account, code)
  if (!used) throw refusal('code_wrong')
  await auditCodeUse(memberships, signedIn.client, used)
  return memberships
}

/**
 * Removes a second factor that its owner lost, at the request of an admin. The owner signs in again with the password
 * alone.
 */
export async function resetSecondFactor(open: OpenTransaction, parts: Parts, owner: Owner): Promise<void> {
  await removeSecondFactor(open, owner.id)
  await endSessions(open, owner.id)
  await endAssistantsOf(open, owner.id)
  await endTokens(open, 'second factor', owner.id)
  await tellOwner(open, parts, owner, 'reset')
}

async function removeSecondFactor(open: OpenTransaction, accountId: string): Promise<void> {
  const account = await lockAccount(open, accountId)
  if (!account?.hasSecondFactor) throw refusal('second_factor_missing')
  await open.query(sql`delete from second_factors where account_id = ${accountId}`)
  await open.query(sql`delete from recovery_codes where account_id = ${accountId}`)
}

/** Makes ten new codes and ends the former ones. Only their hashes are kept. */
async function makeRecoveryCodes(open: OpenTransaction, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: LIMITS.recoveryCodes }, randomCode)
  await open.query(sql`delete from recovery_codes where account_id = ${accountId}`)
  await open.query(sql`
    insert into recovery_codes (account_id, code_hash)
    select ${accountId}, hash from unnest(${codes.map((code) => hashOf(accountId, code))}::bytea[]) as hash`)
  return codes
}

/** The kind of a right code; each works once, whatever number of nodes it is sent to. */
export type UsedCode = { kind: 'app' } | { kind: 'recovery'; left: number }

export async function spendCode(
  open: OpenTransaction,
  parts: Parts,
  owner: Owner,
  code: string,
): Promise<UsedCode | undefined> {
  if (await spendTotpCode(open, parts.secrets, owner.id, code)) return { kind: 'app' }
  const used = await open.query(sql`
    delete from recovery_codes where account_id = ${owner.id} and code_hash = ${hashOf(owner.id, code)} returning 1`)
  if (used.length === 0) return undefined
  const [row] = await open.query<{ left: number }>(sql`
    select count(*) as left from recovery_codes where account_id = ${owner.id}`)
  const left = row?.left ?? 0
  await tellOwner(open, parts, owner, 'recovered', left)
  return { kind: 'recovery', left }
}

/** Tells the account's organizations of a recovery code; a code of the app is nothing to tell. */
export async function auditCodeUse(
  memberships: readonly EnteredMembership[],
  client: Client,
  used: UsedCode,
): Promise<void> {
  if (used.kind !== 'recovery') return
  const changes = [{ field: 'left', to: String(used.left) }]
  await auditAccount(memberships, { client }, { action: 'member.recovery_code_used', changes })
}

/** One statement checks that the code's time step is unused, and records it. */
async function spendTotpCode(
  db: Queryable & { now(): number },
  secrets: Secrets,
  accountId: string,
  code: string,
) {
  const [row] = await db.query<{ secret: Buffer }>(sql`
    select secret from second_factors where account_id = ${accountId}`)
  const step = row && matchingStep(secrets.decrypt(row.secret, contextOf(accountId)), code, db.now())
  if (step === undefined) return false
  const used = await db.query(sql`
    update second_factors set last_step = ${step} where account_id = ${accountId} and last_step < ${step} returning 1`)
  return used.length > 0
}

const contextOf = (accountId: string) => `second factor:${accountId}`

/** Ignores dashes, spaces and case, as people type codes. A code has 80 bits, so the account id is salt enough. */
const hashOf = (accountId: string, code: string): Buffer =>
  sha256(`${accountId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)

const MAILS = {
  enabled: {
    subject: 'Your account on Parley has a second factor',
    text: 'Signing in now requires a code from your authenticator app. All other sessions were signed out.',
  },
  disabled: {
    subject: 'The second factor of your account on Parley was removed',
    text: 'Signing in now requires only your password.',
  },
  reset: {
    subject: 'The second factor of your account on Parley was removed',
    text: 'An admin or the operator of the server did this. Signing in now requires only your password. All sessions were signed out.',
  },
  recovered: {
    subject: 'A recovery code of your account on Parley was used',
    text: 'Someone signed in or changed the second factor with a recovery code instead of a code from the app.',
  },
} as const

async function tellOwner(
  open: OpenTransaction,
  { secrets, config }: Parts,
  { email }: Owner,
  what: keyof typeof MAILS,
  left?: number,
): Promise<void> {
  const { subject, text } = MAILS[what]
  await queueMail(open, secrets, {
    to: email,
    subject,
    text: mailWords`This is about your account ${asIs(email)} on ${asIs(config.baseUrl)}.

${asIs(text)}${asIs(left === undefined ? '' : ` Recovery codes left: ${left}.`)}

If this was not you, change your password and check your account now:

${asIs(config.baseUrl)}/account
`,
  })
}
