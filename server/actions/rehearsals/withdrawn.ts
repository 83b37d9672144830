import type { Saying } from '../../../contract/people/rehearsals.ts'
import type { RehearsalCaller } from '../../auth/rehearsals.ts'
import { nothing, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { requireRunning } from './sayings.ts'

type Withdrawn = { kind: Saying['kind']; messageId: string; id?: string; memberId?: string }

/** Takes back a reaction or a private answer of the rehearsal; returns whether there was one. */
export async function withdraw(
  tx: Transaction,
  caller: RehearsalCaller,
  { kind, messageId, id, memberId }: Withdrawn,
): Promise<boolean> {
  const rehearsal = await requireRunning(tx, caller)
  const gone = await tx.query<{ bytes: number }>(sql`
    delete from rehearsal_sayings
    where org_id = ${tx.orgId} and rehearsal_id = ${rehearsal.id} and kind = ${kind} and message_id = ${messageId}
      ${id === undefined ? nothing : sql`and id = ${id}`}
      ${memberId === undefined ? nothing : sql`and data ->> 'memberId' = ${memberId.toLowerCase()}`}
    returning bytes`)
  const bytes = gone.reduce((sum, row) => sum + row.bytes, 0)
  await tx.query(sql`
    update rehearsals set bytes = bytes - ${bytes} where org_id = ${tx.orgId} and id = ${rehearsal.id}`)
  return gone.length > 0
}

/** Adds to the tokens that the bot says it has used. The budget of the bot is not touched. */
export async function addTokens(tx: Transaction, caller: RehearsalCaller, tokens: number): Promise<number> {
  const { id } = await requireRunning(tx, caller)
  const [row] = await tx.query<{ tokens: number }>(sql`
    update rehearsals set tokens = tokens + ${tokens} where org_id = ${tx.orgId} and id = ${id} returning tokens`)
  return row?.tokens ?? tokens
}
