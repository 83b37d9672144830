import { spawn } from 'node:child_process'
import type { Server } from 'node:http'
import { createServer, type Server as Listener } from 'node:net'

/** Connections that are open at once before a node makes itself more listeners. */
const CROWD = 64
const LISTENERS = 32

/** Sends each listener back `count` times. This process accepts no connection itself. */
const HAND_BACK = `process.on('message', (count, listener) => {
  for (let sent = 0; sent < count; sent += 1) process.send('listener', listener)
})`

/**
 * Lets a server accept many connections in each turn of its loop, once it has a crowd. Node accepts one, then reads
 * from all open connections, and only then accepts the next: in an overload each turn is long, and the last of 3,000
 * new connections would wait for thousands of turns. Every listener accepts one more a turn. All of them are the same
 * socket, which Node duplicates only when it is sent between processes: so a short-lived child process sends it back.
 */
export function moreListeners(server: Server, { backlog }: { backlog: number }): { close(): Promise<void> } {
  const listeners: Listener[] = []
  let child: ReturnType<typeof spawn> | undefined
  let open = 0
  let isClosed = false
  const count = (socket: { once(event: 'close', listener: () => void): unknown }) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    if (open < CROWD) return
    server.off('connection', count)
    duplicate()
  }
  server.on('connection', count)

  function duplicate(): void {
    child = spawn(process.execPath, ['-e', HAND_BACK], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
    })
    // The server goes on with its one listener if the child fails.
    child.on('error', () => {})
    child.on('message', (_, handle: unknown) => {
      if (isClosed) {
        Object(handle).close()
        return
      }
      const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit('connection', socket),
      )
      listener.on('error', () => listeners.splice(listeners.indexOf(listener), 1))
      listener.listen({ _handle: handle }, backlog)
      if (listeners.push(listener) === LISTENERS) child?.disconnect()
    })
    child.unref()
    child.send(LISTENERS, Object(server)._handle, () => {})
  }

  return {
    async close() {
      isClosed = true
      server.off('connection', count)
      for (const listener of listeners) listener.close()
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      // The child holds the socket too: while it lives, the kernel takes connections that are never accepted.
      const exit = new Promise((resolve) => child?.once('exit', resolve).once('error', resolve))
      child.kill()
      await exit
    },
  }
}
