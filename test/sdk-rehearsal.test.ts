import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createBot, filePositions, fileQueue } from '../sdk/index.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { comparisonOf, startRehearsal } from './support/rehearsals.ts'

let server: TestParley
let folder: string
let ada: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  folder = await mkdtemp(join(tmpdir(), 'parley-rehearsal-'))
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  bot = await staticBot(server, orgId, 'Oracle')
  topicId = Object((await bot.post('/v2/topics', { name: 'Here', members: [ada.profileId] })).body).id
  for (const text of ['one', 'two', 'three', 'four']) await chatOf(ada).post('messages', { topicId, text })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

type Compared = { text?: string; rehearsed: { kind: string; text: string }[] }

it('a bot of the library rehearses with a token, one event at a time, and leaves what the working bot keeps', async () => {
  const { id, token } = await startRehearsal(server.url, ada, bot.id)
  vi.stubEnv('PARLEY_REHEARSAL', token)
  const place = join(folder, 'position')
  await writeFile(place, 'untouched')
  const errors: unknown[] = []
  const rehearsed = createBot({
    url: server.url,
    ...bot.credentials, // of the bot that works: not used
    positions: filePositions(place),
    queue: fileQueue(join(folder, 'queue')),
    onError: (error) => errors.push(error),
  })
  expect(rehearsed.rehearsing).toBe(true)
  let running = 0
  rehearsed.on('message', async ({ message, reply }) => {
    running += 1
    expect(running).toBe(1)
    if (message.text === 'three') {
      const stream = await reply.stream()
      stream.append('thr')
      stream.append('ee!')
      await stream.finish()
    } else if (message.text === 'four') {
      running -= 1
      await rehearsed.parley.createTask({ body: { topicId, title: 'Never' } })
    } else {
      const elements = [{ id: 'yes', text: 'Yes' }]
      const { status } = await rehearsed.ask({ topicId, text: 'Sure?', elements, otherwise: 'yes' })
      await reply(`${message.text}: ${status}`)
    }
    running -= 1
  })
  await rehearsed.start()
  expect(errors.map((error) => Object(error).code)).toEqual(['not_in_rehearsals'])
  expect(await readFile(place, 'utf8')).toBe('untouched')
  const events: Compared[] = (await comparisonOf(ada, bot.id, id)).events
  const said = events.flatMap(({ text, rehearsed: doings }) =>
    text === undefined ? [] : [[text, doings.map((one) => [one.kind, one.text])]],
  )
  expect(said).toEqual([
    [
      'one',
      [
        ['question', 'Sure?'],
        ['message', 'one: expired'],
      ],
    ],
    [
      'two',
      [
        ['question', 'Sure?'],
        ['message', 'two: expired'],
      ],
    ],
    ['three', [['message', 'three!']]],
    ['four', [['refused', 'createTask']]],
  ])
  const real = Object(
    (await bot.get(`/v2/topics/${topicId}/messages?senderId=${bot.id}&includeSystem=false`)).body,
  )
  expect(real.messages).toEqual([])
})

it('an empty token is a mistake: the bot would work instead', () => {
  vi.stubEnv('PARLEY_REHEARSAL', '')
  const create = () => createBot({ url: server.url, ...bot.credentials })
  expect(create).toThrow('rehearsal is missing: give it, or set PARLEY_REHEARSAL')
  vi.unstubAllEnvs()
  expect(create().rehearsing).toBe(false)
})
