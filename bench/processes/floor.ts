import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serve } from '../parts/child.ts'
import { wallClock } from '../parts/clock.ts'
import { GroupedInsert } from '../parts/grouped-insert.ts'

/**
 * The bare server that Parley is held against: `node:http` and what cannot be left out. It checks the same signatures
 * or tokens, parses the same bodies and answers in the same shapes, but it keeps nothing; or, with a database, one row for
 * each message, durably, before it answers.
 */
export type FloorSettings = {
  /** API keys and their secrets. */
  keys: readonly (readonly [string, string])[]
  /** The key that signs access tokens. */
  tokenKey?: Buffer
  /** The answer to every list of messages. */
  page?: string
  /** The answer to the question who the caller is. */
  me?: string
  /** API keys of the bots in a topic: their polls are answered when something is sent there. */
  topics?: readonly (readonly [string, readonly string[]])[]
  /** An empty database for messages. */
  databaseUrl?: string
}

let secrets = new Map<string, string>()
let topics = new Map<string, readonly string[]>()
let tokenKey = Buffer.alloc(0)
let page = Buffer.alloc(0)
let me = Buffer.alloc(0)
let kept: GroupedInsert | undefined
const parked = new Map<string, ServerResponse>()
const lengths = new Map<string, number>()

async function open(settings: FloorSettings): Promise<number> {
  secrets = new Map(settings.keys)
  topics = new Map(settings.topics ?? [])
  tokenKey = Buffer.from(settings.tokenKey ?? '')
  page = Buffer.from(settings.page ?? '')
  me = Buffer.from(settings.me ?? '')
  if (settings.databaseUrl !== undefined) kept = await GroupedInsert.open(settings.databaseUrl)
  const server = createServer(receive).listen(0, '127.0.0.1')
  server.keepAliveTimeout = 72_000
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const countParked = (_: null): number => parked.size

function cpuSeconds(_: null): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

serve({ open, countParked, cpuSeconds })
export type Floor = { open: typeof open; countParked: typeof countParked; cpuSeconds: typeof cpuSeconds }

function receive(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['content-type']?.startsWith('text/plain')) {
    receiveText(request, response)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [only, ...more] = chunks
    const body = only && more.length === 0 ? only : Buffer.concat(chunks)
    const caller = identify(request, request.method === 'GET' ? (request.url ?? '') : body)
    if (caller === undefined) answer(response, 401, '"Unauthorized"')
    else if (request.method === 'GET') read(request.url ?? '', caller, response)
    else if (request.url?.endsWith('/append')) append(request.url, body, response)
    else send(body, response)
  })
}

/** Reads a plain-text body as it comes in, and keeps its length. */
function receiveText(request: IncomingMessage, response: ServerResponse): void {
  if (identify(request, '') === undefined) {
    answer(response, 401, '"Unauthorized"')
    return
  }
  let length = 0
  request.setEncoding('utf8')
  request.on('data', (text: string) => {
    length += text.length
  })
  request.on('end', () => answer(response, 200, JSON.stringify({ length })))
}

/** Takes a piece of a growing message, and keeps its length. */
function append(target: string, body: Buffer, response: ServerResponse): void {
  const { text } = JSON.parse(body.toString())
  if (typeof text !== 'string') {
    answer(response, 400, '"malformed"')
    return
  }
  const id = target.split('/')[3] ?? ''
  const length = (lengths.get(id) ?? 0) + text.length
  lengths.set(id, length)
  answer(response, 200, JSON.stringify({ id, length }))
}

function send(body: Buffer, response: ServerResponse): void {
  const { topicId, text } = JSON.parse(body.toString())
  if (typeof topicId !== 'string' || typeof text !== 'string') {
    answer(response, 400, '"malformed"')
    return
  }
  const message = { id: randomUUID(), topicId, createdAt: wallClock() }
  const rounded = { ...message, createdAt: Math.floor(message.createdAt) }
  const acknowledge = () => {
    answer(response, 201, JSON.stringify(rounded))
    wake(topicId, { ...message, text })
  }
  if (kept) kept.add({ ...rounded, text, done: acknowledge })
  else acknowledge()
}

function read(target: string, caller: string, response: ServerResponse): void {
  if (target === '/v2/members/me') answer(response, 200, me)
  else if (!target.startsWith('/v2/updates')) answer(response, 200, page)
  else if (!target.includes('timeout=')) answer(response, 200, '{"updates":[],"nextOffset":"0"}')
  else park(caller, response)
}

function park(caller: string, response: ServerResponse): void {
  parked.set(caller, response)
  response.on('close', () => {
    if (parked.get(caller) === response) parked.delete(caller)
  })
}

function wake(topicId: string, message: object): void {
  const bots = topics.get(topicId) ?? []
  if (bots.length === 0) return
  const update = { updateId: 'evt_0', eventType: 'message.created', data: { message } }
  const body = JSON.stringify({ updates: [update], nextOffset: '0' })
  for (const bot of bots) {
    const poll = parked.get(bot)
    if (poll) answer(poll, 200, body)
    parked.delete(bot)
  }
}

/** The caller's key or token; undefined if the signature is wrong. */
function identify(request: IncomingMessage, signed: string | Buffer): string | undefined {
  const bearer = request.headers.authorization?.slice('Bearer '.length) ?? ''
  if (bearer.includes('.')) return isToken(bearer) ? bearer : undefined
  const secret = secrets.get(bearer)
  const timestamp = String(request.headers['x-timestamp'])
  if (secret === undefined || Math.abs(Date.now() - Number(timestamp)) > 300_000) return undefined
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(signed).digest()
  const given = Buffer.from(String(request.headers['x-signature']), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected) ? bearer : undefined
}

function isToken(token: string): boolean {
  const end = token.lastIndexOf('.')
  const expected = createHmac('sha256', tokenKey).update(token.slice(0, end)).digest()
  const given = Buffer.from(token.slice(end + 1), 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const { exp } = JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString())
  return exp * 1000 > Date.now()
}

function answer(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'X-Request-Id': 'req_floor',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}
