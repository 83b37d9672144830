import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RefusalCode } from '../../contract/refusals/index.ts'
import type { Config } from '../config.ts'
import { busy, tooMany } from '../errors.ts'
import { addTo, type Ceiling, type Ceilings, largest } from '../limits/ceilings.ts'
import { networkKey } from '../network/address.ts'
import { parseNetwork } from '../network/networks.ts'
import type { Body } from './body-intake.ts'
import type { Draining } from './draining.ts'
import { answerAndClose } from './raw-answer.ts'

/** Programs on this machine come from these. A proxy that is not trusted does, too, and everybody behind it. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const RETRY_MS = 1000
/** Time that a new connection may stay unused while the server stops. Browsers open some in advance. */
const UNUSED_MS = 1000
/** A client that is hung up on should hang up too; it is cut off after this time. */
const HANG_UP_MS = 1000

/** A running request. */
export type Visit = { network: string; body: Body | undefined; end(): void }

type Connection = {
  /** The network that it counts for; undefined for a proxy, which brings many. */
  network: string | undefined
  visits: Map<Visit, FastifyReply>
  openedAt: number
  /** Bytes received when the last answer ended. More bytes mean that another request has begun. */
  bytesAtRest: number
}

/**
 * Connections and requests that are under way, and how many there may be: in all, and from one address. A proxy's
 * connections are not counted by address, but the requests that it brings are, by the address that it names.
 */
export class Traffic {
  #config: Config
  #connections = new Map<Socket, Connection>()
  #connectionsOf = new Map<string, number>()
  #requestsOf = new Map<string, number>()
  #isProxy: (address: string) => boolean
  #inAll: Ceiling
  #fromAddress: Ceiling
  #requestsFromAddress: Ceiling
  #draining: Draining

  constructor(
    server: Server,
    config: Config,
    { ceilings, draining }: { ceilings: Ceilings; draining: Draining },
  ) {
    this.#config = config
    this.#draining = draining
    draining.onAnnounced(() => {
      for (const { visits } of this.#connections.values())
        for (const reply of visits.values()) askToLeave(reply)
    })
    this.#isProxy = proxyCheck(config.trustProxy)
    const { maxConnections, maxConnectionsPerAddress } = config
    this.#inAll = ceilings.add('connections', maxConnections, () => this.#connections.size)
    this.#fromAddress = ceilings.add('connections_of_an_address', maxConnectionsPerAddress, () =>
      largest(this.#connectionsOf.values()),
    )
    this.#requestsFromAddress = ceilings.add('requests_of_an_address', maxConnectionsPerAddress, () =>
      largest(this.#requestsOf.values()),
    )
    server.on('connection', (socket: Socket) => this.#accept(socket))
  }

  get connections(): number {
    return this.#connections.size
  }

  /**
   * Ends connections on which nothing is under way. They are ended and not cut: a request just sent on one would be
   * answered with a reset, which can also cost it an answer that it has not read yet.
   */
  hangUpOnIdle(): void {
    for (const [socket, { visits, openedAt, bytesAtRest }] of this.#connections) {
      const isIdle = visits.size === 0 && socket.bytesRead === bytesAtRest
      const isNew = socket.bytesRead === 0 && performance.now() - openedAt < UNUSED_MS
      if (!isIdle || isNew || socket.writableEnded) continue
      socket.end()
      const timer = setTimeout(() => socket.destroy(), HANG_UP_MS)
      socket.once('close', () => clearTimeout(timer))
    }
  }

  /** Whether something is being answered on this connection; one request whose body has yet to come can be answered otherwise. */
  isAnswering(socket: Socket): boolean {
    const [first, ...others] = this.#connections.get(socket)?.visits.values() ?? []
    if (!first) return false
    return others.length > 0 || first.raw.headersSent || first.request.raw.complete
  }

  /** Counts a request until its answer, or its connection, ends. */
  begin(request: FastifyRequest, reply: FastifyReply): Visit {
    const connection = this.#connections.get(request.socket)
    // The connection has ended and cannot carry an answer, so the request is not carried out.
    if (request.socket.writableEnded) throw busy()
    if (this.#draining.isAnnounced) askToLeave(reply)
    const network = connection?.network ?? networkKey(request.ip)
    const isCounted = !THIS_MACHINE.has(request.ip)
    if (isCounted) this.#countRequest(network)
    let isOver = false
    const visit: Visit = {
      network,
      body: undefined,
      end: () => {
        if (isOver) return
        isOver = true
        if (isCounted) addTo(this.#requestsOf, network, -1)
        visit.body?.release()
        if (!connection) return
        connection.visits.delete(visit)
        connection.bytesAtRest = request.socket.bytesRead
      },
    }
    connection?.visits.set(visit, reply)
    // A pipelined reply that waits behind another never hears that its connection closed: `#accept` ends its visit.
    reply.raw.on('close', visit.end)
    return visit
  }

  #countRequest(network: string): void {
    if (this.#requestsFromAddress.isReachedBy(this.#requestsOf.get(network) ?? 0)) {
      this.#requestsFromAddress.refusals += 1
      throw tooMany(RETRY_MS, 'concurrency_limited')
    }
    addTo(this.#requestsOf, network, 1)
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress
    if (address === undefined) return // gone already
    if (this.#inAll.isReachedBy(this.#connections.size)) {
      this.#refuse(socket, this.#inAll, 'connections_full')
      return
    }
    const network = this.#isProxy(address) ? undefined : networkKey(address)
    const isCounted = network !== undefined && !THIS_MACHINE.has(address)
    if (isCounted && this.#fromAddress.isReachedBy(this.#connectionsOf.get(network) ?? 0)) {
      this.#refuse(socket, this.#fromAddress, 'connections_limited')
      return
    }
    const connection: Connection = {
      network,
      visits: new Map(),
      openedAt: performance.now(),
      bytesAtRest: 0,
    }
    this.#connections.set(socket, connection)
    if (isCounted) addTo(this.#connectionsOf, network, 1)
    socket.once('close', () => {
      this.#connections.delete(socket)
      if (isCounted) addTo(this.#connectionsOf, network, -1)
      for (const visit of [...connection.visits.keys()]) visit.end()
    })
  }

  #refuse(socket: Socket, ceiling: Ceiling, code: RefusalCode): void {
    ceiling.refusals += 1
    socket.on('error', () => {})
    answerAndClose(socket, this.#config, tooMany(RETRY_MS, code))
  }
}

/** Closes the connection after this answer, and says so in it. */
export function askToLeave({ raw }: FastifyReply): void {
  if (!raw.headersSent) raw.setHeader('Connection', 'close')
}

/** Whether an address is one of a proxy that is trusted to name the addresses of others. */
function proxyCheck(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy
  const proxies = new BlockList()
  for (const range of trustProxy) {
    const network = parseNetwork(range)
    if (network) proxies.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
