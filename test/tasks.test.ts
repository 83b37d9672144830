import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import { TASK_STATUSES, type Task } from '../contract/tasks.ts'
import type { Queryable } from '../server/db/database.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { listTasks, type TaskFilters } from '../server/queries/work/tasks.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
  type TestBot,
} from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { type Plan, rowsTouched } from './support/plan.ts'
import { countOf } from './support/thorough.ts'
import { vacuumed } from './support/vacuumed.ts'

const DUE = 1_900_000_000_000

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
let stranger: StaticTestBot
let ada: string
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  ada = await person(server, orgId, 'Ada Okafor')
  stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
  topicId = await newTopic(deploy, [ada, calendar.id])
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const idOf = ({ body }: Answer): string => String(Object(body).id)

async function newTopic(bot: TestBot, members: string[] = []): Promise<string> {
  return idOf(await bot.post('/v2/topics', { name: 'Releases', members }))
}

async function newTask(bot: TestBot, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await bot.post('/v2/tasks', { topicId, title: 'Write the notes', ...fields })
  expect(answer.status).toBe(201)
  return idOf(answer)
}

async function taskOf(bot: TestBot, taskId: string): Promise<Task> {
  const { status, body } = await bot.get(`/v2/tasks/${taskId}`)
  expect(status).toBe(200)
  return Object(body)
}

async function page(bot: TestBot, query: Record<string, string | number> = {}) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  const { status, body } = await bot.get(`/v2/tasks?${parameters}`)
  expect(status).toBe(200)
  const { tasks, nextCursor, hasMore }: { tasks: Task[]; nextCursor?: string; hasMore: boolean } =
    Object(body)
  return { ids: tasks.map(({ id }) => id), tasks, nextCursor, hasMore }
}

async function messagesIn(topic: string): Promise<Message[]> {
  const { body } = await deploy.get(`/v2/topics/${topic}/messages?limit=100`)
  return Object(body).messages
}

/** Type, data and receivers of the newest events of a topic, oldest first. */
async function eventsOf(topic: string, count: number) {
  const rows = await server.parley.db.query<{ type: string; data: unknown; bots: string[] }>(sql`
    select e.type, e.data, array(select unnest(e.bot_ids) order by 1) as bots
    from events e where e.topic_id = ${topic} order by e.seq desc limit ${count}`)
  return rows.reverse()
}

