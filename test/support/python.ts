import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from './pages.ts'

const { PATH = '', HOME = '' } = process.env

/** The environment in which a Python program finds the library; it leaves nothing behind beside the sources. */
export const PYTHON_ENVIRONMENT = {
  PATH,
  HOME,
  PYTHONPATH: join(ROOT, 'sdk/python'),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUNBUFFERED: '1',
}

/** A Python program that talks with a test in lines of JSON. */
export type PythonProgram = {
  process: ChildProcess
  tell(line: unknown): void
  /** The next line of its output. */
  hear(): Promise<unknown>
  /** Waits for its end, and returns its exit code. */
  end(): Promise<number | null>
  kill(): Promise<void>
}

export function startPython(
  args: string[],
  environment: Record<string, string>,
  cwd: string = ROOT,
): PythonProgram {
  const child = spawn('python3', args, {
    cwd,
    env: { ...PYTHON_ENVIRONMENT, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  return {
    process: child,
    tell: (line) => child.stdin.write(`${JSON.stringify(line)}\n`),
    async hear() {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${args.join(' ')} has ended:\n${errors}`)
      return JSON.parse(value)
    },
    async end() {
      child.stdin.end()
      const [code] = await ended
      if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${errors}`)
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
