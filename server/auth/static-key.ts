import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
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

/** To be fed with what came over the wire, byte for byte: the request target of a GET, the body of anything else. */
export const signing = (identity: Identity, timestamp: string): Hmac =>
  createHmac('sha256', identity.secret).update(`${timestamp}.`)

export function isSignature(signature: string | undefined, expected: Buffer): boolean {
  if (signature === undefined || !SIGNATURE.test(signature)) return false
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}
