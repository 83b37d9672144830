import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded } from './child.ts'
import { Connection } from './connection.ts'
import { getRequest } from './requests.ts'

const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 20_000
/** The unit of the times in /proc, on every Linux in use. */
const TICKS_PER_SECOND = 100

/** Parley in its own process, as people run it. */
export type Server = {
  port: number
  pid: number
  dataDir: string
  /** The number of waiting long polls. */
  parked(): Promise<number>
  /** CPU seconds so far, of the server without its database. */
  cpuSeconds(): Promise<number>
  /** Resident memory in bytes, now and at its peak. */
  memory(): Promise<{ now: number; peak: number }>
  /** Resident memory of all processes that answer (`WORKERS`), without what they share. */
  memoryOfAll(): Promise<number>
  /** Processor time of its database so far, and resident memory now, without what its processes share. */
  databaseUse(): Promise<{ cpuSeconds: number; memory: number }>
  /** Stops all processes of its database for so long. */
  stallDatabase(ms: number): Promise<void>
  stop(): Promise<void>
}

export type ServerOptions = {
  root: string
  dataDir: string
  environment: Record<string, string>
  /** Called before the server has started, which may have to be stopped half-way. */
  onSpawn(stop: () => Promise<void>): void
}

/** The arguments of Node in `npm start`. */
async function startArguments(root: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [, given] = /^exec node (.+)$/.exec(scripts.start) ?? []
  if (given === undefined) throw new Error(`npm start does not run Node itself: ${scripts.start}`)
  return given.split(' ')
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { root, dataDir, environment, onSpawn } = options
  const port = await freePort()
  // Such as `--cpu-prof --cpu-prof-dir=/tmp/profile`, to see where the time goes.
  const nodeOptions = process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []
  const child = spawn(process.execPath, [...nodeOptions, ...(await startArguments(root))], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0',
      PERSON_RATE_LIMIT_PER_MINUTE: '0',
      STORAGE_QUOTA_MB: '0',
      DRAIN_MS: '0',
      QUEUE_MS: '0', // a pause of the machine must not be counted as refusals
      AGENT_SIGNUP_PER_MINUTE: '0',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C stops it through us, once, and not also through the terminal.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000)
    })
  }
  const pid = child.pid ?? 0
  const stop = async () => {
    if (hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    if ((await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })])) !== undefined) return
    const postgres = await postgresPid(dataDir)
    child.kill('SIGKILL')
    if (postgres !== undefined) process.kill(postgres, 'SIGINT')
    await ended
  }
  onSpawn(stop)
  const deadline = performance.now() + START_LIMIT_MS
  while (!(await answers(port))) {
    if (hasEnded(child) || performance.now() > deadline) {
      await stop()
      throw new Error(`the server did not start:\n${output}`)
    }
    await sleep(2)
  }
  return {
    port,
    pid,
    dataDir,
    parked: () => readParked(port),
    cpuSeconds: () => readCpuSeconds(pid),
    memory: () => readMemory(pid),
    memoryOfAll: () => readMemoryOfAll(pid, dataDir),
    databaseUse: () => readDatabaseUse(dataDir),
    stallDatabase: (ms) => stallDatabase(dataDir, ms),
    stop,
  }
}

async function stallDatabase(dataDir: string, ms: number): Promise<void> {
  const postgres = await requirePostgres(dataDir)
  process.kill(postgres, 'SIGSTOP') // before its children are counted: it starts no more of them
  const pids = await familyOf(postgres)
  try {
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await sleep(ms)
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

async function requirePostgres(dataDir: string): Promise<number> {
  const postgres = await postgresPid(dataDir)
  if (postgres === undefined) throw new Error('the database of the server is not its own')
  return postgres
}

/** A process and its children. */
async function familyOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

async function readDatabaseUse(dataDir: string): Promise<{ cpuSeconds: number; memory: number }> {
  const postgres = await requirePostgres(dataDir)
  const pids = await familyOf(postgres)
  // The parent's figures include children that have ended.
  const times = await Promise.all(pids.map((pid) => readCpuSeconds(pid)))
  const ended = await readCpuSeconds(postgres, 'children')
  const memory = await Promise.all(pids.map((pid) => readMemory(pid).catch(() => ({ own: 0 }))))
  return {
    cpuSeconds: times.reduce((sum, one) => sum + (one || 0), 0) + ended,
    memory: memory.reduce((sum, { own }) => sum + own, 0),
  }
}

async function answers(port: number): Promise<boolean> {
  const connection = new Connection(port)
  try {
    return (await connection.ask([getRequest('/health/ready')])).status === 200
  } catch {
    return false
  } finally {
    connection.end()
  }
}

async function readParked(port: number): Promise<number> {
  const connection = new Connection(port)
  try {
    const { body } = await connection.ask([getRequest('/metrics')])
    return Number(/^parley_parked_polls (\d+)/m.exec(body.toString())?.[1])
  } finally {
    connection.end()
  }
}

async function readMemory(pid: number): Promise<{ now: number; peak: number; own: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => {
    throw new Error('memory is read from /proc, which this system does not have')
  })
  const bytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM'), own: bytes('RssAnon') }
}

async function readMemoryOfAll(pid: number, dataDir: string): Promise<number> {
  const postgres = await postgresPid(dataDir)
  const pids = (await familyOf(pid)).filter((one) => one !== postgres)
  const memory = await Promise.all(pids.map((one) => readMemory(one)))
  return memory.reduce((sum, { own }) => sum + own, 0)
}

/** Returns NaN if there is no /proc. */
async function readCpuSeconds(pid: number, whose: 'own' | 'children' = 'own'): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(...(whose === 'own' ? [11, 13] : [13, 15]))
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}

async function postgresPid(dataDir: string): Promise<number | undefined> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(file.split('\n')[0]) || undefined
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
