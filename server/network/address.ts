import { isIP } from 'node:net'

/** The name for callers whose address is none, as a proxy may write it: they all share one limit. */
const UNKNOWN = 'unknown'

/**
 * The name under which limits count an address: IPv4 as a whole in any notation, IPv6 by its first 64 bits, because an
 * owner of one such address has 2^64 of them.
 */
export function networkKey(address: string): string {
  const version = isIP(address)
  if (version === 0) return UNKNOWN
  if (version === 4) return address
  const groups = ipv6Groups(address)
  if (isMappedIpv4(groups) || isNat64(groups)) return dottedIpv4(groups[6] ?? 0, groups[7] ?? 0)
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of an IPv6 address. The parser of addresses in URLs brings it into its one short form first. */
export function ipv6Groups(address: string): number[] {
  const short = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = short
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}

/** `::ffff:192.0.2.1`: how a socket that listens on IPv6 writes the address of an IPv4 client. */
const isMappedIpv4 = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)

/** `64:ff9b::192.0.2.1`: an IPv4 client behind a translator, which has one /64 for all of them. */
export const isNat64 = (groups: readonly number[]): boolean =>
  groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)

export function dottedIpv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
