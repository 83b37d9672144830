import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deactivateBot, setBot } from '../server/actions/bots/bots.ts'
import { sql } from '../server/db/sql.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { at, oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { sign } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'

const DAY_MS = 86_400_000

type Update = { updateId: string; eventType: string; createdAt: number; data: { message?: { text: string } } }
type Updates = { updates: Update[]; nextOffset: string }

let server: TestParley
let orgId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
})
afterAll(() => server.close())

/** A writer and a reader who share a topic; the reader has seen everything so far. */
async function cast() {
  const writer = await staticBot(server, orgId, 'Writer')
  const reader = await staticBot(server, orgId, 'Reader')
  const topic = await writer.post('/v2/topics', { name: 'News', members: [reader.id] })
  const topicId = (topic.body as { id: string }).id
  const { nextOffset } = await poll(reader)
  const say = (text: string) => writer.post('/v2/messages', { topicId, text })
  return { writer, reader, topicId, offset: nextOffset, say }
}

async function poll(bot: StaticTestBot, query: Record<string, string | number> = {}): Promise<Updates> {
  const { status, body, text } = await ask(bot, query)
  expect(status, text).toBe(200)
  return body as Updates
}

function ask(bot: StaticTestBot, query: Record<string, string | number>) {
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return bot.get(`/v2/updates${search.length > 0 ? `?${search.join('&')}` : ''}`)
}

const texts = ({ updates }: Updates) => updates.map(({ data }) => data.message?.text)

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen within 5 s')
    await new Promise(setImmediate)
  }
}

describe('updates that are there', () => {
  it('come at once, in order, with the data of the event, and only once when each offset is used', async () => {
    const { reader, offset, say } = await cast()
    await say('one')
    await say('two')
    const first = await poll(reader, { offset, timeout: 30 })
    expect(texts(first)).toEqual(['one', 'two'])
    expect(first.updates[0]).toMatchObject({
      updateId: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      eventType: 'message.created',
      createdAt: expect.any(Number),
      data: { message: { text: 'one', attachments: [], mentions: [] }, truncated: false },
    })
    expect((await poll(reader, { offset: first.nextOffset })).updates).toEqual([])
  })

  it('start with the oldest that is kept when there is no offset', async () => {
    const { reader, say } = await cast()
    await say('hello')
    const { updates } = await poll(reader)
    expect(updates.map(({ eventType }) => eventType)).toEqual(['member.added', 'message.created'])
  })

  it('can be had in pieces, and again from an older offset', async () => {
    const { reader, offset, say } = await cast()
    for (const text of ['a', 'b', 'c']) await say(text)
    const page = await poll(reader, { offset, limit: 2 })
    expect(texts(page)).toEqual(['a', 'b'])
    expect(texts(await poll(reader, { offset: page.nextOffset, limit: 2 }))).toEqual(['c'])
    expect(texts(await poll(reader, { offset }))).toEqual(['a', 'b', 'c'])
  })

  it('are confirmed as far as `confirm` says, where a bot reads ahead', async () => {
    const { reader, offset, say } = await cast()
    for (const text of ['a', 'b', 'c']) await say(text)
    const page = await poll(reader, { offset })
    const [a] = page.updates
    expect(texts(await poll(reader, { offset: page.nextOffset, confirm: 'nothing' }))).toEqual([])
    expect(texts(await poll(reader))).toEqual(['a', 'b', 'c'])
    expect(texts(await poll(reader, { offset: page.nextOffset, confirm: a?.updateId ?? '' }))).toEqual([])
    expect(texts(await poll(reader))).toEqual(['b', 'c'])
    expect((await ask(reader, { offset: page.nextOffset, confirm: 'something' })).status).toBe(400)
    expect((await ask(reader, { confirm: page.nextOffset.replace('.', '0.') })).status).toBe(400)
    expect(texts(await poll(reader)), 'a refused request confirms nothing').toEqual(['b', 'c'])
    await poll(reader, { offset: page.nextOffset })
    expect(texts(await poll(reader))).toEqual([])
  })

  it('accept the id of an update as an offset', async () => {
    const { reader, offset, say } = await cast()
    for (const text of ['a', 'b', 'c']) await say(text)
    const { updates } = await poll(reader, { offset })
    expect(texts(await poll(reader, { offset: updates[1]?.updateId ?? '' }))).toEqual(['c'])
  })

  it('reach bots with tokens the same way', async () => {
    const bot = await oauthBot(server, orgId, 'Token bot', ['updates:read'])
    const { status, body } = await bot.get('/v2/updates')
    expect([status, body]).toEqual([200, { updates: [], nextOffset: expect.any(String) }])
  })
})

