import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { ANSWER_BYTES } from './limits.ts'

/** A program to run, and the PATH that it and its children see. */
export type Program = {
  /** The name in error messages. */
  name: string
  command: readonly string[]
  environmentPath: string | undefined
}

const STDERR_BYTES = 4096
const LAST_LINE_CHARACTERS = 300

/** How long output may still arrive after the end: only a process that left the group can hold it open. */
const LAST_OUTPUT_MS = 1000

/**
 * The program leads its own process group. Beside it, a guard waits for the end of descriptor 3, which the server
 * holds. The system closes that however the server ends, even by `kill -9`, and then the guard kills the group.
 */
const GUARDED = '(read -r end <&3; kill -s KILL -- -$$) >/dev/null 2>&1 & exec "$@" 3<&-'

/** An allowed list, since a forbidden one would forget the secret that is added next. */
const PASSED_ON =
  /^(?:HOME|USER|LOGNAME|LANG|LANGUAGE|TZ|TMPDIR|LD_LIBRARY_PATH|(?:LC|XDG|OMP|CUDA|NVIDIA|GGML|WHISPER)_\w+)$/

/** Runs the program to its end and returns its output. All processes of its group are gone then. */
export async function run(program: Program, args: readonly string[], signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted()
  const child = spawn('/bin/sh', ['-c', GUARDED, 'sh', ...program.command, ...args], {
    env: environmentOf(program),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const stopped = new AbortController()
  const stop = (reason: unknown) => {
    stopped.abort(reason)
    killGroup(child)
  }
  const abort = () => stop(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const errors = keepEnd(child)
  const output = keepAll(child, () =>
    stop(new Error(`${program.name} printed more than ${ANSWER_BYTES} bytes`)),
  )
  child.once('exit', () => endOutput(child))
  try {
    await once(child, 'close')
    stopped.signal.throwIfAborted()
    if (child.exitCode !== 0) throw new Error(describeEnd(program.name, child, errors()))
    return output()
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Returns the first match on the PATH, as a shell would. */
export async function findProgram(
  name: string,
  environmentPath: string | undefined,
): Promise<string | undefined> {
  for (const folder of (environmentPath ?? '').split(':')) {
    const file = join(folder, name)
    if (isAbsolute(folder) && (await isExecutable(file))) return file
  }
  return undefined
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

function environmentOf({ environmentPath }: Program): Record<string, string | undefined> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))
  return { ...Object.fromEntries(passed), ...(environmentPath !== undefined && { PATH: environmentPath }) }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}

/** The guard outlives the program, so the group's number cannot belong to other processes. */
function endOutput(child: ChildProcess): void {
  killGroup(child)
  const close = () => {
    for (const stream of child.stdio) stream?.destroy()
  }
  const timer = setTimeout(close, LAST_OUTPUT_MS)
  child.once('close', () => clearTimeout(timer))
}

function keepAll(child: ChildProcess, tooMuch: () => void): () => Buffer {
  const chunks: Buffer[] = []
  let length = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > ANSWER_BYTES) tooMuch()
    else chunks.push(chunk)
  })
  return () => Buffer.concat(chunks)
}

function keepEnd(child: ChildProcess): () => string {
  let end = Buffer.alloc(0)
  child.stderr?.on('data', (chunk: Buffer) => {
    end = Buffer.concat([end, chunk]).subarray(-STDERR_BYTES)
  })
  return () => end.toString()
}

function describeEnd(name: string, { exitCode, signalCode }: ChildProcess, errors: string): string {
  const end = exitCode === null ? `was ended by ${signalCode}` : `failed with exit code ${exitCode}`
  const line = lastLine(errors)
  return `${name} ${end}${line && `: ${line}`}`
}

/** Fit for a log: the output that a hostile file provokes must not write lines or colours of its own. */
function lastLine(errors: string): string {
  const lines = errors.split(/[\r\n]+/).map((line) => line.replace(/\p{Cc}/gu, '').trim())
  return (lines.findLast((line) => line !== '') ?? '').slice(-LAST_LINE_CHARACTERS).toWellFormed()
}
