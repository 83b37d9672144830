import * as contract from '../../../../contract/people/session.ts'
import { provePassword, signInWithPassword } from '../../../actions/accounts/sign-in.ts'
import { endSession, endSessionOf, endSessions, findSession } from '../../../auth/sessions.ts'
import type { OpenTransaction } from '../../../db/transaction.ts'
import { refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { clearCookie } from '../../../http/cookies.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { renewCookie } from '../../../http/session-cookies.ts'
import { readAccount } from '../../../queries/accounts/accounts.ts'
import { answerEntered, sessionOf } from './entering.ts'
import { type AccountLimits, attemptOf } from './limits.ts'

export function sessionRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.readSession, async ({ parley, visitor, reply }) => {
    const signedIn = await findSession(parley, visitor)
    if (signedIn) renewCookie(reply, parley.config, visitor)
    return ok(await sessionOf(parley, signedIn))
  })

  people.anyone(contract.signIn, async ({ body, parley, visitor, reply }) => {
    const entered = await limits.passwords.watch(attemptOf(parley, visitor, body), async () => {
      const proved = await provePassword(parley, visitor, body)
      return parley.db.transaction((open) => signInWithPassword(open, parley, visitor, proved))
    })
    return ok(await answerEntered(parley, visitor, reply, entered))
  })

  people.anyone(contract.signOut, async ({ parley, visitor, reply }) => {
    const { sessionToken } = visitor
    if (sessionToken !== undefined) await parley.db.transaction((open) => endSessionOf(open, sessionToken))
    clearCookie(reply, parley.config, 'session')
    return noContent()
  })

  people.account(contract.readAccount, async ({ signedIn, parley: { db, clock } }) =>
    ok(await readAccount(db, signedIn, clock())),
  )

  people.account(
    contract.endSession,
    async ({ params: { sessionId }, signedIn, transact, parley: { db } }) => {
      const end = (open: OpenTransaction) => endSession(open, signedIn.accountId, sessionId)
      const isOver = await (sessionId === signedIn.sessionId ? db.transaction(end) : transact(end))
      if (!isOver) throw refusal('session_not_found')
      return noContent()
    },
  )

  people.account(contract.endOtherSessions, async ({ signedIn, transact }) => {
    await transact((open) => endSessions(open, signedIn.accountId, signedIn.sessionId))
    return noContent()
  })
}