describe('a poll that waits', () => {
  it('is answered by the next message', async () => {
    const { reader, offset, say } = await cast()
    const waiting = poll(reader, { offset, timeout: 30 })
    await until(() => server.parley.longPolls.count === 1)
    await say('there you are')
    expect(texts(await waiting)).toEqual(['there you are'])
    expect(server.parley.longPolls.count).toBe(0)
  })

  it('is answered on any node the message was sent to', async () => {
    const { reader, offset, say } = await cast()
    const node = await server.secondNode()
    const waiting = poll(at(node.url, reader), { offset, timeout: 30 })
    await until(() => node.parley.longPolls.count === 1)
    await say('from the other node')
    expect(texts(await waiting)).toEqual(['from the other node'])
  })

  it('finds the message also when its wake-up got lost', async () => {
    const { reader, offset, topicId } = await cast()
    const node = await server.secondNode()
    const waiting = poll(at(server.url, reader), { offset, timeout: 30 })
    await until(() => server.parley.longPolls.count === 1)
    node.parley.db.onCommit = () => {} // commits, and dies before it announces the commit
    const writer = at(node.url, await staticBot(server, orgId, 'Doomed writer'))
    await server.parley.db.query(sql`
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
      select org_id, topic_id, ${writer.id}, topic_created_at, joined_at
      from topic_members where org_id = ${orgId} and topic_id = ${topicId} and profile_id = ${reader.id}`)
    await writer.post('/v2/messages', { topicId, text: 'unannounced' })
    expect(texts(await waiting)).toEqual(['unannounced'])
  })

  it('gets an empty list and an offset when its time is up', async () => {
    const { reader, offset, say } = await cast()
    const { updates, nextOffset } = await poll(reader, { offset, timeout: 1 })
    expect(updates).toEqual([])
    await say('later')
    expect(texts(await poll(reader, { offset: nextOffset }))).toEqual(['later'])
  })

  it('does not wake for what is not for its bot', async () => {
    const { reader, offset } = await cast()
    const other = await cast()
    const waiting = poll(reader, { offset, timeout: 1 })
    await until(() => server.parley.longPolls.count === 1)
    await other.say('not for you')
    expect((await waiting).updates).toEqual([])
  })

  it('is one of several of the same bot, which are all answered', async () => {
    const { reader, offset, say } = await cast()
    const waiting = [1, 2, 3].map(() => poll(reader, { offset, timeout: 30 }))
    await until(() => server.parley.longPolls.count === 3)
    await say('for all')
    expect((await Promise.all(waiting)).map(texts)).toEqual([['for all'], ['for all'], ['for all']])
  })

  it('is refused where so many of its bot wait already, which go on waiting; other bots may wait', async () => {
    const node = await server.secondNode({ maxPollsPerBot: 3 })
    const { reader, writer, offset, say } = await cast()
    const here = at(node.url, reader)
    const waiting = Array.from({ length: 3 }, () => poll(here, { offset, timeout: 20 }))
    await until(() => node.parley.longPolls.count === 3)
    const refused = await ask(here, { offset, timeout: 20 })
    expect([refused.status, refused.body]).toEqual([429, 'too many polls of this bot are waiting already'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await ask(here, { offset })).status).toBe(200)
    const { nextOffset } = await poll(at(node.url, writer))
    const other = poll(at(node.url, writer), { offset: nextOffset, timeout: 20 })
    await until(() => node.parley.longPolls.count === 4)
    await say('for all three')
    for (const answer of await Promise.all(waiting)) expect(texts(answer)).toEqual(['for all three'])
    await other
    expect(node.parley.longPolls.count).toBe(0)
  })

  it('leaves nothing behind when its client goes away', async () => {
    const { reader, offset } = await cast()
    const path = `/v2/updates?offset=${offset}&timeout=30`
    const timestamp = String(Date.now())
    const client = request(server.url + path, {
      headers: {
        authorization: `Bearer ${reader.credentials.apiKey}`,
        'x-timestamp': timestamp,
        'x-signature': sign(reader.credentials.apiSecret, timestamp, path),
      },
    })
    client.on('error', () => {})
    client.end()
    await until(() => server.parley.longPolls.count === 1)
    client.destroy()
    await until(() => server.parley.longPolls.count === 0)
  })

  it('ends when its bot changes to webhooks', async () => {
    const { reader, offset } = await cast()
    const waiting = ask(reader, { offset, timeout: 30 })
    await until(() => server.parley.longPolls.count === 1)
    await server.parley.db.write(orgId, (tx) =>
      setBot(tx, reader.id, { delivery: 'webhook', webhookUrl: 'https://example.com/hook' }),
    )
    expect(await waiting).toMatchObject({ status: 409, body: 'delivery mode is not polling' })
    expect(await ask(reader, {})).toMatchObject({ status: 409, body: 'delivery mode is not polling' })
  })

  it('is turned away when its bot is deactivated', async () => {
    const { reader, offset, say } = await cast()
    const waiting = ask(reader, { offset, timeout: 30 })
    await until(() => server.parley.longPolls.count === 1)
    await server.parley.db.write(orgId, (tx) => deactivateBot(tx, reader.id))
    await say('not for you any more')
    expect(await waiting).toMatchObject({ status: 401, body: 'unauthorized' })
  })

  it('is answered with an empty list when the server stops', async () => {
    const { reader, offset, say } = await cast()
    const node = await server.secondNode()
    const waiting = poll(at(node.url, reader), { offset, timeout: 30 })
    await until(() => node.parley.longPolls.count === 1)
    const closing = node.app.close()
    const { updates, nextOffset } = await waiting
    await closing
    expect(updates).toEqual([])
    await say('after the stop')
    expect(texts(await poll(reader, { offset: nextOffset }))).toEqual(['after the stop'])
  })
})

