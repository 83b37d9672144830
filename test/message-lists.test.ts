import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import { type NewMessage, postMessage } from '../server/actions/messages/messages.ts'
import { createTopic } from '../server/actions/topics/topics.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'
const LAST_TIME = 8_640_000_000_000_000

type Page = { messages: Message[]; nextCursor?: string; hasMore: boolean }
type Sent = {
  id: string
  createdAt: number
  senderId: string
  isSystem: boolean
  parentId: string | undefined
}

let server: TestParley
let lighthouse: string
let deploy: StaticTestBot
let calendar: StaticTestBot
let ada: string
let nele: string

beforeAll(async () => {
  server = await startTestParley()
  lighthouse = await organization(server, 'Lighthouse Labs')
  deploy = await staticBot(server, lighthouse, 'Deploy bot')
  calendar = await staticBot(server, lighthouse, 'Calendar bot')
  ada = await person(server, lighthouse, 'Ada Okafor')
  nele = await person(server, lighthouse, '"Nele" \\ Brandt \u2028 \x7f\x1e')
})
afterAll(() => server.close())

async function topic(): Promise<string> {
  const wanted = { createdBy: deploy.id, name: 'Releases', members: [calendar.id, ada, nele] }
  return (await server.parley.db.write(lighthouse, (tx) => createTopic(tx, wanted))).id
}
async function post(topicId: string, message: Partial<NewMessage> = {}): Promise<Sent> {
  const { senderId = deploy.id, isSystem = false, parentId } = message
  const wanted = { topicId, type: 'text' as const, text: 'Hello', ...message, senderId, isSystem, parentId }
  const sent = await server.parley.db.write(lighthouse, (tx) => postMessage(tx, wanted))
  return { ...sent, senderId, isSystem, parentId }
}
async function postMany(topicId: string, count: number): Promise<string[]> {
  return server.parley.db.write(lighthouse, async (tx) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++)
      ids.push(
        (await postMessage(tx, { topicId, senderId: deploy.id, type: 'text', text: `Message ${n}` })).id,
      )
    return ids
  })
}
type Query = Record<string, string | number | boolean | undefined>
const listPath = (topicId: string, query: Query = {}) => {
  const parts = Object.entries(query).flatMap(([name, value = '']) =>
    query[name] === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `/v2/topics/${topicId}/messages${parts.length === 0 ? '' : `?${parts.join('&')}`}`
}
async function page(topicId: string, query: Query = {}, bot = deploy): Promise<Page> {
  const { status, body } = await bot.get(listPath(topicId, query))
  expect([status, body]).toEqual([200, expect.anything()])
  return Object(body)
}
/** Characters that JSON escapes, those that it does not have to, and those of two to four bytes. */
const everyLetter = `${Array.from({ length: 0x2ff }, (_, code) => String.fromCharCode(code + 1)).join('')}\u2028\u2029\ufeff\uffff€🎉`
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

/** All items from the first page to the last. Every page but the last one is full and has a cursor. */
async function pages(topicId: string, { limit, ...query }: Query & { limit: number }): Promise<string[]> {
  const first = await page(topicId, { ...query, limit })
  const seen = [...first.messages]
  let { nextCursor } = first
  while (nextCursor !== undefined) {
    const next = await page(topicId, { cursor: nextCursor, limit })
    expect(seen.length % limit).toBe(0)
    seen.push(...next.messages)
    nextCursor = next.nextCursor
  }
  return idsOf(seen)
}

describe('the messages of a topic', () => {
  it('are newest first, 50 a page, with a cursor exactly when there is more', async () => {
    const topicId = await topic()
    expect(await page(topicId)).toEqual({ messages: [], hasMore: false })
    const ids = (await postMany(topicId, 51)).reverse()
    const first = await page(topicId)
    expect(idsOf(first.messages)).toEqual(ids.slice(0, 50))
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
    const second = await page(topicId, { cursor: first.nextCursor })
    expect(second).toEqual({ messages: [expect.objectContaining({ id: ids[50] })], hasMore: false })
    expect(await page(topicId, { limit: 51 })).not.toHaveProperty('nextCursor')
    expect(await page(topicId, { limit: 51 })).toMatchObject({ hasMore: false })
    expect((await page(topicId, { limit: 1 })).messages).toHaveLength(1)
    expect((await page(topicId, { limit: 100 })).messages).toHaveLength(51)
  })

  it('are the records that a single read gives, letter for letter', async () => {
    const topicId = await topic()
    const parent = await post(topicId, { text: `<@${ada}>`, mentions: [ada], externalId: 'first' })
    await post(topicId, { parentId: parent.id, senderId: ada })
    await calendar.post(`/v2/messages/${parent.id}/reactions`, { reaction: '🎉' })
    await deploy.patch(`/v2/messages/${parent.id}`, { text: `<@${ada}> hello` })
    await post(topicId, { text: everyLetter, externalId: '"\\\x1e\n' })
    const location = { latitude: '52.5', longitude: '13.4' }
    await post(topicId, { type: 'location', text: '', details: { location } })
    const plain = await post(topicId, { isSystem: true, senderId: nele })
    await post(topicId, { parentId: plain.id, text: '' })
    await deploy.patch(`/v2/messages/${(await post(topicId)).id}`, { text: 'edited' })
    const { messages } = await page(topicId)
    // A single read has two names more for its ids.
    const single = messages.map(async ({ id }) =>
      (await deploy.get(`/v2/messages/${id}`)).text.replace(/,"messageId":"[^"]+","channelId":"[^"]+"/, ''),
    )
    const { text } = await deploy.get(listPath(topicId))
    expect(text).toBe(`{"messages":[${(await Promise.all(single)).join(',')}],"hasMore":false}`)
    expect(messages).toHaveLength(7)
    // A page of another length was not kept.
    expect((await page(topicId.toUpperCase(), { limit: 40 })).messages).toEqual(messages)
  })

  it.each([
    ['limit must be between 1 and 100', { limit: 0 }],
    ['limit must be between 1 and 100', { limit: 101 }],
    ['limit must be between 1 and 100', { limit: '1.5' }],
    ['limit must be between 1 and 100', { limit: '' }],
    ['invalid cursor', { cursor: '' }],
    ['invalid cursor', { cursor: 'nonsense' }],
    ['invalid cursor', { cursor: 'e30.e30' }],
    ['before and after cannot be used together', { before: 1, after: 1 }],
    ['before and after cannot be used together', { before: 0, after: 0 }],
    [`before must be between 0 and ${LAST_TIME}`, { before: 'yesterday' }],
    [`before must be between 0 and ${LAST_TIME}`, { before: -1 }],
    [`after must be between 0 and ${LAST_TIME}`, { after: LAST_TIME + 1 }],
    [`after must be between 0 and ${LAST_TIME}`, { after: '' }],
    ['order must be "asc" or "desc"', { order: 'newest' }],
    ['order must be "asc" or "desc"', { order: 'ASC' }],
    ['includeSystem must be true or false', { includeSystem: 'yes' }],
    ['includeReactionUsers must be true or false', { includeReactionUsers: 1 }],
    ['Invalid senderId', { senderId: 'ada' }],
    ['Invalid threadId', { threadId: 'above' }],
  ])('are refused with "%s" (%#), in a topic and where there is none', async (text, query) => {
    for (const topicId of [await topic(), UNKNOWN]) {
      const { status, body } = await deploy.get(listPath(topicId, query))
      expect([status, body]).toEqual([400, text])
    }
  })

  it('ignore parameters that they do not know', async () => {
    const topicId = await topic()
    await postMany(topicId, 2)
    expect((await page(topicId, { sender: 'ada', page: 7 })).messages).toHaveLength(2)
  })

  it('are refused for a malformed topic', async () => {
    const { status, body } = await deploy.get('/v2/topics/releases/messages')
    expect([status, body]).toEqual([400, 'Invalid topicId'])
  })
})

describe('filters', () => {
  let topicId: string
  const sent: Sent[] = []
  let parents: string[]
  let crowdedTime: number

  /** Some 40 messages of three senders in two threads, a third of them of the system, 8 in one millisecond. */
  beforeAll(async () => {
    topicId = await topic()
    const senders = [deploy.id, calendar.id, ada]
    const roots = [await post(topicId), await post(topicId, { senderId: ada })]
    parents = idsOf(roots)
    sent.push(...roots)
    for (let n = 0; n < 40; n++) {
      if (n === 10)
        server.clock.ahead -= 60_000 // a clock that goes back: ids and times must not
      else if (n < 10 || n > 17) server.clock.ahead += 5
      if (n === 18) server.clock.ahead += 60_000
      const parentId = [undefined, parents[0], parents[1], undefined][n % 4]
      sent.push(
        await post(topicId, {
          senderId: senders[n % 3] ?? ada,
          parentId,
          isSystem: n % 5 === 2 || n % 7 === 0,
        }),
      )
    }
    crowdedTime = sent[15]?.createdAt ?? 0
    expect(sent.filter(({ createdAt }) => createdAt === crowdedTime).length).toBeGreaterThanOrEqual(8)
  })

  type Filters = {
    order: 'asc' | 'desc' | undefined
    includeSystem: boolean | undefined
    senderId: string | undefined
    threadId: string | undefined
    before: number | undefined
    after: number | undefined
  }
  function expected({ order, includeSystem, senderId, threadId, before, after }: Filters): string[] {
    const fitting = sent.filter(
      (message) =>
        (includeSystem !== false || !message.isSystem) &&
        (senderId === undefined || message.senderId === senderId) &&
        (threadId === undefined || message.parentId === threadId) &&
        (before === undefined || message.createdAt < before) &&
        (after === undefined || message.createdAt > after),
    )
    return idsOf(order === 'asc' ? fitting : fitting.reverse())
  }
  const none = {
    order: undefined,
    includeSystem: undefined,
    senderId: undefined,
    threadId: undefined,
    before: undefined,
    after: undefined,
  }

  it('times and ids never go back, though the clock did', () => {
    expect(idsOf(sent)).toEqual(idsOf(sent).sort())
    expect(sent.map(({ createdAt }) => createdAt)).toEqual(sent.map(({ createdAt }) => createdAt).sort())
  })

  it('leave the messages of one sender, a bot or a person', async () => {
    for (const senderId of [calendar.id, ada]) {
      const { messages } = await page(topicId, { senderId })
      expect(idsOf(messages)).toEqual(expected({ ...none, senderId }))
      expect(new Set(messages.map((message) => message.senderId))).toEqual(new Set([senderId]))
      expect(
        (await page(topicId, { senderId: senderId.toUpperCase().replace('B@', 'b@') })).messages,
      ).toEqual(messages)
    }
    expect(await page(topicId, { senderId: UNKNOWN })).toEqual({ messages: [], hasMore: false })
  })

  it('leave the replies to one message, without it', async () => {
    const [threadId] = parents
    const { messages } = await page(topicId, { threadId })
    expect(idsOf(messages)).toEqual(expected({ ...none, threadId }))
    expect(idsOf(messages)).not.toContain(threadId)
    expect(await page(topicId, { threadId: UNKNOWN })).toEqual({ messages: [], hasMore: false })
    expect(await page(await topic(), { threadId })).toEqual({ messages: [], hasMore: false })
  })

  it('leave out system messages only when asked to', async () => {
    expect((await page(topicId)).messages.some(({ isSystem }) => isSystem)).toBe(true)
    expect((await page(topicId, { includeSystem: true })).messages).toEqual((await page(topicId)).messages)
    const { messages } = await page(topicId, { includeSystem: false })
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.some(({ isSystem }) => isSystem)).toBe(false)
  })

  it('bound the time on one side, exclusively', async () => {
    const timesOf = async (query: Query) =>
      (await page(topicId, query)).messages.map(({ createdAt }) => createdAt)
    const before = await timesOf({ before: crowdedTime })
    const after = await timesOf({ after: crowdedTime })
    const at = sent.filter(({ createdAt }) => createdAt === crowdedTime).length
    expect(before.every((time) => time < crowdedTime)).toBe(true)
    expect(after.every((time) => time > crowdedTime)).toBe(true)
    expect(before.length + at + after.length).toBe(sent.length)
    expect(await timesOf({ before: crowdedTime + 1 })).toHaveLength(before.length + at)
    expect(await timesOf({ after: crowdedTime - 1 })).toHaveLength(after.length + at)
  })

  it('take the first and the last time there is', async () => {
    const all = idsOf(sent).reverse()
    expect(idsOf((await page(topicId, { after: 0 })).messages)).toEqual(all)
    expect(idsOf((await page(topicId, { before: LAST_TIME })).messages)).toEqual(all)
    expect(await page(topicId, { before: 0 })).toEqual({ messages: [], hasMore: false })
    expect(await page(topicId, { after: LAST_TIME })).toEqual({ messages: [], hasMore: false })
  })

  const bounds = [
    ['without bounds', () => ({})],
    ['before a time', () => ({ before: crowdedTime })],
    ['after a time', () => ({ after: crowdedTime })],
  ] as const
  it.each(bounds)('work in every combination and page by page, %s', async (_what, bound) => {
    for (const order of ['asc', 'desc'] as const) {
      for (const includeSystem of [undefined, false]) {
        for (const senderId of [undefined, calendar.id]) {
          for (const threadId of [undefined, parents[0]]) {
            const filters = { ...none, order, includeSystem, senderId, threadId, ...bound() }
            expect(await pages(topicId, { ...filters, limit: 8 })).toEqual(expected(filters))
          }
        }
      }
    }
  })

  it('show who reacted only when asked to, and a cursor remembers that', async () => {
    const reacted = await topic()
    const ids = await postMany(reacted, 3)
    for (const id of ids) {
      await calendar.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' })
      await deploy.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' })
    }
    const plain = [{ emoji: '🎉', count: 2 }]
    for (const query of [{}, { includeReactionUsers: false }]) {
      expect((await page(reacted, query)).messages.map(({ reactions }) => reactions)).toEqual([
        plain,
        plain,
        plain,
      ])
    }
    const named = [{ emoji: '🎉', count: 2, userIds: [calendar.id, deploy.id] }]
    const first = await page(reacted, { includeReactionUsers: true, limit: 2 })
    expect(first.messages.map(({ reactions }) => reactions)).toEqual([named, named])
    const second = await page(reacted, { cursor: first.nextCursor })
    expect(second.messages.map(({ reactions }) => reactions)).toEqual([named])
  })
})

