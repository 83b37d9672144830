import { SESSIONS_CHANNEL } from '../../auth/callers.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { NO_TOPIC } from './audit.ts'
import { planMessageRetentionAgain } from './message-retention.ts'

/*
 * On several machines, triggers cannot announce changes: no node listens on a worker, and tables that every machine has
 * cannot have triggers. These functions announce in their place; on one machine triggers do.
 */

/** Makes nodes forget a member's sessions, which admit people from memory. */
export async function tellSessionsOf(tx: Transaction, profileId: string): Promise<void> {
  if (!tx.isSpread) return
  const [row] = await tx.query<{ accountId: string }>(sql`
    select account_id as "accountId" from profiles
    where org_id = ${tx.orgId} and id = ${profileId} and account_id is not null`)
  if (row) await tx.notify(SESSIONS_CHANNEL, row.accountId)
}

/** Makes nodes forget what they know of an account's sessions, in all of its organizations. */
export async function tellSessionsOfAccount(open: OpenTransaction, accountId: string): Promise<void> {
  if (open.isSpread) await open.query(sql`select pg_notify(${SESSIONS_CHANNEL}, ${accountId})`)
}

/** Announces new session rules or blocked words of an organization. */
export async function tellOrganizationChanged(tx: Transaction): Promise<void> {
  if (!tx.isSpread) return
  await tx.notify(SESSIONS_CHANNEL, tx.orgId)
  await tx.query(sql`
    update organization_logs
    set membership_version = membership_version + 1, authority_version = authority_version + 1
    where org_id = ${tx.orgId}`)
}

/** When topics are looked at for messages whose time is over, after it was changed for all of them. */
export async function planMessageRetentionHere(tx: Transaction): Promise<void> {
  if (!tx.isSpread) return
  await tx.query(sql`delete from retention_dues where org_id = ${tx.orgId} and topic_id <> ${NO_TOPIC}`)
  await planMessageRetentionAgain(tx, tx.orgId)
}
