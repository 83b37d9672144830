import { LIMITS } from '../../../contract/limits.ts'
import { knownBrowser } from '../../auth/known-browsers.ts'
import { issueToken, peekAtToken, takeToken } from '../../auth/one-time-tokens.ts'
import { hashPassword, isOutdated, isPassword } from '../../auth/passwords.ts'
import { type NewSession, replaceSession } from '../../auth/sessions.ts'
import type { Visitor } from '../../caller.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  lockAccount,
} from '../../queries/accounts/accounts.ts'
import { enterMemberships } from './account-audit.ts'
import { lockProved } from './accounts.ts'
import { upgradeHash } from './passwords.ts'
import { auditCodeUse, spendCode } from './second-factors.ts'

export const WRONG_SIGN_IN = 'wrong e-mail address or password'
export const SECONDS_FOR_CODE = LIMITS.secondFactorMinutes * 60

/** A session, or a token for the code that comes next. */
export type Entered = NewSession | { codeToken: string }

/** The owner of a right password, and a new hash of it if the kept one was made with less work. */
export type ProvedPassword = { account: AccountRow; strongerHash: string | undefined }

/** Compares the password before the transaction that lets in: a quarter of a second in which nothing is locked. */
export async function provePassword(
  {
    db,
    config: { passwordCost },
    secrets,
    attemptNotes,
  }: Pick<Parley, 'attemptNotes' | 'config' | 'db' | 'secrets'>,
  visitor: Visitor,
  { email, password }: { email: string; password: string },
): Promise<ProvedPassword> {
  const isKnownBrowser = knownBrowser(secrets, visitor, email) !== undefined
  const account = await findAccountByEmail(db, email)
  const isRight = await isPassword(password, account?.password, passwordCost, isKnownBrowser)
  if (account && !isRight) attemptNotes.note('member.sign_in_failed', account.id, visitor.client)
  if (!account?.isActive || !account.password || !isRight) throw refusal('sign_in_wrong')
  const isWeak = isOutdated(account.password, passwordCost)
  return { account, strongerHash: isWeak ? await hashPassword(password, passwordCost) : undefined }
}

export async function signInWithPassword(
  open: OpenTransaction,
  parley: Pick<Parley, 'clock'>,
  visitor: Visitor,
  { account: proved, strongerHash }: ProvedPassword,
): Promise<Entered> {
  const account = await lockProved(open, proved)
  if (!account) throw refusal('sign_in_wrong')
  if (strongerHash !== undefined) await upgradeHash(open, account.id, strongerHash)
  return enterWithPassword(open, parley, visitor, account)
}

/** The result of a password or a link: a session, or the second step if the account has a second factor. */
export async function enterWithPassword(
  open: OpenTransaction,
  parley: Pick<Parley, 'clock'>,
  visitor: Visitor,
  account: AccountRow,
  keeper: 'password' | 'directory' = 'password',
): Promise<Entered> {
  if (!account.hasSecondFactor) return replaceSession(open, parley, visitor, account, keeper)
  const codeToken = await issueToken(open, {
    purpose: 'second factor',
    accountId: account.id,
    data: { keeper },
    expiresAt: open.now() + SECONDS_FOR_CODE * 1000,
  })
  return { codeToken }
}

/** The account that this browser's token awaits a code for. */
export async function findAwaited(
  { db, clock }: Pick<Parley, 'clock' | 'db'>,
  token: string,
): Promise<AccountRow> {
  const pending = await peekAtToken(db, 'second factor', token, clock())
  const account = pending?.accountId ? await findAccount(db, pending.accountId) : undefined
  if (!account) throw refusal('sign_in_code_late')
  return account
}

/** The second step: a right code uses up the token of the first. */
export async function signInWithCode(
  open: OpenTransaction,
  parley: Pick<Parley, 'attemptNotes' | 'clock' | 'config' | 'secrets'>,
  visitor: Visitor,
  { accountId, token, code }: { accountId: string; token: string; code: string },
): Promise<NewSession> {
  const memberships = await enterMemberships(open, accountId)
  const account = await lockAccount(open, accountId)
  const used = account?.isActive ? await spendCode(open, parley, account, code) : undefined
  if (!account || !used) {
    const step = [{ field: 'step', to: 'code' }]
    parley.attemptNotes.note('member.sign_in_failed', accountId, visitor.client, step)
    throw refusal('sign_in_code_wrong')
  }
  const taken = await takeToken(open, 'second factor', token, open.now())
  if (!taken) throw refusal('sign_in_code_late')
  await auditCodeUse(memberships, visitor.client, used)
  const signedInWith = taken.data.keeper === 'directory' ? 'directory-code' : 'code'
  return replaceSession(open, parley, visitor, account, signedInWith)
}
