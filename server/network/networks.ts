import { BlockList, isIP } from 'node:net'
import { dottedIpv4, ipv6Groups, isNat64 } from './address.ts'

export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

/** IPv4 addresses outside the public internet. */
const NOT_PUBLIC_IPV4 = blockList([
  '0.0.0.0/8', // unspecified, this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; 100.100.100.200 is the metadata of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the platform behind every machine of Azure
  '169.254.0.0/16', // link-local; 169.254.169.254 is the metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; 192.0.0.192 is the metadata of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
])

/** All public IPv6 is in here; loopback, link-local, unique-local (with fd00:ec2::254) and multicast are not. */
const GLOBAL_IPV6 = blockList(['2000::/3'])
const NOT_PUBLIC_IPV6 = blockList([
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
])

/** `10.0.0.0/8`, `fd00::/8`, or a single address; undefined when it is none of them. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(length <= bits)) return undefined
  return { address, prefix: length, family: version === 4 ? 'ipv4' : 'ipv6' }
}

export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const network = parseNetwork(range)
    if (!network) throw new Error(`"${range}" is not a range of addresses`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}

/** Whether a connection to this address may be made: it is public, or the operator opened its range. */
export function mayConnectTo(address: string, allowed: BlockList): boolean {
  const ipv4 = isIP(address) === 4 ? address : embeddedIpv4(address)
  if (ipv4 !== undefined) return allowed.check(ipv4, 'ipv4') || !NOT_PUBLIC_IPV4.check(ipv4, 'ipv4')
  if (allowed.check(address, 'ipv6')) return true
  return GLOBAL_IPV6.check(address, 'ipv6') && !NOT_PUBLIC_IPV6.check(address, 'ipv6')
}

/** The IPv4 address that an IPv6 address leads to: mapped, compatible, through NAT64, or through 6to4. */
function embeddedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(address)
  const [first = 0, second = 0, third = 0] = groups
  if (first === 0x2002) return dottedIpv4(second, third)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && [0, 0xffff].includes(groups[5] ?? 1)
  return isNat64(groups) || isMapped ? dottedIpv4(groups[6] ?? 0, groups[7] ?? 0) : undefined
}
