import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../parts/child.ts'
import { wallClock } from '../parts/clock.ts'
import { SESSION_COOKIE } from '../parts/requests.ts'

/** Streams opened at the same time. */
const CROWD = 100
const OPEN_LIMIT_MS = 120_000
const MESSAGE = 'event: message.created\n'
/** Begins every stream that names no position in the log. */
const BEGINNING = 'event: reset\n'

/** `from` is an address of this machine: one has 28,000 ports. */
export type StreamJob = { port: number; orgId: string; tokens: readonly string[]; from?: string }

/** The receipt of a message by all streams: how many have it, and when the last one got it. */
export type Told = { id: string; streams: number; lastAt: number }

let sockets: Socket[] = []
let begun = 0
let told = new Map<string, Told>()
let failure: Error | undefined

/** Opens one live stream for each token; a token listed twice has two. */
async function open({ port, orgId, tokens, from }: StreamJob): Promise<void> {
  const deadline = performance.now() + OPEN_LIMIT_MS
  for (let first = 0; first < tokens.length; first += CROWD) {
    const crowd = tokens.slice(first, first + CROWD)
    for (const token of crowd) sockets.push(openStream(port, orgId, token, from))
    while (begun < first + crowd.length) {
      check(null)
      if (performance.now() > deadline) throw new Error(`only ${begun} of ${tokens.length} streams began`)
      await sleep(2)
    }
  }
}

/** On a bare socket: thousands of them must cost this side less than the server. */
function openStream(port: number, orgId: string, token: string, from: string | undefined): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, localAddress: from })
  let pending = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    const now = wallClock()
    const blocks = (pending + chunk).split('\n\n')
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.includes(MESSAGE)) tell(block, now)
      else if (block.includes(BEGINNING)) begun += 1
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (sockets.includes(socket)) failure ??= new Error(`a stream ended: ${pending.slice(0, 300)}`)
  })
  socket.write(
    `GET /people/organizations/${orgId}/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${SESSION_COOKIE}=${token}\r\n\r\n`,
  )
  return socket
}

function tell(block: string, now: number): void {
  const [, id] = /"message":\{"id":"([^"]+)"/.exec(block) ?? []
  if (id === undefined) {
    failure ??= new Error(`a message without an id: ${block.slice(0, 300)}`)
    return
  }
  const known = told.get(id) ?? { id, streams: 0, lastAt: 0 }
  told.set(id, known)
  known.streams += 1
  known.lastAt = now
}

/** Waits until every stream has received this message. */
async function take({ id, limitMs }: { id: string; limitMs: number }): Promise<Told> {
  const deadline = performance.now() + limitMs
  for (;;) {
    check(null)
    const known = told.get(id)
    if (known?.streams === sockets.length) return known
    if (performance.now() > deadline) {
      throw new Error(`${known?.streams ?? 0} of ${sockets.length} streams were told in time`)
    }
    await sleep(2)
  }
}

function close(_: null): void {
  const all = sockets
  sockets = []
  begun = 0
  told = new Map()
  for (const socket of all) socket.destroy()
}

function check(_: null): void {
  if (failure) throw failure
}

serve({ open, take, close })
export type Streams = { open: typeof open; take: typeof take; close: typeof close }
