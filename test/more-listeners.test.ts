import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { moreListeners } from '../server/http/more-listeners.ts'
import { eventuallyHolds } from './support/eventually.ts'

const CROWD = 64
const NEW = 200

describe('a server with a crowd of connections', () => {
  let server: Server
  let listeners: { close(): Promise<void> }
  let clients: Socket[]
  let accepted: number

  beforeEach(async () => {
    clients = []
    accepted = 0
    server = createServer((_request, response) => response.end('served'))
    server.on('connection', () => {
      accepted += 1
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    listeners = moreListeners(server, { backlog: 4096 })
  })
  afterEach(async () => {
    for (const client of clients) client.destroy()
    await listeners.close()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })

  const port = () => (server.address() as AddressInfo).port

  /** Connects as many at once, and tells how many turns of the loop it took to accept them. */
  const turnsFor = async (count: number): Promise<number> => {
    const before = accepted
    for (let index = 0; index < count; index += 1) clients.push(connect(port(), '127.0.0.1'))
    let turns = 0
    for (; accepted < before + count; turns += 1) await nextTurn()
    return turns
  }

  const ask = (client: Socket): Promise<string> =>
    new Promise((resolve, reject) => {
      client.once('error', reject).once('data', (data) => resolve(data.toString()))
      client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    })

  it('accepts many new ones a turn, serves each, and accepts none after it is closed', async () => {
    expect(await turnsFor(CROWD)).toBeGreaterThanOrEqual(CROWD / 2)
    // Connections of the second round are accepted by any free listener.
    await eventuallyHolds(async () => expect(await turnsFor(NEW)).toBeLessThan(NEW / 4))
    const answers = await Promise.all(clients.map(ask))
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*served/)

    const where = port()
    for (const client of clients) client.destroy()
    await listeners.close()
    await new Promise((resolve) => {
      server.close(resolve)
    })
    const late = connect(where, '127.0.0.1')
    expect(
      await new Promise((resolve) => {
        late.once('error', (error) => resolve(Object(error).code)).once('connect', () => resolve('connected'))
      }),
    ).toBe('ECONNREFUSED')
  })
})
