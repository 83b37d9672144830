import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql, toStatement } from '../server/db/sql.ts'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { countOf } from './support/thorough.ts'

let server: TestParley
let orgId: string
let ada: StaticTestBot
let bob: StaticTestBot
let stranger: StaticTestBot

/** A server without other nodes, which therefore keeps pages. */
beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await staticBot(server, orgId, 'Ada')
  bob = await staticBot(server, orgId, 'Bob')
  stranger = await staticBot(server, orgId, 'Stranger')
  await vi.waitUntil(() => server.parley.wake.isAlone, { timeout: PATIENCE_MS })
})
afterAll(() => server.close())

const topicOfBoth = async (...texts: string[]): Promise<string> => {
  const { id } = Object((await ada.post('/v2/topics', { name: 'Both', members: [bob.id] })).body)
  for (const text of texts) await say(id, text)
  return id
}
const say = async (topicId: string, text: string, more = {}): Promise<string> =>
  Object((await ada.post('/v2/messages', { topicId, text, ...more })).body).id
const read = async (bot: StaticTestBot, topicId: string, query = '') =>
  Object((await bot.get(`/v2/topics/${topicId}/messages${query}`)).body)
const texts = async (bot: StaticTestBot, topicId: string): Promise<string[]> =>
  (await read(bot, topicId)).messages.map(({ text }: { text: string }) => text)

/** Changes a text behind the server's back: a reader who still sees the old one got a kept page. */
const changeUnseen = (messageId: string) =>
  server.parley.db.query(
    sql`update messages set text = 'changed' where org_id = ${orgId} and id = ${messageId}`,
  )

/** Lets no page grow old until the returned function is called, however slow the machine is. */
const stopTime = (): (() => void) => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  return () => clock.mockRestore()
}
afterEach(() => vi.restoreAllMocks())

describe('a page that was just read', () => {
  it('is reused for a moment, for other permitted readers too, and then read again', async () => {
    const topicId = await topicOfBoth()
    const id = await say(topicId, 'first')
    const endStandstill = stopTime()
    expect(await texts(ada, topicId)).toEqual(['first'])
    await changeUnseen(id)
    expect([await texts(ada, topicId), await texts(bob, topicId)]).toEqual([['first'], ['first']])
    endStandstill()
    await eventually(() => texts(bob, topicId)).toEqual(['changed'])
  })

  it('is no longer given once anything was sent, changed, deleted, reacted to or replied to', async () => {
    const topicId = await topicOfBoth()
    const id = await say(topicId, 'one')
    const shown = async () => {
      const { messages } = await read(bob, topicId)
      const { text, reactions, replyCount } = messages.at(-1)
      return [messages.length, text, reactions.length, replyCount]
    }
    expect(await shown()).toEqual([1, 'one', 0, 0])
    await ada.patch(`/v2/messages/${id}`, { text: 'uno' })
    expect(await shown()).toEqual([1, 'uno', 0, 0])
    await bob.post(`/v2/messages/${id}/reactions`, { reaction: '🎉' })
    expect(await shown()).toEqual([1, 'uno', 1, 0])
    const reply = await say(topicId, 'two', { parentId: id })
    expect(await shown()).toEqual([2, 'uno', 1, 1])
    await ada.delete(`/v2/messages/${reply}`)
    expect(await shown()).toEqual([1, 'uno', 1, 0])
  })

  it('is not given to a stranger, nor to a member who was removed', async () => {
    const topicId = await topicOfBoth('for us')
    expect(await texts(bob, topicId)).toEqual(['for us'])
    const refused = { status: 404, body: 'Topic not found' }
    expect(await stranger.get(`/v2/topics/${topicId}/messages`)).toMatchObject(refused)
    await ada.delete(`/v2/topics/${topicId}/members`, { memberIds: [bob.id] })
    expect(await bob.get(`/v2/topics/${topicId}/messages`)).toMatchObject(refused)
    expect(await texts(ada, topicId)).toEqual(['for us'])
  })

  it('is given to members also when a stranger asks for it at the same time', async () => {
    for (let round = 0; round < countOf(5, 20); round++) {
      const topicId = await topicOfBoth('for us')
      const path = `/v2/topics/${topicId}/messages`
      const [refused, given, also] = await Promise.all([stranger.get(path), bob.get(path), ada.get(path)])
      expect([refused.status, given.status, also.status]).toEqual([404, 200, 200])
    }
  })

  it('comes with a cursor for each reader', async () => {
    const topicId = await topicOfBoth('one', 'two')
    const cursorOf = async (bot: StaticTestBot) => (await read(bot, topicId, '?limit=1')).nextCursor
    const [hers, his] = [await cursorOf(ada), await cursorOf(bob)]
    expect(hers).not.toBe(his)
    expect(await cursorOf(bob)).toBe(his)
    expect((await read(bob, topicId, `?limit=1&cursor=${his}`)).messages[0].text).toBe('one')
    const foreign = await bob.get(`/v2/topics/${topicId}/messages?cursor=${hers}`)
    expect(foreign).toMatchObject({ status: 400, body: 'invalid cursor' })
  })
})

