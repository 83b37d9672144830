import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildLibrary } from '../../sdk/build.mjs'
import { connect } from '../../sdk/index.ts'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { isInstalled } from '../support/programs.ts'
import { PYTHON_ENVIRONMENT } from '../support/python.ts'
import { closedPort } from '../support/receiver.ts'
import { kill, startServerProcess, stopAll } from '../support/server-process.ts'

const MESSAGES = 40

let parley: CommandLine
let folder: string
let environment: Record<string, string>
const bots: ChildProcess[] = []

beforeAll(async () => {
  parley = await openCommandLine()
  folder = await mkdtemp(join(tmpdir(), 'parley-sdk-'))
  environment = { DATA_DIR: join(folder, 'data'), PORT: String(await closedPort()) }
  await buildLibrary(join(folder, 'parley.mjs'))
})
afterAll(async () => {
  for (const bot of bots) await kill(bot)
  await stopAll()
  await parley.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** One bot in each language. */
const LANGUAGES = [
  { language: 'TypeScript', program: process.execPath, file: 'test/support/sdk-echo.mjs', more: {} },
  { language: 'Python', program: 'python3', file: 'test/support/python/echo.py', more: PYTHON_ENVIRONMENT },
]

for (const { language, program, file, more } of LANGUAGES) {
  it.skipIf(!isInstalled(program))(
    `with ${language}, a bot answers everything once, while its server and it are killed again and again`,
    async () => {
      let server = await startServerProcess(environment)
      const beside = { DATA_DIR: environment.DATA_DIR ?? '' }
      const { organizationId: org = '' } = await parley.json(
        ['org', 'create', '--name', `${language} Mill`, '--admin-email', 'bo@example.com'],
        beside,
      )
      const create = async (name: string) =>
        parley.json(['bot', 'create', '--org', org, '--name', name, '--credential', 'static'], beside)
      const [speaker, echo] = [await create('Speaker'), await create('Echo')]
      const url = server.url
      const say = connect({ url, apiKey: speaker.apiKey ?? '', apiSecret: speaker.apiSecret ?? '' })
      const { id: topicId } = await say.createTopic({ body: { name: 'Echoes', members: [echo.botId ?? ''] } })

      const ledger = join(folder, `ledger of ${language}`)
      const startBot = (last = {}) => {
        const bot = spawn(program, [file], {
          env: {
            ...more,
            LIBRARY: join(folder, 'parley.mjs'),
            LEDGER: ledger,
            POSITION: join(folder, `position of ${language}`),
            PARLEY_URL: url,
            API_KEY: echo.apiKey ?? '',
            API_SECRET: echo.apiSecret ?? '',
            ...last,
          },
          stdio: ['ignore', 'inherit', 'inherit'],
        })
        bots.push(bot)
        return bot
      }
      let bot = startBot({ DIE_AFTER: 'message 15' })

      const restartServer = async () => {
        await kill(server.process)
        server = await startServerProcess(environment)
      }
      let restarting: Promise<void> = Promise.resolve()
      for (let number = 0; number < MESSAGES; number++) {
        // The server is killed while messages are sent: their senders try again until it is back.
        if (number === 8 || number === 25) restarting = restarting.then(restartServer)
        if (number === 16) await once(bot, 'exit')
        if (number === 32) await kill(bot)
        if (number === 16 || number === 32) bot = startBot()
        await say.sendMessage({ body: { topicId, text: `message ${number}` } })
      }
      await restarting

      const answers = async (): Promise<string[]> => {
        const query = { senderId: echo.botId ?? '', order: 'asc' as const, limit: 100 }
        const { messages } = await say.listMessages({ params: { topicId }, query })
        return messages.map(({ text = '' }) => text)
      }
      await expect.poll(async () => (await answers()).length).toBeGreaterThanOrEqual(MESSAGES)
      const expected = Array.from({ length: MESSAGES }, (_, number) => `echo of message ${number}`)
      expect(await answers()).toEqual(expected)
      const handled = (await readFile(ledger, 'utf8')).trim().split('\n')
      expect(new Set(handled).size).toBe(MESSAGES)
      // A handler runs again only where its bot died in the middle of it: surely once, perhaps twice.
      expect([MESSAGES + 1, MESSAGES + 2]).toContain(handled.length)
      await kill(bot)
      await kill(server.process)
    },
  )
}
