import * as contract from '../../../../contract/people/second-factor.ts'
import { SIGN_IN_AGAIN } from '../../../../contract/people/session.ts'
import { auditAccount, enterMemberships } from '../../../actions/account-audit.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  makeRecoveryCodes,
  spendCode,
  startSecondFactor,
  type UsedCode,
} from '../../../actions/second-factors.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import { peekAtToken, takeToken } from '../../../auth/one-time-tokens.ts'
import { isPassword } from '../../../auth/passwords.ts'
import { isFresh, isOpenSession, replaceSession, type SignedIn } from '../../../auth/sessions.ts'
import { base32, totpAddress } from '../../../auth/totp.ts'
import type { Visitor } from '../../../caller.ts'
import type { OpenTransaction } from '../../../db/transaction.ts'
import { badRequest, Refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { clearCookie, readCookie } from '../../../http/cookies.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { findAccount, lockAccount } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import { answerEntered } from './entering.ts'
import type { AccountLimits } from './limits.ts'

/** The second step of signing in, and what people do about their own second factor. */
export function secondFactorRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.finishSignIn, async ({ body: { code }, parley, visitor, request, reply }) => {
    const { db, config, clock } = parley
    const token = readCookie(request, config, 'second_factor') ?? ''
    const pending = await peekAtToken(db, 'second factor', token, clock())
    const owner = pending?.accountId ? await findAccount(db, pending.accountId) : undefined
    if (!owner) throw new Refusal(401, contract.CODE_TOO_LATE)
    const session = await limits.codes.watch(attemptOf(parley, visitor, owner), () =>
      db
        .transaction(async (open) => {
          const memberships = await enterMemberships(open, owner.id)
          const account = await lockAccount(open, owner.id)
          const used = account?.isActive ? await spendCode(open, parley, account, code) : undefined
          if (!account || !used) throw new Refusal(401, contract.WRONG_CODE)
          if (!(await takeToken(open, 'second factor', token, clock())))
            throw new Refusal(401, contract.CODE_TOO_LATE)
          await auditUse(memberships, visitor, used)
          return replaceSession(open, parley, visitor, account, 'code')
        })
        .catch((error: unknown) => {
          if (error instanceof Refusal && error.message === contract.WRONG_CODE) {
            const step = [{ field: 'step', to: 'code' }]
            parley.attemptNotes.note('member.sign_in_failed', owner.id, visitor.client, step)
          }
          throw error
        }),
    )
    clearCookie(reply, config, 'second_factor')
    return ok(await answerEntered(parley, visitor, reply, session))
  })

  people.account(contract.startSecondFactor, async ({ body: { password }, signedIn, parley, visitor }) => {
    const { db, config, secrets, clock } = parley
    if (!isFresh(signedIn, clock())) {
      if (password === undefined) throw new Refusal(403, SIGN_IN_AGAIN)
      await limits.passwords.watch(attemptOf(parley, visitor, signedIn), async () => {
        const account = await findAccount(db, signedIn.accountId)
        if (!(await isPassword(password, account?.password, config.passwordCost)))
          throw new Refusal(403, 'wrong password')
      })
    }
    const secret = await db.transaction((open) => startSecondFactor(open, secrets, signedIn.accountId))
    const server = new URL(config.baseUrl).host
    return ok({
      secret: base32(secret),
      address: totpAddress(secret, { account: signedIn.email, server }),
    })
  })

  people.account(contract.enableSecondFactor, async ({ body: { code }, signedIn, parley, visitor }) => {
    const recoveryCodes = await limits.codes.watch(attemptOf(parley, visitor, signedIn), () =>
      parley.db.transaction(async (open) => {
        const memberships = await enterMemberships(open, signedIn.accountId)
        const codes = await enableSecondFactor(open, parley, signedIn, code)
        await auditAccount(memberships, signedIn, { action: 'member.second_factor_enabled' })
        return codes
      }),
    )
    return ok({ recoveryCodes })
  })

  people.account(contract.disableSecondFactor, async ({ body, signedIn, parley, visitor }) => {
    await proved(parley, visitor, signedIn, body.code, async (open, memberships) => {
      await disableSecondFactor(open, parley, { id: signedIn.accountId, email: signedIn.email })
      await auditAccount(memberships, signedIn, { action: 'member.second_factor_disabled' })
    })
    return noContent()
  })

  people.account(contract.renewRecoveryCodes, async ({ body, signedIn, parley, visitor }) => {
    const recoveryCodes = await proved(parley, visitor, signedIn, body.code, async (open, memberships) => {
      await auditAccount(memberships, signedIn, { action: 'member.recovery_codes_renewed' })
      return makeRecoveryCodes(open, signedIn.accountId)
    })
    return ok({ recoveryCodes })
  })

  type Memberships = Awaited<ReturnType<typeof enterMemberships>>

  /** Does `work` for who has just signed in, or gives a code: a session that was stolen is not enough. */
  function proved<Result>(
    parley: Parley,
    visitor: Visitor,
    signedIn: SignedIn,
    code: string | undefined,
    work: (open: OpenTransaction, memberships: Memberships) => Promise<Result>,
  ): Promise<Result> {
    const needsCode = !isFresh(signedIn, parley.clock())
    if (needsCode && code === undefined) throw new Refusal(403, SIGN_IN_AGAIN)
    return limits.codes.watch(attemptOf(parley, visitor, signedIn), () =>
      parley.db.transaction(async (open) => {
        const memberships = await enterMemberships(open, signedIn.accountId)
        const account = await lockAccount(open, signedIn.accountId)
        if (!account || !(await isOpenSession(open, signedIn))) throw new Refusal(401, 'sign in first')
        if (!account.hasSecondFactor) throw badRequest(contract.NONE_SET_UP)
        if (needsCode) {
          const used = await spendCode(open, parley, account, code ?? '')
          if (!used) throw new Refusal(403, contract.WRONG_CODE)
          await auditUse(memberships, visitor, used)
        }
        return work(open, memberships)
      }),
    )
  }
}

const attemptOf = (parley: Parley, visitor: Visitor, { email }: { email: string }) => ({
  address: visitor.client.address,
  account: emailKey(email),
  knownBrowser: knownBrowser(parley.secrets, visitor, email),
})

async function auditUse(
  memberships: Awaited<ReturnType<typeof enterMemberships>>,
  visitor: Visitor,
  used: UsedCode,
): Promise<void> {
  if (used.kind !== 'recovery') return
  await auditAccount(
    memberships,
    { client: visitor.client },
    { action: 'member.recovery_code_used', changes: [{ field: 'left', to: String(used.left) }] },
  )
}
