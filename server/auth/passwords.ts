import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../errors.ts'

/** About a tenth of a second and 32 MB for each guess. The parameters stand with each hash: they can grow. */
const COST = { N: 2 ** 15, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Hashing takes threads that reading files needs too: not all of them at once. */
const AT_ONCE = 2
/** Some five seconds of work: whoever comes later would rather hear so than wait. */
const MAX_WAITING = 100
const RETRY_SECONDS = 5

/** `scrypt:32768:8:1:<salt>:<hash>` */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(':')
}

/** Without anything to compare with, it takes as long and is wrong. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, n, r, p, salt = '', hash = ''] = stored?.split(':') ?? []
  if (!stored) {
    await derive(password, randomBytes(SALT_BYTES), COST)
    return false
  }
  const cost = { N: Number(n), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), cost), expected)
}

let running = 0
const waiting: (() => void)[] = []

/** The same characters are the same password, however a keyboard composes them. */
async function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  if (waiting.length >= MAX_WAITING) {
    throw new Refusal(429, 'too many attempts, please wait', { 'Retry-After': String(RETRY_SECONDS) })
  }
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await new Promise((resolve, reject) => {
      const options = { ...cost, maxmem: 256 * (cost.N ?? 0) * (cost.r ?? 0) }
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
