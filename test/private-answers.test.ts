import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { createBot } from '../sdk/index.ts'
import { sql } from '../server/db/sql.ts'
import { oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { searchesOf } from './support/searching.ts'
import { openStream, type TestStream } from './support/stream.ts'

const SECRET = 'You have **12 days** left, albatross.'

let server: TestParley
const { ids } = searchesOf(() => server)
let orgId: string
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot
let other: StaticTestBot
let topicId: string
let question: string
const streams: TestStream[] = []

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben Ito' })
  bot = await staticBot(server, orgId, 'Holidays')
  other = await staticBot(server, orgId, 'Other')
  const members = [ada.profileId, ben.profileId, other.id]
  topicId = Object((await bot.post('/v2/topics', { name: 'Holidays', members })).body).id
  question = await say(ben, 'How many days do I have?')
})
afterAll(async () => {
  for (const stream of streams) stream.close()
  await server.close()
})

async function say(who: TestPerson, text: string): Promise<string> {
  const { status, body } = await chatOf(who).post('messages', { topicId, text })
  expect(status).toBe(201)
  return Object(body).id
}

async function pageOf(who: TestPerson): Promise<TestStream> {
  const stream = await openStream(who, orgId)
  streams.push(stream)
  await stream.next(({ event }) => event === 'reset')
  return stream
}

const path = (messageId: string, userId: string) => `/v2/messages/${messageId}/private-answers/${userId}`
const answer = (text: unknown, { to = ben.profileId, under = question, by = bot } = {}) =>
  by.put(path(under, to), { text })
const notesOf = async (who: TestPerson): Promise<object[]> =>
  Object((await chatOf(who).get(`topics/${topicId}/history?limit=100`)).body).notes
const rows = () =>
  server.parley.db.query(sql`select profile_id, text from private_answers where org_id = ${orgId}`)

