import { createHmac } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { AnswerOf, BodyOf } from '../../contract/operation.ts'
import type { checkSignature } from '../../contract/people/bots.ts'
import { sha256 } from '../ids.ts'
import { isFresh, NONCE, signedText } from './static-key.ts'

export type Signed = BodyOf<typeof checkSignature>
export type SignatureCheck = AnswerOf<typeof checkSignature>['body']
type Hint = NonNullable<SignatureCheck['hint']>

const SHOWN_BYTES = 4096
/** Fewer digits are seconds: 12 are milliseconds since 1973, and seconds only in 5138. */
const MILLISECONDS = /^\d{12,15}$/
/** How Standard Webhooks go on after the id of a delivery: seconds, a dot, the body. */
const STANDARD = /^\d+\./
const ORIGIN = /^https?:\/\/[^/?#]*/i

type Context = { baseUrl: string; now: number; leastVersion: 1 | 2 }

/**
 * Checks the signature of a request, or makes the one of a delivery, and explains the result. Common mistakes of
 * clients are tried in turn; a wrong secret is what remains.
 */
export function explainSignature(secret: Buffer, given: Signed, context: Context): SignatureCheck {
  const { signature } = given
  const signed = textOf(given)
  const expected = hmac(secret, signed)
  const matches = signature === expected
  const isRight = signature === undefined || matches
  const hint = hintFor(given, isRight, context) ?? (isRight ? undefined : mistakeIn(secret, given, context))
  return {
    signed,
    signedHex: Buffer.from(signed).subarray(0, SHOWN_BYTES).toString('hex'),
    ...((matches || isHarmless(given, context.now)) && { expected }),
    ...(signature !== undefined && { matches }),
    ...(hint && { hint }),
  }
}

const isVersion2 = ({ kind, version }: Signed): boolean => kind === 'request' && version === 2

/** The signed text: six lines in version 2, the time and the payload in version 1 and in deliveries. */
function textOf(given: Signed): string {
  const payload = payloadOf(given)
  return isVersion2(given)
    ? secondVersion(given, sha256(payload).toString('hex'))
    : `${given.timestamp}.${payload}`
}

const secondVersion = ({ method = 'GET', target = '', timestamp, nonce = '' }: Signed, bodyHash: string) =>
  signedText({ method, target: target.replace(ORIGIN, ''), timestamp, nonce }, bodyHash)

/**
 * Whether the signature can never be used: an admin who may look at bots must not act as one of them without a trace.
 * So its time must be over, and no other time may be readable from its text. Version 2 has the time in its own line; a
 * line break in the input makes more lines than any request has.
 */
const isHarmless = (given: Signed, now: number): boolean =>
  /^\d+$/.test(given.timestamp) &&
  Number(given.timestamp) < now - LIMITS.signatureAgeMs &&
  (isVersion2(given) || !STANDARD.test(payloadOf(given)))

/**
 * The body. In its place version 1 has the path and query of a GET, also where the whole address was given, and version 2
 * nothing, since it has them anyway.
 */
function payloadOf(given: Signed): string {
  const { kind, method, target = '', body = '' } = given
  const isRead = kind === 'request' && (method === undefined ? body === '' : method === 'GET')
  if (!isRead) return body
  return isVersion2(given) ? '' : target.replace(ORIGIN, '')
}

/** An old timestamp explains a refusal only if nothing else is wrong: people often check requests of some time ago. */
function hintFor(given: Signed, isRight: boolean, { now, leastVersion }: Context): Hint | undefined {
  if (!MILLISECONDS.test(given.timestamp)) return 'timestamp_not_milliseconds'
  if (isVersion2(given) && !NONCE.test(given.nonce ?? '')) return 'nonce_malformed'
  if (given.kind !== 'request' || !isRight) return undefined
  if (!isVersion2(given) && leastVersion === 2) return 'version_too_low'
  return isFresh(given.timestamp, now) ? undefined : 'timestamp_too_old'
}

function mistakeIn(secret: Buffer, given: Signed, { baseUrl }: Context): Hint {
  const { timestamp, target = '', signature = '' } = given
  const payload = payloadOf(given)
  const isOver = (text: string) => signature === hmac(secret, text)
  const expected = hmac(secret, textOf(given))
  if (signature.toLowerCase() === expected) return 'uppercase'
  if (sameBytes(signature, expected)) return 'base64'
  const urls = [target, `${baseUrl}${target.replace(ORIGIN, '')}`]
  const bodies = [`${payload}\n`, `${payload}\r\n`, payload.replace(/\r?\n$/, '')]

  if (isVersion2(given)) {
    const { method = 'GET', nonce = '' } = given
    const bodyHash = sha256(payload).toString('hex')
    const overUrl = (url: string) => signedText({ method, target: url, timestamp, nonce }, bodyHash)
    if (isOver(textOf({ ...given, version: 1 }))) return 'version_1'
    if (isOver(secondVersion(given, payload))) return 'body_not_hashed'
    if (urls.some((url) => isOver(overUrl(url)))) return 'whole_url'
    const texts = bodies.map((body) => secondVersion(given, sha256(body).toString('hex')))
    return [`${textOf(given)}\n`, ...texts].some(isOver) ? 'trailing_newline' : 'wrong_secret'
  }
  if (given.kind === 'request' && isOver(textOf({ ...given, version: 2 }))) return 'version_2'
  if (isOver(payload)) return 'body_without_timestamp'
  if (urls.some((url) => isOver(`${timestamp}.${url}`))) return 'whole_url'
  return bodies.some((body) => isOver(`${timestamp}.${body}`)) ? 'trailing_newline' : 'wrong_secret'
}

const sameBytes = (base64: string, hex: string): boolean =>
  Buffer.from(base64, 'base64').equals(Buffer.from(hex, 'hex'))

const hmac = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('hex')
