import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../server/config.ts'
import { stopAccepting } from '../server/http/stop-accepting.ts'
import { openBare } from './support/sockets.ts'

const WAITING = 50
const REQUEST = 'GET / HTTP/1.1\r\nHost: parley.test\r\nConnection: close\r\n\r\n'

/**
 * Connects `count` times from a separate thread, reports it, sends a request on each connection, and reports the
 * answers.
 */
const CLIENTS = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, count, connected, request } } = require('node:worker_threads')
const answers = []
let open = 0
for (let number = 0; number < count; number++) {
  let text = ''
  const done = (answer) => {
    if (answers.push(answer) === count) parentPort.postMessage(answers)
  }
  const socket = connect({ host: '127.0.0.1', port }, () => {
    socket.write(request)
    open += 1
    if (open < count) return
    Atomics.store(connected, 0, 1)
    Atomics.notify(connected, 0)
  })
  socket.on('data', (chunk) => { text += chunk })
  socket.once('error', (error) => done(error.code))
  socket.once('end', () => done(text.slice(9, 12)))
}`

let server: Server
afterEach(() => void server.closeAllConnections())

async function listen(): Promise<number> {
  server = createServer((_request, response) => response.end('served'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return Object(server.address()).port
}

describe('a listener that closes', () => {
  it('accepts all connections that wait', async () => {
    const port = await listen()
    const connected = new Int32Array(new SharedArrayBuffer(4))
    const workerData = { port, count: WAITING, connected, request: REQUEST }
    const clients = new Worker(CLIENTS, { eval: true, workerData })
    await once(clients, 'online')
    Atomics.wait(connected, 0, 0) // this thread accepts no connection until all have connected
    await stopAccepting(server)
    const [answers] = await once(clients, 'message')
    expect(answers).toEqual(Array(WAITING).fill('200'))
    await expect(openBare(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('leaves idle connections open, which may bring a request', async () => {
    const port = await listen()
    const idle = await openBare(`http://127.0.0.1:${port}`)
    idle.write(REQUEST.replace('close', 'keep-alive'))
    await expect.poll(() => idle.text()).toContain('served')
    await stopAccepting(server)
    idle.write(REQUEST)
    expect((await idle.closed()).match(/served/g)).toHaveLength(2)
  })
})

it('is announced for DRAIN_MS; the name that this setting had before is refused with the new one', () => {
  expect(readConfig({ DRAIN_MS: '250' }).drainMs).toBe(250)
  expect(() => readConfig({ DRAIN_SECONDS: '5' })).toThrow('DRAIN_SECONDS has become DRAIN_MS')
})
