import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a server that can be cut: what runs over it breaks off, and nothing gets through until it is mended. */
export type CutLine = { url: string; cut(): void; mend(): void; close(): Promise<void> }

export async function openCutLine(target: string): Promise<CutLine> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((browser) => {
    if (isCut) {
      browser.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    keep(browser)
    keep(upstream)
    browser.pipe(upstream).pipe(browser)
    browser.on('close', () => upstream.destroy())
    upstream.on('close', () => browser.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    close() {
      drop()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
