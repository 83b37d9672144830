import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

export type ResolvedAddress = { address: string; family: 4 | 6 }
export type ResolveName = (name: string) => Promise<ResolvedAddress[]>

/**
 * Asks the name servers directly. `dns.lookup` would do it on the four threads that files and compression share: a
 * few names whose servers do not answer would hold all of them. It is only asked for what the name servers do not
 * know, which are the names of the hosts file and of search domains.
 */
const resolver = new Resolver({ timeout: 2000, tries: 2 })

export const resolveName: ResolveName = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses.map(withFamily)
  const silent = answers.find((answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT')
  if (silent) throw new Error(`the name servers of ${name} do not answer`)
  return (await lookup(name, { all: true })).map(({ address }) => withFamily(address))
}

const withFamily = (address: string): ResolvedAddress => ({ address, family: isIP(address) === 6 ? 6 : 4 })
