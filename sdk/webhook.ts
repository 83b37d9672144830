import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSigned } from './signing.ts'

const MAX_AGE_MS = 5 * 60 * 1000
/** Many times the largest delivery: a stranger's bytes are held until their signature was checked. */
const MAX_BYTES = 8 * 1024 * 1024

export type WebhookEvent = { id: string; type: string; timestamp: number; data: unknown }
export type WebhookOptions = {
  /** The bot's secret: `apiSecret` or `clientSecret`. */
  secret: string
  /** The server's `WEBHOOK_HEADER_PREFIX`. Default: `X-Service-`. */
  headerPrefix?: string
}

/** The event in a delivery, or undefined where it does not come from the server, was changed, or is older than five minutes. */
export async function readWebhook(
  { secret, headerPrefix = 'X-Service-' }: WebhookOptions,
  header: (name: string) => string | null | undefined,
  raw: Uint8Array | undefined,
): Promise<WebhookEvent | undefined> {
  const timestamp = header(`${headerPrefix}Timestamp`) ?? ''
  // A second signature, by the new secret, is present while a secret is being replaced.
  const signatures = [header(`${headerPrefix}Signature`), header(`${headerPrefix}Signature-Next`)]
  if (!raw || !(Math.abs(Date.now() - Number(timestamp)) < MAX_AGE_MS)) return undefined
  const body = header('Content-Encoding') === 'gzip' ? await decompressed(raw) : raw
  if (!body) return undefined
  const checks = signatures.map((signature) =>
    isSigned(secret, { timestamp, signature: signature ?? '', body }),
  )
  if (!(await Promise.all(checks)).includes(true)) return undefined
  return JSON.parse(new TextDecoder().decode(body))
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

/** Undefined where there is more than a delivery can be; the rest is not read then. */
async function collected(stream: AsyncIterable<Uint8Array> | null): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined
    chunks.push(new Uint8Array(chunk))
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

type Handle = (event: WebhookEvent) => Promise<void>

/** Handler for Deno, Bun, workers and frameworks that use `Request` and `Response`. */
export const fetchHandler =
  (options: WebhookOptions, handle: Handle) =>
  async (request: Request): Promise<Response> => {
    const raw = await collected(request.body)
    const event = await readWebhook(options, (name) => request.headers.get(name), raw)
    return new Response(null, { status: await statusOf(event, handle) })
  }

/** Handler for Node's `createServer`, and for Express if nothing else has read the body. */
export const nodeHandler =
  (options: WebhookOptions, handle: Handle) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await collected(request)
    const header = (name: string) => request.headers[name.toLowerCase()]?.toString()
    const event = await readWebhook(options, header, raw)
    response.writeHead(await statusOf(event, handle)).end()
  }

/** Returns 500 to make the server deliver the event again. */
async function statusOf(event: WebhookEvent | undefined, handle: Handle): Promise<number> {
  if (!event) return 401
  return handle(event).then(
    () => 204,
    () => 500,
  )
}
