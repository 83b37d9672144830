import { connect, type Socket } from 'node:net'

export type Answer = { status: number; body: Buffer }

const HEAD_END = '\r\n\r\n'
const NOTHING: Buffer = Buffer.alloc(0)

/**
 * One kept-alive HTTP/1.1 connection to loopback with one request at a time. It understands only what the servers here
 * send (a status, a Content-Length, a body), so that it costs much less than what it measures.
 */
export class Connection {
  readonly #socket: Socket
  #pending = NOTHING
  #onAnswer: (answer: Answer) => void = () => {}
  #onBroken: (error: Error) => void = () => {}
  #ended = false
  #isClosed = false

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.#isClosed = true
      if (!this.#ended) this.#onBroken(new Error('a connection broke off'))
    })
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#ended
  }

  /** Callbacks instead of promises: tens of thousands a second. */
  listen(onAnswer: (answer: Answer) => void, onBroken: (error: Error) => void): void {
    this.#onAnswer = onAnswer
    this.#onBroken = onBroken
  }

  send(parts: readonly Buffer[]): void {
    for (const part of parts) this.#socket.write(part)
  }

  ask(parts: readonly Buffer[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.listen(resolve, reject)
      this.send(parts)
    })
  }

  end(): void {
    this.#ended = true
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    this.#pending = data
    const headEnd = data.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = data.toString('latin1', 0, headEnd)
    const status = Number(head.slice(9, 12))
    const bodyStart = headEnd + HEAD_END.length
    const end = bodyStart + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (data.length < end) return
    this.#pending = NOTHING
    this.#onAnswer({ status, body: data.subarray(bodyStart, end) })
  }
}
