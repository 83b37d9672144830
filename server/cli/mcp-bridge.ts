import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Credentials, TokenRefused } from './mcp-credentials.ts'

/** Waits between the attempts of a request, in ms. A longer `Retry-After` wins. */
const RETRY_WAITS = [250, 1000, 3000]
/** A node that ends or a database that is away; a done request is not done twice, by its key. */
const PASSING = new Set([502, 503, 504])
/** JSON-RPC code for a refusal by the server or the connection. */
const REFUSED = -32000

type Message = { id?: string | number; method?: string; params?: unknown }
type Options = {
  baseUrl: string
  /** The path of the server's endpoint, with the toolsets that are asked for. */
  path: string
  credentials: Credentials
  input: Readable
  output: Writable
}

/**
 * Passes messages of the Model Context Protocol on: a line of input is a request to the server, its answers are lines
 * of output. Resolves when the input has ended and everything is answered, or when the output is closed.
 */
export async function bridge({ baseUrl, path, credentials, input, output }: Options): Promise<void> {
  const underWay = new Map<string | number, AbortController>()
  const open = new Set<Promise<void>>()
  let version: string | undefined

  /** A message is one line: JSON has no line breaks. */
  const write = (message: object) => output.write(`${JSON.stringify(message)}\n`)
  const fail = (id: string | number | undefined, error: object) => {
    if (id !== undefined) write({ jsonrpc: '2.0', id, error })
  }

  async function pass(line: string): Promise<void> {
    const message = readMessage(line)
    if (!message) {
      write({ jsonrpc: '2.0', error: { code: -32700, message: 'a line must be a JSON object' } })
      return
    }
    const { id, method, params } = message
    // Over HTTP there are no sessions that would know the other request; here there are.
    if (method === 'notifications/cancelled') underWay.get(Object(params).requestId)?.abort()
    const controller = new AbortController()
    if (id !== undefined) underWay.set(id, controller)
    try {
      const response = await post(line, message, controller.signal)
      for await (const answer of answersIn(response)) {
        if (method === 'initialize') version = Object(Object(answer).result).protocolVersion ?? version
        if (response.ok) write(answer)
        else fail(id, Object(answer).error)
      }
    } catch (error) {
      if (!controller.signal.aborted) fail(id, { code: REFUSED, message: reasonOf(error, baseUrl) })
    } finally {
      if (id !== undefined) underWay.delete(id)
    }
  }

  /** Sends the same request until it is answered. The server recognizes its key and acts once. */
  async function post(body: string, message: Message, signal: AbortSignal): Promise<Response> {
    const key = randomUUID()
    let hasRenewed = false
    for (let tries = 0; ; tries += 1) {
      const wait = RETRY_WAITS[tries]
      const response = await attempt(body, message, key, signal).catch((error: unknown) => {
        if (signal.aborted || wait === undefined || error instanceof TokenRefused) throw error
        return undefined
      })
      if (response?.status === 401 && !hasRenewed && credentials.renew()) {
        hasRenewed = true
        await response.body?.cancel()
        continue
      }
      if (response && (wait === undefined || !PASSING.has(response.status))) return response
      await response?.body?.cancel()
      const asked = Number(response?.headers.get('retry-after') ?? 0) * 1000
      await sleep(Math.max(asked, wait ?? 0), undefined, { signal })
    }
  }

  async function attempt(
    body: string,
    message: Message,
    key: string,
    signal: AbortSignal,
  ): Promise<Response> {
    return fetch(baseUrl + path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'idempotency-key': key,
        ...revisionHeaders(message, version),
        ...(await credentials.headersFor(path, body)),
      },
      redirect: 'error', // credentials are for this server alone
      signal,
    })
  }

  const lines = createInterface({ input })
  output.once('error', () => {
    for (const controller of underWay.values()) controller.abort()
    lines.close()
    output.on('error', () => {}) // of what was about to be said
  })
  for await (const line of lines) {
    if (line.trim() === '') continue
    const passed = pass(line).finally(() => open.delete(passed))
    open.add(passed)
  }
  await Promise.all(open)
}

function readMessage(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined
  } catch {
    return undefined
  }
}

/** The agreed revision, or the one that a message names itself, with the message's subject. */
function revisionHeaders({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const { name, uri, _meta: meta } = Object(params)
  const own = Object(meta)['io.modelcontextprotocol/protocolVersion']
  if (typeof own !== 'string' || method === undefined)
    return agreed === undefined ? {} : { 'mcp-protocol-version': agreed }
  const about = method === 'tools/call' ? name : method === 'resources/read' ? uri : undefined
  return {
    'mcp-protocol-version': own,
    'mcp-method': encodeValue(method),
    ...(typeof about === 'string' && { 'mcp-name': encodeValue(about) }),
  }
}

/** Headers hold printable ASCII without spaces at the ends; the protocol has a form for the rest. */
const encodeValue = (value: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** The messages of an answer: one as JSON, any number as events, none where nothing is to be said. */
async function* answersIn(response: Response): AsyncGenerator<object> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body) {
    for await (const event of eventsIn(response.body)) yield JSON.parse(event)
    return
  }
  const text = await response.text()
  if (text === '') return
  if (type.startsWith('application/json')) yield Object(JSON.parse(text))
  else throw new Error(`it answered ${response.status}, without JSON: is this the address of Parley?`)
}

/** The data of each event; `/mcp` writes it in one line. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}

function reasonOf(error: unknown, baseUrl: string): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const { code, message: reason } = Object(cause)
  return `${baseUrl}: ${code ?? reason ?? message}`
}
