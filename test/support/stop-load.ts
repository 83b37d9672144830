import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StaticTestBot } from './cast.ts'
import { sign } from './client.ts'
import type { TestPerson } from './people.ts'
import { until } from './receiver.ts'
import { streamPath } from './stream.ts'

/** Clients of each kind. */
const CLIENTS = 3
const POLLS = 5
/** Longest pause of a client between two requests; shorter than a node drains in tests. */
const PAUSE_MS = 200
/** How long slow clients take between connecting and sending, or between two halves of a body. */
const SLOW_MS = 150
/** Pause of a client whose connection was refused. */
const REFUSED_MS = 100

export type LoadCast = { writer: StaticTestBot; reader: StaticTestBot; ada: TestPerson; topicId: string }

type Request = {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
  agent: Agent | false
  /** Whether it waits before it sends, or in the middle of its body. */
  slow?: 'start' | 'body'
}

/**
 * Clients of all kinds that never repeat a request on a new connection by themselves: writers and readers on kept-alive
 * connections and on new ones, slow ones, long polls, and a live stream that is resumed.
 */
export class StopLoad {
  asked = 0
  /** Refused connections, on which nothing was sent. */
  refused = 0
  /** Requests without a complete answer, by reason. */
  readonly resets: Record<string, number> = {}
  /** Answers with an unexpected status, by status. */
  readonly unexpected: Record<string, number> = {}
  /** Requests that began while `isLeaving`, and answers to them that did not ask to close the connection. */
  readonly leaving = { asked: 0, keptAlive: 0 }
  isLeaving = false
  /** Acknowledged texts, and those received by poll and by stream. */
  readonly sent: string[] = []
  readonly polled = new Set<string>()
  readonly streamed: string[] = []
  streamEnds = 0
  #isOver = false
  #agents: Agent[] = []
  #work: Promise<void>[]
  #following: Promise<void>
  #hasAllStreamed = false
  #streaming: IncomingMessage | undefined

  readonly #url: string
  readonly #cast: LoadCast