describe('creating a task', () => {
  it('answers with its id, topic, title and time; the rest has defaults', async () => {
    const topic = await newTopic(deploy)
    const { status, body } = await deploy.post('/v2/tasks', { topicId: topic, title: 'Write the notes' })
    expect(status).toBe(201)
    const { id, createdAt } = Object(body)
    expect(body).toEqual({ id, topicId: topic, title: 'Write the notes', createdAt })
    expect(await taskOf(deploy, id)).toEqual({
      id,
      topicId: topic,
      title: 'Write the notes',
      description: '',
      status: 'Open',
      assignee: '',
      dueDate: 0,
      isDueDateTimeSelected: false,
      index: 0,
      subItemsCount: 0,
      createdAt,
      updatedAt: createdAt,
    })
  })

  it('keeps every field exactly as sent', async () => {
    const fields = {
      title: '  Écrire — 書く 📝 ',
      description: 'a\n\tb <@nobody> \u{1F468}\u200D\u{1F469}',
      assignee: ada,
      dueDate: DUE,
      externalId: 'ext 1/ü',
    }
    expect(await taskOf(deploy, await newTask(deploy, fields))).toMatchObject({
      ...fields,
      isDueDateTimeSelected: true,
    })
  })

  it('takes an empty assignee and a due date of 0 for none', async () => {
    const id = await newTask(deploy, { assignee: '', dueDate: 0, description: '' })
    expect(await taskOf(deploy, id)).toMatchObject({ assignee: '', dueDate: 0, isDueDateTimeSelected: false })
  })

  it('numbers the tasks of a topic from 0', async () => {
    const topic = await newTopic(deploy)
    const ids = [await newTask(deploy, { topicId: topic }), await newTask(deploy, { topicId: topic })]
    const numbers = await Promise.all(ids.map(async (id) => (await taskOf(deploy, id)).index))
    expect(numbers).toEqual([0, 1])
  })

  it('takes each text up to its limit in code points, and not one more', async () => {
    const limits = { title: 256, description: 10_000, externalId: 100 }
    for (const [field, limit] of Object.entries(limits)) {
      await newTask(deploy, { [field]: '🚀'.repeat(limit) })
      const long = await deploy.post('/v2/tasks', { topicId, title: 'x', [field]: '🚀'.repeat(limit + 1) })
      expect(refusal(long)).toEqual({ status: 400, body: `${field} too long` })
    }
  })

  it.each([
    [{ topicId: undefined }, 'topicId is required'],
    [{ topicId: 'releases' }, 'Invalid topicId'],
    [{ title: undefined }, 'title is required'],
    [{ title: '' }, 'title is required'],
    [{ title: 7 }, 'title must be a string'],
    [{ description: 7 }, 'description must be a string'],
    [{ externalId: '' }, 'Invalid externalId'],
    [{ assignee: 'ada' }, 'Invalid assignee'],
    [{ assignee: 7 }, 'assignee must be a string'],
    [{ dueDate: -1 }, 'dueDate must be between 0 and 8640000000000000'],
    [{ dueDate: 1.5 }, 'dueDate must be between 0 and 8640000000000000'],
    [{ dueDate: 'tomorrow' }, 'dueDate must be between 0 and 8640000000000000'],
    [{ title: 'a\0b' }, 'text must not contain NUL or lone surrogates'],
  ])('refuses %j: %s', async (fields, text) => {
    const answer = await deploy.post('/v2/tasks', { topicId, title: 'Write the notes', ...fields })
    expect(refusal(answer)).toEqual({ status: 400, body: text })
  })

  it('can be assigned to any member of the topic, and to no one else', async () => {
    const topic = await newTopic(deploy, [ada])
    expect(await taskOf(deploy, await newTask(deploy, { topicId: topic, assignee: ada }))).toMatchObject({
      assignee: ada,
    })
    await newTask(deploy, { topicId: topic, assignee: deploy.id })
    for (const assignee of [calendar.id, stranger.id, newUuid()]) {
      const answer = await deploy.post('/v2/tasks', { topicId: topic, title: 'x', assignee })
      expect(refusal(answer)).toEqual({ status: 400, body: 'Invalid assignee' })
    }
    expect((await page(deploy, { topicId: topic })).ids).toHaveLength(2)
    expect(await messagesIn(topic)).toHaveLength(2)
  })

  it('knows no topic that the bot is not in', async () => {
    const others = await newTopic(calendar)
    for (const unreachable of [others, newUuid(), await newTopic(stranger)]) {
      // A missing topic is reported before the wrong assignee.
      const answer = await deploy.post('/v2/tasks', { topicId: unreachable, title: 'x', assignee: newUuid() })
      expect(refusal(answer)).toEqual({ status: 404, body: 'Topic not found' })
    }
    const shapeFirst = await deploy.post('/v2/tasks', { topicId: newUuid(), title: '' })
    expect(refusal(shapeFirst)).toEqual({ status: 400, body: 'title is required' })
  })

  it('answers with ids as they are kept, not as they were sent', async () => {
    const answer = await deploy.post('/v2/tasks', {
      topicId: topicId.toUpperCase(),
      title: 'x',
      assignee: ada.toUpperCase(),
    })
    expect(answer.body).toMatchObject({ topicId })
    expect(await taskOf(deploy, idOf(answer).toUpperCase())).toMatchObject({
      id: idOf(answer),
      assignee: ada,
    })
  })

  it('puts a system message into the topic and tells every bot that is there', async () => {
    const topic = await newTopic(deploy, [ada, calendar.id])
    const fields = { title: 'Ship it', description: 'All of it', assignee: ada, dueDate: DUE }
    const id = await newTask(deploy, { topicId: topic, ...fields })
    const task = {
      id,
      action: 'Added',
      title: 'Ship it',
      text: 'All of it',
      status: 'Open',
      assignee: ada,
      dueDate: DUE,
      isDueDateTimeSelected: true,
      parentId: '',
      subItemsCount: 0,
    }
    const [message, ...more] = await messagesIn(topic)
    expect(more).toEqual([])
    expect(message).toMatchObject({ type: 'task', isSystem: true, senderId: deploy.id, text: '', task })

    const [event] = await eventsOf(topic, 1)
    expect(event).toMatchObject({
      type: 'message.created',
      data: {
        message: { id: message?.id, type: 'task', isSystem: true, senderId: deploy.id, task },
        truncated: false,
      },
      bots: [deploy.id, calendar.id].sort(),
    })
  })

  it('happens once for one Idempotency-Key', async () => {
    const topic = await newTopic(deploy)
    const send = () =>
      deploy.post('/v2/tasks', { topicId: topic, title: 'x' }, { headers: { 'Idempotency-Key': 'once' } })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await page(deploy, { topicId: topic })).ids).toHaveLength(1)
  })

  it('needs the scope task:write, or a key that may write', async () => {
    const reader = await staticBot(server, orgId, 'Audit bot', { permission: 'read' })
    const narrow = await oauthBot(server, orgId, 'Narrow bot', ['task:read'])
    for (const bot of [reader, narrow]) {
      for (const answer of [
        await bot.post('/v2/tasks', { topicId, title: 'x' }),
        await bot.patch(`/v2/tasks/${newUuid()}`, { title: 'x' }),
        await bot.delete(`/v2/tasks/${newUuid()}`),
      ]) {
        expect(refusal(answer)).toEqual({ status: 403, body: 'forbidden' })
      }
      expect((await bot.get('/v2/tasks')).status).toBe(200)
    }
    const writer = await oauthBot(server, orgId, 'Writing bot', ['task:write'])
    const unread = await writer.get('/v2/tasks')
    expect(refusal(unread)).toEqual({ status: 403, body: 'forbidden' })
    expect(unread.headers.get('www-authenticate')).toContain('scope="task:read"')
  })
})

