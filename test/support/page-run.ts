import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import type { Transcriber } from '../../server/files/voice/transcriber.ts'
import { indexing } from '../../server/search/pace.ts'
import { Worker } from '../../server/worker.ts'
import type { Answer } from './client.ts'
import { during } from './events.ts'
import { startJobs } from './jobs.ts'
import { type Page, ROOT, type Step } from './pages.ts'
import type { TestParley } from './parley.ts'
import { isInstalled } from './programs.ts'
import { PYTHON_ENVIRONMENT } from './python.ts'
import { send } from './wire.ts'

/** `DOCS_SHELL=zsh npx vitest run test/docs.test.ts` tries the commands in another shell. */
const SHELL = process.env.DOCS_SHELL ?? 'bash'
const TIME_LIMIT_MS = 60_000
const SEARCH_MS = 1000

/** A program that waits for people: they act then. */
const LISTENING = /^(?:\/rehearsal)?\/v2\/(updates|questions\/[^?]+\?wait=30)/

const hasPython = isInstalled('python3')

/** The words of the voice messages on the pages. */
const ENGINE: Transcriber = { name: 'the pages', transcribe: async () => 'The release is out.' }

/** A request that a step made, its answer, and the types of the events that it wrote for bots. */
export type Exchange = { method: string; target: string; answer: Answer; events: string[] }
export type StepRun = { step: Step; exchanges: Exchange[]; output: string }

/** The means to run a page. */
export type Stage = {
  orgId: string
  variables: Record<string, string>
  /** Shell functions that the page relies on. */
  preamble: string
  /** The file of the TypeScript library. */
  library: string
  /** Acts for people when a step first asks for events, before it gets any. */
  onListening?(soFar: readonly StepRun[]): Promise<void>
}

/**
 * Runs all steps of a page, in order, in one shell that stops at the first failure. A recorder stands between the shell
 * and the server: `PARLEY` is another address for each step, so each request is known to belong to one.
 */
export async function runPage(page: Page, server: TestParley, stage: Stage): Promise<StepRun[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-docs-'))
  const runs = page.sections.flatMap(({ steps }) =>
    steps
      .filter(({ language }) => language !== 'python' || hasPython)
      .map((step): StepRun => ({ step, exchanges: [], output: '' })),
  )
  const recorder = await startRecorder(server, stage, runs)
  const jobs = startJobs(server, ENGINE)
  const { parley } = server
  const searched = new Worker('search', parley, SEARCH_MS, indexing(parley.db))
  try {
    await copyFile(stage.library, join(folder, 'parley.mjs'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const commands = await Promise.all(
      runs.map(async ({ step }, index) => [
        `export PARLEY=${recorder.urls[index]}`,
        `exec >output-${index}`,
        `echo '${page.path}:${step.line}' >&2`,
        await commandOf(step, folder, index),
      ]),
    )
    const script = ['set -euo pipefail', stage.preamble, ...commands.flat()].join('\n')
    await writeFile(join(folder, 'page.sh'), script)
    await runScript(folder, stage.variables).catch((error: Error) => {
      throw recorder.failures[0] ?? error
    })
    for (const [index, run] of runs.entries()) {
      run.output = await readFile(join(folder, `output-${index}`), 'utf8')
    }
    return runs
  } finally {
    recorder.close()
    await jobs.stop()
    await searched.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function runScript(folder: string, variables: Record<string, string>): Promise<void> {
  const env = { ...PYTHON_ENVIRONMENT, no_proxy: '127.0.0.1', ...variables }
  const options = { cwd: folder, env, timeout: TIME_LIMIT_MS }
  await promisify(execFile)(SHELL, ['page.sh'], options).catch((error) => {
    throw new Error(`a command failed, the last of these:\n${error.stderr}`)
  })
}

/** Programs that use a package or the library are run unchanged. */
const isJavaScript = (text: string): boolean => text.includes("from './parley.mjs'") || usesPackage(text)

const usesPackage = (text: string): boolean => text.includes("from '@")

/** Whether types are checked, which happens elsewhere, for all pages at once. Those of a package take longer than running a page. */
export const isTyped = ({ language, text }: Pick<Step, 'language' | 'text'>): boolean =>
  language === 'ts' && !usesPackage(text)

/** A program goes into a file of its own. */
async function commandOf(step: Step, folder: string, index: number): Promise<string> {
  const { language, text } = step
  if (language === 'sh') return text
  const name = `program-${index}`
  if (language === 'python') {
    await writeFile(join(folder, `${name}.py`), text)
    return `python3 ${name}.py`
  }
  const file = join(folder, `${name}.mjs`)
  if (isJavaScript(text)) await writeFile(file, text)
  else {
    const input = join(folder, `${name}.mts`)
    await writeFile(input, text)
    const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
    await build.write({ file, format: 'esm' })
    await build.close()
  }
  return `${process.execPath} ${name}.mjs`
}

/**
 * Hands every request on to the server, byte for byte, and keeps what came of it. A refusal that the page does not show
 * breaks the connection, and with it the shell.
 */
async function startRecorder(server: TestParley, { orgId, onListening }: Stage, runs: StepRun[]) {
  const failures: Error[] = []
  const listening = new Set<StepRun>()
  const record = async (run: StepRun, request: IncomingMessage): Promise<Answer> => {
    const { url: target = '' } = request
    if (LISTENING.test(target) && !listening.has(run)) {
      listening.add(run)
      await onListening?.(runs)
    }
    const { result: answer, events } = await during(server, orgId, () => handOn(request, server.url, target))
    const { method = '' } = request
    if (answer.status >= 300 && !showsRefusal(run.step) && !isEnd(answer)) {
      throw new Error(`line ${run.step.line}: ${method} ${target} answered ${answer.status} ${answer.text}`)
    }
    // A bot that adds or removes members may be the only one there; any other event without a receiver is for people alone.
    const forBots = events.filter(({ type, to }) => to.length > 0 || type.startsWith('member.'))
    run.exchanges.push({ method, target, answer, events: forBots.map(({ type }) => type) })
    return answer
  }
  const recorderOf = async (run: StepRun) => {
    const recorder = createServer((request, response) => {
      record(run, request).then(
        ({ status, headers, text }) => {
          const kept = [...headers].filter(([name]) => !HOP_BY_HOP.includes(name))
          response.writeHead(status, Object.fromEntries(kept)).end(text)
        },
        (error) => {
          failures.push(error)
          response.destroy()
        },
      )
    })
    recorder.listen(0, '127.0.0.1')
    await once(recorder, 'listening')
    return recorder
  }
  const recorders = await Promise.all(runs.map(recorderOf))
  return {
    urls: recorders.map((recorder) => `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`),
    failures,
    close() {
      for (const recorder of recorders) {
        recorder.close()
        recorder.closeAllConnections()
      }
    },
  }
}

const showsRefusal = ({ shown }: Step): boolean =>
  shown !== undefined && (shown.language === 'http' || shown.text.startsWith('"'))

/** The last answer in a rehearsal: nothing went wrong. */
export const isEnd = ({ headers }: Answer): boolean => headers.get('x-error-code') === 'rehearsal_over'

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']

async function handOn(request: IncomingMessage, url: string, target: string): Promise<Answer> {
  const body = await buffer(request)
  const { method = '' } = request
  // The body is complete by now, so these headers no longer apply.
  const { 'transfer-encoding': _coding, expect: _expectation, ...headers } = request.headers
  return send(url, { method, target, headers, ...(body.length > 0 && { body }) })
}
