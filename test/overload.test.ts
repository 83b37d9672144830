import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedHeaders } from '../sdk/signing.ts'
import { sql } from '../server/db/sql.ts'
import { Shedding } from '../server/http/shedding.ts'
import { Ceilings } from '../server/limits/ceilings.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { whileItWaits } from './support/locks.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send, sendBytes } from './support/wire.ts'

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

function asBytes(
  { method, target, body }: { method: string; target: string; body: string },
  headers: Record<string, string>,
): string {
  const all = {
    Host: 'parley',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
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

describe('a turn of the event loop that brings more messages than can be begun', () => {
  it('refuses the rest unread, keeps what it began, and lets reads through', async () => {
    // A quarter of it is 1 ms: reading 200 messages that came in one piece takes more, whatever the machine.
    const server = await startTestParley({ queueMs: 4 })
    try {
      const flood = await team(server, 'Flood')
      const { bot, topicId } = flood
      const body = JSON.stringify({ topicId, text: 'Hello' })
      const signed = { method: 'POST', target: '/v2/messages', body }
      const requests: string[] = []
      for (let number = 0; number < 200; number++)
        requests.push(asBytes(signed, await signedHeaders(bot.credentials, signed)))
      const me = { method: 'GET', target: '/v2/members/me', body: '' }
      requests.push(asBytes(me, { ...(await signedHeaders(bot.credentials, me)), Connection: 'close' }))
      const answers = (await sendBytes(server.url, requests.join(''))).split(/(?=HTTP\/1.1 )/)
      expect(answers.pop()).toMatch(/^HTTP\/1.1 200 /)
      const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '))
      const written = answers.filter((answer) => answer.startsWith('HTTP/1.1 201 ')).length
      expect(written + refused.length).toBe(200)
      expect(await countMessages(server, flood)).toBe(written)
      for (const answer of refused) {
        expect(answer).toContain('"the server is busy, try again"')
        expect(answer).toMatch(/^retry-after: 1\r\n/im)
        expect(answer).toMatch(/^x-request-id: req_/im)
      }
      const { text } = await send(server.url, { method: 'GET', target: '/metrics' })
      const count = (limit: string) =>
        Number(new RegExp(`parley_limit_refusals_total{limit="${limit}"} (\\d+)`).exec(text)?.[1])
      expect(count('turn_ms')).toBeGreaterThan(0)
      expect(count('turn_ms') + count('message_queue_ms')).toBe(refused.length)
    } finally {
      await server.close()
    }
  })

  it('has a bound that is narrower for ten times QUEUE_MS after it was reached; each organization may begin one more', async () => {
    let now = 0
    const ceilings = new Ceilings()
    const shedding = new Shedding(1000, ceilings, () => now)
    const turn = async (...steps: [after: number, owner: string][]) => {
      const began = now
      shedding.noteRequest()
      const admitted = steps.map(([after, owner]) => {
        now = began + after
        return shedding.admits(() => owner)
      })
      await new Promise(setImmediate)
      return admitted
    }
    expect(await turn([0, 'a'], [250, 'a'], [251, 'a'])).toEqual([true, true, true])
    expect(await turn([26, 'a'], [251, 'a'], [252, 'a'], [253, 'b'], [254, 'b'])).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
    expect(await turn([25, 'a'], [26, 'a'], [27, 'a'])).toEqual([true, true, false])
    now += 10_001
    expect(await turn([250, 'a'])).toEqual([true])
    expect(ceilings.all.map(({ name, limit, refusals }) => [name, limit, refusals])).toEqual([
      ['turn_ms', 250, 3],
    ])
  })

  it('answers its refusals some in each turn, so that the next requests of the same senders wait', async () => {
    let now = 0
    const shedding = new Shedding(1000, new Ceilings(), () => now)
    const perTurn: number[] = []
    let answered = 0
    for (let number = 0; number < 25; number++) {
      shedding.later(() => {
        now += 1
        answered += 1
      })
    }
    while (answered < 25) {
      await new Promise(setImmediate)
      perTurn.push(answered)
    }
    expect(perTurn).toEqual([10, 20, 25])
  })
})
