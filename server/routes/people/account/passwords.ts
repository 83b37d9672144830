import * as contract from '../../../../contract/people/session.ts'
import { changePassword, lockProved, requestPasswordReset, resetPassword } from '../../../actions/accounts.ts'
import { peekAtToken } from '../../../auth/one-time-tokens.ts'
import { checkPassword } from '../../../auth/password-rules.ts'
import { hashPassword, isPassword } from '../../../auth/passwords.ts'
import { giveCookie, replaceSession, requireFresh } from '../../../auth/sessions.ts'
import type { Queryable } from '../../../db/database.ts'
import { Refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentSession } from '../../../presenters/accounts.ts'
import { type AccountRow, findAccount, listMemberships } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import type { AccountLimits } from './limits.ts'

const WRONG = 'wrong password'

export function passwordRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.requestPasswordReset, async ({ body: { email }, parley, request }) => {
    limits.resets.count(request.ip, emailKey(email))
    await parley.db.writeOutside((open) => requestPasswordReset(open, parley, email))
    return noContent()
  })

  people.anyone(contract.resetPassword, async ({ body: { token, password }, parley, request, reply }) => {
    const { db, config, clock } = parley
    const { account, session } = await limits.guesses.watch(request.ip, undefined, async () => {
      // Looked at first: a password that is refused must not cost the link.
      const known = await peekAtToken(db, 'password reset', token, clock())
      const owner = known?.accountId ? await findAccount(db, known.accountId) : undefined
      if (!owner) throw new Refusal(403, contract.LINK_REFUSAL)
      await checkForAccount(db, owner, password)
      const hash = await hashPassword(password)
      return db.writeOutside(async (open) => {
        const account = await resetPassword(open, parley, { token, hash })
        if (!account) throw new Refusal(403, contract.LINK_REFUSAL)
        return { account, session: await replaceSession(parley, open, request, account.id) }
      })
    })
    giveCookie(reply, config, session)
    return ok(await presentSession(parley, { accountId: account.id, email: account.email }))
  })

  people.account(contract.changePassword, async ({ body, signedIn, parley, request }) => {
    const { db, clock } = parley
    const known = await findAccount(db, signedIn.accountId)
    if (!known) throw new Error(`account ${signedIn.accountId} does not exist`)
    if (known.password === null) requireFresh(signedIn, clock())
    await limits.passwords.watch(request.ip, emailKey(signedIn.email), async () => {
      const isOwn = known.password === null || (await isPassword(body.currentPassword ?? '', known.password))
      if (!isOwn) throw new Refusal(403, WRONG)
      await checkForAccount(db, known, body.password)
      const hash = await hashPassword(body.password)
      await db.writeOutside(async (open) => {
        const account = await lockProved(open, known)
        if (!account) throw new Refusal(403, WRONG)
        await changePassword(open, parley, account, { hash, keptSession: signedIn.sessionId })
      })
    })
    return noContent()
  })
}

async function checkForAccount(
  db: Queryable,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  password: string,
): Promise<void> {
  const memberships = await listMemberships(db, id)
  checkPassword(password, {
    email,
    organizations: memberships.map(({ organizationName }) => organizationName),
  })
}
