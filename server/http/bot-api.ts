import { build } from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type {
  AnswerOf,
  BodyOf,
  Endpoint,
  MetaOf,
  Operation,
  ParamsOf,
  QueryOf,
} from '../../contract/operation.ts'
import { type BotCaller, type Claim, claimIdentity, permit } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import type { OpenTransaction, Transaction } from '../db/transaction.ts'
import { tooMany } from '../errors.ts'
import type { Draft } from '../files/form.ts'
import type { Parley } from '../parley.ts'
import { answerOnce, excludeOthers, idempotencyOf, NO_ORGANIZATION, type WireAnswer } from './idempotency.ts'
import { parseJsonBody } from './json-body.ts'
import { acceptForms, bodyHash, closeBody, isForm, rawBody, signedPart, withForm } from './request-body.ts'
import { checker } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    claim: Claim | null
  }
}

export type Input<O extends Endpoint> = { params: ParamsOf<O>; query: QueryOf<O>; body: BodyOf<O> }
export type Reading<O extends Operation> = Input<O> & {
  caller: BotCaller
  db: Queryable
  parley: Parley
  /** Calls back when the client has gone away, or has its answer. */
  onGone(listener: () => void): void
}
export type Writing<O extends Operation> = Input<O> & { caller: BotCaller; tx: Transaction; parley: Parley }
export type Anyone<O extends Operation> = Input<O> & { tx: OpenTransaction; parley: Parley; address: string }

/**
 * An operation's other form, with files. `prepare` looks at them and stores what it wants to have; it comes before the
 * transaction, which must not wait for files. What `handler` did not keep of that is removed.
 */
export type FormHandlers<O extends Endpoint, Prepared, Context> = {
  prepare(
    received: { meta: MetaOf<O>; files: readonly Draft[]; parley: Parley } & Omit<Context, 'tx'>,
  ): Promise<Prepared & { stored: readonly { id: string }[] }>
  handler(context: Context & { meta: MetaOf<O>; prepared: Prepared; parley: Parley }): Promise<AnswerOf<O>>
}

export type Otherwise<O extends Operation, Prepared> = {
  form?: FormHandlers<O, Prepared, { caller: BotCaller; tx: Transaction }>
  /** Does the same without a transaction of its own, for requests whose answer need not be kept. */
  together?: (context: Input<O> & { caller: BotCaller; parley: Parley }) => Promise<AnswerOf<O>>
}

/** Registers operations: each request is authenticated, limited, permitted and validated before its handler runs. */
export type BotApi = ReturnType<typeof botApi>

export function botApi(app: FastifyInstance, parley: Parley) {
  app.decorateRequest('claim', null)

  return {
    /** An operation that changes nothing. */
    reads<O extends Operation>(
      operation: O,
      handler: (context: Reading<O>) => Promise<AnswerOf<O> | WireAnswer>,
    ): void {
      const wire = wireOf(operation)
      route(app, parley, operation, {
        onRequest: claim(parley),
        handler: async (request, reply) => {
          const caller = await admit(request, reply, parley, operation)
          const input = wire.read(request)
          const onGone = (listener: () => void) => {
            reply.raw.once('close', listener)
          }
          const answer = await handler({ ...input, caller, db: parley.db, parley, onGone })
          return send(reply, 'payload' in answer ? answer : wire.write(answer))
        },
      })
    },

    /** An operation that writes: one transaction, opened here, holds all that the handler does. */
    writes<O extends Operation, Prepared = never>(
      operation: O,
      handler: (context: Writing<O>) => Promise<AnswerOf<O>>,
      { form, together }: Otherwise<O, Prepared> = {},
    ): void {
      const wire = wireOf(operation)
      route(app, parley, operation, {
        onRequest: claim(parley),
        handler: async (request, reply) => {
          const caller = await admit(request, reply, parley, operation)
          const transact = async (work: (tx: Transaction) => Promise<AnswerOf<O>>) => {
            const repeat = idempotencyOf(request, () => bodyHash(request), {
              orgId: caller.orgId,
              owner: caller.profileId,
            })
            return parley.db.write(caller.orgId, (tx) => {
              const answer = async () => wire.write(await work(tx))
              return repeat
                ? answerOnce(tx, parley.secrets, repeat, tx.now(), () => tx.attempt(answer))
                : answer()
            })
          }
          if (form && isForm(request)) {
            return send(
              reply,
              await wire.receive(request, parley, form, { caller }, (context) =>
                transact((tx) => form.handler({ ...context, caller, tx, parley })),
              ),
            )
          }
          const input = wire.read(request)
          if (together && request.headers['idempotency-key'] === undefined) {
            return send(reply, wire.write(await together({ ...input, caller, parley })))
          }
          return send(reply, await transact((tx) => handler({ ...input, caller, tx, parley })))
        },
      })
    },

    /** An operation without authentication; `admitAddress` brings its limits, which come before the input's shape. */
    anyone<O extends Operation, Prepared = never>(
      operation: O,
      admitAddress: (parley: Parley, address: string, isRepeatable: boolean) => Promise<void>,
      handler: (context: Anyone<O>) => Promise<AnswerOf<O>>,
      form?: FormHandlers<O, Prepared, { address: string; tx: OpenTransaction }>,
    ): void {
      const wire = wireOf(operation)
      route(app, parley, operation, {
        onRequest: (request, _reply, done) => {
          const isRepeatable = request.headers['idempotency-key'] !== undefined
          admitAddress(parley, request.ip, isRepeatable).then(() => done(), done)
        },
        handler: async (request, reply) => {
          const address = request.ip
          const transact = async (work: (tx: OpenTransaction) => Promise<AnswerOf<O>>) => {
            const owner = { orgId: NO_ORGANIZATION, owner: address }
            const repeat = idempotencyOf(request, () => bodyHash(request), owner)
            return parley.db.writeOutside(async (tx) => {
              const answer = async () => wire.write(await work(tx))
              if (!repeat) return answer()
              await excludeOthers(tx, repeat)
              return answerOnce(tx, parley.secrets, repeat, tx.now(), () => tx.attempt(answer))
            })
          }
          if (form && isForm(request)) {
            return send(
              reply,
              await wire.receive(request, parley, form, { address }, (context) =>
                transact((tx) => form.handler({ ...context, address, tx, parley })),
              ),
            )
          }
          const input = wire.read(request)
          return send(reply, await transact((tx) => handler({ ...input, tx, parley, address })))
        },
      })
    },
  }
}

