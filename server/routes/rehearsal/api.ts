import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OPERATIONS } from '../../../contract/index.ts'
import { bodyBytesOf } from '../../../contract/limits.ts'
import type { AnswerOf, Operation } from '../../../contract/operation.ts'
import { noteRefused } from '../../actions/rehearsals/sayings.ts'
import type { BotCaller } from '../../auth/bots.ts'
import { admitToRehearsal, type RehearsalCaller } from '../../auth/rehearsals.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import type { RunOperation } from '../../http/bot-api.ts'
import { Call } from '../../http/call.ts'
import { type Input, send, wireOf } from '../../http/wire.ts'
import type { WireAnswer } from '../../idempotency/kept-answers.ts'
import { effectiveRateLimit } from '../../limits/organization-limits.ts'
import type { Parley } from '../../parley.ts'

declare module 'fastify' {
  interface FastifyRequest {
    rehearsal: RehearsalCaller | null
  }
}

/** The address of the bot API in a rehearsal: its paths are those of `/v2`, behind this. */
export const REHEARSAL_PATH = '/rehearsal'
const KEY_LENGTH = 255

type Reading<O extends Operation> = Input<O> & { caller: RehearsalCaller; parley: Parley }
type Writing<O extends Operation> = Reading<O> & { tx: Transaction; key: string | undefined }
type Run = (request: FastifyRequest, caller: RehearsalCaller, call: Call) => Promise<WireAnswer>

export type RehearsalApi = ReturnType<typeof rehearsalApi>

/**
 * The operations that a rehearsal has. Each is named here, with a handler of its own: one that is not, such as one that the bot API gets
 * later, is refused.
 */
export function rehearsalApi(parley: Parley, runs: ReadonlyMap<string, RunOperation>) {
  const rehearsed = new Map<string, Run>()

  return {
    reads<O extends Operation>(
      operation: O,
      handler: (context: Reading<O>) => Promise<AnswerOf<O> | WireAnswer>,
    ): void {
      const wire = wireOf(operation)
      rehearsed.set(operation.id, async (request, caller) => {
        const answer = await handler({ ...wire.read(request), caller, parley })
        return 'payload' in answer ? answer : wire.write(answer)
      })
    },

    /** Keeps what the bot does as rows of the rehearsal, in one transaction. */
    writes<O extends Operation>(operation: O, handler: (context: Writing<O>) => Promise<AnswerOf<O>>): void {
      const wire = wireOf(operation)
      rehearsed.set(operation.id, async (request, caller) => {
        const input = wire.read(request)
        const key = keyOf(request)
        return wire.write(await writeAs(caller, (tx) => handler({ ...input, caller, parley, tx, key })))
      })
    },

    /** Answers as the bot API does, for operations that read no conversation. */
    passes(operation: Operation): void {
      rehearsed.set(operation.id, async ({ params, query }, caller, call) => {
        const run = runs.get(operation.id)
        if (!run || operation.method !== 'GET') throw new Error(`${operation.id} is no read`)
        return run(caller, { params, query, body: undefined }, call)
      })
    },

    /** Mounts every operation that a bot has: those that a rehearsal has, and for all others a refusal. */
    mount(app: FastifyInstance): void {
      app.decorateRequest('rehearsal', null)
      for (const operation of OPERATIONS) if (operation.scope !== null) mountOne(app, operation)
    },
  }

  /** Checks the right of the bot again in the transaction; that of the admin is checked with the row of the rehearsal. */
  function writeAs<Result>(caller: BotCaller, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return parley.db.writeAs(caller, work)
  }

  function mountOne(app: FastifyInstance, operation: Operation): void {
    const run = rehearsed.get(operation.id) ?? ((_request, caller) => refuse(operation)(caller))
    app.route({
      method: operation.method,
      url: REHEARSAL_PATH + operation.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyBytesOf(operation, parley.config.smallBodyBytes),
      onRequest: async (request) => {
        request.rehearsal = await admitToRehearsal(parley, request.headers.authorization, operation)
        if (hasJson(request)) return
        await refuse(operation, ' (file or plain text)')(request.rehearsal) // before it is read
      },
      handler: async (request, reply) => {
        const caller = request.rehearsal
        if (!caller) throw new Error('an admitted request has a caller')
        await takeRequest(caller)
        return send(reply, await run(request, caller, new Call(request, reply, caller)))
      },
    })
  }

  /** Counts requests apart: a rehearsal takes nothing from the bots that work. */
  async function takeRequest({ orgId, identity }: RehearsalCaller): Promise<void> {
    const limit = effectiveRateLimit(identity.rateLimits, parley.config)
    if (limit <= 0) return
    const { allowed, resetMs } = await parley.rateLimiter.take(`${orgId}:rehearsals`, limit)
    if (!allowed) throw tooMany(resetMs)
  }

  /** Refuses what no rehearsal has; the comparison says that the bot wanted it. */
  function refuse(operation: Operation, what = ''): (caller: RehearsalCaller) => Promise<never> {
    return async (caller) => {
      if (operation.method !== 'GET')
        await writeAs(caller, (tx) => noteRefused(tx, caller, `${operation.id}${what}`))
      throw refusal('not_in_rehearsals')
    }
  }
}

/** Whether the body is JSON, if there is one. */
const hasJson = ({ headers }: FastifyRequest): boolean =>
  !/^\s*(multipart|text)\//i.test(headers['content-type'] ?? '')

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > KEY_LENGTH)
    throw refusal('idempotency_key_invalid')
  return key
}
