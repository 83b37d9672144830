import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { checkPromise } from './promised.ts'

export type Answer = { status: number; body: unknown; text: string; headers: Headers }

export type Credentials = { apiKey: string; apiSecret: string } | { token: string } | undefined

export type RequestOptions = {
  /** An object is sent as JSON; a string or buffer as it is. */
  body?: unknown
  headers?: Record<string, string>
  /** Overrides of the signature, to get it wrong on purpose. */
  timestamp?: string
  signature?: string
  /** Aborts the request. */
  signal?: AbortSignal
}

/** The headers that `fetch` sends by itself. */
const FETCH_HEADERS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
}

/**
 * Speaks to the API as a bot would: signs with a static key, or sends a token, or neither. Every answer is
 * checked against the API reference, so that every suite that calls also tests what is promised. It does not use
 * `fetch`, whose streams take as much CPU time as the server's answer.
 */
export async function call(
  url: string,
  credentials: Credentials,
  method: string,
  path: string,
  { body, headers = {}, timestamp = String(Date.now()), signature, signal }: RequestOptions = {},
): Promise<Answer> {
  const raw =
    body === undefined
      ? undefined
      : Buffer.isBuffer(body) || typeof body === 'string'
        ? body
        : JSON.stringify(body)
  const signed: Record<string, string> = {}
  if (credentials && 'token' in credentials) signed.authorization = `Bearer ${credentials.token}`
  if (credentials && 'apiKey' in credentials) {
    signed.authorization = `Bearer ${credentials.apiKey}`
    signed['x-timestamp'] = timestamp
    signed['x-signature'] =
      signature ??
      sign(credentials.apiSecret, timestamp, method === 'GET' || method === 'HEAD' ? path : (raw ?? ''))
  }
  const response = await request(url + path, {
    method,
    headers: {
      ...FETCH_HEADERS,
      ...(raw !== undefined && { 'content-type': 'application/json' }),
      ...signed,
      ...inLowerCase(headers),
    },
    ...(raw !== undefined && { body: raw }),
    ...(signal && { signal }),
  })
  const text = await response.body.text()
  const answer = {
    status: response.statusCode,
    body: parseJson(text),
    text,
    headers: headersOf(response.headers),
  }
  checkPromise(method, path, answer)
  return answer
}

const inLowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}

export function sign(secret: string, timestamp: string, payload: string | Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(payload).digest('hex')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
