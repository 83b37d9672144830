import { sha256, uuidFromTick } from '../ids.ts'

const digest = (names: readonly string[]): string => sha256(JSON.stringify(names)).toString('hex')
/** The digit that says which kind of UUID it is: two bits are fixed, two are left. */
const variant = (digit = '0'): string => '89ab'[Number.parseInt(digit, 16) % 4] ?? '8'

/** The id of the thing with these names, always the same: a second import finds it again. */
export function namedUuid(...names: string[]): string {
  const hex = digest(names)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant(hex[16])}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** An id made of names that sorts by time. */
export function namedUuidAt(ms: number, count: number, ...names: string[]): string {
  const hex = digest(names)
  return uuidFromTick({ ms, count }, `${variant(hex[0])}${hex.slice(1, 16)}`)
}
