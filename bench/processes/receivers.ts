import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../parts/child.ts'
import { wallClock } from '../parts/clock.ts'
import { Histogram, type Latency } from '../parts/histogram.ts'

/** Webhook receivers, each on its own port: they read the event, answer 200 and count. */
let histogram = new Histogram()
let lastAt = 0

async function open({ count }: { count: number }): Promise<string[]> {
  const urls: string[] = []
  for (let number = 0; number < count; number++) {
    const server = createServer(receive).listen(0, '127.0.0.1')
    server.keepAliveTimeout = 60_000
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    urls.push(`http://127.0.0.1:${address.port}/events`)
  }
  return urls
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString())
    lastAt = wallClock()
    histogram.record(lastAt - timestamp)
    response.writeHead(200, { 'Content-Length': 0 }).end()
  })
}

export type Deliveries = { count: number; lastAt: number; latency: Latency }

/** Waits for `count` deliveries, then resets the counter. */
async function take({ count, limitMs }: { count: number; limitMs: number }): Promise<Deliveries> {
  const deadline = performance.now() + limitMs
  while (histogram.count < count && performance.now() < deadline) await sleep(2)
  const taken = { count: histogram.count, lastAt, latency: histogram.summary() }
  histogram = new Histogram()
  return taken
}

serve({ open, take })
export type Receivers = { open: typeof open; take: typeof take }