  constructor(url: string, cast: LoadCast) {
    this.#url = url
    this.#cast = cast
    const writers = Array.from({ length: CLIENTS }, (_, number) => [
      this.#write(`kept-${number}`, {}),
      this.#write(`keyed-${number}`, { hasKey: true }),
      this.#write(`new-${number}`, { isNew: true }),
      this.#write(`new-keyed-${number}`, { isNew: true, hasKey: true }),
      this.#write(`waits-${number}`, { isNew: true, slow: 'start' }),
      this.#write(`halves-${number}`, { slow: 'body' }),
    ])
    const polls = Array.from({ length: POLLS }, () => this.#poll())
    this.#work = [...writers.flat(), ...polls, this.#readNew()]
    this.#following = this.#stream()
  }

  /** Ends when every acknowledged text has come by stream and by poll. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
    await until(() => this.sent.every((text) => this.streamed.includes(text)))
    this.#hasAllStreamed = true
    this.#streaming?.destroy()
    await this.#following
    for (const agent of this.#agents) agent.destroy()
  }

  #agent(): Agent {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    this.#agents.push(agent)
    return agent
  }

  async #write(
    name: string,
    { isNew = false, hasKey = false, slow }: { isNew?: boolean; hasKey?: boolean; slow?: 'start' | 'body' },
  ): Promise<void> {
    const { topicId, writer } = this.#cast
    const agent = isNew ? false : this.#agent()
    for (let count = 1; !this.#isOver; count++) {
      const text = `${name}:${count}`
      const body = JSON.stringify({ topicId, text })
      const headers = { ...signed(writer, body), ...(hasKey && { 'idempotency-key': text }) }
      const answer = await this.#ask(
        { method: 'POST', path: '/v2/messages', headers, body, agent, ...(slow && { slow }) },
        '201',
      )
      if (answer !== undefined) this.sent.push(text)
      await sleep(Math.random() * PAUSE_MS)
    }
  }

  async #readNew(): Promise<void> {
    const path = '/v2/members/me'
    while (!this.#isOver) {
      await this.#ask({ method: 'GET', path, headers: signed(this.#cast.reader, path), agent: false }, '200')
    }
  }

  async #poll(): Promise<void> {
    const { reader } = this.#cast
    const agent = this.#agent()
    let offset = 'oldest'
    let hasAll = false
    while (!this.#isOver || !hasAll) {
      const path = `/v2/updates?timeout=${this.#isOver ? 1 : 30}&offset=${offset}`
      const answer = await this.#ask({ method: 'GET', path, headers: signed(reader, path), agent }, '200')
      if (answer === undefined) continue
      const { updates, nextOffset } = JSON.parse(answer)
      offset = nextOffset
      for (const { eventType, data } of updates)
        if (eventType === 'message.created') this.polled.add(data.message.text)
      hasAll = this.#isOver && updates.length === 0
    }
  }

  async #stream(): Promise<void> {
    const { ada } = this.#cast
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    let lastId = '0'
    const take = (block: string) => {
      lastId = /^id: (\d+)$/m.exec(block)?.[1] ?? lastId
      const data = /^event: message\.created$/m.test(block) && /^data: (.*)$/m.exec(block)?.[1]
      if (data) this.streamed.push(JSON.parse(data).message.text)
    }
    while (!this.#hasAllStreamed) {
      const request: Request = {
        method: 'GET',
        path: streamPath(ada.orgId),
        headers: { cookie, 'last-event-id': lastId },
        agent: false,
      }
      let rest = ''
      const ended = await this.#ask(request, '200', (chunk, response) => {
        const blocks = (rest + chunk).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block)
        this.#streaming = response
      })
      if (ended !== undefined) this.streamEnds += 1
    }
  }

  /** The body of an answer with the expected status; others are counted. */
  async #ask(
    asked: Request,
    expected: string,
    onChunk?: (chunk: string, response: IncomingMessage) => void,
  ): Promise<string | undefined> {
    const { isLeaving } = this
    const { status, close, body, error } = await exchange(this.#url, asked, onChunk)
    if (error === 'ECONNREFUSED') {
      this.refused += 1
      await sleep(REFUSED_MS)
      return undefined
    }
    this.asked += 1
    if (onChunk && this.#hasAllStreamed) return undefined
    if (error !== undefined) count(this.resets, `${asked.path}: ${error}`)
    else if (status !== expected) count(this.unexpected, `${asked.path}: ${status} ${body}`)
    else {
      if (isLeaving) this.leaving.asked += 1
      if (isLeaving && !close) this.leaving.keptAlive += 1
      return body
    }
    return undefined
  }
}

type Exchange = { status?: string; close?: boolean; body?: string; error?: string }

function exchange(
  url: string,
  { method, path, headers = {}, body, agent, slow }: Request,
  onChunk?: (chunk: string, response: IncomingMessage) => void,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const length = body !== undefined && { 'content-length': Buffer.byteLength(body) }
    const outgoing = request(
      url + path,
      { method, agent, headers: { ...headers, ...length } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (onChunk) onChunk(chunk, response)
          else text += chunk
        })
        response.once('error', fail)
        response.once('close', () => resolve({ error: 'closed' }))
        response.once('end', () =>
          resolve({
            status: String(response.statusCode),
            close: response.headers.connection === 'close',
            body: text,
          }),
        )
      },
    )
    const fail = (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message })
    outgoing.once('error', fail)
    if (slow === 'start')
      outgoing.once('socket', (socket) =>
        socket.once('connect', () => setTimeout(() => outgoing.end(body), SLOW_MS)),
      )
    else if (slow === 'body' && body !== undefined) {
      outgoing.write(body.slice(0, body.length / 2))
      setTimeout(() => outgoing.end(body.slice(body.length / 2)), SLOW_MS)
    } else outgoing.end(body)
  })
}

function signed({ credentials }: StaticTestBot, payload: string): Record<string, string> {
  const timestamp = String(Date.now())
  return {
    authorization: `Bearer ${credentials.apiKey}`,
    'x-timestamp': timestamp,
    'x-signature': sign(credentials.apiSecret, timestamp, payload),
    ...(payload.startsWith('{') && { 'content-type': 'application/json' }),
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
