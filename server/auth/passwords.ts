import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { tooMany } from '../errors.ts'

export type PasswordCost = { N: number; r: number; p: number }

/**
 * One of the strengths that OWASP asks for: as much work as N = 2^17, p = 1, in a quarter of its memory. About a quarter of
 * a second and 32 MB for each guess. The parameters stand with each hash: they can grow.
 */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Hashing takes threads that reading files needs too: not all of them at once. With 32 MB each, 64 MB in all. */
const AT_ONCE = 2
/** Some five seconds of work: later people are refused rather than kept waiting. */
const MAX_WAITING = 40
/** Owners in browsers of their own go first, and find room when strangers have filled the rest. */
const MAX_WAITING_KNOWN = 60
const RETRY_SECONDS = 5

/** Returns `scrypt:32768:8:3:<salt>:<hash>`. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(':')
}

/**
 * Takes as long as `cost` demands, no matter what it compares with: no hash (then it is wrong), or an older, cheaper
 * one. So the time does not reveal whether an address has an account.
 */
export async function isPassword(
  password: string,
  stored: string | null | undefined,
  cost: PasswordCost,
  isKnownBrowser = false,
): Promise<boolean> {
  const [, , , , salt = '', hash = ''] = stored?.split(':') ?? []
  if (!stored) {
    await derive(password, randomBytes(SALT_BYTES), cost, isKnownBrowser)
    return false
  }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), costOf(stored), isKnownBrowser)
  const missing = Math.round((workOf(cost) - workOf(costOf(stored))) / (cost.N * cost.r))
  if (missing > 0) await derive(password, randomBytes(SALT_BYTES), { ...cost, p: missing }, isKnownBrowser)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url'))
}

/** Whether the hash is weaker than hashes made today, and should be replaced while the password is known. */
export const isOutdated = (stored: string, cost: PasswordCost): boolean =>
  workOf(costOf(stored)) < workOf(cost)

function costOf(stored: string): PasswordCost {
  const [, n, r, p] = stored.split(':')
  return { N: Number(n), r: Number(r), p: Number(p) }
}

const workOf = ({ N, r, p }: PasswordCost): number => N * r * p

let running = 0
const waiting: (() => void)[] = []

/** Normalizes the password, so that the same characters match however a keyboard composes them. */
async function derive(
  password: string,
  salt: Buffer,
  cost: PasswordCost,
  isKnownBrowser = false,
): Promise<Buffer> {
  if (waiting.length >= (isKnownBrowser ? MAX_WAITING_KNOWN : MAX_WAITING)) {
    throw tooMany(RETRY_SECONDS * 1000, 'attempts_limited')
  }
  if (running >= AT_ONCE) {
    await new Promise<void>((resolve) => {
      if (isKnownBrowser) waiting.unshift(resolve)
      else waiting.push(resolve)
    })
  } else running += 1
  try {
    return await new Promise((resolve, reject) => {
      const options = { ...cost, maxmem: 256 * cost.N * cost.r }
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
