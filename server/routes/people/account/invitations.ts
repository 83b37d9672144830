import * as contract from '../../../../contract/people/session.ts'
import { changePassword, lockProved, noteProof, setPassword } from '../../../actions/accounts.ts'
import { findInvitation, type Invitation, joinAsMember } from '../../../actions/invitations.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import { checkPassword } from '../../../auth/password-rules.ts'
import { hashPassword, isPassword } from '../../../auth/passwords.ts'
import { findSession, isOpenSession, type SignedIn } from '../../../auth/sessions.ts'
import type { Visitor } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { badRequest, Refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { type AccountRow, findAccount } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import { answerEntered, enterWithPassword, sessionOf } from './entering.ts'
import type { AccountLimits } from './limits.ts'
import { WRONG } from './sessions.ts'

export function invitationRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.lookAtInvitation, ({ body: { token }, parley, visitor }) =>
    limits.guesses.watch({ address: visitor.client.address }, async () => {
      const { invitation, account } = await openInvitation(parley.db, token, parley.clock())
      const { organization: organizationName, name, email } = invitation
      return ok({ organizationName, name, email, hasAccount: mustProve(account) })
    }),
  )

  people.anyone(contract.acceptInvitation, async ({ body, parley, visitor, reply }) => {
    const { db, clock } = parley
    const { invitation, account } = await limits.guesses.watch({ address: visitor.client.address }, () =>
      openInvitation(db, body.token, clock()),
    )
    const { accountId, orgId, profileId } = invitation
    const session = await findSession(parley, visitor)
    const signedIn = session?.accountId === accountId ? session : undefined
    const attempt = {
      address: visitor.client.address,
      account: emailKey(account.email),
      knownBrowser: knownBrowser(parley.secrets, visitor, account.email),
    }
    const prove = () => hashOrProof(parley, visitor, { invitation, account, signedIn }, body.password)
    const hash = await limits.passwords.watch(attempt, prove)
    const entered = await db.write(orgId, async (tx) => {
      // All of it may have changed while the password was looked at.
      if (!(await findInvitation(tx, body.token, tx.now()))) throw new Refusal(403, contract.LINK_REFUSAL)
      const now = await lockProved(tx, account)
      const isSame = now?.canSignIn === account.canSignIn && now.isActive === account.isActive
      if (!isSame || (signedIn && !(await isOpenSession(tx, signedIn)))) throw new Refusal(401, WRONG)
      if (hash !== undefined && account.canSignIn) await changePassword(tx, parley, account, { hash })
      else if (hash !== undefined) await setPassword(tx, accountId, hash)
      if (hash !== undefined) await noteProof(tx, accountId, { isProven: !invitation.byHand })
      await joinAsMember(tx, profileId, body.name)
      // Whoever is signed in stays so, by whatever proved it.
      return signedIn ?? enterWithPassword(tx, parley, visitor, now)
    })
    if ('sessionId' in entered) return ok(await sessionOf(parley, entered))
    return ok(await answerEntered(parley, visitor, reply, entered))
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

type Joining = { invitation: Invitation; account: AccountRow; signedIn: SignedIn | undefined }

/** Looks at what the account is signed in with, or gives back the password that it will have. */
async function hashOrProof(
  { config: { passwordCost }, attemptNotes }: Parley,
  visitor: Visitor,
  { invitation, account, signedIn }: Joining,
  password: string | undefined,
): Promise<string | undefined> {
  if (mustProve(account)) {
    if (signedIn) return undefined
    if (password !== undefined && (await isPassword(password, account.password, passwordCost)))
      return undefined
    attemptNotes.note('member.sign_in_failed', account.id, visitor.client)
    throw new Refusal(401, WRONG)
  }
  if (password === undefined) throw badRequest('password is required')
  checkPassword(password, { email: account.email, organizations: [invitation.organization] })
  return hashPassword(password, passwordCost)
}
