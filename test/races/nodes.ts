import type { Scheduler } from './support.ts'

type Handler = (payload: string) => void

/**
 * The notifications between nodes of one database: all nodes get them in the order of commits, each at its own time.
 */
export class RacingChannels {
  readonly nodes: RacingNode[] = []
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Adds a node that is connected, or connects on demand. */
  join(name: string): RacingNode {
    const node = new RacingNode(name, this.#scheduler, this)
    this.nodes.push(node)
    return node
  }
}

/** The listening connection of one node, like `Notifications`. A broken one loses what is sent. */
export class RacingNode {
  connected = false
  readonly name: string
  readonly #scheduler: Scheduler
  readonly #channels: RacingChannels
  readonly #handlers = new Map<string, Handler>()
  readonly #connectHandlers: (() => void)[] = []
  /** Connections so far; a notification belongs to one of them. */
  #connections = 0
  #lastSent: Promise<void> = Promise.resolve()
  #lastHeard: Promise<void> = Promise.resolve()

  constructor(name: string, scheduler: Scheduler, channels: RacingChannels) {
    this.name = name
    this.#scheduler = scheduler
    this.#channels = channels
  }

  on(channel: string, handler: Handler): void {
    this.#handlers.set(channel, handler)
  }

  onConnect(handler: () => void): void {
    this.#connectHandlers.push(handler)
  }

  /** Sends in order, and nothing without a connection. */
  send(channel: string, payload: string): Promise<void> {
    if (!this.connected) return Promise.resolve()
    const connection = this.#connections
    const sent = this.#lastSent.then(async () => {
      await this.#scheduler.schedule(Promise.resolve(), `${this.name} tells`)
      if (!this.#isOpen(connection)) throw new Error('the connection broke')
      for (const node of this.#channels.nodes) node.#deliver(channel, payload)
      await this.#scheduler.schedule(Promise.resolve(), `${this.name} has told`)
    })
    this.#lastSent = sent.catch(() => {})
    return sent
  }

  connect(): void {
    this.connected = true
    this.#connections += 1
    for (const handler of this.#connectHandlers) handler()
  }

  disconnect(): void {
    this.connected = false
  }

  #isOpen(connection: number): boolean {
    return this.connected && this.#connections === connection
  }

  #deliver(channel: string, payload: string): void {
    if (!this.connected) return
    const connection = this.#connections
    this.#lastHeard = this.#lastHeard
      .then(() => this.#scheduler.schedule(Promise.resolve(), `${this.name} hears`))
      .then(() => {
        if (this.#isOpen(connection)) this.#handlers.get(channel)?.(payload)
      })
  }
}