describe('pages that are not worth keeping', () => {
  const NOTHING = { pages: 0, bytes: 0 }
  /** Pages of other tests go away by themselves, unless time stands still. */
  const noneKept = () => expect.poll(() => server.parley.recentPages.kept).toEqual(NOTHING)

  it('count with all that they take, and go when something happens', async () => {
    const topicId = await topicOfBoth()
    const { recentPages } = server.parley
    await noneKept()
    stopTime()
    const asked = 60
    for (let time = 1; time <= asked; time++) await read(bob, topicId, `?after=${time}`)
    const { pages, bytes } = recentPages.kept
    expect(pages).toBe(asked)
    expect(bytes / asked).toBeGreaterThan(1000)
    await say(topicId, 'and all of them are forgotten')
    expect(recentPages.kept).toEqual(NOTHING)
  })

  it('go away by themselves', async () => {
    const topicId = await topicOfBoth()
    await noneKept()
    const endStandstill = stopTime()
    await texts(bob, topicId)
    expect(server.parley.recentPages.kept.pages).toBe(1)
    endStandstill()
    await noneKept()
  })

  it('never take more than the bound, however many there are, and the newest stay', async () => {
    const { recentPages } = server.parley
    const bound = 8 * 1024 * 1024
    let loads = 0
    const load = async () => {
      loads += 1
      return { json: Buffer.from('{"messages":[]'), lastId: undefined }
    }
    const source = { isAllowed: async () => true, load, end: () => '}' }
    const ask = (number: number) => recentPages.read({ orgId, profileId: bob.id }, `page ${number}`, source)
    stopTime()
    let mostBytes = 0
    for (let number = 0; number < 10_000; number++) {
      await ask(number)
      mostBytes = Math.max(mostBytes, recentPages.kept.bytes)
    }
    expect(mostBytes).toBeLessThanOrEqual(bound)
    expect(recentPages.kept.bytes).toBeGreaterThan(bound - 2000)
    const { pages } = recentPages.kept
    for (let number = 10_000 - pages; number < 10_000; number++) await ask(number)
    expect(loads).toBe(10_000)
  })
})

describe('with a second node', () => {
  let node: TestParley
  beforeAll(async () => {
    node = await server.secondNode()
    const areTogether = () => !server.parley.wake.isAlone && !node.parley.wake.isAlone
    await vi.waitUntil(areTogether, { timeout: PATIENCE_MS })
  })

  it('what was written on one is read on the other at once', async () => {
    const topicId = await topicOfBoth()
    const elsewhere = at(node.url, bob)
    for (let number = 1; number <= 10; number++) {
      await say(topicId, `${number}`)
      expect((await texts(elsewhere, topicId))[0]).toBe(`${number}`)
    }
  })

  it('what many ask for is still read once', async () => {
    const topicId = await topicOfBoth('first')
    await Promise.all([texts(ada, topicId), texts(bob, topicId)]) // its readers are known from here on
    stopTime()
    const spy = vi.spyOn(server.parley.db, 'query')
    const seen = await Promise.all(Array.from({ length: 20 }, () => texts(bob, topicId)))
    const statements = spy.mock.calls.map(([query]) => toStatement(query).text)
    expect(seen).toEqual(Array(20).fill(['first']))
    // A second read is possible if the first message's notification comes only now.
    expect(statements.filter((text) => text.includes('from messages')).length).toBeLessThanOrEqual(2)
  })
})
