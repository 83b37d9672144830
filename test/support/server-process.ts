import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.ts'

/** A server as people run it, in a process of its own, with every promise about durability on. */
export type ServerProcess = { process: ChildProcess; url: string; output(): string }

const running = new Set<ChildProcess>()

/** `folder`: the program's folder, if it is another one. */
export async function startServerProcess(
  environment: Record<string, string>,
  folder = '.',
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(folder, 'bin', 'parley.mjs'), 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      AGENT_SIGNUP_PER_MINUTE: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      PERSON_RATE_LIMIT_PER_MINUTE: '0',
      DRAIN_MS: '0',
      QUEUE_MS: '0', // a machine that is busy with other tests is no overload
      BOT_LOOP_SLOW_AFTER: '0', // two bots that write as fast as they can do not answer each other
      BOT_LOOP_STOP_AFTER: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const url = /Address\s+(http\S+)/.exec(output)?.[1]
    if (url) return { process: child, url, output: () => output }
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`it did not start:\n${output}`)
    await sleep(10)
  }
}

export async function kill(target: ChildProcess): Promise<void> {
  target.kill('SIGKILL')
  if (target.exitCode === null && target.signalCode === null) await once(target, 'exit')
}

export async function stop(target: ChildProcess): Promise<number | null> {
  target.kill('SIGTERM')
  if (target.exitCode === null && target.signalCode === null) await once(target, 'exit')
  return target.exitCode
}

export async function stopAll(): Promise<void> {
  for (const child of [...running]) await stop(child)
}

export async function postgresPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** A zombie does not count as running. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(stat)
}
