import { type ErrorCode, type Operations, ROUTES } from './api.ts'
import { type FileInput, formOf } from './files.ts'
import {
  type Address,
  addressIn,
  type Credentials,
  credentialsIn,
  type KnownCredentials,
  secretOf,
} from './settings.ts'
import { hmac, signedHeaders } from './signing.ts'

/** Waits between the attempts of a request, in ms; each is varied by a quarter, and a longer `Retry-After` wins. */
const RETRY_WAITS = [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]
/** Waits of at least this long are logged; shorter ones go unnoticed. */
const LOGGED_WAIT_MS = 1000
/** A client that is asked to wait for longer, as for a budget that comes back at midnight, gets the error instead. */
const MAX_ASKED_WAIT = 120_000
/** Statuses that need not last. 500 is one of them: with the same key, trying again is always right. */
const PASSING = new Set([429, 500, 502, 503, 504])
const REQUEST_MS = 60_000
/** Minimum pace of a file's upload; a large file may take longer. */
const LEAST_BYTES_PER_MS = 50
/** A token is replaced this long before it ends. */
const TOKEN_MARGIN_MS = 60_000

/**
 * Node copies everything it sends into memory, for redirects that it may have to follow. A request without redirects
 * and without a window has no copy: 500 MB took 548 MB with it and 46 MB without.
 */
const STREAMED = { redirect: 'error', window: null } as const

export type ClientOptions = Address &
  Credentials & {
    /** Told, in one line each, of requests that are tried again. Written to stderr unless given. */
    onRetry?: ((line: string) => void) | undefined
  }

/** The server's refusal of a request. */
export class ParleyError extends Error {
  readonly status: number
  /** The text of the refusal alone. */
  readonly refusal: string
  /** The refusal's code, for programs: it stays the same when the text changes. Undefined where something in between refused. */
  readonly code: ErrorCode | undefined
  /** The field of the request that it is about, where it is about one. */
  readonly field: string | undefined
  /** The reason of a 401, as `X-Auth-Error` has it. */
  readonly reason: string | undefined

  constructor(method: string, path: string, status: number, refusal: string, headers: Headers) {
    const reason = headers.get('x-auth-error') ?? undefined
    super(`${method} ${path}: ${status} ${refusal}${reason === undefined ? '' : ` (${reason})`}`)
    this.reason = reason
    this.name = 'ParleyError'
    this.status = status
    this.refusal = refusal
    this.code = (headers.get('x-error-code') as ErrorCode | null) ?? undefined // as the contract promises
    this.field = headers.get('x-error-field') ?? undefined
  }
}

type Id = keyof Operations
/** The body that an operation takes: JSON, or a form with files if the operation has one. */
type Input<O extends Id> = (Operations[O]['input'] | UploadOf<Operations[O]>) & CallOptions
type UploadOf<O> = O extends { upload: infer Upload } ? Upload : never
export type CallOptions = {
  /** Key of a POST: repeating it with the same key returns the first answer again. Random by default. */
  idempotencyKey?: string
  signal?: AbortSignal
}
/** The input may be left out if nothing is required. */
type Arguments<O extends Id> =
  Record<never, never> extends Operations[O]['input'] ? [input?: Input<O>] : [input: Input<O>]

export type Client = { [O in Id]: (...input: Arguments<O>) => Promise<Operations[O]['answer']> }

/** Sends a body of plain text as it comes, once: of its answer it can be known how much of it has arrived. */
export type SendText = (
  target: string,
  body: ReadableStream<Uint8Array>,
) => Promise<{ status: number; text: string }>

const textSenders = new WeakMap<Client, SendText>()
/** Undefined for clients that sign requests, which needs the whole body. */
export const textSenderOf = (client: Client): SendText | undefined => textSenders.get(client)

/** A function for each operation: `parley.sendMessage({ body: { topicId, text } })`. */
export function connect(options: ClientOptions = {}): Client {
  const credentials = credentialsIn(options)
  const address = addressIn(options)
  const base = 'rehearsal' in credentials ? `${address}/rehearsal` : address
  const { send, sendText } = sender(base, credentials, options.onRetry)
  const calls = Object.entries(ROUTES).map(([id, [method, template]]) => {
    const call = (input: AnyInput = {}) => {
      const path = template.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(String(input.params?.[name])),
      )
      return send(method, path + searchOf(input.query), input)
    }
    return [id, call] as const
  })
  // Each has the types of its own operation, which were made from the same contract as the routes.
  const client: Client = Object(Object.fromEntries(calls))
  if ('clientId' in credentials) textSenders.set(client, sendText)
  return client
}

type AnyInput = CallOptions & {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  form?: unknown
  files?: readonly FileInput[]
}

function searchOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return search.size > 0 ? `?${search}` : ''
}

