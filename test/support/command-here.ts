import { vi } from 'vitest'
import { main } from '../../server/cli/main.ts'
import type { Result } from './command-line.ts'
import { SECRET_KEY, type TestParley } from './parley.ts'

const { PATH, HOME } = process.env
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The environment in which commands use the database and the files of a running server. */
export function commandSettings({ parley }: TestParley): Record<string, string> {
  const { user, password, host = '', port, database } = parley.db.config
  return {
    DATABASE_URL: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    SECRET_KEY,
    DATA_DIR: parley.config.dataDir,
  }
}

/**
 * Runs a command in this process, in an environment and a folder of its own, one at a time. Starting the program takes half a
 * second of CPU; a file of tests starts it once for each command, and calls the others here.
 */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string>,
  folder: string,
): Promise<Result> {
  const kept = { env: process.env, exitCode: process.exitCode, folder: process.cwd() }
  const listeners = SIGNALS.map((signal) => process.listeners(signal))
  const [stdout, stderr] = [captureWrites(process.stdout), captureWrites(process.stderr)]
  process.env = { PATH, HOME, DRAIN_MS: '0', ...environment }
  process.chdir(folder)
  try {
    await main([...args])
    return { code: Number(process.exitCode ?? 0), stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    process.env = kept.env
    process.exitCode = kept.exitCode
    process.chdir(kept.folder)
    // A command leaves with a signal, which would end this process.
    for (const [index, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[index]?.includes(listener)) process.off(signal, listener)
  }
}

/** The object that a command printed; anything but success fails the test. */
export function jsonOf({ code, stdout, stderr }: Result): Record<string, unknown> {
  if (code !== 0) throw new Error(`a command exited with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

function captureWrites(stream: NodeJS.WriteStream): { end(): string } {
  const writes: string[] = []
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    writes.push(String(chunk))
    return true
  })
  return {
    end() {
      spy.mockRestore()
      return writes.join('')
    },
  }
}
