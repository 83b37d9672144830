import pg from 'pg'
import type { Host } from './hosts.ts'

/** A host that does not answer within this time counts as gone. */
const PROBE_MS = 2000
/** Minimum pause between two searches for a writable host, no matter how many requests wait. */
const ASK_AGAIN_MS = 250

/** None of the hosts takes writes now. The code is PostgreSQL's for a write on a standby. */
export class NoPrimary extends Error {
  override name = 'NoPrimary'
  readonly code = '25006'
}

/** A separate connection that asks a host whether it takes writes. */
export type Probe = { takesWrites(): Promise<boolean>; breakOff(): void; end(): Promise<void> }
type Connect = (host: Host, config: pg.ClientConfig) => Promise<Probe>
/** The part of a client that can break off its connection. */
type Connected = {
  once(event: 'end' | 'error', listener: () => void): unknown
  connection: { stream: { destroy(): unknown } }
}

/**
 * Several servers of which one takes writes: the primary, until another is promoted. Knows the primary, and looks for
 * it among all of them when a connection breaks or falls silent.
 */
export class Primary {
  readonly #hosts: readonly Host[]
  readonly #config: pg.ClientConfig
  readonly #connect: Connect
  #current: Host | undefined
  #search: Promise<Host> | undefined
  #failed: { error: unknown; until: number } | undefined
  #clients = new Map<Connected, Host>()
  #sentinel: { host: Host; probe: Probe } | undefined

  constructor(hosts: readonly Host[], config: pg.ClientConfig, connect: Connect = openProbe) {
    this.#hosts = hosts
    this.#config = { ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS }
    this.#connect = connect
  }

  async find(): Promise<Host> {
    if (this.#current) return this.#current
    if (this.#failed && performance.now() < this.#failed.until) throw this.#failed.error
    this.#search ??= this.#look().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  /** A connection that was made to a host; broken off when another one turns out to be the primary. */
  connected(client: Connected, host: Host): void {
    this.#clients.set(client, host)
    client.once('end', () => this.#clients.delete(client))
    client.once('error', () => {
      this.#clients.delete(client)
      this.doubt(host)
    })
  }

  /** Makes the next connection ask all hosts again. */
  doubt(host: Host): void {
    if (this.#current === host) this.#current = undefined
  }

  /**
   * Asks the primary whether it still is one. A machine that is gone breaks no connection: a query would wait for its answer for a
   * quarter of an hour, and fails here instead, as soon as another takes writes.
   */
  async check(): Promise<void> {
    const current = this.#current
    if (current && !(await this.#isStillPrimary(current))) this.doubt(current)
    const found = await this.find()
    // Connections are checked even if the primary is the same: one to a former primary may have been made since the
    // last check.
    for (const [client, host] of this.#clients) if (host !== found) breakOff(client)
  }

  async close(): Promise<void> {
    const sentinel = this.#sentinel
    this.#sentinel = undefined
    await sentinel?.probe.end().catch(() => {})
  }

  /** Asks on a kept connection. */
  async #isStillPrimary(host: Host): Promise<boolean> {
    try {
      if (this.#sentinel?.host !== host) {
        this.#forgetSentinel()
        this.#sentinel = { host, probe: await this.#connect(host, this.#config) }
      }
      return await this.#sentinel.probe.takesWrites()
    } catch {
      this.#forgetSentinel()
      return false
    }
  }

  #forgetSentinel(): void {
    this.#sentinel?.probe.breakOff()
    this.#sentinel = undefined
  }

  /** The first host that takes writes. */
  async #look(): Promise<Host> {
    try {
      const found = await Promise.any(this.#hosts.map((host) => this.#probe(host)))
      this.#failed = undefined
      this.#current = found
      return found
    } catch (error) {
      const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
      // The refusal of a standby is expected; that of another host may be the real trouble.
      const reason = reasons.find((one) => !(one instanceof NoPrimary)) ?? reasons[0]
      this.#failed = { error: reason, until: performance.now() + ASK_AGAIN_MS }
      throw reason
    }
  }

  async #probe(host: Host): Promise<Host> {
    const probe = await this.#connect(host, this.#config)
    try {
      if (await probe.takesWrites()) return host
      throw new NoPrimary(`${host.host}:${host.port} is a standby`)
    } finally {
      probe.breakOff()
    }
  }
}

async function openProbe({ host, port }: Host, config: pg.ClientConfig): Promise<Probe> {
  const client = new pg.Client({ ...config, application_name: 'parley-probe' })
  client.host = host
  client.port = port
  client.on('error', () => {}) // told to the caller
  await client.connect()
  return {
    takesWrites: () => takesWrites(client),
    breakOff: () => breakOff(client),
    end: () => client.end(),
  }
}

async function takesWrites(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is`,
  )
  return rows[0]?.is === true
}

/** At once, also where the other side does not answer any more. Queries that wait for an answer fail. */
function breakOff(client: Connected): void {
  client.connection.stream.destroy()
}
