import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'

const REQUESTS = 400
const BODIES = 1500
/** An attacker's processor is not the server's: the one that attacks here gets what the others leave. */
const LAST = ['-n', '19', process.execPath]
/** Resident memory that the attack may cost; without bounds it took 1.2 GB. */
const MEMORY_MB = 300

/** How many times longer a neighbour's slowest requests may take beside an attack. */
const PATIENCE = 3

/**
 * What strangers can send. A sign-up of that size is refused by its announcement. With a made-up key the body is read to its end, so
 * that nobody learns which keys exist; keeping what was read made a neighbour wait 3.2 times as long.
 */
const ATTACKS = [
  { name: 'sign-ups', path: '/v2/agentic/organization/create', headers: '' },
  {
    name: 'requests with a made-up key',
    path: '/v2/topics',
    headers: `Authorization: Bearer ${'k'.repeat(43)}\\r\\nX-Timestamp: ' + Date.now() + '\\r\\nX-Signature: ${'0'.repeat(64)}\\r\\n`,
  },
]
type Attack = (typeof ATTACKS)[number]

let dataDir: string
afterEach(async () => {
  await stopAll()
  await rm(dataDir, { recursive: true, force: true })
})

/** Opens so many connections within ten seconds, each with a body of 1 MiB that never ends, from addresses of its own. */
const attackOn = (port: string, { path, headers }: Attack) => `
  const { connect } = require('node:net')
  const body = Buffer.alloc(1024 * 1024 - 1, ' ')
  const head = 'POST ${path} HTTP/1.1\\r\\nHost: x\\r\\n${headers}Content-Type: application/json\\r\\nContent-Length: ' + (body.length + 1) + '\\r\\n\\r\\n'
  let sent = 0
  const timer = setInterval(() => {
    if (sent++ === ${BODIES}) return clearInterval(timer)
    const socket = connect({ port: ${port}, host: '127.0.0.1', localAddress: '127.0.1.' + (1 + sent % 5) })
    socket.on('error', () => {}).resume()
    socket.write(head)
    socket.write(body)
  }, 6)
  setTimeout(() => process.exit(0), 60_000)`

async function memoryOf({ process: { pid } }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** How long a neighbour's requests take, in ms. */
async function timesOf({ url }: ServerProcess): Promise<number[]> {
  const times: number[] = []
  for (let sent = 0; sent < REQUESTS; sent++) {
    const began = performance.now()
    const answer = await fetch(`${url}/v2/agentic/organization/create`, {
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
  async (attack) => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-unfinished-'))
    const server = await startServerProcess({ DATA_DIR: dataDir, AGENT_SIGNUP: 'on' })
    await timesOf(server) // everything is loaded
    const quiet = p99(await timesOf(server))
    const before = await memoryOf(server)
    const attacker = spawn('nice', [...LAST, '-e', attackOn(new URL(server.url).port, attack)])
    let most = 0
    const watch = setInterval(async () => {
      most = Math.max(most, await memoryOf(server).catch(() => 0))
    }, 50)
    const times: number[] = []
    for (let round = 0; round < 4; round++) times.push(...(await timesOf(server)))
    const attacked = p99(times)
    clearInterval(watch)
    attacker.kill()
    await once(attacker, 'exit')
    console.log(
      `${attack.name}: p99 of a neighbour ${quiet.toFixed(1)} ms quiet, ${attacked.toFixed(1)} ms beside ${BODIES} unfinished bodies; memory ${before.toFixed(0)} to ${most.toFixed(0)} MB`,
    )
    expect(most - before).toBeLessThan(MEMORY_MB)
    expect(attacked).toBeLessThan(PATIENCE * quiet)
  },
)
