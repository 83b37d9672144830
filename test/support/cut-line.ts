import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A line to a server that can be cut: connections over it break off, and nothing gets through until it is mended. */
export type CutLine = {
  url: string
  port: number
  cut(): void
  /** Keeps connections open, and lets nothing through. */
  silence(): void
  mend(): void
  close(): Promise<void>
}

/** `target`: a URL, or the path of a socket. */
export async function openCutLine(target: string): Promise<CutLine> {
  const address = addressOf(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'cut' | 'silent' = 'open'
  const join = ([one, other]: readonly [Socket, Socket]) => one.pipe(other).pipe(one)
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    if (state === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(address)
    upstream.on('error', () => upstream.destroy())
    const pair = [client, upstream] as const
    pairs.add(pair)
    if (state === 'open') join(pair)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    client.on('close', end)
    upstream.on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const drop = () => {
    for (const socket of [...pairs].flat()) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    cut() {
      state = 'cut'
      drop()
    },
    silence() {
      state = 'silent'
      for (const [one, other] of pairs) {
        one.unpipe(other)
        other.unpipe(one)
      }
    },
    mend() {
      if (state === 'silent') for (const pair of pairs) join(pair)
      state = 'open'
    },
    close() {
      drop()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function addressOf(target: string): NetConnectOpts {
  if (target.startsWith('/')) return { path: target }
  const { hostname, port } = new URL(target)
  return { port: Number(port), host: hostname }
}
