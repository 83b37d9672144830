import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'

let server: TestParley
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  bot = await staticBot(server, orgId)
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members: [ada.profileId] })).body).id
})
afterAll(() => server.close())

const NO_TOPIC = { status: 404, body: 'Topic not found', code: 'topic_not_found' }
const messagesIn = (topic: string) =>
  server.parley.db.query<{ id: string; text: string }>(sql`
    select id, text from messages where topic_id = ${topic} order by id`)

describe('a person', () => {
  it('sends what a bot reads, and hears from the bot API what it would say to a bot', async () => {
    const sent = await chatOf(ada).post('messages', { topicId, text: 'Hello from a person' })
    expect(sent.status).toBe(201)
    const { id } = Object(sent.body)
    expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({
      text: 'Hello from a person',
      senderId: ada.profileId,
      senderType: 'user',
    })
    const updates = await bot.get('/v2/updates?offset=oldest')
    expect(updates.text).toContain(id)
    expect((await chatOf(ada).get(`messages/${id}`)).body).toEqual((await bot.get(`/v2/messages/${id}`)).body)
    expect(refusal(await chatOf(ada).post('messages', { topicId }))).toEqual({
      status: 400,
      body: 'text is required',
      code: 'field_required',
    })
  })

  it('edits and deletes what is theirs, and nothing else', async () => {
    const { id } = Object((await bot.post('/v2/messages', { topicId, text: 'The bot says' })).body)
    const forbidden = { status: 403, body: 'forbidden', code: 'forbidden' }
    expect(refusal(await chatOf(ada).patch(`messages/${id}`, { text: 'not mine' }))).toEqual(forbidden)
    expect(refusal(await chatOf(ada).delete(`messages/${id}`))).toEqual(forbidden)
    const own = Object((await chatOf(ada).post('messages', { topicId, text: 'Mine' })).body).id
    expect((await chatOf(ada).patch(`messages/${own}`, { text: 'Mine!' })).status).toBe(200)
    expect((await bot.get(`/v2/messages/${own}`)).body).toMatchObject({ text: 'Mine!', isEdited: true })
    expect((await chatOf(ada).delete(`messages/${own}`)).status).toBe(204)
    expect((await bot.get(`/v2/messages/${own}`)).status).toBe(404)
  })

  it('learns nothing of topics that they are not in', async () => {
    const { id } = Object((await bot.post('/v2/messages', { topicId, text: 'Among us' })).body)
    const noMessage = { status: 404, body: 'Message not found', code: 'message_not_found' }
    expect(refusal(await chatOf(ben).post('messages', { topicId, text: 'Hi' }))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).get(`messages/${id}`))).toEqual(noMessage)
    expect(refusal(await chatOf(ben).post(`messages/${id}/reactions`, { reaction: '👍' }))).toEqual(noMessage)
    expect(refusal(await chatOf(ben).post('tasks', { topicId, title: 'T' }))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).get(`tasks?topicId=${topicId}`))).toEqual(NO_TOPIC)
    const add = { memberIds: [ben.profileId] }
    expect(refusal(await chatOf(ben).post(`topics/${topicId}/members`, add))).toEqual(NO_TOPIC)
  })

  it('has only the operations that are for people', async () => {
    for (const path of ['updates', 'usage', 'agentic/organization/create'])
      expect((await chatOf(ada).get(path)).body).toBe('not found')
  })
})

