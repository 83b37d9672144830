import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildLibrary } from '../../sdk/build.mjs'
import { connect } from '../../sdk/index.ts'
import { setBot } from '../../server/actions/bots/bots.ts'
import { organization, staticBot } from '../support/cast.ts'
import { startJobs } from '../support/jobs.ts'
import { startTestParley, type TestParley } from '../support/parley.ts'
import { ON_LOOPBACK, startDispatcher } from '../support/receiver.ts'
import { appeared } from '../support/uploads.ts'

const run = promisify(execFile)

const isArm = arch() === 'arm64'
const RUNTIMES = [
  {
    runtime: 'Bun',
    from: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}`,
    program: 'bin/bun',
    args: ['run'],
  },
  {
    runtime: 'Deno',
    from: `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc`,
    program: 'deno',
    args: ['run', '--allow-all', '--no-config'],
  },
]

let server: TestParley
let orgId: string
let folder: string
let jobs: ReturnType<typeof startJobs>
const bots: ChildProcess[] = []

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  jobs = startJobs(server)
  orgId = await organization(server)
  folder = await mkdtemp(join(tmpdir(), 'parley-runtimes-'))
  await buildLibrary(join(folder, 'parley.mjs'))
  const packages = RUNTIMES.map(({ from }) => from)
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages])
}, 120_000)
afterAll(async () => {
  for (const bot of bots) await end(bot)
  await jobs?.stop()
  await server?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function end(bot: ChildProcess): Promise<void> {
  if (bot.exitCode !== null || bot.signalCode !== null) return
  bot.kill('SIGKILL')
  await once(bot, 'exit')
}

describe.each(RUNTIMES)('the library on $runtime', ({ runtime, from, program, args }) => {
  const environmentOf = ({ credentials }: Awaited<ReturnType<typeof staticBot>>) => ({
    PATH: process.env.PATH,
    HOME: folder,
    LIBRARY: join(folder, 'parley.mjs'),
    PARLEY_URL: server.url,
    URL: server.url,
    API_KEY: credentials.apiKey,
    API_SECRET: credentials.apiSecret,
  })
  const commandOf = (file: string): [string, string[]] => [
    join(folder, 'node_modules', from, program),
    [...args, join('test', 'support', file)],
  ]
  function start(file: string, env: NodeJS.ProcessEnv): ChildProcess {
    const bot = spawn(...commandOf(file), { env, stdio: ['ignore', 'pipe', 'inherit'] })
    bots.push(bot)
    return bot
  }

  async function conversationWith(name: string) {
    const [bot, speaker] = [await staticBot(server, orgId, name), await staticBot(server, orgId, 'Speaker')]
    const parley = connect({ url: server.url, ...speaker.credentials })
    const { id: topicId } = await parley.createTopic({ body: { name, members: [bot.id] } })
    const say = (text: string) => parley.sendMessage({ body: { topicId, text } })
    const answers = async () => {
      const query = { senderId: bot.id, order: 'asc' as const, limit: 100 }
      const { messages } = await parley.listMessages({ params: { topicId }, query })
      return messages.map(({ text }) => text)
    }
    return { bot, topicId, say, answers }
  }

  it('polls, and goes on where it was killed', async () => {
    const { bot, say, answers } = await conversationWith(`${runtime} polls`)
    const env = {
      ...environmentOf(bot),
      LEDGER: join(folder, `ledger of ${runtime}`),
      POSITION: join(folder, `position of ${runtime}`),
    }
    const first = start('sdk-echo.mjs', { ...env, DIE_AFTER: 'two' })
    for (const text of ['one', 'two', 'three']) await say(text)
    await once(first, 'exit')
    start('sdk-echo.mjs', env)
    await expect.poll(answers).toEqual(['echo of one', 'echo of two', 'echo of three'])
  })

  it('is told by webhook, compressed or not', async () => {
    const { bot, say, answers } = await conversationWith(`${runtime} is told`)
    const { stdout } = start('sdk-told.mjs', environmentOf(bot))
    if (!stdout) throw new Error('the output is a pipe')
    const [port] = await once(createInterface(stdout), 'line')
    await server.parley.db.write(orgId, (tx) =>
      setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: `http://127.0.0.1:${port}/` }),
    )
    const dispatcher = startDispatcher(server)
    await say('x'.repeat(10_000))
    await say('short')
    await expect.poll(answers).toEqual(['told of 10000 characters', 'told of 5 characters'])
    await dispatcher.stop()
  })

  it('sends a file with a signature', async () => {
    const { bot, topicId } = await conversationWith(`${runtime} sends`)
    const path = join(folder, `film of ${runtime}`)
    await writeFile(path, Buffer.alloc(300_000, 7))
    const [command, options] = commandOf('sdk-upload.mjs')
    const env = { ...environmentOf(bot), FILE: path, TOPIC: topicId }
    const { answer } = JSON.parse((await run(command, options, { env })).stdout)
    await appeared(bot, answer.id)
    const { updates } = await connect({ url: server.url, ...bot.credentials }).readUpdates()
    const sent = updates.flatMap(({ eventType, data }) => (eventType === 'message.created' ? [data] : []))
    expect(sent).toMatchObject([{ message: { attachments: [{ name: 'film.bin', size: 300_000 }] } }])
  })
})