describe('reading a task', () => {
  it('is for the bots of its topic', async () => {
    const id = await newTask(deploy, { externalId: 'notes-42' })
    expect(await taskOf(calendar, id)).toMatchObject({ id, externalId: 'notes-42' })
  })

  it('finds nothing where the bot is not', async () => {
    const hidden = await newTask(calendar, { topicId: await newTopic(calendar) })
    const foreign = await newTask(stranger, { topicId: await newTopic(stranger) })
    for (const id of [hidden, foreign, newUuid()]) {
      expect(refusal(await deploy.get(`/v2/tasks/${id}`))).toEqual({ status: 404, body: 'Task not found' })
    }
  })

  it('ends when the bot leaves the topic', async () => {
    const topic = await newTopic(deploy, [calendar.id])
    const id = await newTask(deploy, { topicId: topic })
    await calendar.delete(`/v2/topics/${topic}/members`, { memberIds: [calendar.id] })
    expect((await calendar.get(`/v2/tasks/${id}`)).status).toBe(404)
    expect((await page(calendar)).ids).not.toContain(id)
  })

  it('refuses what is not an id', async () => {
    expect(refusal(await deploy.get('/v2/tasks/first'))).toEqual({ status: 400, body: 'Invalid taskId' })
  })
})

describe('listing tasks', () => {
  it('gives the newest first, from all topics of the bot and from no other', async () => {
    const [one, two] = [await newTopic(deploy), await newTopic(deploy)]
    const hidden = await newTask(calendar, { topicId: await newTopic(calendar) })
    const ids = []
    for (const topic of [one, two, one, two]) ids.push(await newTask(deploy, { topicId: topic }))
    const { ids: listed, tasks } = await page(deploy, { limit: 4 })
    expect(listed).toEqual(ids.reverse())
    expect(tasks[0]).toEqual(await taskOf(deploy, listed[0] ?? ''))
    expect((await page(deploy, { limit: 100 })).ids).not.toContain(hidden)
  })

  it('filters by topic, status and assignee, each alone and together', async () => {
    const topic = await newTopic(deploy, [ada])
    const open = await newTask(deploy, { topicId: topic })
    const adasOpen = await newTask(deploy, { topicId: topic, assignee: ada })
    const adasDone = await newTask(deploy, { topicId: topic, assignee: ada })
    const done = await newTask(deploy, { topicId: topic })
    for (const id of [adasDone, done])
      await deploy.patch(`/v2/tasks/${id}`, { topicId: topic, status: 'Done' })
    const listed = async (query: Record<string, string>) =>
      (await page(deploy, { topicId: topic, ...query })).ids
    expect(await listed({})).toEqual([done, adasDone, adasOpen, open])
    expect(await listed({ topicId: topic.toUpperCase() })).toHaveLength(4)
    expect(await listed({ status: 'Open' })).toEqual([adasOpen, open])
    expect(await listed({ status: 'Done' })).toEqual([done, adasDone])
    expect(await listed({ assignee: ada })).toEqual([adasDone, adasOpen])
    expect(await listed({ assignee: ada.toUpperCase() })).toEqual([adasDone, adasOpen])
    expect(await listed({ assignee: '' })).toEqual([done, open])
    expect(await listed({ assignee: ada, status: 'Done' })).toEqual([adasDone])
    expect(await listed({ assignee: '', status: 'Open' })).toEqual([open])
    expect(await listed({ assignee: deploy.id })).toEqual([])
    expect((await page(deploy, { assignee: ada, status: 'Open', limit: 1 })).ids).toEqual([adasOpen])
  })

  it('has 50 on a page unless asked otherwise, and at most 100', async () => {
    const topic = await newTopic(deploy)
    await Promise.all(Array.from({ length: 101 }, () => newTask(deploy, { topicId: topic })))
    expect((await page(deploy, { topicId: topic })).ids).toHaveLength(50)
    expect((await page(deploy, { topicId: topic, limit: 100 })).ids).toHaveLength(100)
    for (const limit of ['0', '101', '-1', '1.5', 'many', '']) {
      expect(refusal(await deploy.get(`/v2/tasks?limit=${limit}`))).toEqual({
        status: 400,
        body: 'limit must be between 1 and 100',
      })
    }
  })

  it.each([
    ['topicId=releases', 'Invalid topicId'],
    ['status=Closed', 'status must be "Open" or "Done"'],
    ['status=', 'status must be "Open" or "Done"'],
    ['assignee=ada', 'Invalid assignee'],
    ['cursor=x', 'invalid cursor'],
    ['cursor=', 'invalid cursor'],
  ])('refuses ?%s: %s', async (query, text) => {
    expect(refusal(await deploy.get(`/v2/tasks?${query}`))).toEqual({ status: 400, body: text })
  })

  it('knows no topic that the bot is not in, whether or not it has tasks', async () => {
    const others = await newTopic(calendar)
    await newTask(calendar, { topicId: others })
    const foreign = await newTopic(stranger)
    await newTask(stranger, { topicId: foreign })
    for (const unreachable of [others, foreign, newUuid()]) {
      expect(refusal(await deploy.get(`/v2/tasks?topicId=${unreachable}`))).toEqual({
        status: 404,
        body: 'Topic not found',
      })
    }
    expect(await page(deploy, { topicId: await newTopic(deploy) })).toMatchObject({ ids: [], hasMore: false })
  })

  it('neither skips nor repeats anything while others write', async () => {
    const topics = [await newTopic(deploy), await newTopic(deploy)]
    const before: string[] = []
    for (let count = 0; count < 24; count++) {
      before.push(await newTask(deploy, { topicId: topics[count % 2], assignee: deploy.id }))
    }
    const seen: string[] = []
    let place: { nextCursor?: string | undefined; hasMore: boolean } = { hasMore: true }
    while (place.hasMore) {
      const { nextCursor } = place
      const current = await page(
        deploy,
        nextCursor === undefined ? { assignee: deploy.id, limit: 5 } : { cursor: nextCursor, limit: 5 },
      )
      expect(current.nextCursor !== undefined).toBe(current.hasMore)
      seen.push(...current.ids)
      place = current
      await Promise.all(topics.map((topic) => newTask(deploy, { topicId: topic, assignee: deploy.id })))
    }
    expect(seen.filter((id) => before.includes(id))).toEqual(before.reverse())
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('keeps its filters in the cursor', async () => {
    const topic = await newTopic(deploy)
    const ids = [await newTask(deploy, { topicId: topic }), await newTask(deploy, { topicId: topic })]
    const first = await page(deploy, { topicId: topic, status: 'Open', assignee: '', limit: 1 })
    expect(first).toMatchObject({ ids: [ids[1]], hasMore: true })
    const rest = await page(deploy, { cursor: first.nextCursor ?? '', status: 'Done' })
    expect(rest).toMatchObject({ ids: [ids[0]], hasMore: false })
  })

  it('takes a cursor only from its own list, for the same bot, unchanged', async () => {
    const { nextCursor = '' } = await page(deploy, { limit: 1 })
    await newTopic(deploy)
    const topics = await deploy.get('/v2/topics?limit=1')
    const wrong: [TestBot, string][] = [
      [calendar, nextCursor],
      [stranger, nextCursor],
      [deploy, `${nextCursor}x`],
      [deploy, `x${nextCursor}`],
      [deploy, Object(topics.body).nextCursor],
    ]
    for (const [bot, cursor] of wrong) {
      const answer = await bot.get(`/v2/tasks?cursor=${encodeURIComponent(cursor)}`)
      expect(refusal(answer)).toEqual({ status: 400, body: 'invalid cursor' })
    }
  })
})

describe('changing a task', () => {
  it.each([
    ['title', { title: 'Ship it' }, { title: 'Ship it' }],
    ['name, which is the title', { name: 'Ship it' }, { title: 'Ship it' }],
    ['description', { description: 'More' }, { description: 'More' }],
    ['due date', { dueDate: DUE }, { dueDate: DUE, isDueDateTimeSelected: true }],
  ])('sets the %s and leaves the rest', async (_what, change, expected) => {
    const id = await newTask(deploy, { externalId: 'x' })
    const before = await taskOf(deploy, id)
    const { status, body } = await deploy.patch(`/v2/tasks/${id}`, change)
    expect(status).toBe(200)
    const after = await taskOf(deploy, id)
    expect(after).toEqual({ ...before, ...expected, updatedAt: after.updatedAt })
    expect(body).toEqual({ id, updatedAt: after.updatedAt })
    expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt)
  })

  it('assigns and unassigns, sets and clears the date and the description', async () => {
    const id = await newTask(deploy)
    await deploy.patch(`/v2/tasks/${id}`, { assignee: ada, dueDate: DUE, description: 'More' })
    expect(await taskOf(deploy, id)).toMatchObject({ assignee: ada, dueDate: DUE, description: 'More' })
    await deploy.patch(`/v2/tasks/${id}`, { assignee: '', dueDate: 0, description: '' })
    expect(await taskOf(deploy, id)).toMatchObject({
      assignee: '',
      dueDate: 0,
      isDueDateTimeSelected: false,
      description: '',
    })
  })

  it('is open to every bot of the topic', async () => {
    const id = await newTask(deploy)
    expect((await calendar.patch(`/v2/tasks/${id}`, { title: 'Ship it' })).status).toBe(200)
    expect((await messagesIn(topicId))[0]).toMatchObject({
      senderId: calendar.id,
      task: { id, action: 'Updated' },
    })
  })

  it('tells in the topic what was done, also when nothing is different', async () => {
    const topic = await newTopic(deploy, [ada, calendar.id])
    const id = await newTask(deploy, { topicId: topic })
    const changes = [
      [{ title: 'Ship it' }, 'Updated', 'Open'],
      [{ title: 'Ship it' }, 'Updated', 'Open'],
      [{ topicId: topic, status: 'Done' }, 'MarkedAsDone', 'Done'],
      [{ topicId: topic, status: 'Done' }, 'MarkedAsDone', 'Done'],
      [{ topicId: topic, status: 'Open', title: 'Ship', assignee: ada }, 'MarkedAsOpened', 'Open'],
      [{ topicId: topic, description: 'x' }, 'Updated', 'Open'],
    ] as const
    for (const [change] of changes) expect((await deploy.patch(`/v2/tasks/${id}`, change)).status).toBe(200)

    const told = (await messagesIn(topic)).reverse().slice(1)
    expect(told.map(({ type, isSystem, senderId, task }) => ({ type, isSystem, senderId, task }))).toEqual(
      changes.map(([, action, status]) => ({
        type: 'task',
        isSystem: true,
        senderId: deploy.id,
        task: expect.objectContaining({ id, action, status }),
      })),
    )
    const events = await eventsOf(topic, changes.length)
    expect(events).toMatchObject(
      changes.map(([, action]) => ({
        type: 'message.created',
        data: { message: { task: { id, action } } },
        bots: [deploy.id, calendar.id].sort(),
      })),
    )
    expect(await taskOf(deploy, id)).toMatchObject({ title: 'Ship', status: 'Open', assignee: ada })
  })

  it.each([
    ['nothing at all', {}, 'at least one field is required'],
    ['unknown fields only', { colour: 'red' }, 'at least one field is required'],
    ['the topic alone', { topicId: newUuid() }, 'at least one field is required'],
    ['both names of the title', { name: 'a', title: 'a' }, 'name and title cannot be used together'],
    ['a status without the topic', { status: 'Done' }, 'topicId is required when status is given'],
    ['another status', { topicId: newUuid(), status: 'Closed' }, 'status must be "Open" or "Done"'],
    ['an empty title', { title: '' }, 'title is required'],
    ['an empty name', { name: '' }, 'name is required'],
    ['a long title', { title: '🚀'.repeat(257) }, 'title too long'],
    ['a long name', { name: '🚀'.repeat(257) }, 'name too long'],
    ['a long description', { description: '🚀'.repeat(10_001) }, 'description too long'],
    ['no id for the topic', { topicId: 'releases', title: 'x' }, 'Invalid topicId'],
    ['no id for the assignee', { assignee: 'ada' }, 'Invalid assignee'],
    ['a date before 1970', { dueDate: -1 }, 'dueDate must be between 0 and 8640000000000000'],
    ['null', { dueDate: null }, 'dueDate must be between 0 and 8640000000000000'],
  ])('refuses %s, before it looks for the task', async (_what, change, text) => {
    const id = await newTask(deploy)
    for (const taskId of [id, newUuid()]) {
      const answer = await deploy.patch(`/v2/tasks/${taskId}`, change)
      expect(refusal(answer)).toEqual({ status: 400, body: text })
    }
    expect(await taskOf(deploy, id)).toMatchObject({ title: 'Write the notes', status: 'Open' })
  })

  it('takes each text up to its limit', async () => {
    const id = await newTask(deploy)
    for (const change of [
      { title: '🚀'.repeat(256) },
      { name: '🚀'.repeat(256) },
      { description: '🚀'.repeat(10_000) },
    ]) {
      expect((await deploy.patch(`/v2/tasks/${id}`, change)).status).toBe(200)
    }
  })

  it('finds nothing in another topic, in no topic of the bot, or nowhere', async () => {
    const id = await newTask(deploy)
    const hidden = await newTask(calendar, { topicId: await newTopic(calendar) })
    const foreign = await newTask(stranger, { topicId: await newTopic(stranger) })
    const notFound = { status: 404, body: 'Task not found' }
    for (const wrong of [await newTopic(deploy), newUuid()]) {
      const change = { topicId: wrong, status: 'Done', assignee: newUuid() }
      expect(refusal(await deploy.patch(`/v2/tasks/${id}`, change))).toEqual(notFound)
      expect(refusal(await deploy.patch(`/v2/tasks/${id}`, { topicId: wrong, title: 'x' }))).toEqual(notFound)
    }
    for (const unreachable of [hidden, foreign, newUuid()]) {
      // A missing task is reported before the wrong assignee.
      const change = { title: 'x', assignee: newUuid() }
      expect(refusal(await deploy.patch(`/v2/tasks/${unreachable}`, change))).toEqual(notFound)
    }
    expect(await taskOf(deploy, id)).toMatchObject({ title: 'Write the notes', status: 'Open' })
    expect(refusal(await deploy.patch('/v2/tasks/first', { title: 'x' }))).toEqual({
      status: 400,
      body: 'Invalid taskId',
    })
  })

  it('takes the id of the topic in any case', async () => {
    const id = await newTask(deploy)
    const change = { topicId: topicId.toUpperCase(), status: 'Done' }
    const { status, body } = await deploy.patch(`/v2/tasks/${id.toUpperCase()}`, change)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id })
  })

  it('changes nothing when the assignee is not in the topic', async () => {
    const topic = await newTopic(deploy)
    const id = await newTask(deploy, { topicId: topic })
    for (const assignee of [ada, stranger.id, newUuid()]) {
      const answer = await deploy.patch(`/v2/tasks/${id}`, { title: 'Ship it', assignee })
      expect(refusal(answer)).toEqual({ status: 400, body: 'Invalid assignee' })
    }
    expect(await taskOf(deploy, id)).toMatchObject({ title: 'Write the notes', assignee: '' })
    expect(await messagesIn(topic)).toHaveLength(1)
  })
})

