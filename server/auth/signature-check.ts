import { createHmac } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { AnswerOf, BodyOf } from '../../contract/operation.ts'
import type { checkSignature } from '../../contract/people/bots.ts'
import { isFresh } from './static-key.ts'

export type Signed = BodyOf<typeof checkSignature>
export type SignatureCheck = AnswerOf<typeof checkSignature>['body']
type Hint = NonNullable<SignatureCheck['hint']>

const SHOWN_BYTES = 4096
/** Fewer digits are seconds: 12 are milliseconds since 1973, and seconds only in 5138. */
const MILLISECONDS = /^\d{12,15}$/
/** How Standard Webhooks go on after the id of a delivery: seconds, a dot, the body. */
const STANDARD = /^\d+\./
const ORIGIN = /^https?:\/\/[^/?#]*/i

/**
 * The same as checking the signature of a request or making the one of a delivery, but it tells why. What a client usually
 * gets wrong is tried in turn; what remains is the secret.
 */
export function explainSignature(
  secret: Buffer,
  given: Signed,
  { baseUrl, now }: { baseUrl: string; now: number },
): SignatureCheck {
  const { timestamp, signature } = given
  const payload = payloadOf(given)
  const signed = `${timestamp}.${payload}`
  const expected = hmac(secret, signed)
  const matches = signature === expected
  const hint = timestampHint(given, signature === undefined || matches, now)
  const mistake = signature === undefined || matches ? undefined : mistakeIn(secret, given, payload, baseUrl)
  return {
    signed,
    signedHex: Buffer.from(signed).subarray(0, SHOWN_BYTES).toString('hex'),
    ...((matches || isHarmless(timestamp, payload, now)) && { expected }),
    ...(signature !== undefined && { matches }),
    ...(hint ? { hint } : mistake && { hint: mistake }),
  }
}

/**
 * Whether nobody could use this signature, now or later: who may look at bots may not act as one of them without leaving a
 * trace. So its time must be one that is over, and its text none that another time could be read from.
 */
const isHarmless = (timestamp: string, payload: string, now: number): boolean =>
  /^\d+$/.test(timestamp) && Number(timestamp) < now - LIMITS.signatureAgeMs && !STANDARD.test(payload)

/** Of a GET the path and query, also where the whole address was given; of everything else the body. */
function payloadOf({ kind, method, target = '', body = '' }: Signed): string {
  const isRead = kind === 'request' && (method === undefined ? body === '' : method === 'GET')
  return isRead ? target.replace(ORIGIN, '') : body
}

/** An old time explains a refusal only where nothing else is wrong: what is looked at here often lies some time back. */
function timestampHint({ kind, timestamp }: Signed, isRight: boolean, now: number): Hint | undefined {
  if (!MILLISECONDS.test(timestamp)) return 'timestamp_not_milliseconds'
  return kind === 'request' && isRight && !isFresh(timestamp, now) ? 'timestamp_too_old' : undefined
}

function mistakeIn(secret: Buffer, given: Signed, payload: string, baseUrl: string): Hint {
  const { timestamp, target = '', signature = '' } = given
  const over = (text: string) => hmac(secret, `${timestamp}.${text}`)
  const expected = over(payload)
  if (signature.toLowerCase() === expected) return 'uppercase'
  if (sameBytes(signature, expected)) return 'base64'
  if (signature === hmac(secret, payload)) return 'body_without_timestamp'
  const urls = [target, `${baseUrl}${target.replace(ORIGIN, '')}`]
  if (urls.some((url) => url !== payload && signature === over(url))) return 'whole_url'
  const texts = [`${payload}\n`, `${payload}\r\n`, payload.replace(/\r?\n$/, '')]
  if (texts.some((text) => text !== payload && signature === over(text))) return 'trailing_newline'
  return 'wrong_secret'
}

const sameBytes = (base64: string, hex: string): boolean =>
  Buffer.from(base64, 'base64').equals(Buffer.from(hex, 'hex'))

const hmac = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('hex')
