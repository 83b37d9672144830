import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../parts/child.ts'
import { wallClock } from '../parts/clock.ts'
import { type Answer, Connection } from '../parts/connection.ts'
import { Histogram } from '../parts/histogram.ts'
import { type Credentials, getRequest, postRequest, SESSION_COOKIE, sendRequest } from '../parts/requests.ts'
import {
  ACTION_MS,
  type ActionName,
  NEW_DIRECT_MESSAGES,
  REPLIES,
  WEIGHTS,
  type Worker,
} from '../parts/workday.ts'

/** Streams opened at the same time. */
const CROWD = 100
const OPEN_LIMIT_MS = 120_000
const PAGE = 50
/** Every so many streams one looks into its frames for the time at which a message was sent. */
const WATCHED = 20
/** A text that tells when it was sent, for the streams. */
const SENT_AT = /sent at (\d+\.?\d*)/

export type WorkersJob = { port: number; orgId: string; workers: readonly Worker[] }

/** Figures of one measurement; latencies as milliseconds of each request. */
export type WorkersOutcome = {
  requests: number
  errors: number
  /** The first errors, in words. */
  samples: string[]
  averageMs: number
  p50: number
  p99: number
  maxMs: number
  byAction: Record<string, { count: number; averageMs: number; p99: number }>
  /** Frames that all streams received. */
  frames: number
  /** Milliseconds from sending a message until a watched stream had it. */
  toldP50: number
  toldP99: number
  /** Share of one core that this process used. */
  cpu: number
}

/** Figures that are gathered while a measurement lasts. */
class Gathered {
  readonly latencies = new Histogram()
  readonly told = new Histogram()
  readonly actions = new Map<string, { histogram: Histogram; total: number }>()
  readonly samples: string[] = []
  total = 0
  errors = 0
  frames = 0

  record(action: ActionName, ms: number): void {
    const own = this.actions.get(action) ?? { histogram: new Histogram(), total: 0 }
    this.actions.set(action, own)
    own.histogram.record(ms)
    own.total += ms
    this.latencies.record(ms)
    this.total += ms
  }

  fail(what: string): void {
    this.errors += 1
    if (this.samples.length < 5) this.samples.push(what.slice(0, 300))
  }
}

let gathered = new Gathered()
let people: Person[] = []
let begun = 0
let isOver = false

type Listed = { messages: { id: string; replyCount?: number }[]; hasBefore: boolean }

