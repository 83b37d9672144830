import type { Identity } from '../auth/identity.ts'
import type { Parley } from '../parley.ts'
import { hasKeptAnswer, type IdempotentRequest, type WireAnswer } from './idempotency.ts'

/**
 * Counts what `work` sends against the budget of its bot, if it has one. Refused requests and repeated answers cost nothing; an
 * answer is repeated also when the budget is used up.
 */
export async function spendMessage(
  { botBudgets, db, clock }: Pick<Parley, 'botBudgets' | 'db' | 'clock'>,
  identity: Identity,
  repeat: IdempotentRequest | undefined,
  work: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  if (!identity.budget) return work()
  const giveBack = await botBudgets.take(identity, identity.budget).catch(async (refusal: unknown) => {
    if (repeat && (await hasKeptAnswer(db, repeat.key, repeat, clock()))) return () => {}
    throw refusal
  })
  const answer = await work().catch((error: unknown) => {
    giveBack()
    throw error
  })
  if (answer.replayed || answer.status >= 300) giveBack()
  return answer
}