describe('deleting a task', () => {
  it('answers 204, and the task is gone', async () => {
    const id = await newTask(deploy)
    const { status, text } = await deploy.delete(`/v2/tasks/${id}`)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    const notFound = { status: 404, body: 'Task not found' }
    expect(refusal(await deploy.get(`/v2/tasks/${id}`))).toEqual(notFound)
    expect(refusal(await deploy.patch(`/v2/tasks/${id}`, { title: 'x' }))).toEqual(notFound)
    expect(refusal(await deploy.delete(`/v2/tasks/${id}`))).toEqual(notFound)
    expect((await page(deploy, { limit: 100 })).ids).not.toContain(id)
  })

  it('is announced in the topic', async () => {
    const topic = await newTopic(deploy, [calendar.id])
    const id = await newTask(deploy, { topicId: topic, title: 'Ship it' })
    await calendar.delete(`/v2/tasks/${id}`, {})
    const task = { id, action: 'Deleted', title: 'Ship it', status: 'Open' }
    expect((await messagesIn(topic))[0]).toMatchObject({
      type: 'task',
      isSystem: true,
      senderId: calendar.id,
      task,
    })
    expect(await eventsOf(topic, 1)).toMatchObject([
      { type: 'message.created', data: { message: { task } }, bots: [deploy.id, calendar.id].sort() },
    ])
  })

  it('finds nothing where the bot is not', async () => {
    const hidden = await newTask(calendar, { topicId: await newTopic(calendar) })
    const foreign = await newTask(stranger, { topicId: await newTopic(stranger) })
    for (const id of [hidden, foreign, newUuid()]) {
      expect(refusal(await deploy.delete(`/v2/tasks/${id}`))).toEqual({ status: 404, body: 'Task not found' })
    }
    expect((await calendar.get(`/v2/tasks/${hidden}`)).status).toBe(200)
    expect(refusal(await deploy.delete('/v2/tasks/first'))).toEqual({ status: 400, body: 'Invalid taskId' })
  })
})

