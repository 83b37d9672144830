import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
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
