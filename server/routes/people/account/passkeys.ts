import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '../../../../contract/people/session.ts'
import {
  addPasskey,
  provePasskey,
  refuseTooMany,
  removePasskey,
  signInWithPasskey,
} from '../../../actions/accounts/passkeys.ts'
import { issueToken, type Purpose, type TakenToken, takeToken } from '../../../auth/one-time-tokens.ts'
import { CHALLENGE_MS, creationOptions, requestOptions, verifyNewPasskey } from '../../../auth/passkeys.ts'
import { requireFresh } from '../../../auth/sessions.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { clearCookie, readCookie, setCookie } from '../../../http/cookies.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { giveSession } from '../../../http/session-cookies.ts'
import type { Parley } from '../../../parley.ts'
import { listPasskeys } from '../../../queries/accounts/passkeys.ts'
import { sessionOf } from './entering.ts'
import type { AccountLimits } from './limits.ts'

export function passkeyRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.account(contract.startPasskey, async ({ signedIn, transact, parley, visitor, reply }) => {
    requireFresh(signedIn, parley.clock())
    limits.challenges.count(visitor.client)
    const { accountId, email } = signedIn
    const existing = await listPasskeys(parley.db, accountId)
    refuseTooMany(existing)
    const options = await creationOptions(parley.config, { id: accountId, email }, existing)
    const { challenge } = options
    await transact((open) => keepChallenge(parley, open, reply, 'add passkey', { challenge, accountId }))
    return ok({ ...options })
  })

  people.account(contract.addPasskey, async ({ body, signedIn, transact, parley, request, reply }) => {
    const taken = await takeChallenge(parley, request, reply, 'add passkey')
    const isTheirs = taken?.accountId === signedIn.accountId
    const challenge = isTheirs ? taken.data.challenge : undefined
    const verified = challenge && (await verifyNewPasskey(parley.config, challenge, body.response))
    if (!verified) throw refusal('passkey_not_verified')
    const added = await transact((open) =>
      addPasskey(open, parley, signedIn, { passkey: verified, name: body.name }),
    )
    return created(added)
  })

  people.account(contract.removePasskey, async ({ params, signedIn, transact, parley }) => {
    const passkeyId = params.passkeyId.toLowerCase()
    await transact((open) => removePasskey(open, parley, signedIn, passkeyId))
    return noContent()
  })

  people.anyone(contract.startPasskeySignIn, async ({ parley, visitor, reply }) => {
    limits.challenges.count(visitor.client)
    const options = await requestOptions(parley.config)
    const { challenge } = options
    await keepChallenge(parley, parley.db, reply, 'passkey sign-in', { challenge })
    return ok({ ...options })
  })

  people.anyone(
    contract.signInWithPasskey,
    async ({ body: { response }, parley, visitor, request, reply }) => {
      const session = await limits.guesses.watch(visitor.client, async () => {
        const challenge = (await takeChallenge(parley, request, reply, 'passkey sign-in'))?.data.challenge
        const proved = await provePasskey(parley, visitor, { challenge, response })
        return parley.db.transaction((open) => signInWithPasskey(open, parley, visitor, proved))
      })
      giveSession(parley, visitor, reply, session)
      return ok(await sessionOf(parley, session))
    },
  )
}

/** The challenge is for this browser alone: only its cookie finds it again, once. */
async function keepChallenge(
  { config, clock }: Pick<Parley, 'clock' | 'config'>,
  db: Queryable,
  reply: FastifyReply,
  purpose: Purpose,
  { challenge, accountId }: { challenge: string; accountId?: string },
): Promise<void> {
  const expiresAt = clock() + CHALLENGE_MS
  const token = await issueToken(db, { purpose, accountId, data: { challenge }, expiresAt })
  setCookie(reply, config, 'passkey', token, CHALLENGE_MS / 1000)
}

async function takeChallenge(
  { db, config, clock }: Pick<Parley, 'clock' | 'config' | 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<TakenToken | undefined> {
  const token = readCookie(request, config, 'passkey')
  if (token === undefined) return undefined
  clearCookie(reply, config, 'passkey')
  return takeToken(db, purpose, token, clock())
}