/** One simulated person: a live stream, a kept-alive connection, and an action every twenty seconds. */
class Person {
  readonly #job: Pick<WorkersJob, 'port' | 'orgId'>
  readonly #worker: Worker
  readonly #isWatching: boolean
  readonly #chat: string
  #stream: Socket | undefined
  #position = ''
  #connection: Connection | undefined
  #topicId: string
  /** The messages of the open conversation that are known. */
  #ids: string[] = []
  #threads: string[] = []
  /** The read position of each conversation that was opened. */
  readonly #readTo = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(job: Pick<WorkersJob, 'port' | 'orgId'>, worker: Worker, isWatching: boolean) {
    this.#job = job
    this.#worker = worker
    this.#isWatching = isWatching
    this.#chat = `/people/organizations/${job.orgId}/chat`
    this.#topicId = worker.team[0] ?? worker.everybody
  }

  openStream(onBegun: () => void): void {
    const { port, orgId } = this.#job
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let isBegun = false
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      if (!isBegun && chunk.includes('\n\n')) {
        isBegun = true
        onBegun()
      }
      this.#receive(chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#stream !== socket || isOver) return
      gathered.fail('a stream ended')
      this.openStream(() => {})
    })
    this.#stream = socket
    const after = this.#position && `?after=${this.#position}`
    socket.write(
      `GET /people/organizations/${orgId}/stream${after} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${SESSION_COOKIE}=${this.#worker.token}\r\n\r\n`,
    )
  }

  #receive(chunk: string): void {
    const at = chunk.lastIndexOf('\nid: ')
    if (at !== -1) this.#position = /^\d+/.exec(chunk.slice(at + 5, at + 25))?.[0] ?? this.#position
    gathered.frames += 1
    if (!this.#isWatching) return
    const [, sentAt] = SENT_AT.exec(chunk) ?? []
    if (sentAt !== undefined) gathered.told.record(wallClock() - Number(sentAt))
  }

  /** Takes up work: the first action comes at any moment of the first twenty seconds. */
  begin(): void {
    let last: Promise<void> = Promise.resolve()
    const next = () => {
      this.#timer = setTimeout(next, ACTION_MS * (0.5 + Math.random()))
      last = last.then(() => this.#act(drawAction()))
    }
    this.#timer = setTimeout(next, ACTION_MS * Math.random())
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#stream?.destroy()
    this.#connection?.end()
  }

  async #act(action: ActionName): Promise<void> {
    try {
      await this.#actions[action]()
    } catch (error) {
      if (!isOver) gathered.fail(`${action}: ${error instanceof Error ? error.message : error}`)
    }
  }

  readonly #actions: Record<ActionName, () => Promise<void>> = {
    switchConversation: async () => {
      this.#topicId = this.#drawTopic()
      await this.#openConversation('switchConversation')
    },
    scroll: async () => {
      const [oldest] = this.#ids
      const before = oldest === undefined ? '' : `&before=${oldest}`
      const page = await this.#read('scroll', `${this.#historyOf(this.#topicId)}${before}`)
      this.#know(page)
    },
    checkUnread: async () => {
      await this.#get('checkUnread', `${this.#chat}/mentions?limit=${PAGE}`)
    },
    post: async () => {
      const parentId = Math.random() < REPLIES ? draw(this.#ids) : undefined
      const topicId = this.#topicId
      await this.#send('post', 'POST', `${this.#chat}/typing`, { topicId, ...(parentId && { parentId }) })
      const text = `The build went through, all checks are green, and it is on its way (sent at ${wallClock()}).`
      await this.#send('post', 'POST', `${this.#chat}/messages`, {
        topicId,
        text,
        ...(parentId && { parentId }),
      })
      if (parentId) this.#threads.push(parentId)
    },
    openDirectMessage: async () => {
      const { colleagues, known } = this.#worker
      const memberIds = [draw(Math.random() < NEW_DIRECT_MESSAGES ? colleagues : known)]
      const answer = await this.#send('openDirectMessage', 'POST', `${this.#chat}/direct-messages`, {
        memberIds,
      })
      this.#topicId = Object(JSON.parse(answer.body.toString())).id
      await this.#openConversation('openDirectMessage')
    },
    listThreads: async () => {
      const { body } = await this.#get('listThreads', `${this.#chat}/threads?limit=${PAGE}`)
      const { threads }: { threads: { parent: { id: string } }[] } = JSON.parse(body.toString())
      this.#threads = threads.map(({ parent }) => parent.id)
    },
    readThread: async () => {
      const threadId = await this.#readThread('readThread')
      if (threadId === undefined) return
      await this.#send('readThread', 'PATCH', `${this.#chat}/messages/${threadId}/thread`, {
        following: true,
      })
    },
    viewThread: async () => {
      await this.#readThread('viewThread')
    },
    followLink: async () => {
      const messageId = draw(this.#ids)
      if (messageId === undefined) return
      await this.#get('followLink', `/people/locate?messageId=${messageId}`)
      this.#know(await this.#read('followLink', `${this.#historyOf(this.#topicId)}&around=${messageId}`))
    },
    reconnect: async () => {
      this.#stream?.destroy()
      this.#connection?.end()
      this.#connection = undefined
      const since = performance.now()
      await new Promise<void>((resolve) => this.openStream(resolve))
      gathered.record('reconnect', performance.now() - since)
      await this.#get('reconnect', `${this.#chat}/start`)
      await this.#openConversation('reconnect')
    },
    react: async () => {
      const messageId = draw(this.#ids)
      if (messageId === undefined) return
      await this.#send('react', 'POST', `${this.#chat}/messages/${messageId}/reactions`, { reaction: '👍' })
    },
  }

  /** Most talk is in one's team, some with the department, little with everybody. */
  #drawTopic(): string {
    const { team, department, everybody } = this.#worker
    const chance = Math.random()
    return draw(chance < 0.7 ? team : chance < 0.98 ? department : [everybody]) ?? everybody
  }

  #historyOf = (topicId: string): string => `${this.#chat}/topics/${topicId}/history?limit=${PAGE}`

  async #openConversation(action: ActionName): Promise<void> {
    const topicId = this.#topicId
    this.#ids = []
    this.#know(await this.#read(action, this.#historyOf(topicId)))
    const readTo = this.#ids.at(-1)
    if (readTo === undefined || readTo <= (this.#readTo.get(topicId) ?? '')) return // pages tell a position that moves
    this.#readTo.set(topicId, readTo)
    await this.#send(action, 'PATCH', `${this.#chat}/topics/${topicId}/state`, { readTo })
  }

  async #readThread(action: ActionName): Promise<string | undefined> {
    const threadId = draw(this.#ids)
    if (threadId === undefined) return undefined
    await this.#read(action, `${this.#historyOf(this.#topicId)}&threadId=${threadId}`)
    return threadId
  }

  #know({ messages }: Listed): void {
    const known = new Set(this.#ids)
    const more = messages.map(({ id }) => id).filter((id) => !known.has(id))
    this.#ids = [...more, ...this.#ids].slice(0, 200)
  }

  async #read(action: ActionName, path: string): Promise<Listed> {
    return JSON.parse((await this.#get(action, path)).body.toString())
  }

  #get(action: ActionName, path: string): Promise<Answer> {
    return this.#ask(action, path, getRequest(path, { session: this.#worker.token }))
  }

  #send(action: ActionName, method: 'POST' | 'PATCH', path: string, body: object): Promise<Answer> {
    const credentials = { session: this.#worker.token }
    const text = JSON.stringify(body)
    const request =
      method === 'POST'
        ? postRequest(path, credentials, text, randomUUID())
        : sendRequest(method, path, credentials, text)
    return this.#ask(action, path, request)
  }

  /** Browsers keep a connection for a while, and open another when the server has closed it. */
  async #ask(action: ActionName, path: string, request: Buffer): Promise<Answer> {
    const since = performance.now()
    const kept = this.#connection?.isOpen ? this.#connection : undefined
    const answer = await (kept
      ? kept.ask([request]).catch(() => this.#askAnew(request))
      : this.#askAnew(request))
    gathered.record(action, performance.now() - since)
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
    return answer
  }

  #askAnew(request: Buffer): Promise<Answer> {
    this.#connection = new Connection(this.#job.port)
    return this.#connection.ask([request])
  }
}

