import { setTimeout } from 'node:timers/promises'
import { answerIn, type BareConnection, headOf, openBare } from './sockets.ts'

/** Time without an answer after which the other requests count as waiting. */
const LOOK_MS = 25
const QUIET_LOOKS = 6

/** A request that is sent in two parts. */
export type HeldRequest = {
  /** The operation that it calls. */
  name: string
  method: string
  target: string
  headers: Record<string, string>
  body: string | Buffer
}

export type HeldAnswer = { status: number; body: unknown }

/** Connections to a server that send their heads and their bodies when a test says so. */
export class HeldRequests {
  #sent: { request: HeldRequest; connection: BareConnection; answered: Promise<string> }[] = []

  async sendHeads(url: string, requests: readonly HeldRequest[]): Promise<void> {
    await Promise.all(
      requests.map(async (request) => {
        const connection = await openBare(url)
        const headers = {
          'Content-Length': Buffer.byteLength(request.body),
          Connection: 'close',
          ...request.headers,
        }
        connection.write(headOf(request.method, request.target, headers))
        this.#sent.push({ request, connection, answered: connection.closed() })
      }),
    )
  }

  sendBodies(): void {
    for (const { request, connection } of this.#sent) connection.write(request.body)
  }

  /** Names of answered requests, once no more answers come. */
  async answeredEarly(): Promise<Set<string>> {
    const names = () =>
      this.#sent.flatMap(({ request, connection }) => (connection.text() === '' ? [] : [request.name]))
    for (let before = -1, quiet = 0; quiet < QUIET_LOOKS; ) {
      await setTimeout(LOOK_MS)
      const { length } = names()
      quiet = length === before ? quiet + 1 : 0
      before = length
    }
    return new Set(names())
  }

  async answers(): Promise<Map<string, HeldAnswer>> {
    const answers = new Map<string, HeldAnswer>()
    for (const { request, answered } of this.#sent) answers.set(request.name, answerIn(await answered))
    return answers
  }
}