describe('what is refused', () => {
  let bot: StaticTestBot
  beforeAll(async () => {
    bot = await staticBot(server, orgId, 'Refused')
  })

  it.each([
    ['limit', 0, 'limit must be between 1 and 100'],
    ['limit', 101, 'limit must be between 1 and 100'],
    ['limit', 'x', 'limit must be between 1 and 100'],
    ['timeout', -1, 'timeout must be between 0 and 30'],
    ['timeout', 31, 'timeout must be between 0 and 30'],
    ['timeout', '1.5', 'timeout must be between 0 and 30'],
    ['offset', '', 'invalid offset'],
    ['offset', 'nonsense', 'invalid offset'],
    ['offset', '0.AAAAAAAAAAAAAAAA', 'invalid offset'],
    ['offset', 'evt_0197a1b2-c3d6-7b8c-9d0e', 'invalid offset'],
  ])('%s=%s', async (name, value, message) => {
    expect(await ask(bot, { [name]: value })).toMatchObject({ status: 400, body: message })
  })

  it('is an offset of another bot, and an update of another bot', async () => {
    const { reader, writer, say, offset } = await cast()
    const stranger = await staticBot(server, orgId, 'Stranger')
    await say('mine')
    const { nextOffset, updates } = await poll(reader, { offset })
    for (const foreign of [nextOffset, updates[0]?.updateId ?? '']) {
      expect(await ask(stranger, { offset: foreign })).toMatchObject({ status: 400, body: 'invalid offset' })
    }
    expect((await ask(writer, { offset: updates[0]?.updateId ?? '' })).status).toBe(200)
  })
})

describe('retention', () => {
  it('removes what is too old, refuses offsets into it, and keeps the rest', async () => {
    const old = await startTestParley()
    try {
      const org = await organization(old)
      const bot = await staticBot(old, org)
      const { body } = await bot.post('/v2/topics', { name: 'Old news', members: [] })
      const topicId = (body as { id: string }).id
      const { nextOffset: start } = await poll(bot)
      for (let count = 0; count < 3; count++)
        await bot.post('/v2/messages', { topicId, text: `old ${count}` })
      const { updates: before } = await poll(bot)
      old.clock.ahead = 8 * DAY_MS
      const late = { timestamp: String(Date.now() + old.clock.ahead) }
      await bot.post('/v2/messages', { topicId, text: 'new' }, late)
      await removeOldEvents(old.parley.db, old.parley.clock(), 7 * DAY_MS)

      const answer = await bot.get('/v2/updates', late)
      expect(texts(answer.body as Updates)).toEqual(['new'])
      for (const gone of [start, before[0]?.updateId]) {
        expect(await bot.get(`/v2/updates?offset=${gone}`, late)).toMatchObject({
          status: 409,
          body: 'offset is no longer available',
        })
      }
      const [left] = await old.parley.db.query<{ events: number }>(sql`
        select count(*) as events from events`)
      expect(left).toEqual({ events: 1 })
      const { nextOffset } = answer.body as Updates
      expect((await bot.get(`/v2/updates?offset=${nextOffset}`, late)).status).toBe(200)
    } finally {
      await old.close()
    }
  })

  it('moves on the offset of a bot that only ever sees silence', async () => {
    const { reader, offset, writer } = await cast()
    const { body } = await writer.post('/v2/topics', { name: 'Elsewhere', members: [] })
    for (let count = 0; count < 3; count++) {
      await writer.post('/v2/messages', { topicId: (body as { id: string }).id, text: 'not for the reader' })
    }
    const { nextOffset } = await poll(reader, { offset })
    expect(nextOffset).not.toBe(offset)
  })
})
