import { isDeepStrictEqual } from 'node:util'
import type { Identity } from '../auth/identity.ts'
import { Refusal } from '../errors.ts'
import { hasKeptAnswer, type IdempotentRequest, type WireAnswer } from '../idempotency/kept-answers.ts'
import type { BotBudget } from '../limits/bot-budgets.ts'
import type { Parley } from '../parley.ts'

/**
 * Counts what `work` sends against the budget of its bot, if it has one. Refused requests and repeated answers cost nothing; an
 * answer is repeated also when the budget is used up.
 */
export async function spendMessage(
  parley: Pick<Parley, 'botBudgets' | 'db' | 'clock' | 'identities'>,
  identity: Identity,
  repeat: IdempotentRequest | undefined,
  work: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  if (!identity.budget) return work()
  const { db, clock } = parley
  const giveBack = await takeMessage(parley, identity, identity.budget).catch(async (refusal: unknown) => {
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

/** Reads a budget once more before it refuses a message. */
async function takeMessage(
  { botBudgets, identities }: Pick<Parley, 'botBudgets' | 'identities'>,
  identity: Identity,
  budget: BotBudget,
): Promise<() => void> {
  try {
    return await botBudgets.take(identity, budget)
  } catch (refusal) {
    const renewed = refusal instanceof Refusal ? await identities.renewed(identity) : undefined
    if (!renewed || isDeepStrictEqual(renewed.budget, budget)) throw refusal
    identities.drop(identity.botId) // word of its change is late
    return renewed.budget ? botBudgets.take(renewed, renewed.budget) : () => {}
  }
}
