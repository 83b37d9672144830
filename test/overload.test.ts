import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { PacedRefusals } from '../server/http/paced-refusals.ts'
import { FairQueue, type Waiting } from '../server/limits/fair-queue.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { whileItWaits } from './support/locks.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

const FLUSH = 8

type Team = { bot: StaticTestBot; topicId: string }

async function team(server: TestParley, name: string): Promise<Team> {
  const bot = await staticBot(server, await organization(server, name))
  const topic = await bot.post('/v2/topics', { name: 'Everything', members: [] })
  return { bot, topicId: String(Object(topic.body).id) }
}

async function countMessages({ parley }: TestParley, { bot, topicId }: Team): Promise<number> {
  const [row] = await parley.db.query<{ count: number }>(sql`
    select count(*) from messages where org_id = ${bot.orgId} and topic_id = ${topicId}`)
  return row?.count ?? 0
}

describe('organizations that send at the same time', () => {
  let server: TestParley
  beforeAll(async () => {
    server = await startTestParley({ groupLimit: FLUSH, queueMs: 0 })
  })
  afterAll(() => server.close())

  it('take turns: one with hundreds of messages in the queue does not keep the others waiting', async () => {
    const [large, small] = [await team(server, 'Large'), await team(server, 'Small')]
    const write = ({ bot, topicId }: Team, text: string) =>
      server.parley.messages.sendNow({ orgId: bot.orgId, profileId: bot.id }, { topicId, text })
    let answered = 0
    const flood = Array.from({ length: 400 }, async (_, index) => {
      await write(large, `${index}`)
      answered += 1
    })
    const own = await Promise.all(
      Array.from({ length: 3 }, async (_, index) => {
        await write(small, `${index}`)
        return answered
      }),
    )
    // The first of the flood was under way by itself, and two flushes may be settled together.
    expect(Math.max(...own)).toBeLessThanOrEqual(1 + 2 * FLUSH)
    await Promise.all(flood)
    const page = await large.bot.get(`/v2/topics/${large.topicId}/messages?order=asc&limit=100`)
    const texts = Object(page.body).messages.map(({ text }: { text: string }) => text)
    expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`))
    expect([await countMessages(server, large), await countMessages(server, small)]).toEqual([400, 3])
  })
})

describe('messages that cannot begin to be written in time', () => {
  let server: TestParley
  beforeAll(async () => {
    server = await startTestParley({ groupLimit: FLUSH, queueMs: 50 })
  })
  afterAll(() => server.close())

  it('are refused with 503 at once and written never; what has begun is finished, and reads go on', async () => {
    const [held, waiting] = [await team(server, 'Held'), await team(server, 'Waiting')]
    const post = ({ bot, topicId }: Team) => bot.post('/v2/messages', { topicId, text: 'Hello' })
    let refusals: Answer[] = []
    let written = 0
    const first = await whileItWaits(
      server,
      (open) => open.query(sql`select 1 from organization_logs where org_id = ${held.bot.orgId} for update`),
      () => post(held),
      async () => {
        // The flush that holds up everybody gives up its wait after half a second; 50 ms are over before.
        const sending = Promise.all(Array.from({ length: 20 }, () => post(waiting)))
        expect((await waiting.bot.get('/v2/members/me')).status).toBe(200)
        expect((await waiting.bot.get('/v2/updates?timeout=1')).status).toBe(200)
        const answers = await sending
        refusals = answers.filter(({ status }) => status === 503)
        written = answers.filter(({ status }) => status === 201).length
        expect(refusals.length + written).toBe(20)
      },
    )
    expect(first.status).toBe(201)
    expect(refusals.length).toBeGreaterThan(0)
    for (const { body, headers } of refusals) {
      expect(body).toBe('the server is busy, try again')
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect([await countMessages(server, held), await countMessages(server, waiting)]).toEqual([1, written])
    expect((await post(waiting)).status).toBe(201)
    const { text } = await send(server.url, { method: 'GET', target: '/metrics' })
    expect(text).toContain(`parley_limit_refusals_total{limit="message_queue_ms"} ${refusals.length}\n`)
  })
})

describe('an organization that sends more than can be written', () => {
  let server: TestParley
  beforeAll(async () => {
    server = await startTestParley({ groupLimit: 1, queueMs: 500 })
  })
  afterAll(() => server.close())

  it('is turned away before anything of a request is read, and others are served', async () => {
    const [large, small] = [await team(server, 'Large'), await team(server, 'Small')]
    const post = ({ bot, topicId }: Team, options = {}) =>
      bot.post('/v2/messages', { topicId, text: 'Hello' }, options)
    const forged = { signature: 'a'.repeat(64) }
    expect((await post(large, forged)).status).toBe(401)
    let isOver = false
    onTestFinished(() => {
      isOver = true
    })
    const flood = Array.from({ length: 50 }, async () => {
      const caller = { orgId: large.bot.orgId, profileId: large.bot.id }
      while (!isOver)
        await server.parley.messages.sendNow(caller, { topicId: large.topicId, text: 'More' }).catch(() => {})
    })
    await eventually(async () => (await post(large, forged)).status).toBe(503)
    await eventually(async () => (await post(small)).status).toBe(201)
    expect((await large.bot.get('/v2/members/me')).status).toBe(200)
    await eventually(async () => {
      const { status, body, headers } = await post(large)
      return { status, body, retryAfter: headers.get('retry-after') }
    }).toEqual({ status: 503, body: 'the server is busy, try again', retryAfter: '1' })
    isOver = true
    await Promise.all(flood)
    await eventually(async () => (await post(large)).status).toBe(201)
    expect((await post(large, forged)).status).toBe(401)
  })
})

describe('refusals', () => {
  it('are handed out a few in each turn of the event loop', async () => {
    const refusals = new PacedRefusals()
    const answered: number[] = []
    for (let number = 0; number < 150; number++) refusals.add(() => answered.push(number))
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      counts.push(answered.length)
      await new Promise(setImmediate)
    }
    expect(counts).toEqual([0, 64, 128, 150])
    expect(answered).toEqual(answered.toSorted((one, other) => one - other))
  })
})

describe('a queue in which more waits than can be done', () => {
  type Named = Waiting & { name: string }
  const PATIENCE_MS = 1000
  const STALL_MS = 10_000
  const ROOM = 8
  let refused: string[]
  let queue: FairQueue<Named>
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    refused = []
    queue = new FairQueue<Named>({ queueMs: PATIENCE_MS, stallMs: STALL_MS }, ({ name }) =>
      refused.push(name),
    )
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const add = (name: string, count = 1) => {
    for (let number = 0; number < count; number++) queue.add(name, { ...queue.arrival(), name })
  }
  /** Finishes one a millisecond, while there is always another. */
  const keepBusy = (ms: number) => {
    for (let time = 0; time < ms; time++) {
      add('large')
      vi.advanceTimersByTime(1)
      takeAll(1)
    }
  }
  /** Finishes work at once. */
  const takeAll = (limit: number) => {
    const taken = queue.take(limit)
    queue.done()
    return taken.map(({ name }) => name)
  }

  it('refuses nothing in a burst', () => {
    add('large', 1000)
    vi.advanceTimersByTime(PATIENCE_MS / 2)
    expect(queue.turnsAway('large', ROOM)).toBe(false)
    expect(queue.isCrowded).toBe(false)
  })

  it('refuses names that have used their share of the room, and no others', () => {
    add('large', 50)
    keepBusy(PATIENCE_MS + 1)
    expect(queue.isCrowded).toBe(true)
    expect(queue.turnsAway('large', ROOM)).toBe(true)
    expect(queue.turnsAway('small', ROOM)).toBe(false)
    add('small', ROOM / 2 - 1)
    expect(queue.turnsAway('small', ROOM)).toBe(false)
    add('small')
    expect(queue.turnsAway('small', ROOM)).toBe(true)
  })

  it('goes on doing so although it gets empty, until nothing was refused for a while', () => {
    add('large', 50)
    keepBusy(PATIENCE_MS + 1)
    expect(queue.turnsAway('large', ROOM)).toBe(true)
    takeAll(1000)
    vi.advanceTimersByTime(PATIENCE_MS - 1)
    add('large', ROOM)
    expect(queue.turnsAway('large', ROOM)).toBe(true)
    takeAll(1000)
    vi.advanceTimersByTime(PATIENCE_MS + 1)
    add('large', ROOM)
    expect(queue.turnsAway('large', ROOM)).toBe(false)
  })

  it('gives up what has waited for a tenth of the time', () => {
    add('large', 300)
    keepBusy(PATIENCE_MS + 1)
    expect(refused.length).toBeGreaterThan(0)
    add('late')
    vi.advanceTimersByTime(PATIENCE_MS / 5)
    expect(refused).toContain('late')
  })

  /** Adds a message each 5 ms while taken work does not come back. */
  const stall = (ms: number) => {
    add('slow')
    queue.take(1)
    for (let time = 0; time < ms; time += 5) {
      add('waiting')
      vi.advanceTimersByTime(5)
    }
    queue.done()
  }

  it('gives up nothing in a stall, nor while what came in it is taken', () => {
    stall(5000)
    expect([queue.size, refused]).toEqual([1000, []])
    for (let time = 0; time < 3000; time += 10) {
      add('new')
      vi.advanceTimersByTime(10)
      takeAll(4)
    }
    expect([queue.isCrowded, refused]).toEqual([false, []])
  })

  it('gives up in a stall what has waited for as long as a stall may last', () => {
    stall(STALL_MS + 1000)
    expect(refused.length).toBeGreaterThan(150)
    expect(refused.length).toBeLessThan(250)
  })

  it('stays short in a stall that comes in the middle of an overload', () => {
    add('large', 300)
    keepBusy(PATIENCE_MS + 1)
    add('slow')
    queue.take(1)
    for (let time = 0; time < 5000; time += 5) {
      if (!queue.turnsAway('large', ROOM)) add('large')
      vi.advanceTimersByTime(5)
    }
    queue.done()
    expect(queue.isCrowded).toBe(true)
    expect(queue.size).toBeLessThan(PATIENCE_MS / 10 + ROOM)
  })
})
