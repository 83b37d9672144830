import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TopicContext } from '../contract/context.ts'
import { LIMITS } from '../contract/limits.ts'
import { createBot } from '../sdk/index.ts'
import { oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { searchesOf } from './support/searching.ts'
import { appeared, sendFiles } from './support/uploads.ts'

let server: TestParley
const { ready } = searchesOf(() => server)
let orgId: string
let ada: TestPerson
let bot: StaticTestBot
let topicId: string
let jobs: ReturnType<typeof startJobs>

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  bot = await staticBot(server, orgId, 'Helper')
  topicId = await topic('Releases', 'What went out, and when')
  jobs = startJobs(server)
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

async function topic(name: string, description: string): Promise<string> {
  const members = [ada.profileId]
  const { status, body } = await bot.post('/v2/topics', { name, description, members })
  expect(status).toBe(201)
  return Object(body).id
}

async function say(text: string, more: object = {}, to = topicId): Promise<string> {
  const { status, body } = await chatOf(ada).post('messages', { topicId: to, text, ...more })
  expect(status).toBe(201)
  return Object(body).id
}

const ask = (query = '', of = topicId, who: Pick<StaticTestBot, 'get'> = bot) =>
  who.get(`/v2/topics/${of}/context${query}`)
async function read(query = '', of = topicId, who?: Pick<StaticTestBot, 'get'>): Promise<TopicContext> {
  const { status, body } = await ask(query, of, who)
  expect(status).toBe(200)
  const context: TopicContext = Object(body)
  expect(context.tokens).toBeGreaterThanOrEqual(
    Math.ceil(Buffer.byteLength(JSON.stringify(body)) / LIMITS.contextBytesPerToken),
  )
  return context
}
const textsOf = ({ messages }: TopicContext) => messages.map(({ text }) => text)

describe('the context of a message', () => {
  it('is its thread with what was said before, in words, the oldest first', async () => {
    await say('The release is on Friday.')
    const question = await say(`<@${bot.id}> is it ready?`)
    await say('Lunch?')
    await say('Tests are green.', { parentId: question })
    const reply = await say(`Then ship it, <@${bot.id}>.`, { parentId: question })
    const context = await read(`?message=${reply}`)
    expect(context).toMatchObject({
      topic: { id: topicId, name: 'Releases', description: 'What went out, and when', type: 'topic' },
      threadId: question,
      hasMore: false,
    })
    expect(textsOf(context)).toEqual([
      'The release is on Friday.',
      '@Helper is it ready?',
      'Tests are green.',
      'Then ship it, @Helper.',
    ])
    expect(context.messages.map(({ parentId }) => parentId)).toEqual([
      undefined,
      undefined,
      question,
      question,
    ])
    expect(context.people).toContainEqual({ id: ada.profileId, name: 'Ada Okafor', type: 'user' })
    expect(context.people).toContainEqual({ id: bot.id, name: 'Helper', type: 'bot' })
    expect((await read(`?message=${question.toUpperCase()}`, topicId.toUpperCase())).threadId).toBe(question)
    expect(textsOf(await read())).toContain('Lunch?')
  })

  it('has polls and tasks in words', async () => {
    const place = await topic('Lunch', '')
    await bot.post('/v2/polls', {
      topicId: place,
      question: 'Where?',
      options: ['Harbour', 'Market'],
      selectionType: 'single',
    })
    expect(textsOf(await read('', place))).toEqual(['Poll: Where?\n- Harbour\n- Market'])
    await bot.post('/v2/tasks', { topicId: place, title: 'Book a table' })
    expect(textsOf(await read('', place))).toHaveLength(1) // system messages are left out
  })

  it('has the text of files, and says while it is not known', async () => {
    const place = await topic('Papers', '')
    const content = `The ferry leaves at nine. ${'Bring a coat. '.repeat(200)}End.`
    const id = await sendFiles(
      bot,
      { topicId: place, caption: 'The plan' },
      { name: 'plan.txt', content },
      { name: 'x.bin', content: Buffer.from([0, 255, 0, 254]) },
    )
    await appeared(bot, id)
    const first = (await read(`?message=${id}`, place)).messages[0]
    expect(first?.files?.[0]).toMatchObject({ name: 'plan.txt' })
    expect(first?.files?.[0]?.text !== undefined || first?.files?.[0]?.pending).toBe(true)
    await ready()
    await eventuallyHolds(async () =>
      expect((await read(`?message=${id}`, place)).messages[0]?.files?.[0]).toMatchObject({ text: content }),
    )
    const context = await read(`?message=${id}`, place)
    expect(context.messages).toMatchObject([
      { text: 'The plan', files: [{ text: content }, { name: 'x.bin' }] },
    ])
    expect(context.messages[0]?.files?.[1]).not.toHaveProperty('text')
    const small = await read(`?message=${id}&tokens=1000`, place)
    const [file] = small.messages[0]?.files ?? []
    expect(file).toMatchObject({
      truncated: true,
      text: expect.stringMatching(/^The ferry leaves at nine\./),
    })
    expect(file?.text?.length).toBeLessThan(1500)
    expect(small.tokens).toBeLessThanOrEqual(1000)
  })

  it('fits into its budget, whatever is in it', async () => {
    const place = await topic('名'.repeat(64), '\n"\\'.repeat(3000))
    for (let index = 0; index < 30; index += 1) await say(`${index} ${'€\n😀'.repeat(40)}`, {}, place)
    const long = await say(`${'😀"'.repeat(3000)}`, {}, place)
    for (const tokens of [1000, 1500, 4000]) {
      const context = await read(`?message=${long}&tokens=${tokens}`, place)
      expect(context.tokens).toBeLessThanOrEqual(tokens)
      expect(context.hasMore).toBe(true)
      expect(context.messages.at(-1)).toMatchObject({ id: long, truncated: true })
      expect(context.messages.at(-1)?.text.isWellFormed()).toBe(true)
      expect(context.messages.at(-1)?.text).toMatch(/^😀"/)
    }
    const much = await read(`?message=${long}&tokens=100000`, place)
    expect(much.messages).toHaveLength(31)
    expect(much.hasMore).toBe(false)
    const newest = await read('?tokens=2000', place)
    const numbers = textsOf(newest).map((text) => Number.parseInt(text, 10))
    expect(numbers.slice(0, -1)).toEqual(numbers.slice(0, -1).sort((one, other) => one - other))
  })
})

describe('the context keeps to what its reader may see', () => {
  it('is refused to who is not in the topic, and of messages elsewhere', async () => {
    const secret = await topic('Secret', '')
    const hidden = await say('The code is 1234.', {}, secret)
    await bot.delete(`/v2/topics/${secret}/members`, { memberIds: [bot.id] })
    const stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const [query, of, who] of [
      ['', secret, bot],
      [`?message=${hidden}`, secret, bot],
      ['', topicId, stranger],
      ['', missing, bot],
    ] as const)
      expect(await ask(query, of, who)).toMatchObject({ status: 404, body: 'Topic not found' })
    for (const message of [hidden, missing])
      expect(await ask(`?message=${message}`)).toMatchObject({ status: 404, body: 'Message not found' })
    const gone = await bot.post('/v2/messages', { topicId, text: 'Forget this.' })
    await bot.delete(`/v2/messages/${Object(gone.body).id}`)
    expect((await ask(`?message=${Object(gone.body).id}`)).status).toBe(404)
    expect(JSON.stringify(await read())).not.toContain('Forget this.')
  })

  it.each(['?message=x', '?tokens=999', '?tokens=100001', '?tokens=many'])('refuses %s', async (query) => {
    expect((await ask(query)).status).toBe(400)
  })

  it('leaves the topic out for who may read only messages', async () => {
    const reader = await oauthBot(server, orgId, 'Reader', ['message:read'])
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [reader.id] })
    const context = await read('', topicId, reader)
    expect(context).not.toHaveProperty('topic')
    expect(context.messages.length).toBeGreaterThan(0)
    const other = await oauthBot(server, orgId, 'Other', ['channel:read'])
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [other.id] })
    expect((await ask('', topicId, other)).status).toBe(403)
  })
})

it('is at hand in the handlers of the library', async () => {
  const { apiKey, apiSecret } = bot.credentials
  const { body } = await bot.get('/v2/updates?offset=newest')
  await bot.get(`/v2/updates?offset=${Object(body).nextOffset}`)
  const helper = createBot({ url: server.url, apiKey, apiSecret })
  const seen: TopicContext[] = []
  helper.on('message', async ({ context }) => {
    seen.push(await context({ tokens: 2000 }))
    helper.stop()
  })
  const question = await say('What do you know?')
  await helper.start()
  expect(seen).toHaveLength(1)
  expect(seen[0]?.messages.at(-1)).toMatchObject({ id: question, text: 'What do you know?' })
})
