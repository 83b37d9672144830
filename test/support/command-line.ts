import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
export type Result = { code: number | null; stdout: string; stderr: string }
type Environment = Record<string, string>

/** The real program, run in an empty folder. */
export type CommandLine = {
  folder: string
  /** Runs a command to its end; `input` is typed at its terminal. */
  run(args: readonly string[], environment?: Environment, input?: string): Promise<Result>
  /** Begins a command, so that it can be stopped early. */
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
export async function openCommandLine(
  install: (folder: string) => Promise<string> = async () => join(PROJECT, 'bin', 'parley.mjs'),
): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-cli-'))
  const program = await install(folder)
  const started: ChildProcess[] = []

  const launch = (args: readonly string[], environment: Environment, input?: string) =>
    spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DRAIN_MS: '0', ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })

  const commandLine: CommandLine = {
    folder,
    run: (...asked) => commandLine.begin(...asked).ended,
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
      for (const child of started) await stop(child)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return commandLine
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
