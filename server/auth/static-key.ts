import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { Identity } from './identity.ts'

const SIGNATURE = /^[a-f0-9]{64}$/
const TIMESTAMP = /^\d{1,15}$/

/** Old timestamps are replays; future ones would be replays later. */
export function isFresh(timestamp: string | undefined, now: number): timestamp is string {
  return (
    timestamp !== undefined &&
    TIMESTAMP.test(timestamp) &&
    Math.abs(now - Number(timestamp)) <= LIMITS.signatureAgeMs
  )
}

/** `signed` is what came over the wire, byte for byte: the request target of a GET, the body of anything else. */
export function isSignedBy(
  identity: Identity,
  timestamp: string,
  signed: string | Buffer,
  signature: string | undefined,
): boolean {
  if (signature === undefined || !SIGNATURE.test(signature)) return false
  const expected = createHmac('sha256', identity.secret).update(`${timestamp}.`).update(signed).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}
