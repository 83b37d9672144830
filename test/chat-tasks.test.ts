import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatTask } from '../contract/people/card-records.ts'
import { COUNTED_UNREAD } from '../contract/people/chat-records.ts'
import type { Queryable } from '../server/db/database.ts'
import { type Sql, sql, toStatement } from '../server/db/sql.ts'
import { listMyTasks, listTopicTasks } from '../server/queries/work/task-lists.ts'
import type { StaticTestBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { rowsTouched } from './support/plan.ts'
import { openStream } from './support/stream.ts'
import { vacuumed } from './support/vacuumed.ts'

const DAY = 86_400_000
let server: TestParley
let cast: ChatCast
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let topicId: string
let otherId: string

beforeAll(async () => {
  server = await startTestParley()
  cast = await chatCast(server)
  ;({ orgId, ada, ben, cy, bot, topicId } = cast)
  otherId = await newTopic('Shop', [ada.profileId, ben.profileId])
})
afterAll(async () => {
  cast.close()
  await server.close()
})

const newTopic = async (name: string, members: string[]): Promise<string> =>
  Object((await bot.post('/v2/topics', { name, members })).body).id

async function newTask(
  who: TestPerson,
  title: string,
  more: Record<string, unknown> = {},
  topic = topicId,
): Promise<string> {
  const { status, body, text } = await chatOf(who).post('tasks', { topicId: topic, title, ...more })
  expect(status, text).toBe(201)
  return Object(body).id
}
async function titlesOf(who: TestPerson, path: string): Promise<string[]> {
  const { status, body, text } = await chatOf(who).get(path)
  expect(status, text).toBe(200)
  return Object(body).tasks.map(({ title }: ChatTask) => title)
}
const NO_TOPIC = { status: 404, body: 'Topic not found', code: 'topic_not_found' }

describe('my tasks', () => {
  it('come from all topics by due date, with filters, in pages', async () => {
    const now = Date.now()
    const mine = { assignee: ada.profileId }
    await newTask(ben, 'No date', mine)
    await newTask(ben, 'Next week', { ...mine, dueDate: now + 7 * DAY }, otherId)
    await newTask(ada, 'Overdue', { ...mine, dueDate: now - DAY })
    await newTask(ada, 'Of Ben', { assignee: ben.profileId, dueDate: now })
    const done = await newTask(ada, 'Done', { ...mine, dueDate: now })
    await chatOf(ada).patch(`tasks/${done}`, { topicId, status: 'Done' })

    expect(await titlesOf(ada, 'my-tasks')).toEqual(['Overdue', 'Next week', 'No date'])
    expect(await titlesOf(ada, 'my-tasks?status=Done')).toEqual(['Done'])
    expect(await titlesOf(ada, 'my-tasks?role=created')).toEqual(['Overdue', 'Of Ben'])
    expect(await titlesOf(ada, `my-tasks?topicId=${otherId}`)).toEqual(['Next week'])
    expect(await titlesOf(ada, `my-tasks?dueBefore=${now}`)).toEqual(['Overdue'])
    expect(await titlesOf(ada, `my-tasks?dueFrom=${now}`)).toEqual(['Next week'])
    expect(await titlesOf(ada, 'my-tasks?undated=true')).toEqual(['No date'])

    const pages: string[] = []
    let cursor = ''
    do {
      const { body } = await chatOf(ada).get(`my-tasks?limit=1${cursor && `&cursor=${cursor}`}`)
      pages.push(...Object(body).tasks.map(({ title }: ChatTask) => title))
      cursor = Object(body).nextCursor ?? ''
      expect(Object(body).hasMore).toBe(cursor !== '')
    } while (cursor !== '')
    expect(pages).toEqual(['Overdue', 'Next week', 'No date'])
  })

  it('reveal nothing of foreign topics', async () => {
    const id = await newTask(ada, 'Leave it', { assignee: ben.profileId }, otherId)
    for (const list of ['my-tasks', 'start']) expect(await titlesOf(ben, list)).toContain('Leave it')
    await chatOf(ben).post(`topics/${otherId}/leave`)
    for (const list of ['my-tasks', 'start']) expect(await titlesOf(ben, list)).not.toContain('Leave it')
    expect(refusal(await chatOf(ben).get(`my-tasks?topicId=${otherId}`))).toEqual(NO_TOPIC)
    for (const who of [ben, cy]) {
      expect(refusal(await chatOf(who).get(`topics/${otherId}/tasks`))).toEqual(NO_TOPIC)
      expect(refusal(await chatOf(who).post(`tasks/${id}/move`, { after: null }))).toMatchObject({
        status: 404,
        body: 'Task not found',
      })
    }
    for (const list of ['my-tasks', 'start']) expect(await titlesOf(cy, list)).toEqual([])
  })

  it('come with the start as far as they are open and theirs, and as far as it has room', async () => {
    const own = { assignee: cy.profileId }
    const topic = await newTopic('Counted', [ada.profileId, cy.profileId])
    const id = await newTask(ada, 'Done soon', own, topic)
    await newTask(ada, 'Of nobody', {}, topic)
    await newTask(cy, 'Of another', { assignee: ada.profileId }, topic)
    expect(await titlesOf(cy, 'start')).toEqual(['Done soon'])
    await chatOf(cy).patch(`tasks/${id}`, { topicId: topic, status: 'Done' })
    expect(await titlesOf(cy, 'start')).toEqual([])
    for (let number = 0; number < COUNTED_UNREAD + 2; number++)
      await newTask(ada, `Task ${number}`, own, topic)
    const { tasks, more } = Object((await chatOf(cy).get('start')).body)
    expect(more).toEqual(['tasks'])
    expect(tasks.length).toBeGreaterThan(10)
    const { tasks: first, hasMore } = Object((await chatOf(cy).get('my-tasks?limit=100')).body)
    expect([first.length, hasMore]).toEqual([100, true])
    expect(first.slice(0, tasks.length)).toEqual(tasks)
  })
})

describe('the tasks of a topic', () => {
  it('stand where people put them, also when they are opened again, and new ones come last', async () => {
    const topic = await newTopic('Order', [ada.profileId, ben.profileId])
    const ids = new Map<string, string>()
    for (const title of ['A', 'B', 'C', 'D']) ids.set(title, await newTask(ada, title, {}, topic))
    const id = (title: string) => ids.get(title) ?? ''
    const order = () => titlesOf(ben, `topics/${topic}/tasks`)
    const move = async (title: string, after: string | null) =>
      expect((await chatOf(ben).post(`tasks/${id(title)}/move`, { after: after && id(after) })).status).toBe(
        204,
      )
    const adas = await openStream(ada, orgId)
    await adas.next(({ event }) => event === 'reset')
    await move('D', null)
    expect(await order()).toEqual(['D', 'A', 'B', 'C'])
    await adas.next(({ event, data }) => event === 'task.moved' && Object(data).taskId === id('D'))
    await move('A', 'C')
    await move('D', 'C')
    expect(await order()).toEqual(['B', 'C', 'D', 'A'])
    await chatOf(ada).patch(`tasks/${id('D')}`, { topicId: topic, status: 'Done' })
    await move('B', 'C')
    await chatOf(ada).patch(`tasks/${id('D')}`, { topicId: topic, status: 'Open' })
    expect(await order()).toEqual(['C', 'B', 'D', 'A'])
    ids.set('E', await newTask(ada, 'E', {}, topic))
    expect(await order()).toEqual(['C', 'B', 'D', 'A', 'E'])
    // A task can be moved between the same two any number of times.
    for (let turn = 0; turn < 12; turn++) await move(turn % 2 ? 'D' : 'A', 'C')
    expect((await order()).slice(0, 3)).toEqual(['C', 'D', 'A'])
    const paged = await chatOf(ada).get(`topics/${topic}/tasks?limit=2`)
    const rest = await titlesOf(ada, `topics/${topic}/tasks?limit=9&cursor=${Object(paged.body).nextCursor}`)
    expect(rest).toEqual(['A', 'B', 'E'])
    const foreign = await newTask(ada, 'Elsewhere')
    for (const after of [foreign, id('A')])
      expect(refusal(await chatOf(ada).post(`tasks/${id('A')}/move`, { after }))).toMatchObject({
        status: 400,
        body: 'Invalid after',
      })
    await server.parley.db.query(sql`update topics set archived_at = 1 where id = ${topic}`)
    expect(refusal(await chatOf(ben).post(`tasks/${id('A')}/move`, { after: null }))).toMatchObject({
      status: 403,
      body: 'topic is archived',
    })
    adas.close()
  })

  it('come with the history as they are now; deleted ones are missing', async () => {
    const topic = await newTopic('Cards', [ada.profileId])
    const [kept, gone] = [await newTask(ada, 'Kept', {}, topic), await newTask(ada, 'Gone', {}, topic)]
    await chatOf(ada).patch(`tasks/${kept}`, { topicId: topic, status: 'Done' })
    await chatOf(ada).delete(`tasks/${gone}`)
    const { body } = await chatOf(ada).get(`topics/${topic}/history`)
    expect(Object(body).messages).toHaveLength(4)
    expect(Object(body).tasks).toEqual([
      expect.objectContaining({ id: kept, status: 'Done', createdBy: ada.profileId }),
    ])
  })
})

/** Runs each query with EXPLAIN, and adds up what it touched. */
class MeasuredDatabase implements Queryable {
  buffers = 0
  rows = 0
  async query<Row extends object>(query: Sql): Promise<Row[]> {
    const { text, values } = toStatement(query)
    const explained = await server.parley.db.pool.query({
      text: `explain (analyze, buffers, format json) ${text}`,
      values,
    })
    const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN']
    this.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    this.rows += rowsTouched(plan, 'tasks')
    return server.parley.db.query(query)
  }
}

describe('pages of tasks', () => {
  const MANY = 20_000
  const LIMIT = 20

  it(`cost the same with ${MANY} tasks, at the first page and in the middle`, async () => {
    const member = await signInAs(server, { orgId, name: 'Busy' })
    const topic = await newTopic('Busy', [member.profileId])
    await newTopic('Empty', [member.profileId])
    const id = sql`(lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid`
    await server.parley.db.query(sql`
      insert into tasks (org_id, id, topic_id, title, status, assignee, due_date, index, created_by, created_at, updated_at)
      select ${orgId}, ${id}, ${topic}, 'Task ' || n, case n % 2 when 0 then 'Open' else 'Done' end, ${member.profileId},
        case n % 3 when 0 then 0 else n * 1000 end, n, ${member.profileId}, n, n
      from generate_series(1, ${MANY}::integer) n`)
    await vacuumed(server.parley.db, ['tasks', 'topic_members'])
    const middle = MANY / 2
    const middleId = `${middle.toString(16).padStart(12, '0')}70008000000000000000`
    for (const status of ['Open', 'Done'] as const) {
      for (const role of ['assigned', 'created'] as const) {
        for (const after of [undefined, [middle * 1000, middleId] as [number, string]]) {
          const db = new MeasuredDatabase()
          const rows = await listMyTasks(member, db, {
            filters: { status, role },
            limit: LIMIT,
            ...(after && { after }),
          })
          expect(rows).toHaveLength(LIMIT + 1)
          expect({ status, role, rows: db.rows }).toEqual({ status, role, rows: LIMIT + 1 })
          expect(db.buffers).toBeLessThan(3 * LIMIT)
        }
      }
      for (const after of [undefined, [String(middle), middleId] as [string, string]]) {
        const db = new MeasuredDatabase()
        const rows = await listTopicTasks(member, db, topic, {
          status,
          limit: LIMIT,
          ...(after && { after }),
        })
        expect(rows).toHaveLength(LIMIT + 1)
        expect({ status, rows: db.rows }).toEqual({ status, rows: LIMIT + 1 })
        expect(db.buffers).toBeLessThan(3 * LIMIT)
      }
    }
  })
})
