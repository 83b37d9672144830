import type { FastifyInstance, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { noteSeen } from '../../auth/identity.ts'
import { Refusal } from '../../errors.ts'
import { claim, confirm, countRequest, type RunOperation } from '../../http/bot-api.ts'
import { rawBody } from '../../http/request-body.ts'
import type { Parley } from '../../parley.ts'
import { readVersion } from '../../project.ts'
import { contextOf, type McpContext } from './context.ts'
import { CODES, errorOf, RpcError, type RpcRequest, readMessage, resultOf, sendMessage } from './json-rpc.ts'
import { answerWithProgress } from './progress.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { callTool, listTools, toolRefusal } from './tools.ts'

/** Revisions of the protocol, the newest first. In what is used here they differ by texts alone. */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18'] as const
const [NEWEST] = PROTOCOL_VERSIONS

const JSON_TYPE = /^application\/json\s*(;|$)/i

const INSTRUCTIONS = `Parley is a team messenger. You act as a bot, a member like any other: you see the topics that it is in, and everybody there sees what you do.
Begin with list_topics. Ids are UUIDs; a bot's profile id has b@ in front. Times are Unix time in milliseconds. To mention somebody, write <@profileId>.
Lists come in pages: where hasMore is true, call again with cursor set to nextCursor. read_updates tells what is new.`

type Method = (context: McpContext, params: Record<string, unknown>) => object | Promise<object>

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', () => ({})],
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
])

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
      const message = read(request)
      if (message instanceof RpcError) return sendMessage(reply.code(400), errorOf(message))
      try {
        await countRequest(reply, parley, caller)
      } catch (error) {
        if (message?.method !== 'tools/call' || !(error instanceof Refusal)) throw error
        return sendMessage(reply, resultOf(message, toolRefusal(error)))
      }
      noteSeen(parley.db, caller.identity, parley.clock())
      if (!message) return reply.code(202).send()
      const context = contextOf(request, reply, caller, runs)
      return answerWithProgress({ request, reply, message }, () => answer(message, context))
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

/** The message in a request, or what is wrong with it. */
function read(request: FastifyRequest): RpcRequest | undefined | RpcError {
  const { 'content-type': type = '', 'mcp-protocol-version': version } = request.headers
  try {
    if (!JSON_TYPE.test(type))
      throw new RpcError(CODES.invalidRequest, 'content type must be application/json')
    if (version !== undefined && !PROTOCOL_VERSIONS.some((known) => known === version))
      throw new RpcError(
        CODES.invalidRequest,
        `MCP-Protocol-Version is not supported; supported are ${PROTOCOL_VERSIONS.join(', ')}`,
      )
    return readMessage(rawBody(request))
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}

async function answer(message: RpcRequest, context: McpContext): Promise<object> {
  const method = METHODS.get(message.method)
  try {
    if (!method) throw new RpcError(CODES.methodNotFound, 'Method not found')
    return resultOf(message, await method(context, message.params))
  } catch (error) {
    if (error instanceof RpcError) return errorOf(error, message)
    throw error
  }
}

async function initialize(
  _context: McpContext,
  { protocolVersion }: Record<string, unknown>,
): Promise<object> {
  if (typeof protocolVersion !== 'string')
    throw new RpcError(CODES.invalidParams, 'protocolVersion is required')
  return {
    protocolVersion: PROTOCOL_VERSIONS.find((version) => version === protocolVersion) ?? NEWEST,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'parley', title: 'Parley', version: await readVersion() },
    instructions: INSTRUCTIONS,
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
