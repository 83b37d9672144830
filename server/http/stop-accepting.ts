import type { Server } from 'node:http'
import { type AddressInfo, connect, Server as Listener } from 'node:net'

/** A server whose queue is never seen empty, or on a system that has no such queue, closes after this all the same. */
const MAX_WAIT_MS = 1000
/** Tries before it gives up: on a busy machine, a second is a few turns of the loop. */
const MIN_TRIES = 200
const MAX_BUSY_WAIT_MS = 8000

/**
 * Closes the listener of a server, and none of its connections. The kernel resets connections that wait to be accepted
 * when a listener closes, and more may come between the last check and the close. So the queue is made one place long,
 * and this process takes the place itself, which it gets only when no client waits. The kernel then drops new
 * connections: clients try again by themselves, and are refused before they have sent anything. The `close` of an HTTP
 * server would also cut off idle connections, on which a request may be coming.
 */
export function stopAccepting(server: Server): Promise<void> {
  const address = server.address()
  if (address === null || typeof address === 'string') return Promise.resolve()
  const began = performance.now()
  let tries = 0
  const isPatient = () => {
    const waitedMs = performance.now() - began
    return waitedMs < MAX_WAIT_MS || (tries < MIN_TRIES && waitedMs < MAX_BUSY_WAIT_MS)
  }
  return new Promise((resolve) => {
    const attempt = () => {
      tries += 1
      Object(server)._handle.listen(0)
      const plug = connect({ host: reachable(address), port: address.port })
      plug.on('error', () => {})
      // `connect` begins in a tick of its own; the kernel connects two ends of one machine at once.
      process.nextTick(() => {
        const hasPlace = Object(plug)._handle?.getpeername({}) === 0
        if (hasPlace || !isPatient()) {
          leaveListener(server)
          resolve()
        } else setImmediate(attempt) // the loop accepts who waits before that
        plug.destroy()
      })
    }
    attempt()
  })
}

/** Closes the listener at once, for a process that shares it: the others accept who waits. */
export function leaveListener(server: Server): void {
  Listener.prototype.close.call(server)
}

/** An address by which this machine reaches a listener that may listen on all of them. */
function reachable({ address }: AddressInfo): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
