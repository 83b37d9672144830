import * as contract from '../../../../contract/people/session.ts'
import {
  changeOwnPassword,
  prepareOwnPassword,
  preparePasswordReset,
  readOwnAccount,
  requestPasswordReset,
  resetPassword,
} from '../../../actions/accounts/passwords.ts'
import { enterWithPassword } from '../../../actions/accounts/sign-in.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { emailKey } from '../../../text.ts'
import { answerEntered } from './entering.ts'
import { type AccountLimits, attemptOf } from './limits.ts'

export function passwordRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.requestPasswordReset, async ({ body: { email }, parley, visitor }) => {
    limits.resets.count({ address: visitor.client.address, account: emailKey(email) })
    const isKnownBrowser = knownBrowser(parley.secrets, visitor, email) !== undefined
    const account = await parley.db.transaction((open) =>
      requestPasswordReset(open, parley, email, { isKnownBrowser }),
    )
    if (account) parley.attemptNotes.note('member.password_reset_requested', account.id, visitor.client)
    return noContent()
  })

  people.anyone(contract.resetPassword, async ({ body: { token, password }, parley, visitor, reply }) => {
    const entered = await limits.guesses.watch(visitor.client, async () => {
      const prepared = await preparePasswordReset(parley, { token, password })
      return parley.db.transaction(async (open) => {
        const account = await resetPassword(open, parley, visitor.client, { token, ...prepared })
        return enterWithPassword(open, parley, visitor, account)
      })
    })
    return ok(await answerEntered(parley, visitor, reply, entered))
  })

  people.account(contract.changePassword, async ({ body, signedIn, transact, parley, visitor }) => {
    const account = await readOwnAccount(parley, signedIn)
    await limits.passwords.watch(attemptOf(parley, visitor, signedIn), async () => {
      const hash = await prepareOwnPassword(parley, account, body)
      await transact((open) => changeOwnPassword(open, parley, signedIn, { account, hash }))
    })
    return noContent()
  })
}
