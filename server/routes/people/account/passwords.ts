import * as contract from '../../../../contract/people/session.ts'
import { auditAccount, enterMemberships } from '../../../actions/account-audit.ts'
import { changePassword, lockProved, requestPasswordReset, resetPassword } from '../../../actions/accounts.ts'
import { knownBrowser } from '../../../auth/known-browsers.ts'
import { peekAtToken } from '../../../auth/one-time-tokens.ts'
import { checkPassword } from '../../../auth/password-rules.ts'
import { hashPassword, isPassword } from '../../../auth/passwords.ts'
import { requireFresh } from '../../../auth/sessions.ts'
import type { Queryable } from '../../../db/database.ts'
import { Refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { type AccountRow, findAccount, listOrganizationNames } from '../../../queries/accounts.ts'
import { emailKey } from '../../../text.ts'
import { answerEntered, enterWithPassword } from './entering.ts'
import type { AccountLimits } from './limits.ts'

const WRONG = 'wrong password'

export function passwordRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.requestPasswordReset, async ({ body: { email }, parley, visitor }) => {
    limits.resets.count({ address: visitor.client.address, account: emailKey(email) })
    const account = await parley.db.transaction((open) => requestPasswordReset(open, parley, email))
    if (account) parley.attemptNotes.note('member.password_reset_requested', account.id, visitor.client)
    return noContent()
  })

  people.anyone(contract.resetPassword, async ({ body: { token, password }, parley, visitor, reply }) => {
    const { db, config, clock } = parley
    const entered = await limits.guesses.watch({ address: visitor.client.address }, async () => {
      // Looked at first: a password that is refused must not cost the link.
      const known = await peekAtToken(db, 'password reset', token, clock())
      const owner = known?.accountId ? await findAccount(db, known.accountId) : undefined
      if (!owner) throw new Refusal(403, contract.LINK_REFUSAL)
      await checkForAccount(db, owner, password)
      const hash = await hashPassword(password, config.passwordCost)
      return db.transaction(async (open) => {
        const client = visitor.client
        const account = await resetPassword(open, parley, { token, hash, accountId: owner.id, client })
        if (!account) throw new Refusal(403, contract.LINK_REFUSAL)
        return enterWithPassword(open, parley, visitor, account)
      })
    })
    return ok(await answerEntered(parley, visitor, reply, entered))
  })

  people.account(contract.changePassword, async ({ body, signedIn, parley, visitor }) => {
    const { db, clock, config } = parley
    const known = await findAccount(db, signedIn.accountId)
    if (!known) throw new Error(`account ${signedIn.accountId} does not exist`)
    if (known.password === null) requireFresh(signedIn, clock())
    const { email } = signedIn
    const browser = knownBrowser(parley.secrets, visitor, email)
    const attempt = { address: visitor.client.address, account: emailKey(email), knownBrowser: browser }
    await limits.passwords.watch(attempt, async () => {
      const given = body.currentPassword ?? ''
      const isOwn = known.password === null || (await isPassword(given, known.password, config.passwordCost))
      if (!isOwn) throw new Refusal(403, WRONG)
      await checkForAccount(db, known, body.password)
      const hash = await hashPassword(body.password, config.passwordCost)
      await db.transaction(async (open) => {
        const memberships = await enterMemberships(open, known.id)
        const account = await lockProved(open, known)
        if (!account) throw new Refusal(403, WRONG)
        await changePassword(open, parley, account, { hash, keptSession: signedIn.sessionId })
        await auditAccount(memberships, signedIn, { action: 'member.password_changed' })
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
  checkPassword(password, { email, organizations: await listOrganizationNames(db, id) })
}
