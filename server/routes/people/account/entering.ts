import type { FastifyReply } from 'fastify'
import type { Session } from '../../../../contract/people/session.ts'
import { type Entered, SECONDS_FOR_CODE } from '../../../actions/accounts/sign-in.ts'
import type { NewSession } from '../../../auth/sessions.ts'
import type { Visitor } from '../../../caller.ts'
import { setCookie } from '../../../http/cookies.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import type { Parley } from '../../../parley.ts'
import { presentSession } from '../../../presenters/accounts.ts'
import { readSessionFacts } from '../../../queries/accounts/accounts.ts'

/** The first facts that pages need, about a person who has signed in or a visitor. */
export const sessionOf = async (
  parley: Pick<Parley, 'clock' | 'config' | 'db' | 'links'>,
  account: Omit<NewSession, 'token'> | undefined,
): Promise<Session> =>
  presentSession(parley, account, await readSessionFacts(parley.db, account, parley.clock()))

/** Sets the cookie after the commit, and returns the session for the pages. */
export async function answerEntered(
  parley: Pick<Parley, 'attemptNotes' | 'clock' | 'config' | 'db' | 'links' | 'secrets'>,
  visitor: Visitor,
  reply: FastifyReply,
  entered: Entered,
): Promise<Session> {
  if ('codeToken' in entered) {
    // The cookie ties the second step to this browser.
    setCookie(reply, parley.config, 'second_factor', entered.codeToken, SECONDS_FOR_CODE)
    return { ...(await sessionOf(parley, undefined)), codeRequired: true }
  }
  giveSession(parley, visitor, reply, entered)
  return sessionOf(parley, entered)
}