describe('at the same moment', () => {
  it('creating gives every task a number and a message of its own', async () => {
    const topic = await newTopic(deploy)
    await Promise.all(Array.from({ length: 30 }, () => newTask(deploy, { topicId: topic })))
    const { tasks } = await page(deploy, { topicId: topic })
    expect(tasks.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index))
    expect(await messagesIn(topic)).toHaveLength(30)
  })

  it('changing and deleting a task give documented answers only, and one deletion', async () => {
    for (let round = 0; round < 8; round++) {
      const topic = await newTopic(deploy, [calendar.id])
      const id = await newTask(deploy, { topicId: topic })
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, turn) => {
          const bot = turn % 2 === 0 ? deploy : calendar
          if (turn % 4 === 1) return bot.delete(`/v2/tasks/${id}`)
          return bot.patch(`/v2/tasks/${id}`, { topicId: topic, status: turn % 3 === 0 ? 'Done' : 'Open' })
        }),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      expect(statuses.every((status) => [200, 204, 404].includes(status))).toBe(true)
      const told = await messagesIn(topic)
      expect(told).toHaveLength(1 + statuses.filter((status) => status !== 404).length)
      expect(told[0]).toMatchObject({ task: { action: 'Deleted' } })
    }
  })

  it('assigning and leaving the topic never assign to a person who is gone', async () => {
    for (let round = 0; round < 8; round++) {
      const topic = await newTopic(deploy, [ada])
      const [created] = await Promise.all([
        deploy.post('/v2/tasks', { topicId: topic, title: 'x', assignee: ada }),
        deploy.delete(`/v2/topics/${topic}/members`, { memberIds: [ada] }),
      ])
      const [told] = await messagesIn(topic)
      if (created.status === 201) expect(told).toMatchObject({ task: { assignee: ada } })
      else expect(refusal(created)).toEqual({ status: 400, body: 'Invalid assignee' })
    }
  })
})

