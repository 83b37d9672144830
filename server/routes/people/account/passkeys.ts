import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '../../../../contract/people/session.ts'
import { auditAccount, enterMemberships } from '../../../actions/account-audit.ts'
import { addPasskey, countPasskeyUse, refuseTooMany, removePasskey } from '../../../actions/passkeys.ts'
import { issueToken, type Purpose, type TakenToken, takeToken } from '../../../auth/one-time-tokens.ts'
import {
  CHALLENGE_MS,
  creationOptions,
  requestOptions,
  verifyNewPasskey,
  verifyPasskey,
} from '../../../auth/passkeys.ts'
import { replaceSession, requireFresh } from '../../../auth/sessions.ts'
import { badRequest, Refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { clearCookie, readCookie, setCookie } from '../../../http/cookies.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import type { Parley } from '../../../parley.ts'
import { lockAccount } from '../../../queries/accounts.ts'
import { findPasskey, listPasskeys } from '../../../queries/passkeys.ts'
import { sessionOf } from './entering.ts'
import type { AccountLimits } from './limits.ts'

const WRONG = 'the passkey could not be verified'

export function passkeyRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.account(contract.startPasskey, async ({ signedIn, parley, visitor, reply }) => {
    requireFresh(signedIn, parley.clock())
    limits.challenges.count({ address: visitor.client.address })
    const { accountId, email } = signedIn
    const existing = await listPasskeys(parley.db, accountId)
    refuseTooMany(existing)
    const options = await creationOptions(parley.config, { id: accountId, email }, existing)
    await keepChallenge(parley, reply, 'add passkey', options.challenge, accountId)
    return ok({ ...options })
  })

  people.account(contract.addPasskey, async ({ body, signedIn, parley, request, reply }) => {
    const taken = await takeChallenge(parley, request, reply, 'add passkey')
    const isTheirs = taken?.accountId === signedIn.accountId
    const challenge = isTheirs ? taken.data.challenge : undefined
    const verified = challenge && (await verifyNewPasskey(parley.config, challenge, body.response))
    if (!verified) throw badRequest(WRONG)
    const added = await parley.db.transaction(async (open) => {
      const memberships = await enterMemberships(open, signedIn.accountId)
      const passkey = await addPasskey(open, parley, signedIn, { passkey: verified, name: body.name })
      if (passkey) await auditAccount(memberships, signedIn, { action: 'member.passkey_added' })
      return passkey
    })
    if (!added) throw badRequest(WRONG)
    return created(added)
  })

  people.account(contract.removePasskey, async ({ params, signedIn, parley }) => {
    const passkeyId = params.passkeyId.toLowerCase()
    await parley.db.transaction(async (open) => {
      const memberships = await enterMemberships(open, signedIn.accountId)
      await removePasskey(open, parley, signedIn, passkeyId)
      await auditAccount(memberships, signedIn, { action: 'member.passkey_removed' })
    })
    return noContent()
  })

  people.anyone(contract.startPasskeySignIn, async ({ parley, visitor, reply }) => {
    limits.challenges.count({ address: visitor.client.address })
    const options = await requestOptions(parley.config)
    await keepChallenge(parley, reply, 'passkey sign-in', options.challenge)
    return ok({ ...options })
  })

  people.anyone(
    contract.signInWithPasskey,
    async ({ body: { response }, parley, visitor, request, reply }) => {
      const { db, config, attemptNotes } = parley
      const session = await limits.guesses.watch({ address: visitor.client.address }, async () => {
        const challenge = (await takeChallenge(parley, request, reply, 'passkey sign-in'))?.data.challenge
        const passkey = await findPasskey(db, response.id)
        const counter = challenge && passkey && (await verifyPasskey(config, challenge, passkey, response))
        if (passkey && typeof counter !== 'number')
          attemptNotes.note('member.sign_in_failed', passkey.accountId, visitor.client)
        if (!passkey || typeof counter !== 'number') throw new Refusal(401, WRONG)
        return db.transaction(async (open) => {
          const account = await lockAccount(open, passkey.accountId)
          const isRight = account?.isActive && (await countPasskeyUse(open, passkey, counter))
          if (!isRight) throw new Refusal(401, WRONG)
          return replaceSession(open, parley, visitor, account, 'passkey')
        })
      })
      giveSession(parley, visitor, reply, session)
      return ok(await sessionOf(parley, session))
    },
  )
}

/** The challenge is for this browser alone: only its cookie finds it again, once. */
async function keepChallenge(
  { db, config, clock }: Parley,
  reply: FastifyReply,
  purpose: Purpose,
  challenge: string,
  accountId?: string,
): Promise<void> {
  const expiresAt = clock() + CHALLENGE_MS
  const token = await issueToken(db, { purpose, accountId, data: { challenge }, expiresAt })
  setCookie(reply, config, 'passkey', token, CHALLENGE_MS / 1000)
}

async function takeChallenge(
  { db, config, clock }: Parley,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<TakenToken | undefined> {
  const token = readCookie(request, config, 'passkey')
  if (token === undefined) return undefined
  clearCookie(reply, config, 'passkey')
  return takeToken(db, purpose, token, clock())
}
