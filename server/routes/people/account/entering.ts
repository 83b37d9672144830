import type { FastifyReply } from 'fastify'
import { LIMITS } from '../../../../contract/limits.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { issueToken } from '../../../auth/one-time-tokens.ts'
import { type NewSession, replaceSession } from '../../../auth/sessions.ts'
import type { Visitor } from '../../../caller.ts'
import type { OpenTransaction } from '../../../db/transaction.ts'
import { setCookie } from '../../../http/cookies.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import type { Parley } from '../../../parley.ts'
import { presentSession } from '../../../presenters/accounts.ts'
import { type AccountRow, readSessionFacts } from '../../../queries/accounts.ts'

const SECONDS_FOR_CODE = LIMITS.secondFactorMinutes * 60

/** A session, or a token for the code that comes next. */
export type Entered = NewSession | { codeToken: string }

/** What a password or a link opens: a session, or the second step where the account has a second factor. */
export async function enterWithPassword(
  open: OpenTransaction,
  parley: Parley,
  visitor: Visitor,
  account: AccountRow,
): Promise<Entered> {
  if (!account.hasSecondFactor) return replaceSession(open, parley, visitor, account, 'password')
  const codeToken = await issueToken(open, {
    purpose: 'second factor',
    accountId: account.id,
    expiresAt: open.now() + SECONDS_FOR_CODE * 1000,
  })
  return { codeToken }
}

/** What the pages need to know first, of who has signed in or of a visitor. */
export const sessionOf = async (
  parley: Parley,
  account: Omit<NewSession, 'token'> | undefined,
): Promise<Session> => presentSession(parley, account, await readSessionFacts(parley.db, account))

/** Once it is committed: the cookie, and what the pages need to know. */
export async function answerEntered(
  parley: Parley,
  visitor: Visitor,
  reply: FastifyReply,
  entered: Entered,
): Promise<Session> {
  if ('codeToken' in entered) {
    // Only this browser can go on, and only with its cookie.
    setCookie(reply, parley.config, 'second_factor', entered.codeToken, SECONDS_FOR_CODE)
    return { ...(await sessionOf(parley, undefined)), codeRequired: true }
  }
  giveSession(parley, visitor, reply, entered)
  return sessionOf(parley, entered)
}
