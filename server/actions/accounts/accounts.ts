import { endAssistantsOf } from '../../auth/assistants.ts'
import { endSessions } from '../../auth/sessions.ts'
import { crossing, sql, verbatim } from '../../db/sql.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { type AccountRow, lockAccount } from '../../queries/accounts/accounts.ts'
import { failAllScheduled } from '../messages/scheduled-messages.ts'
import { tellSessionsOfAccount } from '../organization/spread-news.ts'

/** The account, if what was proved about it still holds: its password is the one that was compared. */
export async function lockProved(
  open: OpenTransaction,
  { id, password }: Pick<AccountRow, 'id' | 'password'>,
): Promise<AccountRow | undefined> {
  const account = await lockAccount(open, id)
  return account?.password === password ? account : undefined
}

/**
 * Opens all memberships of an account whose holder reads the address: they have used a mailed link in a session of the account, or an
 * operator vouches for them. Memberships that are attached from now on open by themselves.
 */
export async function acceptHolder(open: OpenTransaction, accountId: string): Promise<void> {
  await open.query(sql`update accounts set email_proven = true where id = ${accountId} and not email_proven`)
  await open.query(sql`${crossing('a person is looked for in all their organizations')}
    update profiles set needs_proof = false where account_id = ${accountId} and needs_proof`)
  await tellSessionsOfAccount(open, accountId)
}

/** A first password came by a link that was passed on by hand, which proves nothing: memberships of before wait for a proof. */
export async function doubtHolder(open: OpenTransaction, accountId: string): Promise<void> {
  await open.query(sql`update accounts set email_proven = false where id = ${accountId} and email_proven`)
  await open.query(sql`${crossing('a person is looked for in all their organizations')}
    update profiles set needs_proof = true where account_id = ${accountId} and not needs_proof`)
  await tellSessionsOfAccount(open, accountId)
}

/**
 * Marks the address as proven, by a mailed link or a provider. An account whose address was never proven may be in the
 * hands of another person, who followed a link that an admin passed on. That person loses all access to it.
 */
export async function proveAddress(open: OpenTransaction, accountId: string): Promise<void> {
  const [account] = await open.query<{ isProven: boolean }>(sql`
    select email_proven as "isProven" from accounts where id = ${accountId} for update`)
  if (account && !account.isProven) await changeHands(open, accountId)
  await acceptHolder(open, accountId)
}

/** Ends everything that the earlier holder of an address has connected to its account; see `test/changed-hands.test.ts`. */
async function changeHands(open: OpenTransaction, accountId: string): Promise<void> {
  await open.query(sql`update accounts set password = null where id = ${accountId}`)
  await endConnections(open, accountId)
  await endAssistantsOf(open, accountId)
  await failAllScheduled(open, accountId)
}

/** Deletes an account that no organization knows any more, with everything that is connected to it. */
export async function deleteUnusedAccount(open: OpenTransaction, accountId: string): Promise<void> {
  await lockAccount(open, accountId)
  const [member] = await open.query(sql`${crossing('a person is looked for in all their organizations')}
    select 1 from profiles where account_id = ${accountId} limit 1`)
  if (member) return
  await endConnections(open, accountId)
  await open.query(sql`delete from accounts where id = ${accountId}`)
}

/** Tables of what is connected to an account, besides its sessions. */
const CONNECTED = [
  'push_subscriptions',
  'passkeys',
  'external_accounts',
  'one_time_tokens',
  'recovery_codes',
  'second_factors',
]

/** Ends all sessions of an account, all other ways to sign in to it, and the links under way. */
export async function endConnections(open: OpenTransaction, accountId: string): Promise<void> {
  await endSessions(open, accountId)
  for (const table of CONNECTED)
    await open.query(sql`delete from ${verbatim(table)} where account_id = ${accountId}`)
}
