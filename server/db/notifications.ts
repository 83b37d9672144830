import type pg from 'pg'
import { newUuid } from '../ids.ts'
import { type DatabaseConnection, newClient } from './connection.ts'

const RECONNECT_MS = 250
/** A connection that takes longer counts as lost. */
const CAUGHT_UP_MS = 1000

/**
 * The node's one listening connection. Notifications only make things fast: `onConnect` runs after each (re)connection,
 * so that its listeners catch up with what they missed.
 */
export class Notifications {
  #connection: DatabaseConnection
  #handlers = new Map<string, ((payload: string) => void)[]>()
  /** This node's own channel, and the callbacks that wait for its messages. */
  #ownChannel = `parley_node_${newUuid().replaceAll('-', '')}`
  #waiting = new Map<string, () => void>()
  #connectHandlers: (() => void)[] = []
  #locks = new Map<string, readonly [group: number, id: number]>()
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
    this.#handlers.set(this.#ownChannel, [(name) => this.#waiting.get(name)?.()])
  }

  get connected(): boolean {
    return this.#client !== undefined
  }

  on(channel: string, handler: (payload: string) => void): void {
    const known = this.#handlers.get(channel)
    if (known) {
      known.push(handler)
      return
    }
    this.#handlers.set(channel, [handler])
    // A connection that fails here is replaced.
    this.#inTurn((client) => listen(client, channel)).catch(() => {})
  }

  onConnect(handler: () => void): void {
    this.#connectHandlers.push(handler)
  }

  async start(): Promise<void> {
    const client = newClient(this.#connection, { application_name: 'parley-listen', keepAlive: true })
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload ?? '')
    })
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    try {
      await client.connect()
      for (const channel of this.#handlers.keys()) await listen(client, channel)
      for (const lock of this.#locks.values()) await lockShared(client, lock)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
    for (const handler of this.#connectHandlers) handler()
  }

  /** Holds a shared lock for as long as this node is connected: others see by it what the node knows. */
  async hold(group: number, id: number): Promise<void> {
    const name = `${group} ${id}`
    if (this.#locks.has(name)) return
    const lock = [group, id] as const
    this.#locks.set(name, lock)
    await this.#inTurn((client) => lockShared(client, lock))
  }

  async send(channel: string, payload: string): Promise<void> {
    await this.#inTurn(async (client) => {
      await client.query('select pg_notify($1, $2)', [channel, payload])
    })
  }

  /**
   * Waits until this node has heard everything committed before: notifications come in the order of commits, so its own
   * comes last. Without a connection, no part of the node relies on having heard anything.
   */
  async caughtUp(): Promise<void> {
    const name = newUuid()
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<void>((resolve) => {
      this.#waiting.set(name, resolve)
      timer = setTimeout(resolve, CAUGHT_UP_MS)
    })
    try {
      if (!this.connected) return
      await this.send(this.#ownChannel, name)
      await heard
    } catch {
      // The connection is replaced, and all listeners look again.
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(name)
    }
  }

  /** One query after the other: the connection takes no second one while the first runs. */
  #inTurn(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = this.#client
    if (!client) return Promise.resolve()
    const mine = this.#last.then(() => work(client))
    this.#last = mine.catch(() => {})
    return mine
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#reconnect()
  }

  #reconnect(): void {
    if (this.#stopped) return
    this.#retry = setTimeout(() => this.start().catch(() => this.#reconnect()), RECONNECT_MS)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }
}

async function lockShared(client: pg.Client, lock: readonly [number, number]): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1, $2)', [...lock])
}

async function listen(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
}
