import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { newUuid } from '../../server/ids.ts'
import { call } from '../support/client.ts'
import { type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'

const REQUESTS = 1600
const BODIES = 1500
/** An attacker's processor is not the server's: the one that attacks here gets what the others leave. */
const LAST = ['-n', '19', process.execPath]
/** Resident memory that an attack may cost. Without bounds bodies took 1.2 GB, forms 1.3 GB and pages 426 MB. */
const MEMORY_MB = 300
/** How many times longer a neighbour's slowest requests may take beside an attack. */
const PATIENCE = 3

type Bot = { topicId: string; apiKey: string; apiSecret: string }
type Attack = { name: string; script(port: string, bot: Bot): string }

const SIGN_UP = '/v2/agentic/organization/create'
const UNSIGNED = `'X-Timestamp: ' + Date.now() + '\\r\\nX-Signature: ${'0'.repeat(64)}\\r\\n'`

/** Opens this many connections within ten seconds from its own addresses, each with an endless body of 1 MiB. */
const unfinished = (port: string, path: string, headers: string) => `
  const { connect } = require('node:net')
  const body = Buffer.alloc(1024 * 1024 - 1, ' ')
  let sent = 0
  const timer = setInterval(() => {
    if (sent++ === ${BODIES}) return clearInterval(timer)
    const socket = connect({ port: ${port}, host: '127.0.0.1', localAddress: '127.0.1.' + (1 + sent % 5) })
    socket.on('error', () => {}).resume()
    socket.write('POST ${path} HTTP/1.1\\r\\nHost: x\\r\\n' + ${headers} + 'Content-Type: application/json\\r\\nContent-Length: ' + (body.length + 1) + '\\r\\n\\r\\n')
    socket.write(body)
  }, 6)`

/** Twelve forms at a time, each with 99 metadata parts of 1 MiB, from a sender who knows a key but not its secret. */
const forms = (port: string, { apiKey }: Bot) => `
  const { connect } = require('node:net')
  const part = Buffer.concat([Buffer.from('--x\\r\\nContent-Disposition: form-data; name="metaPart"\\r\\n\\r\\n'), Buffer.alloc(1024 * 1024 - 100, ' '), Buffer.from('\\r\\n')])
  const end = Buffer.from('--x--\\r\\n')
  const attack = () => {
    const socket = connect({ port: ${port}, host: '127.0.0.1', localAddress: '127.0.1.9' })
    socket.on('error', () => {}).on('close', attack).resume()
    socket.write('POST /v2/messages HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nAuthorization: Bearer ${apiKey}\\r\\n' + ${UNSIGNED} + 'Content-Type: multipart/form-data; boundary=x\\r\\nContent-Length: ' + (99 * part.length + end.length) + '\\r\\n\\r\\n')
    let left = 99
    const next = () => { while (left-- > 0) if (!socket.write(part)) return; socket.write(end) }
    socket.on('drain', next)
    next()
  }
  for (let count = 0; count < 12; count++) attack()`

/**
 * Requests some 2,000 uncached pages a second on twenty connections, each of which asks again as soon as it was
 * answered. They are signed beforehand, so that the server does not pay for that.
 */
const pages = (port: string, { topicId, apiKey, apiSecret }: Bot) => `
  const { createHmac } = require('node:crypto')
  const { connect } = require('node:net')
  const time = String(Date.now())
  const requests = Array.from({ length: 40000 }, (_, number) => {
    const path = '/v2/topics/${topicId}/messages?after=' + number
    const signature = createHmac('sha256', '${apiSecret}').update(time + '.' + path).digest('hex')
    return 'GET ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer ${apiKey}\\r\\nX-Timestamp: ' + time + '\\r\\nX-Signature: ' + signature + '\\r\\n\\r\\n'
  })
  const free = new Set()
  for (let count = 0; count < 20; count++) {
    const socket = connect({ port: ${port}, host: '127.0.0.1', localAddress: '127.0.1.9' })
    socket.on('error', () => {}).on('connect', () => free.add(socket)).on('data', () => free.add(socket))
  }
  setInterval(() => {
    for (const socket of free) socket.write(requests.pop() ?? '')
    free.clear()
  }, 10)`

/**
 * A sign-up of that size is refused by its announced length. With a made-up key the body is read to its end, so that
 * the answer does not reveal which keys exist. Keeping what was read made a neighbour wait 3.2 times as long.
 */
const ATTACKS: Attack[] = [
  { name: 'unfinished sign-ups', script: (port) => unfinished(port, SIGN_UP, "''") },
  {
    name: 'unfinished requests with a made-up key',
    script: (port) =>
      unfinished(port, '/v2/topics', `'Authorization: Bearer ${'k'.repeat(43)}\\r\\n' + ${UNSIGNED}`),
  },
  { name: 'forms with 99 parts of metadata', script: forms },
  { name: 'pages that nobody asks for twice', script: pages },
]

let dataDir: string
afterEach(async () => {
  await stopAll()
  await rm(dataDir, { recursive: true, force: true })
})

async function signUp({ url }: ServerProcess): Promise<Bot> {
  const { body } = await call(url, undefined, 'POST', SIGN_UP, {
    body: {
      companyName: 'Mallory',
      humanEmail: `${newUuid()}@example.com`,
      companySize: 1,
      industry: 'Noise',
      botName: 'Sender',
    },
  })
  const { credentials, channelId } = Object(body)
  return { topicId: channelId, apiKey: credentials.apiKey, apiSecret: credentials.apiSecret }
}

async function memoryOf({ process: { pid } }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Milliseconds of a neighbour's requests. */
async function timesOf({ url }: ServerProcess): Promise<number[]> {
  const times: number[] = []
  for (let sent = 0; sent < REQUESTS; sent++) {
    const began = performance.now()
    const answer = await fetch(`${url}${SIGN_UP}`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBe(400)
    await answer.text()
    times.push(performance.now() - began)
  }
  return times
}

const p99 = (times: number[]): number =>
  times.sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0

it.each(ATTACKS)(
  '$name neither take the memory of the server nor the time of a neighbour',
  async ({ name, script }) => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-attacked-'))
    const server = await startServerProcess({
      DATA_DIR: dataDir,
      AGENT_SIGNUP: 'on',
      RATE_LIMIT_PER_MINUTE: '1000', // the default limit
    })
    const mallory = await signUp(server)
    await timesOf(server) // everything is loaded
    const quiet = p99(await timesOf(server))
    const before = await memoryOf(server)
    const attacker = spawn('nice', [
      ...LAST,
      '-e',
      `${script(new URL(server.url).port, mallory)}; console.log('begun')`,
    ])
    await once(attacker.stdout, 'data')
    let most = 0
    const watch = setInterval(async () => {
      most = Math.max(most, await memoryOf(server).catch(() => 0))
    }, 50)
    const attacked = p99(await timesOf(server))
    clearInterval(watch)
    attacker.kill()
    await once(attacker, 'exit')
    console.log(
      `${name}: p99 of a neighbour ${quiet.toFixed(1)} ms quiet, ${attacked.toFixed(1)} ms beside it (${(attacked / quiet).toFixed(1)}); memory ${before.toFixed(0)} to ${most.toFixed(0)} MB`,
    )
    expect(most - before).toBeLessThan(MEMORY_MB)
    expect(attacked).toBeLessThan(PATIENCE * quiet)
  },
)
