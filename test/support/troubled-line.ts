import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** The trouble of a request: it is done and its answer lost, or it gets another answer and is not done. */
export type Trouble = 'lost answer' | { status: number; retryAfter?: string }

/** A line that stands between a bot and the server, and does something else with the next requests. */
/** `collects` makes the line hold back a body until it is complete, as many proxies do. */
export async function troubledLine(serverUrl: string, { collects = false } = {}) {
  const troubles: Trouble[] = []
  const seen: { method: string; isText: boolean; key: unknown; nonce: unknown; at: number }[] = []
  const line = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = incoming
    const isText = headers['content-type']?.startsWith('text/plain') ?? false
    seen.push({ method, isText, key: headers['idempotency-key'], nonce: headers['x-nonce'], at: Date.now() })
    const trouble = troubles.shift()
    if (typeof trouble === 'object') {
      incoming.resume()
      const { status, retryAfter } = trouble
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('"no"')
      return
    }
    const onward = request(serverUrl + url, { method, headers }, (answer) => {
      if (trouble === 'lost answer') {
        answer.resume().on('end', () => incoming.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    if (collects) void buffer(incoming).then((body) => onward.end(body))
    else incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const { port } = line.address() as AddressInfo
  const close = () => {
    line.closeAllConnections()
    line.close()
  }
  return { url: `http://127.0.0.1:${port}`, troubles, seen, close }
}
