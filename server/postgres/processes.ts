import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster } from './cluster.ts'

export const POLL_MS = 10
/** Signals for an orphaned server, and their times: fast shutdown, immediate shutdown, kill. */
const END_SERVER: Escalation = [
  { signal: 'SIGINT', afterMs: 0 },
  { signal: 'SIGQUIT', afterMs: 5_000 },
  { signal: 'SIGKILL', afterMs: 10_000 },
]
/** Processes that lost their server end by themselves, unless they are in the middle of something: recovery undoes that. */
const END_LEFTOVERS: Escalation = [
  { signal: 'SIGQUIT', afterMs: 1_000 },
  { signal: 'SIGKILL', afterMs: 5_000 },
]
const GIVE_UP_AFTER_MS = 15_000

type Escalation = { signal: NodeJS.Signals; afterMs: number }[]
type RunningProcess = { pid: number; command: string }

/** The lines of PostgreSQL's postmaster.pid. */
export type ServerFile = { pid: number; port: number; socketFolder: string; address: string; status: string }

export async function readServerFile(folder: string): Promise<ServerFile | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const [pid, , , port, socketFolder = '', address = '', , status = ''] = lines
  return { pid: Number(pid), port: Number(port), socketFolder, address, status }
}

/**
 * Ends the processes that a killed Parley or PostgreSQL left running on this cluster, and removes its postmaster.pid.
 * The caller holds the data folder, so no other process works with it. A process number alone proves nothing: another
 * program may have it by now.
 */
export async function endPreviousServer(
  cluster: Pick<Cluster, 'folder' | 'name'>,
  log: (message: string) => void,
): Promise<void> {
  const file = await readServerFile(cluster.folder)
  if (file === undefined) return
  if (await isServerOf(cluster.name, file.pid)) {
    log(`Stopping the PostgreSQL (process ${file.pid}) that an earlier Parley left behind`)
    await endAll(END_SERVER, async () => ((await isServerOf(cluster.name, file.pid)) ? [file.pid] : []))
  }
  await endLeftovers(cluster)
  await rm(join(cluster.folder, 'postmaster.pid'), { force: true })
}

export function endLeftovers(cluster: Pick<Cluster, 'name'>): Promise<void> {
  return endAll(END_LEFTOVERS, async () => {
    const running = await listProcesses()
    return running.filter(({ command }) => belongsTo(cluster.name, command)).map(({ pid }) => pid)
  })
}

async function endAll(escalation: Escalation, remaining: () => Promise<number[]>): Promise<void> {
  const started = performance.now()
  const due = [...escalation]
  for (;;) {
    const pids = await remaining()
    if (pids.length === 0) return
    const waited = performance.now() - started
    if (waited > GIVE_UP_AFTER_MS)
      throw new Error(`Processes of an earlier PostgreSQL do not end: ${pids.join(', ')}`)
    if (due[0] !== undefined && waited >= due[0].afterMs) {
      const signal = due.shift()?.signal
      for (const pid of pids) sendSignal(pid, signal)
    }
    await sleep(POLL_MS)
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | undefined): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, as the next poll will show.
  }
}

export async function isServerOf(name: string, pid: number): Promise<boolean> {
  return Number.isInteger(pid) && pid > 1 && belongsTo(name, await commandOf(pid))
}

/** `/path/to/postgres -D ... -c cluster_name=NAME ...` is the server, `postgres: NAME: checkpointer` one of its processes. */
const belongsTo = (name: string, command: string) =>
  command.startsWith(`postgres: ${name}: `) ||
  (command.includes('/postgres ') && command.includes(` cluster_name=${name} `))

/** Returns the command line; empty for a process that has ended, even as a zombie. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return text.replaceAll('\0', ' ')
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  )
  return stdout
}

/** Command lines are open to every user; working directories are closed even to root in most containers. */
async function listProcesses(): Promise<RunningProcess[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    return Promise.all(pids.map(async (pid) => ({ pid, command: await commandOf(pid) })))
  }
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split('\n').map((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s(.*)$/.exec(line) ?? []
    return { pid: Number(pid), command }
  })
}
