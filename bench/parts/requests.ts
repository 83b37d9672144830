import { createHmac } from 'node:crypto'

/** The name of the session cookie on servers without https. */
export const SESSION_COOKIE = 'parley_session'

/** Credentials of a bot with a key, of a bot with an access token, or of a person's browser. */
export type Credentials = { apiKey: string; apiSecret: string } | { token: string } | { session: string }

/** The signature is over the target of a GET, and over the body of anything else. */
export function sign(secret: string, timestamp: string, ...signed: readonly (string | Buffer)[]): string {
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`)
  for (const part of signed) hmac.update(part)
  return hmac.digest('hex')
}

function identify(credentials: Credentials, ...signed: readonly (string | Buffer)[]): string {
  if ('session' in credentials)
    return `Cookie: ${SESSION_COOKIE}=${credentials.session}\r\nSec-Fetch-Site: same-origin\r\n`
  if ('token' in credentials) return `Authorization: Bearer ${credentials.token}\r\n`
  const timestamp = String(Date.now())
  const signature = sign(credentials.apiSecret, timestamp, ...signed)
  return `Authorization: Bearer ${credentials.apiKey}\r\nX-Timestamp: ${timestamp}\r\nX-Signature: ${signature}\r\n`
}

export function getRequest(path: string, credentials?: Credentials): Buffer {
  const identity = credentials ? identify(credentials, path) : ''
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${identity}\r\n`)
}

export const postRequest = (
  path: string,
  credentials: Credentials,
  body: string,
  idempotencyKey?: string,
): Buffer => sendRequest('POST', path, credentials, body, idempotencyKey)

export function sendRequest(
  method: 'POST' | 'PATCH',
  path: string,
  credentials: Credentials,
  body: string,
  idempotencyKey?: string,
): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  const key = idempotencyKey === undefined ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`
  return Buffer.from(`${head}${key}${identify(credentials, body)}\r\n${body}`)
}

/** The head of a plain-text body of unknown length. */
export const textHead = (path: string, token: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n${identify({ token })}\r\n`,
  )

export const messageBody = (topicId: string, number: number): string =>
  JSON.stringify({
    topicId,
    text: `Message ${number}: the build of the main branch went through, all checks are green, and it is on its way.`,
  })

const BOUNDARY = 'parley-bench-7d1f0c52'

/** The parts before and after the file in the multipart body of an upload. */
export function uploadFrame(topicId: string, caption: string, fileName: string): [Buffer, Buffer] {
  const part = (name: string, type: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const file = part('filePart', 'application/octet-stream').replace(
    'name="filePart"',
    `name="filePart"; filename="${fileName}"`,
  )
  const meta = JSON.stringify({ topicId, caption })
  return [
    Buffer.from(`${part('metaPart', 'application/json')}${meta}\r\n${file}`),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]
}

/** The head of an upload with this length and signature. */
export function uploadHead(apiKey: string, timestamp: string, signature: string, length: number): Buffer {
  return Buffer.from(
    `POST /v2/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${length}\r\nAuthorization: Bearer ${apiKey}\r\nX-Timestamp: ${timestamp}\r\nX-Signature: ${signature}\r\n\r\n`,
  )
}
