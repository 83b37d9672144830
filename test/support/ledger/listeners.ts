import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../client.ts'
import type { Nodes } from '../nodes.ts'
import { type TestPerson, visitor } from '../people.ts'
import type { Receiver } from '../receiver.ts'
import { openStream, type TestStream } from '../stream.ts'
import type { Company } from './cast.ts'

const POLL_SECONDS = 2
const REQUEST_LIMIT_MS = 6000
const PAUSE_MS = 50

export type Heard = { id: string; topicId: string }

/** A reader who must get every message of an organization. */
export type Listener = {
  name: string
  orgId: string
  /** Messages in the order of arrival. */
  heard(): Heard[]
  /** Whether it must get each message once, and in order. */
  isOrdered: boolean
}

/** Polls one node after the other, and changes the node when one fails. */
export class Poller implements Listener {
  readonly isOrdered = true
  readonly name: string
  readonly orgId: string
  #heard: Heard[] = []
  #isOver = false
  readonly #ended: Promise<void>

  constructor(nodes: Nodes, { orgId, pollers }: Company, home: number) {
    this.orgId = orgId
    this.name = `poller ${home} of ${orgId}`
    const bot = pollers[home]
    if (!bot) throw new Error('there is a poller for each node')
    this.#ended = this.#poll(nodes, home, bot.credentials)
  }

  heard(): Heard[] {
    return this.#heard
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#ended
  }

  async #poll(nodes: Nodes, home: number, credentials: { apiKey: string; apiSecret: string }): Promise<void> {
    let offset = ''
    for (let node = home; !this.#isOver; ) {
      const path = `/v2/updates?limit=100&timeout=${POLL_SECONDS}${offset && `&offset=${offset}`}`
      const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
      const answer = await call(nodes.entrances[node] ?? '', credentials, 'GET', path, { signal }).catch(
        () => undefined,
      )
      if (answer?.status !== 200) {
        node = (node + 1) % nodes.entrances.length
        await sleep(PAUSE_MS)
        continue
      }
      const { updates, nextOffset } = Object(answer.body)
      for (const { eventType, data } of updates)
        if (eventType === 'message.created') this.#heard.push(data.message)
      offset = nextOffset
    }
  }
}

/** A person's live stream, which reconnects at the next node whenever it ends, and continues where it was. */
export class Follower implements Listener {
  readonly isOrdered = true
  readonly name: string
  readonly orgId: string
  #streams: TestStream[] = []
  #isOver = false
  readonly #ended: Promise<void>

  constructor(nodes: Nodes, { orgId, people }: Company, home: number) {
    this.orgId = orgId
    this.name = `stream ${home} of ${orgId}`
    const person = people[home]
    if (!person) throw new Error('there is a person for each node')
    this.#ended = this.#follow(nodes, home, person)
  }

  /** Resets of the stream: one at the beginning is right, later ones are losses. */
  get resets(): number {
    return this.#streams.flatMap(({ seen }) => seen).filter(({ event }) => event === 'reset').length
  }

  heard(): Heard[] {
    return this.#streams
      .flatMap(({ seen }) => seen)
      .filter(({ event }) => event === 'message.created')
      .map(({ data }) => Object(data).message)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#ended
  }

  async #follow(nodes: Nodes, home: number, { cookies, orgId }: TestPerson): Promise<void> {
    let lastId: string | undefined
    for (let node = home; !this.#isOver; node = (node + 1) % nodes.entrances.length) {
      const options = lastId === undefined ? {} : { lastId }
      const stream = await openStream(visitor(nodes.entrances[node] ?? '', cookies), orgId, options).catch(
        () => undefined,
      )
      if (stream?.status === 200) {
        this.#streams.push(stream)
        while (!stream.isOver && !this.#isOver) await sleep(PAUSE_MS)
        stream.close()
        lastId = stream.lastId
      }
      await sleep(PAUSE_MS)
    }
  }
}

/** A bot's receiver of webhooks: at least once, in any order, each event under one delivery id. */
export class WebhookListener implements Listener {
  readonly isOrdered = false
  readonly name: string
  readonly orgId: string
  readonly #receiver: Receiver
  readonly #path: string

  constructor(receiver: Receiver, { orgId }: Company, path: string) {
    this.orgId = orgId
    this.name = `receiver ${path}`
    this.#receiver = receiver
    this.#path = path
  }

  heard(): Heard[] {
    return this.#received().map(({ event }) => Object(event.data).message)
  }

  /** Messages that came under more than one delivery id. */
  get renamed(): number {
    const names = new Map<string, string>()
    let renamed = 0
    for (const { event, headers } of this.#received()) {
      const { id } = Object(event.data).message
      const delivery = String(headers['x-service-delivery-id'])
      if ((names.get(id) ?? delivery) !== delivery) renamed += 1
      names.set(id, delivery)
    }
    return renamed
  }

  #received() {
    return this.#receiver.received.filter(
      ({ path, event }) => path.endsWith(`/${this.#path}`) && event.type === 'message.created',
    )
  }
}
