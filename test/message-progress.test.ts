import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { openStream, type TestStream } from './support/stream.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let bot: StaticTestBot
let other: StaticTestBot
let topicId: string
let page: TestStream

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await staticBot(server, orgId, 'Writer')
  other = await staticBot(server, orgId, 'Other')
  const members = [ada.profileId, other.id]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
  page = await openStream(ada, orgId)
  await page.next(({ event }) => event === 'reset')
})
afterAll(async () => {
  page?.close()
  await server.close()
})

const STEPS = [
  { id: 'search', title: 'Search the handbook', status: 'done', output: '3 pages' },
  { id: 'write', title: 'Write', status: 'in_progress', details: 'In plain words' },
]
const SOURCES = [{ title: 'Handbook', url: 'https://example.com/handbook', quote: 'Ship on Fridays.' }]

async function begin(): Promise<string> {
  const { status, body } = await bot.post('/v2/messages', { topicId, streaming: true })
  expect(status).toBe(201)
  return Object(body).id
}
const show = (id: string, progress: object, who = bot) => who.put(`/v2/messages/${id}/progress`, progress)
const start = async () => JSON.stringify((await chatOf(ada).get('start')).body)

describe('steps of a streamed message', () => {
  it('are shown to open pages while it is written, and stay with it', async () => {
    const id = await begin()
    expect((await show(id, { steps: STEPS, activity: 'searches the handbook' })).status).toBe(204)
    const told = await page.next(({ event }) => event === 'progress')
    expect(told.data).toMatchObject({
      topicId,
      messageId: id,
      progress: { steps: STEPS, activity: 'searches the handbook' },
    })
    expect(await start()).toContain('searches the handbook')
    const done = STEPS.map((step) => ({ ...step, status: 'done' }))
    expect((await show(id, { steps: done, sources: SOURCES })).status).toBe(204)
    expect(await start()).not.toContain('searches the handbook')
    await bot.post(`/v2/messages/${id}/append`, { text: 'On Friday [1].' })
    expect((await bot.post(`/v2/messages/${id}/finish`, {})).status).toBe(200)
    const { body } = await other.get(`/v2/messages/${id}`)
    expect(body).toMatchObject({ text: 'On Friday [1].', steps: done, sources: SOURCES })
    expect(body).not.toHaveProperty('stream')
    const { updates } = Object((await other.get('/v2/updates?offset=oldest')).body)
    expect(updates.at(-1)).toMatchObject({ eventType: 'message.created', data: { message: { steps: done } } })
    expect((await bot.patch(`/v2/messages/${id}`, { text: 'On Monday.' })).status).toBe(200)
    expect((await other.get(`/v2/messages/${id}`)).body).toMatchObject({ text: 'On Monday.', steps: done })
  })

  it('stay with a message that ended too early', async () => {
    const id = await begin()
    await show(id, { steps: STEPS })
    await bot.post(`/v2/messages/${id}/finish`, { status: 'failed' })
    expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({
      stream: { status: 'failed' },
      steps: STEPS,
    })
    expect(await show(id, { steps: STEPS })).toMatchObject({ status: 409, body: 'message is finished' })
  })

  it.each([
    [{ steps: [STEPS[0], STEPS[0]] }, 'ids of steps must differ'],
    [{ steps: [{ id: 'x', title: 'x', status: 'lost' }] }, undefined],
    [{ steps: [{ id: 'x', title: '', status: 'done' }] }, undefined],
    [{ sources: [{ title: 'x', url: 'javascript:alert(1)' }] }, undefined],
    [
      {
        steps: Array.from({ length: 7 }, (_, id) => ({
          id: `${id}`,
          title: 'x',
          status: 'done',
          output: 'x'.repeat(999),
        })),
      },
      'steps and sources too large',
    ],
  ])('are refused as %j', async (progress, text) => {
    const id = await begin()
    const answer = await show(id, progress)
    expect(answer.status).toBe(400)
    if (text !== undefined) expect(answer.body).toBe(text)
    await bot.delete(`/v2/messages/${id}`)
  })

  it('are those of the bot that writes it', async () => {
    const id = await begin()
    const stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
    expect((await show(id, { steps: STEPS }, stranger)).status).toBe(404)
    expect((await show(id, { steps: STEPS }, other)).status).toBe(404)
    await bot.delete(`/v2/topics/${topicId}/members`, { memberIds: [bot.id] })
    expect((await show(id, { steps: STEPS })).status).toBe(404)
  })
})
