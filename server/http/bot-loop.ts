import type { Caller } from '../caller.ts'
import { botsStopped, type Refusal } from '../errors.ts'
import { hasKeptAnswer, type IdempotentRequest } from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import { areBotsStopped } from '../queries/topics/topics.ts'

type Parts = Pick<Parley, 'botLoops' | 'db' | 'clock'>

/** Refuses a write that would continue a chain of bots that only answer bots. An answer that is kept for a key is given again. */
export async function refuseLoop(
  parts: Parts,
  caller: Caller,
  repeat: IdempotentRequest | undefined,
): Promise<void> {
  const refusal = await refusalOf(parts, caller)
  if (!refusal || (repeat && (await hasKeptAnswer(parts.db, repeat.key, repeat, parts.clock())))) return
  throw refusal
}

/** A bot is stopped if the database says so of one of the chain's topics: a person may just have let bots go on. */
async function refusalOf({ botLoops, db }: Parts, caller: Caller): Promise<Refusal | undefined> {
  const verdict = botLoops.verdictOn(caller)
  if (!verdict || 'refusal' in verdict) return verdict?.refusal
  const { stopping, topicIds } = verdict.stoppedChain
  await stopping
  return (await areBotsStopped(caller, db, [...topicIds])) ? botsStopped() : undefined
}
