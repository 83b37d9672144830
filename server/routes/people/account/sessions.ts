import * as contract from '../../../../contract/people/session.ts'
import { lockProved, upgradeHash } from '../../../actions/accounts.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import { hashPassword, isOutdated, isPassword } from '../../../auth/passwords.ts'
import { endSession, endSessionOf, endSessions, findSession } from '../../../auth/sessions.ts'
import { notFound, Refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { clearCookie } from '../../../http/cookies.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { renewCookie } from '../../../http/session-cookies.ts'
import { findAccountByEmail, readAccount } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import { answerEntered, enterWithPassword, sessionOf } from './entering.ts'
import type { AccountLimits } from './limits.ts'

export const WRONG = 'wrong e-mail address or password'

export function sessionRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.readSession, async ({ parley, visitor, reply }) => {
    const signedIn = await findSession(parley, visitor)
    if (signedIn) renewCookie(reply, parley.config, visitor)
    return ok(await sessionOf(parley, signedIn))
  })

  people.anyone(contract.signIn, async ({ body: { email, password }, parley, visitor, reply }) => {
    const {
      db,
      config: { passwordCost },
      attemptNotes,
    } = parley
    const browser = knownBrowser(parley.secrets, visitor, email)
    const attempt = { address: visitor.client.address, account: emailKey(email), knownBrowser: browser }
    const entered = await limits.passwords.watch(attempt, async () => {
      const found = await findAccountByEmail(db, email)
      const isRight = await isPassword(password, found?.password, passwordCost, browser !== undefined)
      if (found && !isRight) attemptNotes.note('member.sign_in_failed', found.id, visitor.client)
      if (!found?.isActive || !found.password || !isRight) throw new Refusal(401, WRONG)
      const stronger = isOutdated(found.password, passwordCost)
        ? await hashPassword(password, passwordCost)
        : undefined
      return db.transaction(async (open) => {
        const account = await lockProved(open, found)
        if (!account) throw new Refusal(401, WRONG)
        if (stronger !== undefined) await upgradeHash(open, account.id, stronger)
        return enterWithPassword(open, parley, visitor, account)
      })
    })
    return ok(await answerEntered(parley, visitor, reply, entered))
  })

  people.anyone(contract.signOut, async ({ parley, visitor, reply }) => {
    if (visitor.sessionToken !== undefined) await endSessionOf(parley.db, visitor.sessionToken)
    clearCookie(reply, parley.config, 'session')
    return noContent()
  })

  people.account(contract.readAccount, async ({ signedIn, parley: { db, clock } }) =>
    ok(await readAccount(db, signedIn, clock())),
  )

  people.account(contract.endSession, async ({ params: { sessionId }, signedIn, parley: { db } }) => {
    const isOver = await endSession(db, signedIn.accountId, sessionId)
    if (!isOver) throw notFound('Session not found')
    return noContent()
  })

  people.account(contract.endOtherSessions, async ({ signedIn, parley: { db } }) => {
    await endSessions(db, signedIn.accountId, signedIn.sessionId)
    return noContent()
  })
}
