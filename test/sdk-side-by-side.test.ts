import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildLibrary } from '../sdk/build.mjs'
import { connect } from '../sdk/index.ts'
import { setBot } from '../server/actions/bots/bots.ts'
import { sql } from '../server/db/sql.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { isInstalled } from './support/programs.ts'
import { PYTHON_ENVIRONMENT } from './support/python.ts'
import { ON_LOOPBACK, startDispatcher } from './support/receiver.ts'
import { atNight, countOf, IS_THOROUGH } from './support/thorough.ts'

/** The time that an answer takes. A webhook that waited for one of 13 s would be delivered again. */
const ANSWER_MS = countOf(2000, 13_000)

const FLAVOURS = [
  { flavour: 'TypeScript', program: process.execPath, file: 'test/support/sdk-slow.mjs' },
  { flavour: 'Python', program: 'python3', file: 'test/support/python/slow.py' },
  ...atNight({ flavour: 'Python with asyncio', program: 'python3', file: 'test/support/python/slow.py' }),
]
const WAYS = ['polling without a store', 'webhook', ...atNight('polling' as const)] as const
type Way = (typeof WAYS)[number]
type Said = { begun?: string; at?: number; done?: string; port?: number }

let server: TestParley
let orgId: string
let folder: string
let dispatcher: Dispatcher
const programs: ChildProcess[] = []

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  orgId = await organization(server)
  folder = await mkdtemp(join(tmpdir(), 'parley-side-by-side-'))
  await buildLibrary(join(folder, 'parley.mjs'))
  dispatcher = startDispatcher(server)
})
afterAll(async () => {
  await dispatcher.stop()
  for (const program of programs) program.kill('SIGKILL')
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A bot whose every answer takes `ANSWER_MS`, in a process of its own. */
function startSlow(bot: StaticTestBot, flavour: (typeof FLAVOURS)[number], way: Way, own: string) {
  const { apiKey, apiSecret } = bot.credentials
  const child = spawn(flavour.program, [flavour.file], {
    env: {
      ...PYTHON_ENVIRONMENT,
      LIBRARY: join(folder, 'parley.mjs'),
      PARLEY_URL: server.url,
      PARLEY_API_KEY: apiKey,
      PARLEY_API_SECRET: apiSecret,
      FLAVOUR: flavour.flavour.includes('asyncio') ? 'async' : 'sync',
      ANSWER_MS: String(ANSWER_MS),
      ...(way === 'polling' && { POSITIONS: join(folder, `${own}.position`) }),
      ...(way === 'webhook' && { QUEUE: join(folder, `${own}.queue`) }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(child)
  const said: Said[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)))
  return {
    said,
    texts: (key: 'begun' | 'done') => said.flatMap((line) => line[key] ?? []).sort(),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function cast(own: string) {
  const bot = await staticBot(server, orgId, 'Slow')
  const parley = connect({ url: server.url, ...bot.credentials })
  await parley.setCommands({ body: { commands: [{ name: 'state', description: 'Say how it goes' }] } })
  const people = await Promise.all(
    ['Ada', 'Ben'].map((name) => signInAs(server, { orgId, name: `${name} ${own}` })),
  )
  const topics = await Promise.all(
    people.map(async ({ profileId }) => {
      const { id } = await parley.createTopic({ body: { name: 'Ask', members: [profileId] } })
      return id
    }),
  )
  const [ada, ben] = people as [TestPerson, TestPerson]
  const [first = '', second = ''] = topics
  const answers = async () => {
    const lists = await Promise.all(
      topics.map((topicId) =>
        parley.listMessages({ params: { topicId }, query: { senderId: bot.id, limit: 100 } }),
      ),
    )
    return lists
      .flatMap(({ messages }) => messages.map(({ text = '' }) => text))
      .filter((text) => text.startsWith('answer'))
      .sort()
  }
  const say = async (who: TestPerson, topicId: string, text: string) =>
    expect((await chatOf(who).post('messages', { topicId, text })).status).toBe(201)
  /** Two people in two topics, a second question in one of them, and a command. */
  const askAll = async () => {
    await say(ada, first, 'one')
    await say(ben, second, 'two')
    await say(ada, first, '/state')
    await say(ada, first, 'three')
  }
  return { bot, parley, answers, askAll }
}

/** Confirms all that has happened so far, and sends what follows to the program. */
async function deliverTo(bot: StaticTestBot, port: number): Promise<void> {
  await server.parley.db.write(orgId, (tx) =>
    setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: `http://127.0.0.1:${port}/` }),
  )
}

const ASKED = ['/state', 'one', 'two']
const ANSWERED = ['answer to /state', 'answer to one', 'answer to three', 'answer to two']

describe.each(FLAVOURS.filter(({ program }) => isInstalled(program)))(
  'a slow bot with $flavour',
  (flavour) => {
    it.concurrent.for(WAYS)(
      'answers everybody at once, each topic in its order, and each question once, by %s; killed, it goes on',
      async (way, { expect }) => {
        const own = `${flavour.flavour} ${way}`
        const { bot, answers, askAll } = await cast(own)
        let slow = startSlow(bot, flavour, way, own)
        await expect.poll(() => slow.said[0]).toBeDefined()
        if (way === 'webhook') await deliverTo(bot, slow.said[0]?.port ?? 0)
        await askAll()
        const asked = Date.now()
        await expect.poll(() => slow.texts('begun')).toEqual(ASKED)
        const begun = slow.said.flatMap(({ at }) => at ?? [])
        if (IS_THOROUGH) expect(Math.max(...begun) - asked).toBeLessThan(1000)
        expect(slow.texts('done'), 'nobody has waited for another answer').toEqual([])

        // The kill comes in the middle of three answers, while a fourth question waits.
        await slow.kill()
        slow = startSlow(bot, flavour, way, own)
        await expect.poll(() => slow.said[0]).toBeDefined()
        if (way === 'webhook') await deliverTo(bot, slow.said[0]?.port ?? 0)
        await expect.poll(() => slow.texts('done')).toEqual([...ASKED, 'three'].sort())
        expect(slow.texts('begun'), 'nothing begins twice in one process').toEqual(slow.texts('done'))
        const order = slow.said.flatMap(({ begun, done }) => begun ?? (done && `${done} done`) ?? [])
        expect(order.indexOf('three')).toBeGreaterThan(order.indexOf('one done'))
        expect(await answers()).toEqual(ANSWERED)

        // Everything is confirmed, and removed from the queue.
        if (way === 'webhook') {
          const failed = await server.parley.db.query(
            sql`select 1 from deliveries where bot_id = ${bot.id} and failures > 0`,
          )
          expect(failed, 'each delivery was answered in time').toEqual([])
          await expect.poll(() => readdir(join(folder, `${own}.queue`))).toEqual([])
        } else {
          await expect
            .poll(async () => Object((await bot.get('/v2/updates?limit=1')).body).updates.length)
            .toBe(0)
        }
        await slow.kill()
      },
    )
  },
)
