import type { FastifyInstance, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { waitForUpdates } from '../../../contract/people/waiting.ts'
import { TOOLS } from '../../../contract/tools.ts'
import { TOOLSETS, toolsetsIn } from '../../../contract/toolsets.ts'
import { type AssistantCaller, findAssistantCaller, isAssistantToken } from '../../auth/assistants.ts'
import type { Queryable } from '../../db/database.ts'
import { Refusal, refusal, unauthorized } from '../../errors.ts'
import { claim, confirm, countRequest } from '../../http/bot-admission.ts'
import { codeHeaders } from '../../http/code-headers.ts'
import { limited } from '../../http/people-api.ts'
import { rawBody } from '../../http/request-body.ts'
import { visitorOf } from '../../http/visitor.ts'
import type { Parley } from '../../parley.ts'
import { resourceMetadataUrl } from '../oauth/metadata.ts'
import { botContext, type McpContext, personContext, type Runs, type Toolsets } from './context.ts'
import { CODES, errorOf, RpcError, type RpcRequest, readMessage, resultOf, sendMessage } from './json-rpc.ts'
import { personUpdates } from './person-updates.ts'
import { answerWithProgress } from './progress.ts'
import { questionRuns } from './questions.ts'
import { type Revision, revisionOf, takesTasks } from './revisions.ts'
import { toolRefusal } from './tool-results.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i

declare module 'fastify' {
  interface FastifyRequest {
    assistant: AssistantCaller | null
  }
}

/**
 * The Model Context Protocol by Streamable HTTP: assistants call operations as tools, as a bot or for a person. There are no
 * sessions, so any node answers any request; and nothing that the server would say by itself, so there is no stream to open.
 */
export function mcpRoutes(app: FastifyInstance, parley: Parley, runs: Runs): void {
  app.decorateRequest('assistant', null)
  const refuseForeign: onRequestHookHandler = (request, _reply, done) => {
    const isForeign = request.headers.origin !== undefined && !isOwn(request.headers.origin, parley)
    done(isForeign ? refusal('foreign_origin') : undefined)
  }
  const people = new Map(runs.people).set(waitForUpdates.id, personUpdates(parley))
  const bots = new Map([...runs.bots, ...questionRuns(parley, runs.bots)])
  const claimBot = claim(parley)

  app.post('/mcp', {
    bodyLimit: LIMITS.jsonBodyBytes,
    onRequest: [
      refuseForeign,
      function claimAny(request, reply, done) {
        const token = bearerOf(request)
        if (token === undefined || !isAssistantToken(token)) claimBot.call(this, request, reply, done)
        else claimAssistant(request, parley, token).then(() => done(), done)
      },
    ],
    onSend: [writeErrorAsRpc, tellWhereTokensAre(parley)],
    handler: async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const caller = request.assistant ?? (await confirm(request))
      const received = read(request)
      if (received instanceof Unreadable)
        return sendMessage(
          reply.code(400).headers(codeHeaders({ code: 'mcp_message_invalid' })),
          errorOf(received.error, received.message),
        )
      const { message, revision, toolsets } = received
      try {
        if ('identity' in caller)
          await countRequest(reply, parley, caller, { isCountedApart: !writes(message) })
        else await limited(caller, reply, parley)
      } catch (error) {
        if (message?.method !== 'tools/call' || !(error instanceof Refusal)) throw error
        const result = await revision.complete(message.method, toolRefusal(error))
        return sendMessage(reply, resultOf(message, result))
      }
      if ('identity' in caller) parley.identities.noteSeen(caller.identity, parley.clock())
      if (!message) return reply.code(202).send()
      const method = revision.methods.get(message.method)
      if (!method) {
        const unknown = new RpcError(CODES.methodNotFound, 'Method not found')
        if (revision.unknownMethodStatus >= 400) reply.headers(codeHeaders({ code: 'mcp_method_unknown' }))
        return sendMessage(reply.code(revision.unknownMethodStatus), errorOf(unknown, message))
      }
      const exchange = { request, reply, toolsets, takesTasks: takesTasks(message) }
      const context: McpContext =
        'identity' in caller
          ? botContext(parley, caller, exchange, bots)
          : personContext(parley, caller, exchange, people)
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

/** Whether a message calls a tool that changes more than the marks of what was read. */
function writes(message: RpcRequest | undefined): boolean {
  if (message?.method !== 'tools/call') return false
  const tool = TOOLS.find(({ definition }) => definition.name === message.params.name)
  return tool !== undefined && tool.operation.method !== 'GET' && !tool.operation.isCountedApart
}

const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1]

async function claimAssistant(
  request: FastifyRequest,
  parley: Pick<Parley, 'clock' | 'config' | 'db'>,
  token: string,
): Promise<void> {
  const { client } = visitorOf(request, parley.config)
  const find = async (db: Queryable, isLocked = false): Promise<AssistantCaller> => {
    const caller = await findAssistantCaller({ db, clock: parley.clock }, token, client, isLocked)
    if (!caller) throw unauthorized('The access token is invalid, has expired or was revoked')
    const renew = (again: Queryable = parley.db, isLockedAgain = false) => find(again, isLockedAgain)
    return { ...caller, authority: { version: caller.authorityVersion, renew } }
  }
  request.assistant = await find(parley.db)
}

/** Shows refused clients where to get a token. */
const tellWhereTokensAre =
  ({ config }: Pick<Parley, 'config'>): onSendHookHandler<unknown> =>
  (_request, reply, payload, done) => {
    if (reply.statusCode === 401) {
      const said = String(reply.getHeader('WWW-Authenticate') ?? 'Bearer')
      reply.header('WWW-Authenticate', `${said}, resource_metadata="${resourceMetadataUrl(config.baseUrl)}"`)
    }
    done(null, payload)
  }

/** A foreign page must not reach through a browser what it cannot reach itself, such as a server on this machine. */
function isOwn(origin: string, { config }: Pick<Parley, 'config'>): boolean {
  return origin === new URL(config.baseUrl).origin
}

type Received = { message: RpcRequest | undefined; revision: Revision; toolsets: Toolsets }
/** `message` is set if the request is known. */
class Unreadable {
  readonly error: RpcError
  readonly message: RpcRequest | undefined
  constructor(error: RpcError, message?: RpcRequest) {
    this.error = error
    this.message = message
  }
}

/** The message in a request, or its fault. */
function read(request: FastifyRequest): Received | Unreadable {
  let message: RpcRequest | undefined
  try {
    if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
      throw new RpcError(CODES.invalidRequest, 'content type must be application/json')
    message = readMessage(rawBody(request))
    return { message, revision: revisionOf(message, request.headers), toolsets: readToolsets(request) }
  } catch (error) {
    if (error instanceof RpcError) return new Unreadable(error, message)
    throw error
  }
}

/** The toolsets that the address names, as in `/mcp?tools=messages,tasks`. */
function readToolsets({ query }: FastifyRequest): Toolsets {
  const { tools }: { tools?: unknown } = Object(query)
  if (tools === undefined) return undefined
  const { names, unknown } = toolsetsIn(String(tools))
  if (unknown === undefined) return names
  const known = TOOLSETS.join(', ')
  throw new RpcError(
    CODES.invalidParams,
    `there is no toolset ${JSON.stringify(unknown.slice(0, 100))}; there are: ${known}`,
  )
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