describe('the cost of a page', () => {
  /** Rows that passed through the plan, and touched pages. */
  async function costOf(bot: TestBot, filters: TaskFilters, after?: string) {
    let cost = { rows: 0, pages: 0 }
    const explaining: Queryable = {
      async query(query) {
        const [row] = await server.parley.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          sql`explain (analyze, buffers, format json) ${query}`,
        )
        const plan = row?.['QUERY PLAN'][0].Plan
        if (!plan) throw new Error('no plan')
        // Rows are rounded averages of all loops.
        cost = {
          rows: Math.round(rowsTouched(plan)),
          pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
        }
        return []
      },
    }
    const caller = { orgId: bot.orgId, profileId: bot.id }
    await listTasks(caller, explaining, { filters, limit: 5, ...(after !== undefined && { after }) })
    return cost
  }

  /** One task in ten in the first topic, where they are the bot's; all others are Ada's. The oldest ones are done. */
  async function fill([first, ...others]: string[], count: number): Promise<void> {
    await server.parley.db.query(sql`
      insert into tasks (org_id, id, topic_id, title, assignee, status, index, created_by, created_at, updated_at)
      select ${orgId}, ('01970000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        case when n % 10 = 0 then ${first} else (${others}::uuid[])[1 + n % ${others.length}] end, 'Task ' || n,
        case when n % 10 = 0 then ${deploy.id} else ${ada} end, case when n <= 10 then 'Done' else 'Open' end, n,
        ${deploy.id}::text, n, n
      from generate_series(1, ${count}) as n
      on conflict do nothing`)
    await vacuumed(server.parley.db, ['tasks', 'topic_members'])
  }

  const MANY = countOf(10_000, 40_000)
  it(`is the same with ${MANY} tasks as with 100`, async () => {
    const bot = await staticBot(server, orgId, 'Archive bot')
    const topics = [await newTopic(bot), await newTopic(bot), await newTopic(bot), await newTopic(bot)]
    const lists: [string, TaskFilters, string?][] = [
      ['all', {}],
      ['one topic', { topicId: topics[0] ?? '' }],
      ['one status', { status: 'Open' }],
      ['a rare status', { status: 'Done' }],
      ['one assignee', { assignee: ada }],
      ['an assignee and a rare status', { assignee: ada, status: 'Done' }],
      ['the unassigned', { assignee: '' }],
      ['one who has most tasks, but none in this topic', { topicId: topics[0] ?? '', assignee: ada }],
      ['the second page', {}, '01970000-0000-7000-8000-000000000040'],
    ]
    await fill(topics, 100)
    const few = await Promise.all(lists.map(([, filters, after]) => costOf(bot, filters, after)))
    await fill(topics, MANY)
    // A search of a taller index reads up to two pages more; a list makes one for each topic and status.
    const searches = topics.length * TASK_STATUSES.length
    for (const [index, [name, filters, after]] of lists.entries()) {
      const { rows, pages } = few[index] ?? { rows: 0, pages: 0 }
      const many = await costOf(bot, filters, after)
      expect(many.rows, name).toBe(rows)
      expect(many.pages, name).toBeLessThanOrEqual(pages + 3 * searches)
    }
  })
})
