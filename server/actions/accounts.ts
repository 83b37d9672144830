import { endSessions } from '../auth/sessions.ts'
import { sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { type AccountRow, lockAccount } from '../queries/accounts.ts'

/** The account, if what was proved about it still holds: its password is the one that was compared. */
export async function lockProved(
  open: OpenTransaction,
  { id, password }: Pick<AccountRow, 'id' | 'password'>,
): Promise<AccountRow | undefined> {
  const account = await lockAccount(open, id)
  return account?.password === password ? account : undefined
}

/** Notes whether the link that set the password was mailed: such a link proves the address. */
export async function noteProof(
  open: OpenTransaction,
  accountId: string,
  { isProven }: { isProven: boolean },
): Promise<void> {
  await open.query(sql`update accounts set email_proven = ${isProven} where id = ${accountId}`)
}

/**
 * The address is proved: by a link that was mailed to it, or by a provider. If the account began with a link that an admin
 * passed on, somebody else may have used that link, and has no way in any more.
 */
export async function proveAddress(open: OpenTransaction, accountId: string): Promise<void> {
  const [unproven] = await open.query(sql`
    update accounts set email_proven = true, password = null where id = ${accountId} and not email_proven returning 1`)
  if (!unproven) return
  await open.query(sql`delete from passkeys where account_id = ${accountId}`)
  await endSessions(open, accountId)
  await open.query(sql`delete from second_factors where account_id = ${accountId}`)
  await open.query(sql`delete from recovery_codes where account_id = ${accountId}`)
}
