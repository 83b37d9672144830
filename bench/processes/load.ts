import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Sender } from '../parts/cast.ts'
import { serve } from '../parts/child.ts'
import { wallClock } from '../parts/clock.ts'
import { type Answer, Connection } from '../parts/connection.ts'
import { Histogram, type Latency } from '../parts/histogram.ts'
import {
  type Credentials,
  getRequest,
  messageBody,
  postRequest,
  sign,
  uploadFrame,
  uploadHead,
} from '../parts/requests.ts'

/** The requests of a load, built and signed before measuring starts. */
export type Plan =
  /** Every request with a body, and if `keyed` an Idempotency-Key, of its own. When all are sent, the load ends. */
  | { kind: 'send'; senders: readonly Sender[]; most: number; keyed?: boolean }
  /** Repeats these reads. */
  | { kind: 'get'; reads: readonly { path: string; credentials: Credentials }[] }
  | { kind: 'upload'; senders: readonly Sender[]; file: string; most: number }

export type Job = {
  /** Ports of one server, or of several nodes: connections are spread over them in turn. */
  ports: readonly number[]
  connections: number
  seconds: number
  /** Seconds before measuring starts; 0 for a load that is counted as a whole. */
  warmUpSeconds: number
  plan: Plan
  /** The status of a success; anything else ends the load with an error. */
  expect: number
  /** Requests a second, whether answers come or not. Without it: the next one as soon as an answer came. */
  rate?: number
  /** Whether a 503 is counted instead of ending the load; latency is then from sending, of what was served. */
  sheds?: boolean
}

export type Outcome = {
  count: number
  /** Number of answers with 503. */
  shed: number
  seconds: number
  perSecond: number
  latency: Latency
  /** Share of one core that this process used. */
  cpu: number
  startedAt: number
  /** Ids of created messages, including the warm-up, and the times of the answers. */
  ids: string[]
  answeredAt: number[]
}

type Requests = { next(): readonly Buffer[] | undefined }

/** Answered once the load that was asked for before has begun: its requests are made in one go. */
const hasBegun = () => true

serve({ run, hasBegun })
export type Load = { run: typeof run; hasBegun: typeof hasBegun }

async function run(job: Job): Promise<Outcome> {
  const requests = prepare(job.plan)
  const connections = Array.from({ length: job.connections }, (_, number) => connect(job.ports, number))
  try {
    return await new Running(job, requests, connections).ended
  } finally {
    for (const connection of connections) connection.end()
  }
}

function connect(ports: readonly number[], number: number): Connection {
  const port = ports[number % ports.length]
  if (port === undefined) throw new Error('there is no server to load')
  return new Connection(port)
}

function prepare(plan: Plan): Requests {
  if (plan.kind === 'get') {
    const made = plan.reads.map(({ path, credentials }) => [getRequest(path, credentials)])
    let turn = 0
    return { next: () => made[turn++ % made.length] }
  }
  const made = plan.kind === 'send' ? messages(plan) : uploads(plan)
  let turn = 0
  return { next: () => made[turn++] }
}

function messages({ senders, most, keyed = false }: Plan & { kind: 'send' }): Buffer[][] {
  return Array.from({ length: most }, (_, number) => {
    const sender = senders[number % senders.length]
    if (!sender) throw new Error('nobody sends')
    const key = keyed ? randomUUID() : undefined
    const { topicId, credentials, path = '/v2/messages', text } = sender
    const body = text === undefined ? messageBody(topicId, number) : JSON.stringify({ text })
    return [postRequest(path, credentials, body, key)]
  })
}

/** The file is in memory once; only the parts around it differ. */
function uploads({ senders, file, most }: Plan & { kind: 'upload' }): Buffer[][] {
  const content = readFileSync(file)
  return Array.from({ length: most }, (_, number) => {
    const { topicId, credentials } = senders[number % senders.length] ?? {}
    if (!topicId || !credentials || !('apiKey' in credentials)) throw new Error('nobody uploads')
    const [before, after] = uploadFrame(topicId, `Upload ${number}`, `upload-${number}.bin`)
    const timestamp = String(Date.now())
    const signature = sign(credentials.apiSecret, timestamp, before, content, after)
    const length = before.length + content.length + after.length
    return [uploadHead(credentials.apiKey, timestamp, signature, length), before, content, after]
  })
}