describe('a key', () => {
  it('makes a repeated send one message, also when the requests overlap', async () => {
    const body = { topicId, text: 'Once' }
    const answers = await Promise.all([1, 2, 3].map(() => chatOf(ada).post('messages', body, withKey('k1'))))
    answers.push(await chatOf(ada).post('messages', body, withKey('k1')))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(3)
    expect((await messagesIn(topicId)).filter(({ text }) => text === 'Once')).toHaveLength(1)
    const other = await chatOf(ada).post('messages', { topicId, text: 'Twice' }, withKey('k1'))
    expect(refusal(other)).toEqual({
      status: 400,
      body: 'Idempotency-Key was already used with another request',
      code: 'idempotency_key_reused',
    })
  })

  it('belongs to one person', async () => {
    const both = [ada, bot].map((who) =>
      'profileId' in who
        ? chatOf(who).post('messages', { topicId, text: 'Same key' }, withKey('k2'))
        : who.post('/v2/messages', { topicId, text: 'Same key' }, withKey('k2')),
    )
    const ids = (await Promise.all(both)).map(({ body }) => Object(body).id)
    expect(new Set(ids).size).toBe(2)
  })

  it('keeps a refusal with its code, and counts on every write', async () => {
    const nowhere = { topicId: '00000000-0000-4000-8000-000000000000', title: 'T' }
    const first = await chatOf(ada).post('tasks', nowhere, withKey('k3'))
    const again = await chatOf(ada).post('tasks', nowhere, withKey('k3'))
    expect(refusal(first)).toEqual(NO_TOPIC)
    expect([refusal(again), again.headers.get('idempotent-replayed')]).toEqual([NO_TOPIC, 'true'])
    const task = () => chatOf(ada).post('tasks', { topicId, title: 'Once' }, withKey('k4'))
    expect(Object((await task()).body).id).toBe(Object((await task()).body).id)
  })

  it('gives nothing away once the session is over', async () => {
    const cy = await signInAs(server, { orgId: ada.orgId, name: 'Cy' })
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [cy.profileId] })
    const copy = { ...cy, ...visitor(server.url, new Map(cy.cookies)) }
    const send = () => chatOf(copy).post('messages', { topicId, text: 'Cy' }, withKey('k5'))
    expect((await send()).status).toBe(201)
    await cy.post('/people/sign-out')
    expect(refusal(await send())).toEqual({ status: 401, body: 'sign in first', code: 'sign_in_required' })
  })
})

describe('files', () => {
  const upload = (who: TestPerson, text: string) => {
    const { body, contentType } = form({ topicId, caption: 'With a file' }, [
      { content: Buffer.from(text), name: 'notes.txt' },
    ])
    return chatOf(who).post('messages', body, { headers: { 'content-type': contentType } })
  }

  it('are sent as a form, and appear when they are processed', async () => {
    const { status, body, text } = await upload(ada, 'some notes')
    expect(status, text).toBe(200)
    const { id } = Object(body)
    const jobs = startJobs(server)
    await eventuallyHolds(async () => {
      expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({
        text: 'With a file',
        attachmentDetails: [{ name: 'notes.txt' }],
      })
    }).finally(() => jobs.stop())
  })

  it('of strangers are not received: the refusal comes before the body', async () => {
    const stranger = { ...(await signInToProfile(server, ada)), ...visitor(server.url) }
    expect(refusal(await upload(stranger, 'x'.repeat(100_000)))).toEqual({
      status: 401,
      body: 'sign in first',
      code: 'sign_in_required',
    })
    expect(refusal(await upload(ben, 'not in the topic'))).toEqual(NO_TOPIC)
  })
})

it('reads up to 1 MiB of JSON, as for bots', async () => {
  const large = { topicId, text: 'x'.repeat(20_000) }
  expect((await chatOf(ada).post('messages', large)).body).toBe('text too long')
  const tooLarge = { topicId, text: 'x'.repeat(1024 * 1024) }
  expect((await chatOf(ada).post('messages', tooLarge)).body).toBe('body too large')
})

it('gives the same codes to people and to bots', async () => {
  const unknown = await bot.get('/v2/messages/00000000-0000-4000-8000-000000000000')
  expect([unknown.status, unknown.headers.get('x-error-code')]).toEqual([404, 'message_not_found'])
  const nobody = await visitor(server.url).get('/people/account')
  expect(nobody.headers.get('x-error-code')).toBe('sign_in_required')
})
