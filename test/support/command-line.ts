import { type ChildProcess, fork, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fastFolder } from './fast-folder.ts'
import { IS_THOROUGH } from './thorough.ts'

const HOST = fileURLToPath(new URL('command-host.mjs', import.meta.url))
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
export type Result = { code: number | null; stdout: string; stderr: string }
type Environment = Record<string, string>

/** The real program, run in an empty folder. */
export type CommandLine = {
  folder: string
  /**
   * Runs a command to its end; `input` is typed at its terminal. In the gate, one process runs most commands, one after the
   * other: most of the time of a process of their own goes into loading the program.
   */
  run(args: readonly string[], environment?: Environment, input?: string): Promise<Result>
  /** Begins a command in a process of its own, which can be stopped early. */
  begin(
    args: readonly string[],
    environment?: Environment,
    input?: string,
  ): { child: ChildProcess; ended: Promise<Result> }
  /** Runs it with `--json`; anything but success fails the test. */
  json(args: readonly string[], environment?: Environment): Promise<Record<string, string>>
  /** Starts the server, and resolves when it has printed its address. */
  start(environment: Environment, args?: readonly string[]): Promise<StartedServer>
  close(): Promise<void>
}

export type StartedServer = {
  child: ChildProcess
  said: Record<string, string>
  stop(): Promise<number | null>
}

/** `install` puts a program of its own into the folder, and gives the path of it; otherwise it is that of the sources. */
export async function openCommandLine(install?: (folder: string) => Promise<string>): Promise<CommandLine> {
  const folder = await fastFolder('parley-cli-')
  const program = (await install?.(folder)) ?? join(PROJECT, 'bin', 'parley.mjs')
  const started: ChildProcess[] = []
  const environmentOf = (environment: Environment): Environment => ({
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DRAIN_MS: '0',
    ...environment,
  })
  let host: CommandHost | undefined

  const launch = (args: readonly string[], environment: Environment, input?: string) =>
    spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: environmentOf(environment),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })

  const commandLine: CommandLine = {
    folder,
    run(args, environment = {}, input = undefined) {
      const needsProcess = install !== undefined || input !== undefined || args[0] === 'start'
      if (IS_THOROUGH || needsProcess) return commandLine.begin(args, environment, input).ended
      host ??= new CommandHost(folder)
      return host.run(args, environmentOf(environment))
    },
    begin(args, environment = {}, input = undefined) {
      const child = launch(args, environment, input)
      child.stdin?.end(input)
      return { child, ended: finish(child) }
    },
    async json(args, environment) {
      const { code, stdout, stderr } = await commandLine.run([...args, '--json'], environment)
      if (code !== 0) throw new Error(`parley ${args.join(' ')} exited with ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
    async start(environment, args = []) {
      const child = launch(['start', '--json', ...args], environment)
      started.push(child)
      const said: Record<string, string> = JSON.parse(await firstLine(child))
      return { child, said, stop: () => stop(child) }
    },
    async close() {
      await host?.close()
      for (const child of started) await stop(child)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return commandLine
}

/** A process that runs commands one after the other (command-host.mjs). */
class CommandHost {
  readonly #child: ChildProcess
  readonly #ready: Promise<unknown>
  readonly #waiting = new Map<number, (answer: { result: Result; leftOpen?: string }) => void>()
  readonly #ended: Promise<never>
  #count = 0

  constructor(folder: string) {
    this.#child = fork(HOST, { cwd: folder, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#ready = new Promise((resolve) => this.#child.once('message', resolve))
    this.#ended = new Promise((_, reject) =>
      this.#child.once('exit', (code) => reject(new Error(`the process of commands ended with ${code}`))),
    )
    this.#ended.catch(() => {})
    this.#child.on('message', (answer: { id: number; result: Result; leftOpen?: string }) =>
      this.#waiting.get(answer.id)?.(answer),
    )
  }

  async run(args: readonly string[], environment: Environment): Promise<Result> {
    await Promise.race([this.#ready, this.#ended])
    const id = this.#count++
    const answered = new Promise<{ result: Result; leftOpen?: string }>((resolve) =>
      this.#waiting.set(id, resolve),
    )
    this.#child.send({ id, args, environment })
    const { result, leftOpen } = await Promise.race([answered, this.#ended])
    this.#waiting.delete(id)
    if (leftOpen !== undefined)
      throw new Error(`parley ${args.join(' ')} would not end, it has these open: ${leftOpen}`)
    return result
  }

  async close(): Promise<void> {
    this.#child.disconnect()
    await this.#ended.catch(() => {})
  }
}

function finish(child: ChildProcess): Promise<Result> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', '']
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      if (output.includes('\n')) resolve(output.slice(0, output.indexOf('\n')))
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk
    })
    child.once('close', () => reject(new Error(errors || 'it ended without a word')))
  })
}

function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.kill('SIGTERM')
  })
}
