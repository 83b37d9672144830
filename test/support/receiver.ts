import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { setBot } from '../../server/actions/bots/bots.ts'
import type { Config } from '../../server/config.ts'
import { Dispatcher, type DispatcherOptions } from '../../server/webhooks/dispatcher.ts'
import { type Home, type StaticTestBot, staticBot } from './cast.ts'
import type { TestParley } from './parley.ts'
import { PATIENCE_MS } from './patience.ts'

/** Settings for receivers on loopback, allowed for the first organization, the home one. */
export const ON_LOOPBACK: Partial<Config> = { webhookAllowedNetworks: ['127.0.0.0/8'] }

export type Received = {
  headers: IncomingHttpHeaders
  /** The body as received. */
  raw: Buffer
  /** The decompressed body. */
  body: Buffer
  event: { id: string; type: string; eventVersion: number; timestamp: number; data: Record<string, unknown> }
  path: string
  /** The sender's port: requests with the same one came over the same connection. */
  clientPort: number | undefined
}

/** A receiver's reply to a request; a number is a status without a body. */
export type Reply =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Takes the request and never answers. */
  | 'hang'
  /** Answers 200, then an endless body, byte by byte. */
  | 'drip'
  /** Hangs up without an answer. */
  | 'close'

export type Receiver = {
  url: string
  port: number
  received: Received[]
  /** Sets the replies to the next requests, one each. */
  script(...replies: Reply[]): void
  /** The reply after the script; 200 by default. */
  otherwise: Reply | ((received: Received) => Promise<Reply> | Reply)
  /** Requests in work now, and the most so far. */
  active: number
  mostActive: number
  /** Waits for this many requests. */
  has(count: number): Promise<Received[]>
  close(): Promise<void>
}

const DRIP_MS = 20

/** A real receiver on a free port, which keeps all requests. */
export async function startReceiver({ host = '127.0.0.1', tls = false } = {}): Promise<Receiver> {
  const script: Reply[] = []
  const server = tls ? createTlsServer({ key: KEY, cert: CERTIFICATE }, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://${host}:${port}/events`,
    port,
    received: [],
    script: (...replies) => script.push(...replies),
    otherwise: 200,
    active: 0,
    mostActive: 0,
    async has(count) {
      await until(
        () => receiver.received.length >= count,
        () => `${receiver.received.length} of ${count} requests`,
      )
      return receiver.received
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    receiver.active += 1
    receiver.mostActive = Math.max(receiver.mostActive, receiver.active)
    response.on('close', () => {
      receiver.active -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    const received: Received = {
      headers: request.headers,
      raw,
      body,
      event: JSON.parse(body.toString() || '{}'), // a document is asked for without a body
      path: request.url ?? '',
      clientPort: request.socket.remotePort,
    }
    receiver.received.push(received)
    const { otherwise } = receiver
    answer(
      response,
      script.shift() ?? (typeof otherwise === 'function' ? await otherwise(received) : otherwise),
    )
  }
  return receiver
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'close') {
    response.socket?.destroy()
  } else if (reply === 'drip') {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), DRIP_MS)
    response.on('close', () => clearInterval(timer))
  } else {
    const { status, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply
    response.writeHead(status, headers).end(body)
  }
}

/** A port of loopback without a listener. */
export async function closedPort(): Promise<number> {
  const receiver = await startReceiver()
  await receiver.close()
  return receiver.port
}

export async function webhookBot(
  server: Home,
  orgId: string,
  url: string,
  name = 'Receiving bot',
): Promise<StaticTestBot> {
  const bot = await staticBot(server, orgId, name)
  await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: url }))
  return bot
}

/** A dispatcher that polls often, so that no test waits for the slow poll. */
export function startDispatcher(server: TestParley, options: DispatcherOptions = {}): Dispatcher {
  return new Dispatcher(server.parley, { pollMs: 50, ...options })
}

/** Checks the signature as `docs` tell bots to: hex HMAC-SHA256 over `{timestamp}.{body}`. */
export function isSigned({ headers, body }: Received, secret: string, prefix = 'x-service-'): boolean {
  const expected = createHmac('sha256', secret)
    .update(`${headers[`${prefix}timestamp`]}.`)
    .update(body)
    .digest('hex')
  return headers[`${prefix}signature`] === expected
}

/** The check of the Standard Webhooks specification, with the key in the form that its verifiers take. */
export function isSignedByStandard({ headers, body }: Received, secret: string): boolean {
  const configured = `whsec_${Buffer.from(secret).toString('base64')}`
  const key = Buffer.from(configured.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(content).digest('base64')
  const signatures = String(headers['webhook-signature']).split(' ')
  return signatures.some((signature) => signature === `v1,${expected}`)
}

export async function until(condition: () => boolean | Promise<boolean>, state = () => 'it'): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${state()} did not happen within ${PATIENCE_MS / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A self-signed certificate for `receiver.test`, valid until 2120. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBTDCB9KADAgECAgEBMAoGCCqGSM49BAMCMBgxFjAUBgNVBAMMDXJlY2VpdmVy
LnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBgxFjAUBgNV
BAMMDXJlY2VpdmVyLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASxErdW
jknk5VleoM9BWoEURAUCUHeL/yaXrAvPVLEs31B3Rdttj87KdjcfwRuQ9K7+tSSO
dKwSpQ9OmJCkXD1Yoy0wKzAYBgNVHREEETAPgg1yZWNlaXZlci50ZXN0MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgdjSBhitHn7hhIh5ccJgKGEkg
MIuoaLsRQIu8bvUXAz8CIBKaLQjndzzoPTiTeD2xZMoQEH3isalC9szBxJI6T4Un
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyhE/LVpFtW/Nmo+H
Apk45s28AGF+xyybEHJX6azwRgOhRANCAASxErdWjknk5VleoM9BWoEURAUCUHeL
/yaXrAvPVLEs31B3Rdttj87KdjcfwRuQ9K7+tSSOdKwSpQ9OmJCkXD1Y
-----END PRIVATE KEY-----
`
