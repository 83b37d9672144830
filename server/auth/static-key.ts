import { createHash, createHmac, type Hash, type Hmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LIMITS } from '../../contract/limits.ts'
import { unauthorized } from '../errors.ts'

const SIGNATURE = /^[a-f0-9]{64}$/
const TIMESTAMP = /^\d{1,15}$/
export const NONCE = new RegExp(`^[\\w-]{${LIMITS.nonceMin},${LIMITS.nonceMax}}$`)

/** The parts that a signature covers: version 1 the time and the body, or the target of a GET; version 2 the whole request. */
export type SignedRequest = {
  version: 1 | 2
  method: string
  /** Path and query as they came over the wire, before any decoding. */
  target: string
  timestamp: string
  /** Used by version 2 only. */
  nonce: string
}

/** Old timestamps are replays; future ones would be replays later. */
export const isFresh = (timestamp: string, now: number): boolean =>
  TIMESTAMP.test(timestamp) && Math.abs(now - Number(timestamp)) <= LIMITS.signatureAgeMs

/**
 * Reads the signature in the headers, or says why it cannot be right. None of this depends on the key, so a wrong key
 * gets the same answers.
 */
export function readSignature(
  { method = '', url = '', headers }: IncomingMessage,
  now: number,
): SignedRequest & { signature: string } {
  const text = (name: string) => headers[name]?.toString()
  const version = text('x-signature-version') ?? '1'
  const timestamp = text('x-timestamp')
  const signature = text('x-signature')
  const nonce = text('x-nonce')

  if (version !== '1' && version !== '2')
    throw unauthorized('signature version unknown: X-Signature-Version must be 1 or 2')
  if (timestamp === undefined) throw unauthorized('timestamp missing: the request has no X-Timestamp')
  if (!TIMESTAMP.test(timestamp))
    throw unauthorized('timestamp malformed: X-Timestamp must be Unix time in milliseconds, in digits')
  const age = now - Number(timestamp)
  if (age > LIMITS.signatureAgeMs)
    throw unauthorized('timestamp too old: X-Timestamp must be in milliseconds and at most 5 minutes old')
  if (age < -LIMITS.signatureAgeMs)
    throw unauthorized('timestamp in the future: X-Timestamp must be at most 5 minutes ahead')
  if (version === '2' && nonce === undefined)
    throw unauthorized('nonce missing: a signature of version 2 needs X-Nonce')
  if (version === '2' && !NONCE.test(nonce ?? ''))
    throw unauthorized('nonce malformed: X-Nonce must be 16 to 128 letters, digits, - and _')
  if (signature === undefined) throw unauthorized('signature missing: the request has no X-Signature')
  if (!SIGNATURE.test(signature))
    throw unauthorized('signature malformed: X-Signature must be 64 lowercase hex digits')
  return { version: version === '2' ? 2 : 1, method, target: url, timestamp, nonce: nonce ?? '', signature }
}

/** GET and HEAD are signed without a body. */
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The secret that counts, and for a while after it was replaced the one before it. */
export type Secrets = readonly [KeyObject, ...KeyObject[]]

const DIGEST_BYTES = 32

/** Updates several digests: version 1 needs one for each secret. */
class SeveralDigests {
  readonly #parts: readonly Hmac[]
  constructor(parts: readonly Hmac[]) {
    this.#parts = parts
  }
  update(chunk: Buffer | string): this {
    for (const part of this.#parts) part.update(chunk)
    return this
  }
  digest(): Buffer {
    return Buffer.concat(this.#parts.map((part) => part.digest()))
  }
}
export type Digest = Hash | Hmac | SeveralDigests

/** Starts a digest, to be fed with the body exactly as received. */
export function startDigest(secrets: Secrets, { version, timestamp }: SignedRequest): Digest {
  if (version === 2) return createHash('sha256')
  const started = (secret: KeyObject) => createHmac('sha256', secret).update(`${timestamp}.`)
  return secrets.length === 1 ? started(secrets[0]) : new SeveralDigests(secrets.map(started))
}

/** The digest of a body that is there already; reads are signed over their target in its place. */
export function digestOf(secrets: Secrets, request: SignedRequest, body: Buffer): Buffer {
  const signed = isRead(request.method) ? (request.version === 1 ? request.target : '') : body
  return startDigest(secrets, request).update(signed).digest()
}

/** The text that version 2 signs: six lines, the first of which no signature of another kind begins with. */
export const signedText = (
  { method, target, timestamp, nonce }: Omit<SignedRequest, 'version'>,
  bodyHash: string,
): string => ['v2', method, target, timestamp, nonce, bodyHash].join('\n')

/** Returns the secret that made a signature. Compares all of them, so that the time does not tell which one fits. */
export function findSigner(
  secrets: Secrets,
  request: SignedRequest & { signature: string },
  digest: Buffer,
): KeyObject | undefined {
  const given = Buffer.from(request.signature, 'hex')
  const fits = secrets.map((secret, index) => {
    const expected =
      request.version === 1
        ? digest.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)
        : createHmac('sha256', secret)
            .update(signedText(request, digest.toString('hex')))
            .digest()
    return timingSafeEqual(expected, given)
  })
  return secrets[fits.indexOf(true)]
}
