import type { FastifyRequest } from 'fastify'
import * as contract from '../../../../contract/people/session.ts'
import { changePassword, lockProved, noteProof, setPassword } from '../../../actions/accounts.ts'
import { findInvitation, type Invitation, joinAsMember } from '../../../actions/invitations.ts'
import { checkPassword } from '../../../auth/password-rules.ts'
import { hashPassword, isPassword } from '../../../auth/passwords.ts'
import { findSession, giveCookie, replaceSession } from '../../../auth/sessions.ts'
import type { Queryable } from '../../../db/database.ts'
import { badRequest, Refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentSession } from '../../../presenters/accounts.ts'
import { type AccountRow, findAccount } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import type { AccountLimits } from './limits.ts'
import { WRONG } from './sessions.ts'

export function invitationRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.lookAtInvitation, ({ body: { token }, parley, request }) =>
    limits.guesses.watch(request.ip, undefined, async () => {
      const { invitation, account } = await openInvitation(parley.db, token, parley.clock())
      const { organization: organizationName, name, email } = invitation
      return ok({ organizationName, name, email, hasAccount: mustProve(account) })
    }),
  )

  people.anyone(contract.acceptInvitation, async ({ body, parley, request, reply }) => {
    const { db, config, clock } = parley
    const { invitation, account } = await limits.guesses.watch(request.ip, undefined, () =>
      openInvitation(db, body.token, clock()),
    )
    const { accountId, orgId, profileId } = invitation
    const prove = () => hashOrProof(parley, request, invitation, account, body.password)
    const hash = await limits.passwords.watch(request.ip, emailKey(account.email), prove)
    const session = await db.write(orgId, async (tx) => {
      // Both may have changed while the password was looked at.
      if (!(await findInvitation(tx, body.token, tx.now()))) throw new Refusal(403, contract.LINK_REFUSAL)
      const now = await lockProved(tx, account)
      const isSame = now?.canSignIn === account.canSignIn && now.isActive === account.isActive
      if (!isSame) throw new Refusal(401, WRONG)
      if (hash !== undefined && account.canSignIn) await changePassword(tx, parley, account, { hash })
      else if (hash !== undefined) await setPassword(tx, accountId, hash)
      if (hash !== undefined) await noteProof(tx, accountId, { isProven: !invitation.byHand })
      await joinAsMember(tx, profileId, body.name)
      return replaceSession(parley, tx, request, accountId)
    })
    giveCookie(reply, config, session)
    return ok(await presentSession(parley, { accountId, email: account.email }))
  })
}

/** Unknown, used and expired look the same: a stranger learns nothing from the difference. */
async function openInvitation(db: Queryable, token: string, now: number) {
  const invitation = await findInvitation(db, token, now)
  const account = invitation && (await findAccount(db, invitation.accountId))
  if (!account) throw new Refusal(403, contract.LINK_REFUSAL)
  return { invitation, account }
}

/**
 * A link proves that somebody reads an address, and that is enough to make an account of it, or to come back to one that
 * nobody can sign in to, since it is active nowhere. It is not enough to come into one that is in use.
 */
const mustProve = ({ canSignIn, isActive }: AccountRow): boolean => canSignIn && isActive

/** Looks at what the account is signed in with, or gives back the password that it will have. */
async function hashOrProof(
  parley: Parley,
  request: FastifyRequest,
  { organization }: Invitation,
  account: AccountRow,
  password: string | undefined,
): Promise<string | undefined> {
  if (mustProve(account)) {
    const signedIn = await findSession(parley, request)
    if (signedIn?.accountId === account.id) return undefined
    if (password === undefined || !(await isPassword(password, account.password)))
      throw new Refusal(401, WRONG)
    return undefined
  }
  if (password === undefined) throw badRequest('password is required')
  checkPassword(password, { email: account.email, organizations: [organization] })
  return hashPassword(password)
}
