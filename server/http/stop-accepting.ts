import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'

/** Turns of the event loop, one after the other, in which nobody connects before the listener closes. */
const QUIET_TURNS = 5
/** Longer turns do not count: connections may have come in the time between their accepting and their end. */
const SHORT_TURN_MS = 0.5
/** A server that gets no rest closes in the next turn in which nobody connects. */
const MAX_WAIT_MS = 1000

/**
 * Closes the listener of a server, and none of its connections. The kernel resets connections that wait to be accepted when a
 * listener closes, and Node accepts one in each turn of its loop: so the listener closes when several turns have found none,
 * right after the last of them looked. `close` of an HTTP server would also cut off idle connections, on which a request may
 * be coming.
 */
export function stopAccepting(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const deadline = performance.now() + MAX_WAIT_MS
    let turnBeganAt = performance.now()
    let quietTurns = 0
    let hasAccepted = false
    const onConnection = () => {
      hasAccepted = true
    }
    server.on('connection', onConnection)
    const look = () => {
      const now = performance.now()
      const isQuiet = !hasAccepted && now - turnBeganAt < SHORT_TURN_MS
      quietTurns = isQuiet ? quietTurns + 1 : 0
      if (quietTurns === QUIET_TURNS || (now > deadline && !hasAccepted)) {
        Listener.prototype.close.call(server)
        server.off('connection', onConnection)
        resolve()
        return
      }
      hasAccepted = false
      turnBeganAt = now
      setImmediate(look) // runs after the loop has looked for new connections
    }
    setImmediate(look)
  })
}
