import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Message } from '../../contract/message.ts'
import { organization, type StaticTestBot, staticBot } from '../support/cast.ts'
import { chatOf } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { ROOT, readPage } from '../support/pages.ts'
import { startTestParley, type TestParley } from '../support/parley.ts'
import { signInAs, type TestPerson } from '../support/people.ts'
import { kill } from '../support/server-process.ts'

const PROGRAM = join(ROOT, 'bin', 'parley.mjs')
const AGENT = join(ROOT, 'test', 'support', 'scripted-agent.mjs')

let server: TestParley
let ada: TestPerson
let bot: StaticTestBot
let topicId: string
let folder: string
const programs: ChildProcess[] = []

beforeAll(async () => {
  server = await startTestParley()
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await staticBot(server, orgId, 'Coder')
  const { body } = await bot.post('/v2/topics', { name: 'Releases', members: [ada.profileId] })
  topicId = Object(body).id
  folder = await mkdtemp(join(tmpdir(), 'parley-agent-'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  for (const program of programs) await kill(program)
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function begin(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, 'agent', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  programs.push(child)
  return child
}
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const child = begin(args, environment)
  const [output, errors] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  )
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, output, errors }
}
const credentials = () => ({
  PARLEY_URL: server.url,
  PARLEY_API_KEY: bot.credentials.apiKey,
  PARLEY_API_SECRET: bot.credentials.apiSecret,
})
/** Starts it, and waits for the line that says so. */
async function start(command: readonly string[], environment: Record<string, string> = {}) {
  const child = begin(['--', ...command], { ...credentials(), ...environment })
  if (!child.stdout) throw new Error('it has no output')
  child.stderr?.resume()
  const lines = createInterface({ input: child.stdout })
  const ended = once(lines, 'close').then(() => Promise.reject(new Error('it ended without a word')))
  ended.catch(() => {})
  const [line] = await Promise.race([once(lines, 'line'), ended])
  return { child, line: String(line) }
}
async function ask(what: string, parentId?: string): Promise<string> {
  const given = { topicId, text: `<@${bot.id}> ${what}`, ...(parentId !== undefined && { parentId }) }
  const { status, body, text: said } = await chatOf(ada).post('messages', given)
  expect(status, said).toBe(201)
  return Object(body).id
}
async function answersTo(threadId: string, amount = 1): Promise<Message[]> {
  const read = async (): Promise<Message[]> => {
    const path = `/v2/topics/${topicId}/messages?senderId=${bot.id}&order=asc&threadId=${threadId}`
    return Object((await bot.get(path)).body).messages
  }
  await eventually(async () => (await read()).length).toBeGreaterThanOrEqual(amount)
  return read()
}

it('says how it is used, and what is missing', async () => {
  const [help, nothing, unset, misplaced] = await Promise.all([
    run(['--help']),
    run([]),
    run(['--', 'node', '--help']),
    run(['node', 'agent.mjs']),
  ])
  expect(help).toMatchObject({ code: 0, errors: '' })
  expect(help.output).toContain('Usage: parley agent -- COMMAND [options]')
  expect(nothing).toMatchObject({ code: 2, errors: expect.stringContaining('Missing: -- COMMAND') })
  expect(unset).toMatchObject({ code: 2, errors: expect.stringContaining('PARLEY_API_KEY is not set.') })
  expect(misplaced).toMatchObject({ code: 2, errors: expect.stringContaining('-- node') })
  const wrong = await run(['--', './no-such-agent'], credentials())
  expect(wrong).toMatchObject({
    code: 1,
    output: '',
    errors: './no-such-agent cannot be started: There is no such program.\n',
  })
})

it('runs the agent of the guide', async () => {
  const [example] = readPage('docs/coding-agents.md').sections.flatMap(({ fences }) =>
    fences.filter(({ language }) => language === 'js'),
  )
  await writeFile(join(folder, 'echo-agent.mjs'), example?.text ?? '')
  const { child, line } = await start([process.execPath, 'echo-agent.mjs'])
  expect(line).toMatch(/^Connected as "Coder" \(b@[\w-]+\), with Echo 1\.0\.0, in .*parley-agent$/)
  expect((await answersTo(await ask('Hello')))[0]?.text).toBe('You said: Hello')
  const second = await run(['--', process.execPath, 'echo-agent.mjs'], credentials())
  expect(second).toMatchObject({
    code: 1,
    errors: expect.stringContaining(`Process ${child.pid} uses this folder`),
  })
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

it('killed in the middle of an answer, it repeats nothing and loses nothing', async () => {
  const ledger = join(folder, 'ledger')
  const environment = { AGENT_SESSIONS: join(folder, 'sessions'), AGENT_LEDGER: ledger }
  const agent = [process.execPath, AGENT]
  const { child } = await start(agent, environment)
  const finished = await ask('say all of it')
  await answersTo(finished)
  const cut = await ask('wait')
  const shown = async () => JSON.stringify((await chatOf(ada).get('streaming')).body)
  await eventually(shown).toContain('I am waiting.')
  await kill(child)
  const missed = await ask('say after the kill')
  await start(agent, environment)
  expect((await answersTo(cut)).map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^I am waiting\.\n\n_This answer was broken off: the program that runs the agent was ended/,
    ),
  ])
  expect((await answersTo(missed)).map(({ text }) => text)).toEqual(['after the kill'])
  await ask('say in the same session', cut)
  expect((await answersTo(cut, 2))[1]?.text).toBe('in the same session')
  expect((await answersTo(finished)).map(({ text }) => text)).toEqual(['all of it'])
  const prompts = (await readFile(ledger, 'utf8')).split('\n').filter((line) => line.startsWith('prompt'))
  expect(prompts).toEqual([
    'prompt say all of it',
    'prompt wait',
    'prompt say after the kill',
    'prompt say in the same session',
  ])
})
