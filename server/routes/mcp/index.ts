import type { FastifyInstance, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { noteSeen } from '../../auth/identity.ts'
import { Refusal } from '../../errors.ts'
import { claim, confirm, countRequest, type RunOperation } from '../../http/bot-api.ts'
import { rawBody } from '../../http/request-body.ts'
import type { Parley } from '../../parley.ts'
import { contextOf } from './context.ts'
import { CODES, errorOf, RpcError, type RpcRequest, readMessage, resultOf, sendMessage } from './json-rpc.ts'
import { answerWithProgress } from './progress.ts'
import { type Revision, revisionOf } from './revisions.ts'
import { toolRefusal } from './tools.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i

/**
 * The Model Context Protocol by Streamable HTTP: assistants call the operations of the bot API as tools. There are no sessions,
 * so any node answers any request; and nothing that the server would say by itself, so there is no stream to open.
 */
export function mcpRoutes(
  app: FastifyInstance,
  parley: Parley,
  runs: ReadonlyMap<string, RunOperation>,
): void {
  const refuseForeign: onRequestHookHandler = (request, _reply, done) => {
    const isForeign = request.headers.origin !== undefined && !isOwn(request.headers.origin, parley)
    done(isForeign ? new Refusal(403, 'requests from the pages of other servers are refused') : undefined)
  }

  app.post('/mcp', {
    bodyLimit: LIMITS.jsonBodyBytes,
    onRequest: [refuseForeign, claim(parley)],
    onSend: writeErrorAsRpc,
    handler: async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const caller = await confirm(request)
      const received = read(request)
      if (received instanceof Unreadable)
        return sendMessage(reply.code(400), errorOf(received.error, received.message))
      const { message, revision } = received
      try {
        await countRequest(reply, parley, caller)
      } catch (error) {
        if (message?.method !== 'tools/call' || !(error instanceof Refusal)) throw error
        const result = await revision.complete(message.method, toolRefusal(error))
        return sendMessage(reply, resultOf(message, result))
      }
      noteSeen(parley.db, caller.identity, parley.clock())
      if (!message) return reply.code(202).send()
      const method = revision.methods.get(message.method)
      if (!method) {
        const unknown = new RpcError(CODES.methodNotFound, 'Method not found')
        return sendMessage(reply.code(revision.unknownMethodStatus), errorOf(unknown, message))
      }
      const context = contextOf(request, reply, caller, runs)
      return answerWithProgress({ request, reply, message }, () =>
        answer(message, revision, async () => method(context, message.params)),
      )
    },
  })

  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    onRequest: refuseForeign,
    onSend: writeErrorAsRpc,
    handler: (_request, reply) =>
      sendMessage(
        reply.code(405).header('Allow', 'POST'),
        errorOf(new RpcError(CODES.invalidRequest, 'there is no stream and no session here: use POST')),
      ),
  })
}

/** A page elsewhere must not use what a browser can reach and it cannot, such as a server on this machine. */
function isOwn(origin: string, { config }: Parley): boolean {
  return origin === new URL(config.baseUrl).origin
}

type Received = { message: RpcRequest | undefined; revision: Revision }
/** `message` is there where it is known which request it is about. */
class Unreadable {
  readonly error: RpcError
  readonly message: RpcRequest | undefined
  constructor(error: RpcError, message?: RpcRequest) {
    this.error = error
    this.message = message
  }
}

/** The message in a request, or what is wrong with it. */
function read(request: FastifyRequest): Received | Unreadable {
  let message: RpcRequest | undefined
  try {
    if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
      throw new RpcError(CODES.invalidRequest, 'content type must be application/json')
    message = readMessage(rawBody(request))
    return { message, revision: revisionOf(message, request.headers) }
  } catch (error) {
    if (error instanceof RpcError) return new Unreadable(error, message)
    throw error
  }
}

async function answer(message: RpcRequest, revision: Revision, work: () => Promise<object>): Promise<object> {
  try {
    return resultOf(message, await revision.complete(message.method, await work()))
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    if (error.code !== CODES.resourceNotFound) return errorOf(error, message)
    return errorOf(new RpcError(revision.resourceNotFound, error.message, error.data), message)
  }
}

/** Errors of requests are JSON strings everywhere else; here they are in the form that clients of the protocol read. */
const writeErrorAsRpc: onSendHookHandler<unknown> = (_request, { statusCode }, payload, done) => {
  const said: unknown = statusCode >= 400 && typeof payload === 'string' ? JSON.parse(payload) : undefined
  if (typeof said !== 'string') {
    done(null, payload)
    return
  }
  const code =
    statusCode === 400 ? CODES.invalidRequest : statusCode === 500 ? CODES.internalError : CODES.refused
  done(null, JSON.stringify(errorOf(new RpcError(code, said))))
}
