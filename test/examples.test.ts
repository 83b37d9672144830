import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setBot } from '../server/actions/bots/bots.ts'
import { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { ON_LOOPBACK } from './support/receiver.ts'

let server: TestParley
let dispatcher: Dispatcher
let orgId: string
let ada: string
let folder: string
const examples: ChildProcess[] = []

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  dispatcher = new Dispatcher(server.parley)
  orgId = await organization(server)
  ada = await person(server, orgId, 'Ada Okafor')
  folder = await mkdtemp(join(tmpdir(), 'parley-examples-'))
})
afterAll(async () => {
  for (const example of examples) example.kill()
  await dispatcher.stop()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs an example as its first lines say, and waits until it says that it is there. */
async function run(
  file: string,
  bot: StaticTestBot,
  environment: Record<string, string> = {},
): Promise<string> {
  const example = spawn(process.execPath, [`examples/${file}`], {
    env: {
      PARLEY_URL: server.url,
      PARLEY_API_KEY: bot.credentials.apiKey,
      PARLEY_API_SECRET: bot.credentials.apiSecret,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  examples.push(example)
  const [line] = await once(example.stdout, 'data')
  return String(line)
}

async function topicWith(bot: StaticTestBot): Promise<string> {
  const { body } = await bot.post('/v2/topics', { name: 'Echoes', members: [ada] })
  return (body as { id: string }).id
}

const adaSays = (topicId: string, text: string) =>
  server.parley.messages.sendNow({ orgId, profileId: ada }, { topicId, text })

async function answersIn(bot: StaticTestBot, topicId: string, expected: number): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await bot.get(`/v2/topics/${topicId}/messages?senderId=${bot.id}&order=asc`)
    const texts = (body as { messages: { text: string }[] }).messages.map(({ text }) => text)
    if (texts.length >= expected || Date.now() > deadline) return texts
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

it('echoes by polling, and goes on after a restart without a repetition', async () => {
  const bot = await staticBot(server, orgId, 'Echo')
  const topicId = await topicWith(bot)
  const environment = { OFFSET_FILE: join(folder, 'offset') }
  expect(await run('echo-by-polling.mjs', bot, environment)).toContain('Echo listens')
  await adaSays(topicId, 'hello')
  expect(await answersIn(bot, topicId, 1)).toEqual(['You said: hello'])
  examples.at(-1)?.kill('SIGKILL')
  await adaSays(topicId, 'are you there?')
  await run('echo-by-polling.mjs', bot, environment)
  expect(await answersIn(bot, topicId, 2)).toEqual(['You said: hello', 'You said: are you there?'])
})

it('echoes by webhook, and believes only what is signed', async () => {
  const bot = await staticBot(server, orgId, 'Echo by webhook')
  const topicId = await topicWith(bot)
  const said = await run('echo-by-webhook.mjs', bot, { PORT: '0' })
  const address = `http://127.0.0.1:${/Listening on (\d+)/.exec(said)?.[1]}/`
  await server.parley.db.write(orgId, (tx) =>
    setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: address }),
  )
  await adaSays(topicId, 'hello')
  expect(await answersIn(bot, topicId, 1)).toEqual(['You said: hello'])

  const forged = await fetch(address, {
    method: 'POST',
    headers: { 'X-Service-Timestamp': String(Date.now()), 'X-Service-Signature': '0'.repeat(64) },
    body: '{}',
  })
  expect(forged.status).toBe(401)
})
