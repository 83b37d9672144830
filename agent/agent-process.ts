import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentCapabilities,
  type ClientApp,
  type ClientContext,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestError,
} from '@agentclientprotocol/sdk'

/** Pauses before an agent that ended is started again, in ms. */
const PAUSES = [500, 2000, 5000, 15_000, 30_000, 60_000]
/** An agent that ran for this long begins again with the first pause. */
const STABLE_MS = 60_000
/** Time for the first answer: `npx` may have to fetch the agent. */
const START_MS = 120_000
/** Time between the end of its input, a signal to end, and a signal that ends it. */
const END_MS = 3000
/** Time for what an agent wrote before its end, where a process that it left behind keeps its output open. */
const LAST_WORDS_MS = 500
const MAX_LOG_LINE = 2000

export type Launch = {
  command: readonly [string, ...string[]]
  environment: NodeJS.ProcessEnv
  app: ClientApp
  log: (line: string) => void
}

/** An agent that runs and has answered. */
export type RunningAgent = {
  context: ClientContext
  name: string
  capabilities: AgentCapabilities
  /** Aborts when the process or the connection has ended. */
  ended: AbortSignal
  /** Ids of the sessions that this process knows. */
  sessions: Set<string>
}

/** Keeps an agent running. */
export type AgentKeeper = {
  /** The agent, once it runs. Rejects when the signal aborts. */
  running(signal: AbortSignal): Promise<RunningAgent>
  stop(): Promise<void>
}

/** Starts the agent, and again whenever it has ended. Rejects if the first start fails. */
export async function keepAgent(launch: Launch): Promise<AgentKeeper> {
  const stopping = new AbortController()
  let process = await startAgent(launch, stopping.signal)
  let current = waiting<RunningAgent>()
  current.resolve(process.agent)
  const keeping = keep()

  async function keep(): Promise<void> {
    for (let failures = 0; ; ) {
      const began = performance.now()
      await process.closed
      current = waiting()
      let why = await process.ended
      if (performance.now() - began > STABLE_MS) failures = 0
      for (let isStarted = false; !isStarted; failures += 1) {
        if (stopping.signal.aborted) return
        const pause = PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0
        launch.log(`${why} Starting it again in ${pause / 1000} s.`)
        try {
          await sleep(pause, undefined, { signal: stopping.signal })
          process = await startAgent(launch, stopping.signal)
          isStarted = true
        } catch (error) {
          why = Object(error).message
        }
      }
      current.resolve(process.agent)
    }
  }

  return {
    running: (signal) => Promise.race([current.promise, rejectionOf(signal)]),
    async stop() {
      stopping.abort()
      await process.stop()
      await keeping
    },
  }
}

/** A promise that is resolved from elsewhere. */
function waiting<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((given) => {
    resolve = given
  })
  return { promise, resolve: (value: Value) => resolve(value) }
}

/** Rejects when the signal aborts. */
async function rejectionOf(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

type AgentProcess = {
  agent: RunningAgent
  /** Resolves when the agent cannot be spoken to any more. */
  closed: Promise<void>
  /** Resolves with a sentence about its end. */
  ended: Promise<string>
  stop(): Promise<void>
}

async function startAgent(
  { command, environment, app, log }: Launch,
  stopping: AbortSignal,
): Promise<AgentProcess> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C is for this program, which ends answers before it ends the agent.
    detached: globalThis.process.platform !== 'win32',
  })
  const exit = exitOf(child, program)
  logLines(child.stderr, (line) => log(`agent: ${line}`))
  child.stdin.on('error', () => {}) // told by the exit
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))
  const connection = app.connect(stream)
  const close = () => connection.close()
  exit.then(() => sleep(LAST_WORDS_MS)).then(close, close)
  // A process without a connection is of no use.
  const ended = connection.closed.then(async () => {
    await end(child)
    return exit.catch((error: Error) => error.message)
  })
  try {
    const limit = AbortSignal.timeout(START_MS)
    const hello = await Promise.race([
      connection.agent.request('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
        clientInfo: { name: 'parley', title: 'Parley', version: '1' },
      }),
      exit.then((how) => {
        throw new Error(`${how} It gave no answer before that.`)
      }),
      rejectionOf(stopping),
      once(limit, 'abort').then(() => {
        throw new Error(`The agent gave no answer within ${START_MS / 1000} s. Does it speak ACP?`)
      }),
    ])
    if (hello.protocolVersion !== PROTOCOL_VERSION)
      throw new Error(
        `The agent speaks version ${hello.protocolVersion} of the protocol, and Parley ${PROTOCOL_VERSION}.`,
      )
    const { agentInfo, agentCapabilities: capabilities = {} } = hello
    const name = agentInfo ? `${agentInfo.title || agentInfo.name} ${agentInfo.version}` : program
    const agent = {
      context: connection.agent,
      name: printable(name),
      capabilities,
      ended: connection.signal,
      sessions: new Set<string>(),
    }
    return { agent, closed: connection.closed, ended, stop: () => end(child) }
  } catch (error) {
    await end(child)
    // The connection closes a moment before the exit is known, which says more.
    const how = await exit.catch((refusal: unknown) => refusal)
    if (isClosed(error) || how instanceof Error)
      throw how instanceof Error ? how : new Error(`${how} It gave no answer before that.`)
    throw explained(error)
  }
}

const isClosed = (error: unknown) => error instanceof Error && error.message === 'ACP connection closed'

const explained = (error: unknown): Error => {
  const code = (error as Partial<RequestError>)?.code
  if (typeof code !== 'number') return error instanceof Error ? error : new Error(String(error))
  return new Error(`The agent refused to begin: ${printable(String(Object(error).message))} (${code}).`)
}

/** Resolves with a sentence about the end of the process; rejects if it could not be started. */
function exitOf(child: ChildProcess, program: string): Promise<string> {
  const exit = new Promise<string>((resolve, reject) => {
    child.once('error', (error) => {
      const { code } = Object(error)
      const reason =
        code === 'ENOENT' ? 'There is no such program' : code === 'EACCES' ? 'It may not be run' : code
      reject(new Error(`${program} cannot be started: ${reason}.`))
    })
    child.once('exit', (code, signal) => {
      resolve(`The agent ended ${signal === null ? `with code ${code}` : `by ${signal}`}.`)
    })
  })
  exit.catch(() => {})
  return exit
}

/** Ends the process and what it has started: by the end of its input, then by signals. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  child.stdin?.end()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await hasEnded(child, END_MS)) break
    kill(child, signal)
  }
  await hasEnded(child, END_MS)
  kill(child, 'SIGKILL') // what it has left behind in its group
}

async function hasEnded(child: ChildProcess, ms: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  return once(child, 'exit', { signal: AbortSignal.timeout(ms) }).then(
    () => true,
    () => false,
  )
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (globalThis.process.platform === 'win32') child.kill(signal)
    else if (child.pid !== undefined) globalThis.process.kill(-child.pid, signal)
  } catch {
    // the process has ended
  }
}

/** Logs lines as they come; of a line that is too long, its beginning. */
function logLines(stream: Readable, log: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = (lines.pop() ?? '').slice(0, MAX_LOG_LINE)
    for (const line of lines) log(printable(line))
  })
  stream.on('end', () => {
    if (rest !== '') log(printable(rest))
  })
}

/** One line without control characters, which could change what a terminal shows. */
const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, MAX_LOG_LINE)
