import * as contract from '../../../../contract/people/session.ts'
import { lockProved } from '../../../actions/accounts.ts'
import { isPassword } from '../../../auth/passwords.ts'
import {
  endSession,
  endSessions,
  findSession,
  giveCookie,
  renewCookie,
  replaceSession,
  signOut,
} from '../../../auth/sessions.ts'
import { notFound, Refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentSession } from '../../../presenters/accounts.ts'
import { findAccountByEmail, readAccount } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import type { AccountLimits } from './limits.ts'

export const WRONG = 'wrong e-mail address or password'

export function sessionRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.readSession, async ({ parley, request, reply }) => {
    const signedIn = await findSession(parley, request)
    if (signedIn) renewCookie(reply, parley.config, request)
    return ok(await presentSession(parley, signedIn))
  })

  people.anyone(contract.signIn, async ({ body: { email, password }, parley, request, reply }) => {
    const { db, config } = parley
    const { token, account } = await limits.passwords.watch(request.ip, emailKey(email), async () => {
      const found = await findAccountByEmail(db, email)
      const isRight = await isPassword(password, found?.password)
      if (!found?.isActive || !isRight) throw new Refusal(401, WRONG)
      return db.writeOutside(async (open) => {
        const account = await lockProved(open, found)
        if (!account) throw new Refusal(401, WRONG)
        return { account, token: await replaceSession(parley, open, request, account.id) }
      })
    })
    giveCookie(reply, config, token)
    return ok(await presentSession(parley, { accountId: account.id, email: account.email }))
  })

  people.anyone(contract.signOut, async ({ parley, request, reply }) => {
    await signOut(parley, request, reply)
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