type Handlers = {
  onRequest?: onRequestHookHandler
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export function route(app: FastifyInstance, parley: Parley, operation: Endpoint, handlers: Handlers): void {
  const { method, form } = operation
  const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
  if (!form) {
    app.route({ method, url, ...handlers })
    return
  }
  // In a scope of its own: forms are accepted here and nowhere else.
  app.register(async (scope) => {
    acceptForms(scope, form, parley)
    scope.route({
      method,
      url,
      ...handlers,
      handler: (request, reply) => handlers.handler(request, reply).finally(() => closeBody(request)),
    })
  })
}

const claim =
  (parley: Parley): onRequestHookHandler =>
  (request, _reply, done) => {
    try {
      const claimed = claimIdentity(request.raw, parley)
      if (claimed instanceof Promise) {
        claimed
          .then((loaded) => {
            request.claim = loaded
          })
          .then(() => done(), done)
      } else {
        request.claim = claimed
        done()
      }
    } catch (error) {
      done(error instanceof Error ? error : new Error('not authenticated'))
    }
  }

/** Authentication (401), then the rate limit (429), then permission (403). */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  parley: Parley,
  operation: Operation,
): Promise<BotCaller> {
  if (!request.claim) throw new Error('an admitted request has a claim')
  const caller = request.claim.confirm(signedPart(request))
  const limit = caller.identity.rateLimit ?? parley.config.rateLimitPerMinute
  if (limit > 0) {
    const { allowed, remaining, resetMs } = await parley.rateLimiter.take(caller.orgId, limit)
    reply.header('RateLimit-Limit', limit)
    reply.header('RateLimit-Remaining', remaining)
    reply.header('RateLimit-Reset', Math.ceil(resetMs / 1000))
    if (!allowed) throw tooMany(resetMs)
  }
  permit(caller, operation)
  return caller
}

type Serializer = (value: unknown) => string
const serializers = new WeakMap<object, Serializer>()

/** Compiled when it is first needed, like the checkers. */
export function serializerOf(schema: object): Serializer {
  const known = serializers.get(schema)
  if (known) return known
  const serializer = build(schema)
  serializers.set(schema, serializer)
  return serializer
}

/** How the operation's contract is read from a request and written to an answer. */
export function wireOf<O extends Endpoint>(operation: O) {
  const params = operation.params && checker(operation.params, 'params')
  const query = operation.query && checker(operation.query, 'query')
  const body = operation.body && checker(operation.body, 'body')
  const meta = operation.form && checker(operation.form.meta, 'body')

  return {
    read(request: FastifyRequest): Input<O> {
      // The checkers have made sure of these types, which come from the same schemas.
      return {
        params: params?.(request.params),
        query: query?.(request.query),
        body: body?.(parseJsonBody(rawBody(request), request.headers['content-type'])),
      } as Input<O>
    },

    /** Takes a form apart, prepares it and hands it to `transact`; what that does not keep is removed. */
    async receive<Prepared, Context>(
      request: FastifyRequest,
      parley: Parley,
      handlers: FormHandlers<O, Prepared, Context>,
      context: Omit<Context, 'tx'>,
      transact: (received: { meta: MetaOf<O>; prepared: Prepared }) => Promise<WireAnswer>,
    ): Promise<WireAnswer> {
      if (!operation.form) throw new Error('an operation without a form')
      return withForm(request, operation.form, parley, async (received) => {
        // The checker has made sure of this type, which comes from the same schema.
        const value = meta?.(parseJsonBody(received.meta, undefined)) as MetaOf<O>
        const prepared = await handlers.prepare({ ...context, meta: value, files: received.files, parley })
        let isKept = false
        try {
          const answer = await transact({ meta: value, prepared })
          isKept = answer.status < 400 && !answer.replayed
          return answer
        } finally {
          if (!isKept) await parley.files.discard(prepared.stored)
        }
      })
    },

    write(answer: { status: number; body?: unknown }): WireAnswer {
      const success = Object(operation.success)[answer.status]
      if (!success?.schema) return { status: answer.status, payload: '' }
      return { status: answer.status, payload: serializerOf(success.schema)(answer.body) }
    },
  }
}

export function send(reply: FastifyReply, answer: WireAnswer): FastifyReply {
  reply.code(answer.status)
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true')
  if (answer.payload === '') return reply.send()
  return reply.header('Content-Type', 'application/json; charset=utf-8').send(answer.payload)
}
