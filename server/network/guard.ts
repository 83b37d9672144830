import { type BlockList, isIP, type LookupFunction } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import type { Config } from '../config.ts'
import { type Refusal, refusal } from '../errors.ts'
import { blockList, mayConnectTo } from './networks.ts'
import { type ResolveName, resolveName } from './resolver.ts'
import { checkUrlForm } from './url.ts'

const CONNECT_LIMIT_MS = 10_000

/** A failed connection, with the outcome of its attempt. */
export class ConnectionFailure extends Error {
  readonly outcome: 'blocked' | 'dns' | 'tls'

  constructor(outcome: ConnectionFailure['outcome'], message: string, cause?: unknown) {
    super(message, { cause })
    this.outcome = outcome
  }
}

/** The mistake in a webhook address, as the refusal of it; undefined if there is none. */
export function checkWebhookUrl(
  config: Pick<Config, 'baseUrl'>,
  allowedNetworks: readonly string[],
  text: string,
): Refusal | undefined {
  const mistake = checkUrlForm(config, text)
  if (mistake) return mistake
  const host = withoutBrackets(new URL(text).hostname)
  if (isIP(host) !== 0 && !mayConnectTo(host, blockList(allowedNetworks))) return notPublic(host)
  return undefined
}

export type GuardOptions = {
  /** Called for each connection. */
  resolve?: ResolveName
  /** The authority that signs the certificates of receivers; by default those that Node.js trusts. */
  ca?: string
}

/**
 * Connections to receivers, kept alive and shared by host. Addresses are checked at the moment of connecting, on the
 * very address of the connection: it does not matter what a name resolved to before, or will a moment later.
 */
export function openGuardedAgent(
  allowedNetworks: readonly string[],
  { resolve = resolveName, ca }: GuardOptions = {},
): Agent {
  const allowed = blockList(allowedNetworks)
  const connector = buildConnector({
    timeout: CONNECT_LIMIT_MS,
    lookup: guardedLookup(resolve, allowed),
    ...(ca !== undefined && { ca }),
  })
  return new Agent({
    connect(options, callback) {
      // Names are resolved; addresses in the URL are not.
      const host = withoutBrackets(options.hostname)
      if (isIP(host) !== 0 && !mayConnectTo(host, allowed)) {
        callback(new ConnectionFailure('blocked', notPublic(host).message), null)
        return
      }
      connector(options, (...[error, socket]) => {
        if (error) callback(options.protocol === 'https:' ? nameTlsFailure(error) : error, null)
        else callback(null, socket)
      })
    },
    // The whole attempt has a limit; these two would only watch parts of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** Opens a connection with TLS that is guarded as those of `openGuardedAgent` are. */
export function connectGuardedTls(
  allowedNetworks: readonly string[],
  { host, port }: { host: string; port: number },
  { resolve = resolveName, ca }: GuardOptions = {},
): TLSSocket {
  const allowed = blockList(allowedNetworks)
  const name = withoutBrackets(host)
  const isAddress = isIP(name) !== 0
  if (isAddress && !mayConnectTo(name, allowed))
    throw new ConnectionFailure('blocked', notPublic(name).message)
  return connectTls({
    host: name,
    port,
    lookup: guardedLookup(resolve, allowed),
    ...(!isAddress && { servername: name }),
    ...(ca !== undefined && { ca }),
  })
}

function guardedLookup(resolve: ResolveName, allowed: BlockList): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first, ...others] = addresses.filter(({ address }) => mayConnectTo(address, allowed))
        if (!first) callback(new ConnectionFailure('blocked', notPublic(name).message), '')
        else if (all) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(new ConnectionFailure('dns', error.message, error), ''),
    )
  }
}

const notPublic = (host: string): Refusal => refusal('webhook_url_not_public', { host })

/** Error codes of a connection that failed before its encryption. */
const NO_CONNECTION = /^(E(CONNREFUSED|HOSTUNREACH|NETUNREACH|TIMEDOUT|ADDRNOTAVAIL)|UND_ERR_.*)$/

export function nameTlsFailure(error: Error): Error {
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof ConnectionFailure || NO_CONNECTION.test(code)) return error
  return new ConnectionFailure('tls', error.message, error)
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')
