import * as stateless from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { signedHeaders } from '../../sdk/signing.ts'
import type { TestBot } from './cast.ts'

type Assistant = Pick<TestBot, 'url' | 'credentials'>

/** Adds the credentials of a bot to each request: a token, or a signature. */
const fetchAs =
  ({ credentials }: Assistant) =>
  async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (credentials && 'token' in credentials) headers.set('authorization', `Bearer ${credentials.token}`)
    if (credentials && 'apiKey' in credentials) {
      const { method = 'GET' } = init
      const body = typeof init.body === 'string' ? init.body : ''
      const { pathname, search } = new URL(input)
      const signed = await signedHeaders(credentials, { method, target: pathname + search, body })
      for (const [name, value] of Object.entries(signed)) headers.set(name, value)
    }
    return fetch(input, { ...init, headers })
  }

/** The official client of the revisions with a handshake, connected to `/mcp` with the credentials of a bot. */
export async function connectAssistant(bot: Assistant, toolsets?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const fetchOwn = fetchAs(bot)
  await client.connect(new StreamableHTTPClientTransport(mcpAddress(bot.url, toolsets), { fetch: fetchOwn }))
  return client
}

export function mcpAddress(url: string, toolsets: string | undefined): URL {
  const address = new URL('/mcp', url)
  if (toolsets !== undefined) address.searchParams.set('tools', toolsets)
  return address
}

export const STATELESS_VERSION = '2026-07-28'

/** The official client of the revision without a handshake, which takes no other. */
export const newStatelessClient = (mode: 'auto' | { pin: string } = { pin: STATELESS_VERSION }) =>
  new stateless.Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })

export async function connectStateless(
  bot: Assistant,
  mode?: 'auto' | { pin: string },
): Promise<stateless.Client> {
  const client = newStatelessClient(mode)
  await client.connect(
    new stateless.StreamableHTTPClientTransport(new URL('/mcp', bot.url), { fetch: fetchAs(bot) }),
  )
  return client
}

/** Calls a tool and returns its answer. */
export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }))
}

/** The result of a successful call as a value, which equals its text. */
export async function toolValue(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { structuredContent, isError, content } = await callTool(client, name, given)
  if (isError || !structuredContent) throw new Error(`${name}: ${JSON.stringify(content)}`)
  const [first] = content
  if (first?.type !== 'text' || first.text === '') throw new Error(`${name} has no text`)
  return { value: structuredContent, text: first.text }
}

/** The text of a refused call. */
export async function toolRefusal(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError, content } = await callTool(client, name, given)
  const [first] = content
  return isError && first?.type === 'text' ? first.text : `not refused: ${JSON.stringify(content)}`
}
