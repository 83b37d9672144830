import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'

/** Replaces what the bot suggests to ask. */
export async function setPrompts(tx: Transaction, caller: Caller, prompts: readonly string[]): Promise<void> {
  await tx.query(
    sql`update bots set prompts = ${[...prompts]} where org_id = ${tx.orgId} and id = ${caller.profileId}`,
  )
}
