import { createHmac, randomBytes } from 'node:crypto'
import { equalInConstantTime } from '../secrets.ts'

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, thirty seconds. */
const SECRET_BYTES = 20
const DIGITS = 6
const STEP_MS = 30_000
/** The codes before and after are accepted too, for wrong clocks and the time to type. */
const WINDOW = [0, -1, 1]

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The code of a 30-second step. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

export const totpStep = (now: number): number => Math.floor(now / STEP_MS)

/** The step near `now` that has this code; undefined if none. */
export function matchingStep(secret: Buffer, code: string, now: number): number | undefined {
  const digits = code.replace(/\s/g, '')
  const steps = WINDOW.map((offset) => totpStep(now) + offset)
  return steps.filter((step) => equalInConstantTime(totpCode(secret, step), digits))[0]
}

/** Encodes a secret for typing into an authenticator app. */
export function base32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The address in the QR code for an authenticator app. */
export function totpAddress(
  secret: Buffer,
  { account, server }: { account: string; server: string },
): string {
  const issuer = `Parley (${server})`
  const label = encodeURIComponent(`${issuer}:${account}`)
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`
}
