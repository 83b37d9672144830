import pg from 'pg'
import { type Host, hostsOf, wantedServer, withFirstHost } from './hosts.ts'
import { Primary } from './primary.ts'

export type DatabaseConnection = pg.ClientConfig & {
  /** Finds the writable server if the URL has several hosts. */
  primary?: Primary
  /**
   * The way around a pooler in transaction mode, for listening and for long locks. Connections through the pooler can
   * have neither prepared statements nor their own settings.
   */
  direct?: DatabaseConnection
}

export const directOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection.direct ?? connection

/** `postgres://user:password@one:5432,two:5432/parley?target_session_attrs=read-write`, with one host or several. */
export function connectionTo(url: string): DatabaseConnection {
  const hosts = hostsOf(url)
  const isOne = hosts.length === 1 && (wantedServer(url) ?? 'any') === 'any'
  if (hosts.length === 0 || isOne) return { connectionString: url }
  const config = { connectionString: withFirstHost(url) }
  return { ...config, primary: new Primary(hosts, config) }
}

/** A connection to the writable one of several hosts. */
class PrimaryClient extends pg.Client {
  readonly #primary: Primary

  constructor(config: pg.ClientConfig, primary: Primary) {
    super(config)
    this.#primary = primary
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connecting = this.#connect()
    if (!callback) return connecting
    // The driver calls it without an error on success.
    connecting.then(() => Reflect.apply(callback, undefined, []), callback)
    return undefined
  }

  async #connect(): Promise<pg.Client> {
    const found = await this.#primary.find()
    this.host = found.host
    this.port = found.port
    try {
      await super.connect()
    } catch (error) {
      this.#primary.doubt(found)
      throw error
    }
    this.#primary.connected(this, found)
    return this
  }
}

export const clientClassFor = (primary: Primary): typeof pg.Client =>
  class extends PrimaryClient {
    constructor(config: pg.ClientConfig = {}) {
      super(config, primary)
    }
  }

/** Connections to another machine than the one that their settings name. */
export const clientClassAt = ({ host, port }: Host): typeof pg.Client =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super(config)
      this.host = host
      this.port = port
    }
  }

/** A new session that bypasses a pooler. */
export function newClient(connection: DatabaseConnection, options: pg.ClientConfig = {}): pg.Client {
  const { primary, ...config } = directOf(connection)
  const wanted = { ...config, ...options }
  return primary ? new PrimaryClient(wanted, primary) : new pg.Client(wanted)
}
