import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'

const REQUESTS = 400
const BODIES = 1500
/**
 * How many times longer a neighbour's slowest requests may take beside the attack, in the worst round. The aim is 3; attacker,
 * neighbour and server share the machine here, and 3.4 was seen on two cores.
 */
const PATIENCE = 3
/** Resident memory that the attack may cost; without bounds it took 1.2 GB. */
const MEMORY_MB = 300

let dataDir: string
afterEach(async () => {
  await stopAll()
  await rm(dataDir, { recursive: true, force: true })
})

/** Opens so many connections within ten seconds, each with a body of 1 MiB that never ends, from addresses of its own. */
const attackOn = (port: string) => `
  const { connect } = require('node:net')
  const body = Buffer.alloc(1024 * 1024 - 1, ' ')
  const head = 'POST /v2/agentic/organization/create HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + (body.length + 1) + '\\r\\n\\r\\n'
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

/** The slowest one in a hundred, in ms. */
async function p99({ url }: ServerProcess): Promise<number> {
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
  return times.sort((one, other) => one - other)[Math.ceil(REQUESTS * 0.99) - 1] ?? 0
}

it('neither take the memory of the server nor the time of a neighbour', { timeout: 120_000 }, async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-unfinished-'))
  const server = await startServerProcess({ DATA_DIR: dataDir, AGENT_SIGNUP: 'on' })
  await p99(server) // everything is loaded
  const quiet = await p99(server)
  const before = await memoryOf(server)
  const attacker = spawn(process.execPath, ['-e', attackOn(new URL(server.url).port)])
  let most = 0
  const watch = setInterval(async () => {
    most = Math.max(most, await memoryOf(server).catch(() => 0))
  }, 50)
  const attacked: number[] = []
  for (let round = 0; round < 4; round++) attacked.push(await p99(server))
  clearInterval(watch)
  attacker.kill()
  await once(attacker, 'exit')
  console.log(
    `p99 of a neighbour: ${quiet.toFixed(1)} ms quiet, ${attacked.map((time) => time.toFixed(1)).join(', ')} ms beside ${BODIES} unfinished bodies; memory ${before.toFixed(0)} to ${most.toFixed(0)} MB`,
  )
  expect(most - before).toBeLessThan(MEMORY_MB)
  expect(Math.max(...attacked)).toBeLessThan(PATIENCE * quiet)
})