class Running {
  readonly ended: Promise<Outcome>
  readonly #job: Job
  readonly #requests: Requests
  readonly #free: Connection[]
  readonly #histogram = new Histogram()
  readonly #ids: string[] = []
  readonly #answeredAt: number[] = []
  /** Due times of requests for which no connection was free. */
  readonly #late: number[] = []
  readonly #startedAt = wallClock()
  #measureFrom: number
  #until: number
  #cpu = process.cpuUsage()
  #busy = 0
  #shed = 0
  #exhausted = false
  #lastAnswerAt = 0
  #timer: NodeJS.Timeout | undefined
  #resolve: (outcome: Outcome) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(job: Job, requests: Requests, connections: Connection[]) {
    this.#job = job
    this.#requests = requests
    this.#free = connections
    const now = performance.now()
    this.#measureFrom = now + job.warmUpSeconds * 1000
    this.#until = this.#measureFrom + job.seconds * 1000
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (job.warmUpSeconds > 0) {
      setTimeout(() => {
        this.#cpu = process.cpuUsage()
      }, job.warmUpSeconds * 1000)
    }
    if (job.rate === undefined) for (const connection of connections.splice(0)) this.#start(connection, now)
    else this.#pace(job.rate, now)
  }

  #pace(rate: number, began: number): void {
    let started = 0
    this.#timer = setInterval(() => {
      const now = Math.min(performance.now(), this.#until)
      for (; started < ((now - began) * rate) / 1000; started++) {
        const dueAt = began + (started * 1000) / rate
        const connection = this.#free.pop()
        if (connection) this.#start(connection, dueAt)
        else this.#late.push(dueAt)
      }
      this.#finishWhenDone()
    }, 1)
  }

  /** At a fixed rate, latency counts from the due time: a stall is charged to every request that it delays. */
  #start(connection: Connection, dueAt: number): void {
    const request = this.#requests.next()
    if (!request) {
      this.#exhausted = true
      this.#free.push(connection)
      return
    }
    this.#busy += 1
    const from = this.#job.sheds ? performance.now() : dueAt
    connection.listen(
      (answer) => this.#answered(connection, answer, from),
      (error) => this.#fail(error),
    )
    connection.send(request)
  }

  #answered(connection: Connection, { status, body }: Answer, dueAt: number): void {
    const now = performance.now()
    this.#busy -= 1
    if (status === 503 && this.#job.sheds) {
      this.#shed += 1
      this.#goOn(connection, now)
      return
    }
    if (status !== this.#job.expect) {
      this.#fail(new Error(`answered ${status}: ${body.subarray(0, 300)}`))
      return
    }
    if (this.#job.plan.kind !== 'get') {
      this.#ids.push(idIn(body))
      this.#answeredAt.push(wallClock())
    }
    if (now >= this.#measureFrom && (now <= this.#until || this.#job.rate !== undefined)) {
      this.#histogram.record(now - dueAt)
      this.#lastAnswerAt = now
    }
    this.#goOn(connection, now)
  }

  #goOn(connection: Connection, now: number): void {
    if (this.#job.rate !== undefined) {
      const dueAt = this.#late.shift()
      if (dueAt === undefined) this.#free.push(connection)
      else this.#start(connection, dueAt)
    } else if (now < this.#until) this.#start(connection, now)
    else this.#free.push(connection)
    this.#finishWhenDone()
  }

  #finishWhenDone(): void {
    const over = this.#exhausted || performance.now() >= this.#until
    if (!over || this.#busy > 0 || this.#late.length > 0) return
    clearInterval(this.#timer)
    const { user, system } = process.cpuUsage(this.#cpu)
    const end = this.#exhausted ? this.#lastAnswerAt : this.#until
    const seconds = (end - this.#measureFrom) / 1000
    this.#resolve({
      count: this.#histogram.count,
      shed: this.#shed,
      seconds,
      perSecond: this.#histogram.count / seconds,
      latency: this.#histogram.summary(),
      cpu: (user + system) / 1e6 / seconds,
      startedAt: this.#startedAt,
      ids: this.#ids,
      answeredAt: this.#answeredAt,
    })
  }

  #fail(error: Error): void {
    clearInterval(this.#timer)
    this.#reject(error)
  }
}

/** Finds `{"id":"…36 characters…"` without parsing the rest. */
function idIn(body: Buffer): string {
  const start = body.indexOf('"id":"') + 6
  return body.toString('latin1', start, start + 36)
}
