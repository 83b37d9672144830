import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import { CODES, errorOf, isObject, RpcError, type RpcRequest, sendMessage } from './json-rpc.ts'

/** Interval of progress notes of a long call. */
const PROGRESS_MS = 1000

type Exchange = { request: FastifyRequest; reply: FastifyReply; message: RpcRequest }

/**
 * Answers as JSON. A call whose client asks for progress, and that has no answer after a second, becomes a stream of events: a
 * notification each second, and the answer at the end.
 */
export async function answerWithProgress(
  exchange: Exchange,
  work: () => Promise<object>,
): Promise<FastifyReply> {
  const { request, reply, message } = exchange
  const token = progressTokenOf(message)
  const takesStream = String(request.headers.accept ?? '').includes('text/event-stream')
  const stream = token !== undefined && takesStream ? new ProgressStream(exchange, token) : undefined
  try {
    const answer = await work()
    return stream?.isOpen ? stream.end(answer) : sendMessage(reply, answer)
  } catch (error) {
    if (!stream?.isOpen) throw error
    if (error instanceof Refusal)
      return stream.end(errorOf(new RpcError(CODES.refused, error.message), message))
    request.log.error({ reqId: request.id, err: error, method: message.method }, 'request failed')
    return stream.end(errorOf(new RpcError(CODES.internalError, 'internal server error'), message))
  } finally {
    stream?.stop()
  }
}

function progressTokenOf({ params }: RpcRequest): string | number | undefined {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

class ProgressStream {
  #exchange: Exchange
  #token: string | number
  #timer: NodeJS.Timeout
  #seconds = 0
  isOpen = false

  constructor(exchange: Exchange, token: string | number) {
    this.#exchange = exchange
    this.#token = token
    this.#timer = setInterval(() => this.#tell(), PROGRESS_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  end(answer: object): FastifyReply {
    const { reply } = this.#exchange
    this.#write(answer)
    reply.raw.end()
    return reply
  }

  #tell(): void {
    if (!this.isOpen) this.#open()
    this.#seconds += PROGRESS_MS / 1000
    const { timeout } = Object(this.#exchange.message.params.arguments)
    this.#write({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: {
        progressToken: this.#token,
        progress: this.#seconds,
        // A waiting call has a `timeout`: the most seconds that it takes.
        ...(typeof timeout === 'number' && { total: timeout }),
      },
    })
  }

  #open(): void {
    const { reply } = this.#exchange
    this.isOpen = true
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.raw.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close', // a server that stops ends it, and must not cut off the request after it
      'X-Accel-Buffering': 'no', // proxies that would collect answers pass this one on as it comes
    })
  }

  #write(message: object): void {
    const { raw } = this.#exchange.reply
    if (!raw.destroyed) raw.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }
}
