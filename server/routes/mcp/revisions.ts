import type { IncomingHttpHeaders } from 'node:http'
import { readVersion } from '../../project.ts'
import { complete } from './completion.ts'
import type { McpContext } from './context.ts'
import { CODES, isObject, RpcError, type RpcRequest } from './json-rpc.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { cancelTask, readTask, updateTask } from './tasks.ts'
import { callTool, listTools } from './tools.ts'

/** Revisions that begin with a handshake, the newest first. In what is used here they differ by texts alone. */
const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18'] as const
/** The revision in which each request is self-contained. */
const STATELESS_VERSION = '2026-07-28'
export const PROTOCOL_VERSIONS: readonly string[] = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS]

const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }
/** Extensions of the revision without a handshake. */
export const TASKS = 'io.modelcontextprotocol/tasks'
type Method = (context: McpContext, params: Record<string, unknown>) => object | Promise<object>

/** Differences between revisions. */
export type Revision = {
  methods: ReadonlyMap<string, Method>
  /** The HTTP status for an unknown method. */
  unknownMethodStatus: 200 | 404
  /** The code for an unknown or invisible resource. */
  resourceNotFound: number
  /** Adds the fields that every result has. */
  complete(method: string, result: object): Promise<object>
}

const SHARED_METHODS: readonly (readonly [string, Method])[] = [
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
]

const withHandshake: Revision = {
  methods: new Map<string, Method>([['initialize', initialize], ['ping', () => ({})], ...SHARED_METHODS]),
  unknownMethodStatus: 200,
  resourceNotFound: CODES.resourceNotFound,
  complete: async (_method, result) => result,
}

/** How long clients may keep what they got, for themselves: what follows from scopes for a minute, what others change not at all. */
const CACHE_MS: Record<string, number> = {
  'server/discover': 60_000,
  'tools/list': 60_000,
  'prompts/list': 60_000,
  'resources/templates/list': 60_000,
  'resources/list': 0,
  'resources/read': 0,
}

const stateless: Revision = {
  methods: new Map<string, Method>([
    ['server/discover', discover],
    ...SHARED_METHODS,
    ['tasks/get', readTask],
    ['tasks/update', updateTask],
    ['tasks/cancel', cancelTask],
  ]),
  unknownMethodStatus: 404,
  resourceNotFound: CODES.invalidParams,
  complete: async (method, result) => ({
    resultType: 'complete',
    ...result,
    ...(method in CACHE_MS && { ttlMs: CACHE_MS[method], cacheScope: 'private' }),
    _meta: { [META.server]: await serverInfo() },
  }),
}

async function initialize(
  { instructions }: McpContext,
  { protocolVersion }: Record<string, unknown>,
): Promise<object> {
  if (typeof protocolVersion !== 'string')
    throw new RpcError(CODES.invalidParams, 'protocolVersion is required')
  const [newest] = HANDSHAKE_VERSIONS
  return {
    protocolVersion: HANDSHAKE_VERSIONS.find((version) => version === protocolVersion) ?? newest,
    capabilities: CAPABILITIES,
    serverInfo: await serverInfo(),
    instructions,
  }
}

function discover({ instructions }: McpContext): object {
  const capabilities = { ...CAPABILITIES, extensions: { [TASKS]: {} } }
  return { supportedVersions: PROTOCOL_VERSIONS, capabilities, instructions }
}

let version: Promise<string> | undefined
async function serverInfo(): Promise<object> {
  version ??= readVersion()
  return { name: 'parley', title: 'Parley', version: await version }
}

/** The protocol revision for a request. A request that claims to be stateless must say so in its headers as well. */
export function revisionOf(message: RpcRequest | undefined, headers: IncomingHttpHeaders): Revision {
  const given = headers['mcp-protocol-version']
  const meta = message && isObject(message.params._meta) ? message.params._meta : {}
  const claimed = meta[META.version]
  if (!message || (claimed === undefined && given !== STATELESS_VERSION)) {
    if (given !== undefined && !PROTOCOL_VERSIONS.includes(String(given))) throw unsupported(given)
    return withHandshake
  }
  if (typeof claimed !== 'string') throw lacksMeta()
  requireHeader(headers, 'MCP-Protocol-Version', claimed)
  if (HANDSHAKE_VERSIONS.some((version) => version === claimed)) return withHandshake
  if (claimed !== STATELESS_VERSION) throw unsupported(claimed)
  if (!isObject(meta[META.capabilities])) throw lacksMeta()
  const { name, uri, taskId } = message.params
  requireHeader(headers, 'Mcp-Method', message.method)
  if (message.method === 'tools/call' || message.method === 'prompts/get')
    requireHeader(headers, 'Mcp-Name', name)
  if (message.method === 'resources/read') requireHeader(headers, 'Mcp-Name', uri)
  if (message.method.startsWith('tasks/')) requireHeader(headers, 'Mcp-Name', taskId)
  return stateless
}

/** Whether a request says that its client takes tasks. Only the revision without a handshake has them. */
export function takesTasks({ params }: RpcRequest): boolean {
  const meta = isObject(params._meta) ? params._meta : {}
  const { extensions } = Object(meta[META.capabilities])
  return meta[META.version] === STATELESS_VERSION && isObject(extensions) && isObject(extensions[TASKS])
}

const lacksMeta = () =>
  new RpcError(CODES.invalidParams, `_meta must have ${META.version} and ${META.capabilities}`)

const unsupported = (requested: unknown) =>
  new RpcError(CODES.unsupportedVersion, 'this revision of the protocol is not supported', {
    supported: PROTOCOL_VERSIONS,
    requested,
  })

/** Routers go by headers, and the server by bodies: they must not be told different things. */
function requireHeader(headers: IncomingHttpHeaders, name: string, value: unknown): void {
  if (typeof value !== 'string') return // refused for what it is
  const given = headers[name.toLowerCase()]
  if (given === undefined || decodeValue(String(given)) !== value)
    throw new RpcError(CODES.headerMismatch, `${name} must say what the body says`)
}

/** A value that does not fit into a header is written as `=?base64?…?=`. */
function decodeValue(given: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(given) ?? []
  return encoded === undefined ? given : Buffer.from(encoded, 'base64').toString('utf8')
}