/** A bot that writes an answer piece by piece, again and again. */
export type Answering = { port: number; bots: readonly { topicId: string; credentials: Credentials }[] }
const PIECES = 20
const PIECE_MS = 250
const PAUSE_MS = 15_000

function answer({ port, bots }: Answering): void {
  for (const bot of bots) void answerAgain(port, bot)
}

async function answerAgain(port: number, { topicId, credentials }: Answering['bots'][number]): Promise<void> {
  const post = async (path: string, body: object): Promise<string> => {
    const connection = new Connection(port)
    const { status, body: text } = await connection.ask([
      postRequest(path, credentials, JSON.stringify(body)),
    ])
    connection.end()
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`)
    return text.toString()
  }
  await sleep(PAUSE_MS * Math.random())
  while (!isOver) {
    try {
      const { id } = JSON.parse(await post('/v2/messages', { topicId, streaming: true }))
      for (let piece = 1; piece <= PIECES; piece++) {
        await post(`/v2/messages/${id}/append`, { text: 'The next words of a longer answer. ' })
        await sleep(PIECE_MS)
      }
      await post(`/v2/messages/${id}/finish`, {})
    } catch (error) {
      if (!isOver) gathered.fail(`a streaming bot: ${error instanceof Error ? error.message : error}`)
    }
    await sleep(PAUSE_MS)
  }
}

const draw = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)]

const ALL = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)

function drawAction(): ActionName {
  let left = Math.random() * ALL
  for (const [name, weight] of Object.entries(WEIGHTS)) {
    left -= weight
    if (left < 0) return name as ActionName
  }
  return 'switchConversation'
}

/** Lets more people come to work: each opens a stream, and acts from then on. */
async function add({ port, orgId, workers }: WorkersJob): Promise<void> {
  const deadline = performance.now() + OPEN_LIMIT_MS
  for (let first = 0; first < workers.length; first += CROWD) {
    const crowd = workers
      .slice(first, first + CROWD)
      .map((worker, index) => new Person({ port, orgId }, worker, (people.length + index) % WATCHED === 0))
    const wanted = begun + crowd.length
    for (const person of crowd)
      person.openStream(() => {
        begun += 1
      })
    while (begun < wanted) {
      if (performance.now() > deadline) throw new Error(`only ${begun} of ${wanted} streams began`)
      await sleep(2)
    }
    for (const person of crowd) person.begin()
    people.push(...crowd)
  }
}

async function measure({ seconds }: { seconds: number }): Promise<WorkersOutcome> {
  gathered = new Gathered()
  const before = process.cpuUsage()
  const since = performance.now()
  await sleep(seconds * 1000)
  const { latencies, told, actions, samples, total, errors, frames } = gathered
  const { user, system } = process.cpuUsage(before)
  return {
    requests: latencies.count,
    errors,
    samples,
    averageMs: total / Math.max(1, latencies.count),
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
    maxMs: latencies.summary().max,
    byAction: Object.fromEntries(
      [...actions].map(([name, own]) => [
        name,
        {
          count: own.histogram.count,
          averageMs: own.total / own.histogram.count,
          p99: own.histogram.percentile(0.99),
        },
      ]),
    ),
    frames,
    toldP50: told.percentile(0.5),
    toldP99: told.percentile(0.99),
    cpu: (user + system) / 1000 / (performance.now() - since),
  }
}

function leave(_: null): void {
  isOver = true
  for (const person of people) person.end()
  people = []
}

serve({ add, answer, measure, leave })
export type Workers = { add: typeof add; answer: typeof answer; measure: typeof measure; leave: typeof leave }
