import { hash, randomBytes, randomFillSync, randomUUID } from 'node:crypto'

export const newUuid = (): string => randomUUID()
export const newBotId = (): string => `b@${randomUUID()}`
/** An id for a further address of a bot's webhook. Like a bot's, it ends in chance, from which ids of deliveries are made. */
export const newAddressId = (): string => `w@${randomUUID()}`

/**
 * A point in an organization's time: milliseconds, and a counter of 12 bits. Ticks only ever grow inside an organization, also
 * across nodes, so ids made from them sort in commit order. Two numbers rather than one of 60 bits, which would have to be a
 * bigint: making an id took 1.5 µs with those, and takes 0.3.
 */
export type Tick = { ms: number; count: number }

export const TICKS_PER_MS = 4096

export const tickAt = (milliseconds: number): Tick => ({ ms: milliseconds, count: 0 })
export const nextTick = (last: Tick, now: number): Tick => (now > last.ms ? tickAt(now) : tickAfter(last, 1))

export function tickAfter({ ms, count }: Tick, steps: number): Tick {
  const sum = count + steps
  return { ms: ms + Math.floor(sum / TICKS_PER_MS), count: sum % TICKS_PER_MS }
}

/** UUID version 7 whose 60 bits of time and order are the tick; the other 62 are random: 16 hexadecimal digits. */
export function uuidFromTick({ ms, count }: Tick, tail: string = randomTail()): string {
  const head = ms.toString(16).padStart(12, '0')
  const order = count.toString(16).padStart(3, '0')
  return `${head.slice(0, 8)}-${head.slice(8)}-7${order}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** The tick that an id was made from. */
export function tickOf(uuid: string): Tick {
  const digits = uuid.replaceAll('-', '')
  return { ms: Number.parseInt(digits.slice(0, 12), 16), count: Number.parseInt(digits.slice(13, 16), 16) }
}

/** The random half of an id, with the two bits that say which kind of UUID it is. */
export function randomTail(): string {
  const random = eightRandomBytes()
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  return random.toString('hex')
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** Eleven random letters. */
export const randomText = (): string => eightRandomBytes().toString('base64url')

/** The ends of a range of ids. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const newRequestId = (): string => `req_${randomText()}`

/** Asking the system for chance costs the same for eight bytes as for thousands. */
function eightRandomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 8
  return pool.subarray(used - 8, used)
}

/** The latest time of an id, in the year 10889. */
const LAST_MS = 2 ** 48 - 1
const withinIds = (milliseconds: number): number => Math.min(Math.max(0, milliseconds), LAST_MS)

/** The smallest and the largest id that a moment can have: turns a time into a place in an index of ids. */
export const firstUuidAt = (milliseconds: number): string =>
  uuidFromTick(tickAt(withinIds(milliseconds)), '8000000000000000')
export const lastUuidAt = (milliseconds: number): string =>
  uuidFromTick({ ms: withinIds(milliseconds), count: TICKS_PER_MS - 1 }, 'bfffffffffffffff')

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BITS_PER_LETTER = Math.log2(ALPHABET.length)

/** Letters and digits only, with at least this many random bits. */
export function randomToken(bits: number): string {
  const length = Math.ceil(bits / BITS_PER_LETTER)
  let token = ''
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: dropping the rest keeps every letter equally likely.
      if (byte < 248 && token.length < length) token += ALPHABET[byte % 62]
    }
  }
  return token
}

export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer')

/** Removes duplicates. Ids are equal in either case, and stored in lower case. */
export const distinctIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
]

/** The time at which a time-ordered id was made. */
export const timeOfUuid = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

/** 32 letters that do not look alike; 32 divides 256, so that no letter is more likely. */
const READABLE = 'abcdefghijkmnpqrstuvwxyz23456789'

/** A code for people to read and type: 80 random bits in four groups of four. */
export function randomCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => READABLE[byte % READABLE.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
