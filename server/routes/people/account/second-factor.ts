import * as contract from '../../../../contract/people/second-factor.ts'
import { proveOwnPassword } from '../../../actions/accounts/passwords.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  requireFreshOrCode,
  startSecondFactor,
} from '../../../actions/accounts/second-factors.ts'
import { findAwaited, signInWithCode } from '../../../actions/accounts/sign-in.ts'
import { isFresh } from '../../../auth/sessions.ts'
import { base32, totpAddress } from '../../../auth/totp.ts'
import { refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { clearCookie, readCookie } from '../../../http/cookies.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { answerEntered } from './entering.ts'
import { type AccountLimits, attemptOf } from './limits.ts'

/** The second step of signing in, and what people do about their own second factor. */
export function secondFactorRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.finishSignIn, async ({ body: { code }, parley, visitor, request, reply }) => {
    const token = readCookie(request, parley.config, 'second_factor') ?? ''
    const account = await findAwaited(parley, token)
    const session = await limits.codes.watch(attemptOf(parley, visitor, account), () =>
      parley.db.transaction((open) =>
        signInWithCode(open, parley, visitor, { accountId: account.id, token, code }),
      ),
    )
    clearCookie(reply, parley.config, 'second_factor')
    return ok(await answerEntered(parley, visitor, reply, session))
  })

  people.account(
    contract.startSecondFactor,
    async ({ body: { password }, signedIn, transact, parley, visitor }) => {
      const { config, secrets, clock } = parley
      if (!isFresh(signedIn, clock())) {
        if (password === undefined) throw refusal('sign_in_again_required')
        await limits.passwords.watch(attemptOf(parley, visitor, signedIn), () =>
          proveOwnPassword(parley, signedIn, password),
        )
      }
      const secret = await transact((open) => startSecondFactor(open, secrets, signedIn.accountId))
      const server = new URL(config.baseUrl).host
      return ok({
        secret: base32(secret),
        address: totpAddress(secret, { account: signedIn.email, server }),
      })
    },
  )

  people.account(
    contract.enableSecondFactor,
    async ({ body: { code }, signedIn, transact, parley, visitor }) => {
      const recoveryCodes = await limits.codes.watch(attemptOf(parley, visitor, signedIn), () =>
        transact((open) => enableSecondFactor(open, parley, signedIn, code)),
      )
      return ok({ recoveryCodes })
    },
  )

  people.account(
    contract.disableSecondFactor,
    async ({ body: { code }, signedIn, transact, parley, visitor }) => {
      requireFreshOrCode(parley, signedIn, code)
      await limits.codes.watch(attemptOf(parley, visitor, signedIn), () =>
        transact((open) => disableSecondFactor(open, parley, signedIn, code)),
      )
      return noContent()
    },
  )

  people.account(
    contract.renewRecoveryCodes,
    async ({ body: { code }, signedIn, transact, parley, visitor }) => {
      requireFreshOrCode(parley, signedIn, code)
      const recoveryCodes = await limits.codes.watch(attemptOf(parley, visitor, signedIn), () =>
        transact((open) => renewRecoveryCodes(open, parley, signedIn, code)),
      )
      return ok({ recoveryCodes })
    },
  )
}
