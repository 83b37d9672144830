import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/operation.ts'
import { type BotCaller, isPermitted, refusePaused } from '../../auth/bots.ts'
import { forbidden, Refusal } from '../../errors.ts'
import { Call, type RunOperation } from '../../http/bot-api.ts'
import type { WireAnswer } from '../../http/idempotency.ts'
import type { Given } from '../../http/wire.ts'

/** Who asks, and what may be done for them. */
export type McpContext = {
  caller: BotCaller
  /** Runs an operation of the bot API as its route would, for a caller who may. */
  perform(operation: Operation, given: Given): Promise<WireAnswer>
}

export function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: BotCaller,
  runs: ReadonlyMap<string, RunOperation>,
): McpContext {
  return {
    caller,
    async perform(operation, given) {
      refusePaused(caller, operation)
      if (!isPermitted(caller, operation)) throw notPermitted(caller, operation)
      const run = runs.get(operation.id)
      if (!run) throw new Error(`${operation.id} has no route`)
      return run(caller, given, new Call(request, reply, caller))
    },
  }
}

/** Over HTTP the missing scope stands in a header; here there is only the text. */
const notPermitted = ({ scopes }: BotCaller, { scope }: Operation): Refusal =>
  scopes ? new Refusal(403, `forbidden: the token lacks the scope ${scope}`) : forbidden()
