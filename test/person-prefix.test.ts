import { afterAll, beforeAll, expect, it } from 'vitest'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let bot: StaticTestBot
let ada: string

beforeAll(async () => {
  server = await startTestParley()
  const orgId = await organization(server)
  bot = await staticBot(server, orgId)
  ada = await person(server, orgId, 'Ada Okafor')
})
afterAll(() => server.close())

it('takes u@ before the id of a person wherever a request has one, and returns none', async () => {
  const given = `u@${ada}`
  const made = await bot.post('/v2/topics', { name: 'Releases', members: [given, ada] })
  expect(made).toMatchObject({ status: 201, body: { members: expect.arrayContaining([ada, bot.id]) } })
  expect(Object(made.body).members).toHaveLength(2)
  const topicId: string = Object(made.body).id
  expect((await bot.get(`/v2/members/${given}`)).body).toMatchObject({ id: ada })
  const task = await bot.post('/v2/tasks', { topicId, title: 'Ship it', assignee: given })
  expect(task.status).toBe(201)
  expect((await bot.get(`/v2/tasks/${Object(task.body).id}`)).body).toMatchObject({ assignee: ada })
  expect(Object((await bot.get(`/v2/tasks?assignee=${given}`)).body).tasks).toHaveLength(1)
  expect((await bot.get(`/v2/topics/${topicId}/messages?senderId=${given}`)).status).toBe(200)
  const elements = [{ id: 'yes', text: 'Yes' }]
  const actions = { elements, who: 'people', people: [given] }
  expect((await bot.post('/v2/messages', { topicId, text: 'Ship it?', actions })).status).toBe(201)
  const removed = await bot.delete(`/v2/topics/${topicId}/members`, { memberIds: [given] })
  expect(removed).toMatchObject({ status: 200, body: { memberIds: [bot.id] } })
})

it('refuses u@ where no person follows, and leaves texts alone', async () => {
  const members = (id: string) => bot.post('/v2/topics', { name: 'Releases', members: [id] })
  for (const id of [`u@${bot.id}`, `u@u@${ada}`, 'u@', `u@${ada}x`, `U@${ada}`])
    expect(await members(id), id).toMatchObject({ status: 400, body: 'Invalid member' })
  const topic = await bot.post('/v2/topics', { name: `u@${ada}`, members: [] })
  expect((await bot.get(`/v2/topics/${Object(topic.body).id}`)).body).toMatchObject({ name: `u@${ada}` })
  expect((await bot.put('/v2/storage/who', { value: { id: `u@${ada}` }, version: 0 })).status).toBeLessThan(
    300,
  )
  expect((await bot.get('/v2/storage/who')).body).toMatchObject({ value: { id: `u@${ada}` } })
})

it('gives a message that is read alone the names that its ids have elsewhere', async () => {
  const topic = await bot.post('/v2/topics', { name: 'Releases', members: [] })
  const topicId: string = Object(topic.body).id
  const sent = await bot.post('/v2/messages', { topicId, text: 'The release is out.' })
  const { id } = Object(sent.body)
  expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({
    id,
    topicId,
    messageId: id,
    channelId: topicId,
  })
  const { body } = await bot.get(`/v2/topics/${topicId}/messages`)
  expect(Object(body).messages[0]).not.toHaveProperty('messageId')
})
