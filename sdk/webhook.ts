import type { WebhookEvent } from './api.ts'
import type { Verdict } from './inbox.ts'
import { checked } from './settings.ts'
import { isSigned } from './signing.ts'

const MAX_AGE_MS = 5 * 60 * 1000
/** Many times the largest delivery: a stranger's bytes are held until their signature was checked. */
const MAX_BYTES = 8 * 1024 * 1024
/** The wait that a delivery is asked for that cannot be answered yet. */
const RETRY_AFTER_SECONDS = 5

export type WebhookOptions = {
  /** The bot's secret: `apiSecret` or `clientSecret`. */
  secret: string
  /** The server's `WEBHOOK_HEADER_PREFIX`. Default: `X-Service-`. */
  headerPrefix?: string | undefined
}
/** `Headers`, or an object with the headers' names in any case, as Node has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/**
 * The event in a delivery, or undefined where it does not come from the server, was changed, or is older than five minutes.
 * `body` is what was received, byte by byte: parsed and written again it has another signature.
 */
export async function readWebhook(
  options: WebhookOptions,
  headers: WebhookHeaders,
  body: Uint8Array | string,
): Promise<WebhookEvent | undefined> {
  const secret = checked('secret', options.secret)
  const { headerPrefix = 'X-Service-' } = options
  const header = readerOf(headers)
  const timestamp = header(`${headerPrefix}Timestamp`) ?? ''
  // A second signature, by the new secret, is present while a secret is being replaced.
  const signatures = [header(`${headerPrefix}Signature`), header(`${headerPrefix}Signature-Next`)]
  if (!(Math.abs(Date.now() - Number(timestamp)) < MAX_AGE_MS)) return undefined
  const received = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const raw = header('Content-Encoding') === 'gzip' ? await decompressed(received) : received
  if (!raw) return undefined
  const checks = signatures.map((signature) =>
    isSigned(secret, { timestamp, signature: signature ?? '', body: raw }),
  )
  if (!(await Promise.all(checks)).includes(true)) return undefined
  return JSON.parse(new TextDecoder().decode(raw))
}

function readerOf(headers: WebhookHeaders): (name: string) => string | undefined {
  const { get } = headers
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? undefined
  const plain = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => plain.get(name.toLowerCase())?.toString()
}

/** Returns undefined if the bytes are not valid gzip. */
async function decompressed(raw: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const stream = new Blob([new Uint8Array(raw)]).stream().pipeThrough(new DecompressionStream('gzip'))
    return await collected(stream)
  } catch {
    return undefined
  }
}

/** Undefined where there is more than a delivery can be, or where it breaks off; the rest is not read then. */
async function collected(stream: AsyncIterable<Uint8Array> | null): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for await (const chunk of stream ?? []) {
      size += chunk.length
      if (size > MAX_BYTES) return undefined
      chunks.push(new Uint8Array(chunk))
    }
  } catch {
    return undefined
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

type Accept = (event: WebhookEvent) => Promise<Verdict>

/** Handler for Deno, Bun, workers and frameworks that use `Request` and `Response`. */
export function fetchHandler(
  options: WebhookOptions,
  accept: Accept,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const status = await statusOf(options, request.headers, request.body, accept)
    return new Response(null, { status, headers: headersOf(status) })
  }
}

/** Parts of Node's `IncomingMessage` and `ServerResponse`. */
export type NodeHandler = (
  request: AsyncIterable<Uint8Array> & {
    readonly headers: { readonly [name: string]: string | string[] | undefined }
  },
  response: { writeHead(status: number, headers: Record<string, string>): { end(): unknown } },
) => Promise<void>

/** Handler for Node's `createServer`, and for Express if nothing else has read the body. */
export function nodeHandler(options: WebhookOptions, accept: Accept): NodeHandler {
  return async (request, response) => {
    const status = await statusOf(options, request.headers, request, accept)
    response.writeHead(status, headersOf(status)).end()
  }
}

async function statusOf(
  options: WebhookOptions,
  headers: WebhookHeaders,
  body: AsyncIterable<Uint8Array> | null,
  accept: Accept,
): Promise<Verdict | 401> {
  const raw = await collected(body)
  const event = raw && (await readWebhook(options, headers, raw))
  return event ? accept(event) : 401
}

const headersOf = (status: number): Record<string, string> =>
  status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {}
