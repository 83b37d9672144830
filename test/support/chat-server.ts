import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  key: string | undefined
  body: string
}
export type Answering = (asked: Asked, response: ServerResponse) => unknown

/** An HTTP server that misbehaves on demand, as the real one does only when something breaks. */
export type ScriptedServer = {
  url: string
  asked: Asked[]
  /** Open live streams. */
  streams: Set<ServerResponse>
  /** The number of requests below this path so far. */
  count(method: string, path: string): number
  send(frame: string): void
  /** Ends all connections and accepts no more; `start` accepts them again at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** `answer` gives the body of a 200, or writes the response by itself and gives undefined. */
export async function scriptedServer(answer: Answering): Promise<ScriptedServer> {
  const asked: Asked[] = []
  const streams = new Set<ServerResponse>()
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
    const key = request.headers['idempotency-key']
    const one: Asked = {
      method: request.method ?? '',
      path: pathname.replace(/^\/people\/organizations\/[^/]+/, ''),
      query: searchParams,
      key: typeof key === 'string' ? key : undefined,
      body,
    }
    asked.push(one)
    const given = await answer(one, response)
    if (given !== undefined) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(given))
      return
    }
    if (one.path !== '/stream' || response.headersSent) return
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 1000\n\n')
    streams.add(response)
    response.on('close', () => streams.delete(response))
  }
  const server = createServer((request, response) => void handle(request, response).catch(() => {}))
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    streams,
    count: (method, path) => asked.filter((one) => one.method === method && one.path === path).length,
    send: (frame) => {
      for (const stream of streams) stream.write(`${frame}\n\n`)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: () => listen(port),
  }
}

export const refuse = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(text))
}
