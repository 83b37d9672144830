import { connect, type Socket } from 'node:net'
import { type Answer, parseJson } from '../test/support/client.ts'

export type Header = readonly [name: string, value: string]

export type Request = {
  method: string
  /** Written into the request line unchanged. */
  target: string
  headers: readonly Header[]
  body: Buffer | undefined
  isChunked: boolean
  /**
   * Whether the framing is wrong on purpose. The server may then hang up, and the rest of the connection is not
   * checked.
   */
  isBroken: boolean
}

/** `broken off`: the server hung up. `late`: nothing within the limit. */
export type Result = Answer | 'broken off' | 'late'

const HEAD_END = '\r\n\r\n'
const NOTHING: Buffer = Buffer.alloc(0)

export function bytesOf({ method, target, headers, body, isChunked }: Request): Buffer {
  const framing: Header[] = []
  if (isChunked) framing.push(['Transfer-Encoding', 'chunked'])
  else if (body !== undefined) framing.push(['Content-Length', String(body.length)])
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return Buffer.concat([head, isChunked ? chunked(body ?? NOTHING) : (body ?? NOTHING)])
}

/** Encodes the body in two chunks, so that the server has to join them. */
function chunked(body: Buffer): Buffer {
  const middle = Math.ceil(body.length / 2)
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter((piece) => piece.length > 0)
  return Buffer.concat([
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ])
}

/** One kept-alive connection to loopback with one request under way at a time, which sends bytes that no HTTP library would. */
export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #received = NOTHING
  #settle: (result: Result) => void = () => {}
  #method = ''
  /** The request before this one on the same connection: its leftovers may be the cause. */
  before: Request | undefined

  constructor(port: number) {
    this.#port = port
  }

  async ask(request: Request, limitMs: number): Promise<Result> {
    const isKept = this.#socket !== undefined
    if (!isKept) this.before = undefined
    const result = await this.#try(request, limitMs)
    // The server may close an idle connection at the moment the next request is sent.
    return result === 'broken off' && isKept && !request.isBroken ? this.#try(request, limitMs) : result
  }

  #try(request: Request, limitMs: number): Promise<Result> {
    const socket = this.#socket ?? this.#open()
    this.#received = NOTHING
    this.#method = request.method
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle('late'), limitMs)
      this.#settle = (result) => {
        this.#settle = () => {}
        clearTimeout(timer)
        if (typeof result === 'string' || request.isBroken || isLast(result)) this.end()
        resolve(result)
      }
      socket.write(bytesOf(request))
      // A request that announces more bytes than it has must not keep the server waiting.
      if (request.isBroken) socket.end()
    })
  }

  end(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    const isCurrent = () => this.#socket === socket
    socket.on('data', (chunk: Buffer) => isCurrent() && this.#read(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!isCurrent()) return
      this.#socket = undefined
      this.#settle(readAnswer(this.#received, this.#method, true) ?? 'broken off')
    })
    this.#socket = socket
    return socket
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const answer = readAnswer(this.#received, this.#method, false)
    if (answer) this.#settle(answer)
  }
}

/** A stream never ends, and is not waited for. */
const isLast = ({ headers }: Answer): boolean =>
  headers.get('connection') === 'close' ||
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** The answer in these bytes, once it is complete. */
export function readAnswer(bytes: Buffer, method: string, isEnd: boolean): Answer | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const rest = bytes.subarray(headEnd + HEAD_END.length)
  if (status >= 100 && status < 200) return readAnswer(rest, method, isEnd)
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const body = readBody(rest, headers, isEnd || method === 'HEAD' || status === 204 || status === 304)
  if (body === undefined) return undefined
  const text = body.toString()
  return { status, headers, text, body: parseJson(text) }
}

function readBody(rest: Buffer, headers: Headers, isAll: boolean): Buffer | undefined {
  if (headers.get('content-type')?.startsWith('text/event-stream')) return NOTHING
  const length = headers.get('content-length')
  if (length !== null) {
    if (rest.length >= Number(length)) return rest.subarray(0, Number(length))
  } else if (headers.get('transfer-encoding') === 'chunked') {
    const whole = readChunks(rest)
    if (whole !== undefined) return whole
  }
  return isAll ? rest : undefined
}

function readChunks(rest: Buffer): Buffer | undefined {
  const pieces: Buffer[] = []
  for (let start = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', start)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.toString('latin1', start, lineEnd), 16)
    if (size === 0) return Buffer.concat(pieces)
    const next = lineEnd + 2 + size + 2
    if (rest.length < next) return undefined
    pieces.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    start = next
  }
}
