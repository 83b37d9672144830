import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A bare connection that sends exact bytes, and collects what comes back. */
export type BareConnection = {
  socket: Socket
  write(bytes: string | Buffer): void
  /** Everything received so far. */
  text(): string
  /** Waits until the other side has hung up. */
  closed(): Promise<string>
}

export async function openBare(
  url: string,
  { from }: { from?: string | undefined } = {},
): Promise<BareConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', () => {})
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([once(socket, 'connect'), over])
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    text: () => text,
    async closed() {
      await over
      return text
    },
  }
}

/** A request's head; the rest is up to the test. */
export const headOf = (method: string, target: string, headers: Record<string, string | number>): string =>
  `${method} ${target} HTTP/1.1\r\nHost: parley.test\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** The status and the body of an answer from the wire. */
export function answerIn(text: string): { status: number; body: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), body: body === '' ? undefined : JSON.parse(body) }
}
