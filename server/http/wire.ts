import { build } from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { bodyBytesOf } from '../../contract/limits.ts'
import type {
  AnswerOf,
  BodyOf,
  Endpoint,
  MetaOf,
  ParamsOf,
  QueryOf,
  TextQueryOf,
} from '../../contract/operation.ts'
import { refusal } from '../errors.ts'
import type { Draft } from '../files/form.ts'
import type { WireAnswer } from '../idempotency/kept-answers.ts'
import type { Parley } from '../parley.ts'
import { codeHeaders } from './code-headers.ts'
import { acceptText } from './incoming-text.ts'
import { parseJsonBody, refuseBrokenText } from './json-body.ts'
import { acceptForms, discardForm, formParts, rawBody } from './request-body.ts'
import { checker } from './validate.ts'

export type Input<O extends Endpoint> = { params: ParamsOf<O>; query: QueryOf<O>; body: BodyOf<O> }

/** Unchecked input, already divided into its parts. */
export type Given = { params: unknown; query: unknown; body: unknown }

/**
 * An operation's variant with files. `prepare` checks and stores them before the transaction, which must not wait for
 * files. Files that `handler` did not keep are removed.
 */
export type FormHandlers<O extends Endpoint, Prepared, Context> = {
  prepare(
    received: { meta: MetaOf<O>; files: readonly Draft[]; parley: Parley } & Omit<Context, 'tx'>,
  ): Promise<Prepared & { stored: readonly { id: string }[] }>
  handler(
    context: Context & { params: ParamsOf<O>; meta: MetaOf<O>; prepared: Prepared; parley: Parley },
  ): Promise<AnswerOf<O>>
}

type Handlers = {
  onRequest?: onRequestHookHandler
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export function route(app: FastifyInstance, parley: Parley, operation: Endpoint, handlers: Handlers): void {
  const { method, form, streamedText } = operation
  const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const bodyLimit = bodyBytesOf(operation, parley.config.smallBodyBytes)
  if (!form && !streamedText) {
    app.route({ method, url, bodyLimit, ...handlers })
    return
  }
  // A separate scope, so that only this route accepts forms and plain text.
  app.register(async (scope) => {
    if (form) {
      acceptForms(scope, form, parley)
      scope.addHook('onSend', discardForm)
    }
    if (streamedText) acceptText(scope, parley)
    scope.route({ method, url, bodyLimit, ...handlers })
  })
}

type Serializer = (value: unknown) => string
const serializers = new WeakMap<object, Serializer>()

/** Compiles on first use, like the checkers. */
export function serializerOf(schema: object): Serializer {
  const known = serializers.get(schema)
  if (known) return known
  const serializer = build(schema)
  serializers.set(schema, serializer)
  return serializer
}

export type Wire<O extends Endpoint> = ReturnType<typeof wireOf<O>>

/** Bots may send unknown fields. In people's requests an unknown field is a slip, which would change the meaning. */
const FOR_BOTS = { refusesUnknown: false }
export const FOR_PEOPLE = { refusesUnknown: true }

/** How the operation's contract is read from a request and written to an answer. */
export function wireOf<O extends Endpoint>(operation: O, { refusesUnknown } = FOR_BOTS) {
  const params = operation.params && checker(operation.params, 'params')
  const query = operation.query && checker(operation.query, 'query')
  const body = operation.body && checker(operation.body, 'body', { refusesUnknown })
  const meta = operation.form && checker(operation.form.meta, 'body', { refusesUnknown })
  const textQuery = operation.streamedText && checker(operation.streamedText.query, 'query')

  return {
    read(request: FastifyRequest): Input<O> {
      // Refuses query parameters of the plain-text form, which JSON requests would ignore silently.
      for (const name of Object.keys(Object(textQuery?.(request.query))))
        throw refusal('field_misplaced', { field: name })
      // The checkers have made sure of these types, which come from the same schemas.
      return {
        params: params?.(request.params),
        query: query?.(request.query),
        body: body?.(parseJsonBody(rawBody(request), request.headers['content-type'])),
      } as Input<O>
    },

    /** Everything but the text. */
    readBesideText(request: FastifyRequest): { params: ParamsOf<O>; query: TextQueryOf<O> } {
      return {
        params: params?.(request.params) as ParamsOf<O>,
        query: textQuery?.(request.query) as TextQueryOf<O>,
      }
    },

    /** Checks input that is part of another request, such as a tool call. */
    check(given: Given): Input<O> {
      if (body) refuseBrokenText(given.body)
      return {
        params: params?.(given.params),
        query: query?.(given.query),
        body: body?.(given.body),
      } as Input<O>
    },

    /** Prepares the parts of a form and hands them to `transact`; files that it does not keep are removed. */
    async receive<Prepared, Context>(
      request: FastifyRequest,
      parley: Parley,
      handlers: FormHandlers<O, Prepared, Context>,
      context: Omit<Context, 'tx'>,
      transact: (received: {
        params: ParamsOf<O>
        meta: MetaOf<O>
        prepared: Prepared
      }) => Promise<WireAnswer>,
    ): Promise<WireAnswer> {
      const received = await formParts(request)
      // The checkers have made sure of these types, which come from the same schemas.
      const value = meta?.(parseJsonBody(received.meta, undefined)) as MetaOf<O>
      const named = params?.(request.params) as ParamsOf<O>
      const prepared = await handlers.prepare({ ...context, meta: value, files: received.files, parley })
      let isKept = false
      try {
        const answer = await transact({ params: named, meta: value, prepared })
        isKept = answer.status < 400 && !answer.replayed
        return answer
      } finally {
        if (!isKept) await parley.files.discard(prepared.stored)
      }
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
  if (answer.refused) reply.headers(codeHeaders(answer.refused))
  return reply.header('Content-Type', 'application/json; charset=utf-8').send(answer.payload)
}