function sender(
  base: string,
  credentials: KnownCredentials,
  onRetry: (line: string) => void = (line) => console.warn(line),
) {
  const tokens = 'clientId' in credentials ? tokenSource(base, credentials) : undefined

  async function authorize(
    method: string,
    target: string,
    body: string | Blob,
  ): Promise<Record<string, string>> {
    if ('rehearsal' in credentials) return { authorization: `Bearer ${credentials.rehearsal}` }
    if ('clientId' in credentials) return { authorization: `Bearer ${await tokens?.current()}` }
    return signedHeaders(credentials, { method, target, body })
  }

  /** Sends the request once, with a new signature and everything else unchanged. */
  async function attempt(
    method: string,
    target: string,
    body: string | Blob | ReadableStream<Uint8Array>,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ) {
    const isStream = body instanceof ReadableStream
    const authorization = isStream
      ? { authorization: `Bearer ${await tokens?.current()}` }
      : await authorize(method, target, body)
    const bytes = typeof body === 'string' || isStream ? 0 : body.size
    const limit = AbortSignal.timeout(REQUEST_MS + Math.ceil(bytes / LEAST_BYTES_PER_MS))
    const response = await fetch(base + target, {
      method,
      headers: { ...headers, ...authorization },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body !== '' && { body }),
      ...(typeof body !== 'string' && STREAMED),
      ...(isStream && { duplex: 'half' }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  const sendText: SendText = (target, body) =>
    attempt('POST', target, body, { 'content-type': 'text/plain; charset=utf-8' })

  const send = async (
    method: string,
    target: string,
    { body, form, files, idempotencyKey = crypto.randomUUID(), signal }: AnyInput,
  ): Promise<unknown> => {
    const sent = files
      ? await formOf(form, files, await boundaryOf(secretOf(credentials), idempotencyKey))
      : { content: body === undefined ? '' : JSON.stringify(body), contentType: 'application/json' }
    const headers: Record<string, string> = sent.content === '' ? {} : { 'content-type': sent.contentType }
    if (method === 'POST') headers['idempotency-key'] = idempotencyKey
    for (let tries = 0; ; tries++) {
      const wait = RETRY_WAITS[tries]
      let trouble = ''
      const answer = await attempt(method, target, sent.content, headers, signal).catch((error: unknown) => {
        if (error instanceof ParleyError || signal?.aborted || wait === undefined) throw error
        trouble = causeOf(error)
        return undefined // no answer: whether it was done, the next try tells
      })
      if (answer && answer.status < 300) return answer.text === '' ? undefined : JSON.parse(answer.text)
      // The attempt before has deleted it, and its answer was lost.
      if (answer?.status === 404 && method === 'DELETE' && tries > 0) return undefined
      if (answer?.status === 401 && tries === 0 && tokens) {
        tokens.drop()
        continue
      }
      const asked = Number(answer?.headers.get('retry-after') ?? 0) * 1000
      if (answer && (wait === undefined || !PASSING.has(answer.status) || asked > MAX_ASKED_WAIT))
        throw new ParleyError(method, target, answer.status, refusalIn(answer.text), answer.headers)
      const pause = Math.max(asked, (wait ?? 0) * (0.75 + Math.random() / 2))
      if (answer) trouble = `${answer.status} ${refusalIn(answer.text)}`
      const [path] = target.split('?')
      if (Math.max(asked, wait ?? 0) >= LOGGED_WAIT_MS)
        onRetry(`${method} ${base}${path}: ${trouble}; trying again in ${Math.ceil(pause / 1000)} s`)
      await sleep(pause, signal)
    }
  }

  return { send, sendText }
}

/** The reason why there was no answer. Node's own error says no more than "fetch failed". */
function causeOf(error: unknown): string {
  const { cause, message } = Object(error)
  return String(Object(cause).message || Object(cause).code || message)
}

/**
 * A boundary that is equal for equal keys, even in another run. The secret makes it unpredictable, so that no file can
 * contain it.
 */
const boundaryOf = async (secret: string, key: string): Promise<string> =>
  `parley-${(await hmac(secret, key)).slice(0, 32)}`

function refusalIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'string' ? body : text
  } catch {
    return text
  }
}

function tokenSource(base: string, { clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  let token: Promise<{ text: string; until: number }> | undefined

  async function request() {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const asked = Date.now()
    const response = await fetch(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    const body = Object(await response.json())
    // A temporary status counts as no answer and is retried; another refusal is final.
    if (PASSING.has(response.status)) throw new Error(`no token: ${response.status}`)
    if (!response.ok)
      throw new ParleyError('POST', '/oauth/token', response.status, String(body.error), response.headers)
    return { text: String(body.access_token), until: asked + Number(body.expires_in) * 1000 }
  }

  return {
    /** The token that is there, or a new one; callers who ask at once wait for the same request. */
    async current(): Promise<string> {
      const known = await token?.catch(() => undefined)
      if (!known || known.until - TOKEN_MARGIN_MS < Date.now()) token = request()
      return (await token)?.text ?? ''
    },
    drop(): void {
      token = undefined
    },
  }
}

export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