describe('a private answer', () => {
  it('is seen by one person, at once and later, and by nobody else', async () => {
    const [bens, adas] = [await pageOf(ben), await pageOf(ada)]
    expect((await answer(SECRET)).status).toBe(204)
    const told = await bens.next(({ event }) => event === 'action.noted')
    expect(told.data).toMatchObject({
      messageId: question,
      userId: ben.profileId,
      text: SECRET,
      senderId: bot.id,
      senderName: 'Holidays',
    })
    const note = { messageId: question, text: SECRET, senderId: bot.id, senderName: 'Holidays' }
    expect(await notesOf(ben)).toEqual([{ ...note, actionId: expect.any(String) }])
    expect(await notesOf(ada)).toEqual([])

    await say(ada, 'Anything else?')
    await adas.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.text === 'Anything else?',
    )
    expect(JSON.stringify(adas.seen)).not.toContain('albatross')
    const again = await openStream(ada, orgId, { lastId: '1' })
    streams.push(again)
    await again.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.text === 'Anything else?',
    )
    expect(JSON.stringify(again.seen)).not.toContain('albatross')
    const seenByOthers = await Promise.all([
      chatOf(ada).get(`topics/${topicId}/history?limit=100`),
      chatOf(ada).get('start'),
      bot.get(`/v2/topics/${topicId}/messages`),
      bot.get(`/v2/messages/${question}`),
      bot.get(`/v2/topics/${topicId}/context`),
      bot.get('/v2/updates?offset=oldest'),
      other.get('/v2/updates?offset=oldest'),
      bot.get('/v2/search?q=albatross'),
    ])
    for (const seen of seenByOthers) {
      expect(seen.status).toBe(200)
      expect(seen.text).not.toContain('albatross')
    }
    expect(await ids(ben, 'albatross')).toEqual([])
    expect(await ids(ada, 'albatross')).toEqual([])
  })

  it('is replaced by the next one, and taken back by the bot that gave it', async () => {
    const bens = await pageOf(ben)
    expect((await answer('You have 11 days left.')).status).toBe(204)
    expect(await notesOf(ben)).toMatchObject([{ text: 'You have 11 days left.' }])
    expect((await answer('Ask the harbour.', { by: other })).status).toBe(204)
    expect(await notesOf(ben)).toMatchObject([{ text: 'Ask the harbour.', senderId: other.id }])
    const missing = { status: 404, body: 'Private answer not found', code: 'private_answer_not_found' }
    expect(refusal(await bot.delete(path(question, ben.profileId)))).toEqual(missing)
    expect((await other.delete(path(question.toUpperCase(), ben.profileId.toUpperCase()))).status).toBe(204)
    await bens.next(({ event, data }) => event === 'action.noted' && Object(data).text === '')
    expect(await notesOf(ben)).toEqual([])
    expect(refusal(await other.delete(path(question, ben.profileId)))).toEqual(missing)
  })

  it('goes with its message', async () => {
    const asked = await say(ben, 'And next year?')
    expect((await answer('12 again.', { under: asked })).status).toBe(204)
    expect((await answer('12 for you, too.', { under: asked, to: ada.profileId })).status).toBe(204)
    expect(await rows()).toHaveLength(2)
    expect((await chatOf(ben).delete(`messages/${asked}`)).status).toBe(204)
    expect(await rows()).toEqual([])
  })

  it('is refused to whom it cannot be shown, where nobody writes, and with blocked words', async () => {
    const eve = await signInAs(server, { orgId, name: 'Eve' })
    const invalid = {
      status: 400,
      body: 'memberId must be a person in the topic',
      code: 'private_answer_member_invalid',
    }
    for (const to of [eve.profileId, other.id, bot.id, '00000000-0000-4000-8000-000000000000', 'x'])
      expect(refusal(await answer('Hello', { to })), to).toEqual(invalid)
    for (const text of [undefined, '', 7, 'x'.repeat(LIMITS.privateAnswer + 1)])
      expect((await answer(text)).status).toBe(400)
    expect((await answer('x'.repeat(LIMITS.privateAnswer))).status).toBe(204)
    await bot.delete(path(question, ben.profileId))
    const stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
    const outside = await staticBot(server, orgId, 'Outside')
    const lost = { status: 404, body: 'Message not found', code: 'message_not_found' }
    for (const by of [stranger, outside]) expect(refusal(await answer('Hello', { by }))).toEqual(lost)
    expect(refusal(await answer('Hello', { under: '00000000-0000-4000-8000-000000000000' }))).toEqual(lost)
    const reader = await oauthBot(server, orgId, 'Reader', ['message:read'])
    const readOnly = await staticBot(server, orgId, 'Read only', { permission: 'read' })
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [reader.id, readOnly.id] })
    expect((await reader.put(path(question, ben.profileId), { text: 'Hello' })).status).toBe(403)
    expect((await readOnly.put(path(question, ben.profileId), { text: 'Hello' })).status).toBe(403)
    await ada.patch(`/people/organizations/${orgId}`, { blockedWords: ['walrus'] })
    expect(await answer('A walrus.')).toMatchObject({ status: 400, headers: expect.anything() })
    expect(await rows()).toEqual([])
    await chatOf(ada).patch(`topics/${topicId}`, { archived: true })
    expect(refusal(await answer('Hello'))).toMatchObject({ status: 403, code: 'topic_archived' })
    await chatOf(ada).patch(`topics/${topicId}`, { archived: false })
  })

  it('is at hand in the handlers of the library', async () => {
    const { apiKey, apiSecret } = bot.credentials
    const { body } = await bot.get('/v2/updates?offset=newest')
    await bot.get(`/v2/updates?offset=${Object(body).nextOffset}`)
    const helper = createBot({ url: server.url, apiKey, apiSecret })
    helper.on('message', async ({ reply }) => {
      await reply.privately('Only for you.')
      helper.stop()
    })
    const asked = await say(ben, 'And for me?')
    await helper.start()
    expect(await notesOf(ben)).toContainEqual(
      expect.objectContaining({ messageId: asked, text: 'Only for you.', senderId: bot.id }),
    )
  })
})