describe('cursors', () => {
  it('keep the filters and the order of their list, whatever else is asked for', async () => {
    const topicId = await topic()
    const ids = await postMany(topicId, 6)
    await post(topicId, { senderId: ada })
    const first = await page(topicId, { order: 'asc', senderId: deploy.id, limit: 2 })
    expect(idsOf(first.messages)).toEqual(ids.slice(0, 2))
    const next = {
      cursor: first.nextCursor,
      limit: 3,
      order: 'desc',
      senderId: ada,
      before: 5,
      includeSystem: false,
    }
    expect(idsOf((await page(topicId, next)).messages)).toEqual(ids.slice(2, 5))
  })

  it('go on where they were when the last message seen is deleted', async () => {
    const topicId = await topic()
    const ids = (await postMany(topicId, 5)).reverse()
    const first = await page(topicId, { limit: 2 })
    await deploy.delete(`/v2/messages/${ids[1]}`)
    expect(idsOf((await page(topicId, { cursor: first.nextCursor })).messages)).toEqual(ids.slice(2))
  })

  it('are refused when changed, foreign, or from another list', async () => {
    const [topicId, otherTopic] = [await topic(), await topic()]
    await postMany(topicId, 3)
    await postMany(otherTopic, 3)
    const { nextCursor = '' } = await page(topicId, { limit: 1 })
    const [content = '', signature = ''] = nextCursor.split('.')
    const place = JSON.parse(Buffer.from(content, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...place, after: UNKNOWN })).toString('base64url')
    const wrong = [
      `${forged}.${signature}`,
      content,
      `${content}.`,
      `${nextCursor}.x`,
      `${content}.${signature.slice(1)}`,
      (await page(otherTopic, { limit: 1 })).nextCursor,
      (await page(topicId, { limit: 1 }, calendar)).nextCursor,
      Object((await deploy.get('/v2/topics?limit=1')).body).nextCursor,
    ]
    for (const cursor of wrong) {
      const { status, body } = await deploy.get(listPath(topicId, { cursor }))
      expect([status, body]).toEqual([400, 'invalid cursor'])
    }
    expect(idsOf((await page(topicId.toUpperCase(), { cursor: nextCursor })).messages)).toHaveLength(2)
  })

  it('end with the membership', async () => {
    const topicId = await topic()
    await postMany(topicId, 3)
    const { nextCursor } = await page(topicId, { limit: 1 })
    await calendar.delete(`/v2/topics/${topicId}/members`, { memberIds: [deploy.id] })
    const { status, body } = await deploy.get(listPath(topicId, { cursor: nextCursor }))
    expect([status, body]).toEqual([404, 'Topic not found'])
  })
})

describe('paging while others write', () => {
  it.each(['asc', 'desc'] as const)('skips and repeats nothing, order=%s', async (order) => {
    const topicId = await topic()
    const before = await postMany(topicId, 40)
    const writers = Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 15; n++) await calendar.post('/v2/messages', { topicId, text: `Meanwhile ${n}` })
    })
    const seen = await pages(topicId, { order, limit: 3 })
    await Promise.all(writers)

    const all = await pages(topicId, { order: 'asc', limit: 100 })
    expect(all).toHaveLength(100)
    if (order === 'asc') {
      expect(seen).toEqual(all.slice(0, seen.length))
      expect(seen.slice(0, 40)).toEqual(before)
    } else {
      expect(seen).toEqual(all.slice(0, seen.length).reverse())
      expect(seen.slice(-40)).toEqual(before.reverse())
    }
  })
})
