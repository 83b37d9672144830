import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { conversationsOf } from './support/round-trips.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

async function newTopic(members: readonly string[] = [ada.profileId, ben.profileId]): Promise<string> {
  return Object((await bot.post('/v2/topics', { name: 'Topic', members })).body).id
}
async function say(topicId: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
  return Object((await bot.post('/v2/messages', { topicId, text, ...more })).body).id
}
async function sayAll(topicId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++) ids.push(await say(topicId, `Message ${number}`))
  return ids
}
const history = async (who: TestPerson, topicId: string, query = '') => {
  const { messages, ...ends } = Object((await chatOf(who).get(`topics/${topicId}/history?${query}`)).body)
  return { ids: messages.map(({ id }: { id: string }) => id), ...ends }
}
const stateOf = async (who: TestPerson, topicId: string) => {
  const topics: Record<string, unknown>[] = Object((await chatOf(who).get('start')).body).topics
  const { unread, mentions, readTo, unreadAfter, muted, favourite } =
    topics.find(({ id }) => id === topicId) ?? {}
  return { unread, mentions, readTo, unreadAfter, muted, favourite }
}
const set = (who: TestPerson, topicId: string, body: unknown) =>
  chatOf(who).patch(`topics/${topicId}/state`, body)

describe('the history', () => {
  it('gives the newest, and what is before, after and around a message', async () => {
    const noCards = { polls: [], tasks: [], notes: [], threads: [] }
    const topicId = await newTopic()
    const ids = await sayAll(topicId, 7)
    const all = await history(ada, topicId)
    expect(all).toEqual({ ids, hasBefore: false, hasAfter: false, ...noCards })
    const newest = await history(ada, topicId, 'limit=3')
    expect(newest).toEqual({ ids: ids.slice(4), hasBefore: true, hasAfter: false, ...noCards })
    const before = await history(ada, topicId, `limit=3&before=${ids[4]}`)
    expect(before).toEqual({ ids: ids.slice(1, 4), hasBefore: true, hasAfter: true, ...noCards })
    const after = await history(ada, topicId, `limit=2&after=${ids[4]}`)
    expect(after).toEqual({ ids: ids.slice(5), hasBefore: true, hasAfter: false, ...noCards })
    const around = await history(ada, topicId, `limit=3&around=${ids[3]}`)
    expect(around).toEqual({ ids: ids.slice(2, 5), hasBefore: true, hasAfter: true, ...noCards })
    const first = await history(ada, topicId, `limit=4&around=${ids[0]}`)
    expect(first).toEqual({ ids: ids.slice(0, 2), hasBefore: false, hasAfter: true, ...noCards })
  })

  it('takes one statement', async () => {
    const topicId = await newTopic()
    await sayAll(topicId, 2)
    await history(ada, topicId) // she is known from here on
    const conversations = await conversationsOf(() => history(ada, topicId))
    const reads = conversations.filter(({ statements }) =>
      statements.some((text) => /\b(messages|threads|polls|tasks|action_notes|topics)\b/.test(text)),
    )
    expect(reads.map(({ statements }) => statements)).toEqual([[expect.stringContaining('with page as')]])
  })

  it('gives a thread alone, and who reacted', async () => {
    const topicId = await newTopic()
    const root = await say(topicId, 'Root')
    const replies = [await say(topicId, 'A', { parentId: root }), await say(topicId, 'B', { parentId: root })]
    await say(topicId, 'Beside')
    await chatOf(ada).post(`messages/${replies[0]}/reactions`, { reaction: '🎉' })
    expect((await history(ben, topicId, `threadId=${root}`)).ids).toEqual(replies)
    const { body } = await chatOf(ben).get(`topics/${topicId}/history?threadId=${root}`)
    expect(Object(body).messages[0].reactions).toEqual([{ emoji: '🎉', count: 1, userIds: [ada.profileId] }])
  })

  it('refuses what it cannot do, and reveals nothing of others', async () => {
    const topicId = await newTopic([ada.profileId])
    const id = await say(topicId, 'Here')
    const elsewhere = await say(await newTopic(), 'There')
    const ask = async (who: TestPerson, query: string) =>
      refusal(await chatOf(who).get(`topics/${topicId}/history?${query}`)).body
    expect(await ask(ada, `before=${id}&after=${id}`)).toBe(
      'before, after and around cannot be used together',
    )
    expect(await ask(ada, `around=${elsewhere}`)).toBe('Message not found')
    expect(await ask(ben, '')).toBe('Topic not found')
    expect(await ask(ben, `around=${id}`)).toBe('Topic not found')
    expect(await ask(ada, 'before=nonsense')).toBe('Invalid before')
    const edges = [
      'before=00000000-0000-0000-0000-000000000000',
      'after=ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]
    for (const edge of edges) expect((await history(ada, topicId, edge)).ids).toEqual([])
  })
})

describe('a read position', () => {
  it('moves forward, and back only by hand; counts are of others, after it', async () => {
    const topicId = await newTopic()
    const ids = await sayAll(topicId, 3)
    await chatOf(ada).post('messages', { topicId, text: 'Mine' })
    const last = await say(topicId, `<@${ada.profileId}> look`)
    expect(await stateOf(ada, topicId)).toMatchObject({ unread: 4, mentions: 1, readTo: null })
    expect((await set(ada, topicId, { readTo: ids[1] })).body).toMatchObject({ unread: 2, readTo: ids[1] })
    expect((await set(ada, topicId, { readTo: ids[0] })).body).toMatchObject({ unread: 2, readTo: ids[1] })
    expect((await set(ada, topicId, { readTo: last })).body).toEqual({
      topicId,
      readTo: last,
      unreadAfter: last,
      lateReadTo: null,
      unread: 0,
      mentions: 0,
      muted: false,
      favourite: false,
      level: 'mentions',
    })
    expect((await set(ada, topicId, { unreadFrom: ids[2] })).body).toMatchObject({
      unread: 2,
      mentions: 1,
      readTo: ids[1],
    })
    expect((await set(ada, topicId, { unreadFrom: ids[0] })).body).toMatchObject({ unread: 4, readTo: null })
    expect(await stateOf(ben, topicId)).toMatchObject({ unread: 5, readTo: null })
  })

  it('never goes beyond the existing messages', async () => {
    const topicId = await newTopic()
    const id = await say(topicId, 'Now')
    await set(ada, topicId, { readTo: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })
    expect(await stateOf(ada, topicId)).toMatchObject({ unread: 0, readTo: id })
    await say(topicId, 'Later')
    expect(await stateOf(ada, topicId)).toMatchObject({ unread: 1 })
  })

  it('begins when a person joins', async () => {
    const topicId = await newTopic([])
    const ids = await sayAll(topicId, 2)
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [ada.profileId] })
    expect(await stateOf(ada, topicId)).toMatchObject({ unread: 0 })
    expect((await set(ada, topicId, { readTo: ids[0] })).body).toMatchObject({ unread: 0, readTo: null })
    const after = await say(topicId, 'After')
    expect(await stateOf(ada, topicId)).toMatchObject({ unread: 1 })
    const bounds = [ids[1], (await stateOf(ada, topicId)).unreadAfter, after]
    expect(bounds).toEqual([...bounds].sort())
  })

  it('takes one row, and a mention is gone with its message', async () => {
    const topicId = await newTopic()
    const id = await say(topicId, `<@${ada.profileId}> and <@${bot.id}>`)
    const rows = await server.parley.db.query<{ profile_id: string }>(
      sql`select profile_id from mentions where topic_id = ${topicId}`,
    )
    expect(rows).toEqual([{ profile_id: ada.profileId }])
    await bot.patch(`/v2/messages/${id}`, { text: `<@${ben.profileId}> instead` })
    expect([await stateOf(ada, topicId), await stateOf(ben, topicId)]).toMatchObject([
      { mentions: 0 },
      { mentions: 1 },
    ])
    await bot.delete(`/v2/messages/${id}`)
    expect(await stateOf(ben, topicId)).toMatchObject({ mentions: 0, unread: 0 })
    for (const readTo of [id, await say(topicId, 'x'), await say(topicId, 'y')])
      await set(ada, topicId, { readTo })
    const states = await server.parley.db.query(sql`
      select 1 from topic_states where topic_id = ${topicId} and profile_id = ${ada.profileId}`)
    expect(states).toHaveLength(1)
  })

  it('of every topic is moved at once', async () => {
    await chatOf(ada).post('read-all')
    const [one, other] = [await newTopic(), await newTopic()]
    await say(one, 'Unread')
    const { states } = Object((await chatOf(ada).post('read-all')).body)
    expect(states).toEqual([expect.objectContaining({ topicId: one, unread: 0 })])
    expect(await stateOf(ada, other)).toMatchObject({ unread: 0, readTo: null })
    expect((await chatOf(ada).post('read-all')).body).toEqual({ states: [] })
  })

  it('is refused where it says two things, and for topics of others', async () => {
    const topicId = await newTopic([ada.profileId])
    const id = await say(topicId, 'Here')
    expect((await set(ada, topicId, { readTo: id, unreadFrom: id })).body).toBe(
      'readTo and unreadFrom cannot be used together',
    )
    expect((await set(ben, topicId, { readTo: id })).body).toBe('Topic not found')
    expect((await set(ben, topicId, { unreadFrom: id })).body).toBe('Topic not found')
    const elsewhere = await say(await newTopic(), 'There')
    expect((await set(ada, topicId, { unreadFrom: elsewhere })).body).toBe('Message not found')
  })
})

it('muted and favourite stay until they are changed, and are private', async () => {
  const topicId = await newTopic()
  await set(ada, topicId, { muted: true })
  expect((await set(ada, topicId, { favourite: true })).body).toMatchObject({ muted: true, favourite: true })
  expect((await set(ada, topicId, { muted: false })).body).toMatchObject({ muted: false, favourite: true })
  expect(await stateOf(ben, topicId)).toMatchObject({ muted: false, favourite: false })
})

describe('a draft', () => {
  const save = (who: TestPerson, body: unknown) => chatOf(who).post('drafts', body)
  const draftsOf = async (who: TestPerson) => Object((await chatOf(who).get('start')).body).drafts

  it('is kept for each topic and thread, and removed when it is empty', async () => {
    const topicId = await newTopic()
    const parentId = await say(topicId, 'Root')
    await save(ada, { topicId, text: 'Hel' })
    await save(ada, { topicId, text: 'Hello' })
    await save(ada, { topicId, parentId, text: 'Re' })
    const drafts: { text: string }[] = await draftsOf(ada)
    expect(drafts.map(({ text }) => text).sort()).toEqual(['Hello', 'Re'])
    expect(await draftsOf(ben)).toEqual([])
    await save(ada, { topicId, text: '' })
    expect(await draftsOf(ada)).toEqual([{ topicId, parentId, text: 'Re', updatedAt: expect.any(Number) }])
    expect((await save(ben, { topicId: await newTopic([]), text: 'x' })).body).toBe('Topic not found')
  })
})

describe('pins and receipts', () => {
  it('are seen by members, the latest pin first', async () => {
    const topicId = await newTopic()
    const ids = await sayAll(topicId, 2)
    for (const id of [...ids, ids[0]]) expect((await chatOf(ada).post(`messages/${id}/pin`)).status).toBe(204)
    const pinned = async () =>
      Object((await chatOf(ben).get(`topics/${topicId}/pins`)).body).messages.map(
        ({ id }: { id: string }) => id,
      )
    expect(await pinned()).toEqual([ids[1], ids[0]])
    expect((await chatOf(ben).get(`topics/${topicId}`)).body).toMatchObject({ pins: 2 })
    await chatOf(ben).delete(`messages/${ids[1]}/pin`)
    await bot.delete(`/v2/messages/${ids[0]}`)
    expect(await pinned()).toEqual([])
    const events = await server.parley.db.query<{ type: string; bot_ids: string[] }>(sql`
      select type, bot_ids from events where topic_id = ${topicId} and type like 'message.%pinned' order by seq`)
    expect(events).toEqual([
      { type: 'message.pinned', bot_ids: [] },
      { type: 'message.pinned', bot_ids: [] },
      { type: 'message.unpinned', bot_ids: [] },
      { type: 'message.unpinned', bot_ids: [] },
    ])
  })

  it('stop at a hundred pins', async () => {
    const topicId = await newTopic()
    const ids = await sayAll(topicId, 2)
    await server.parley.db.query(sql`
      insert into pins select ${orgId}, ${topicId}, gen_random_uuid(), ${ada.profileId}, 0 from generate_series(1, 99)`)
    expect((await chatOf(ada).post(`messages/${ids[0]}/pin`)).status).toBe(204)
    expect((await chatOf(ada).post(`messages/${ids[1]}/pin`)).body).toBe(
      'too many pinned messages, unpin one first',
    )
  })

  it('say who has read and who has only received', async () => {
    const topicId = await newTopic()
    const id = Object((await chatOf(ada).post('messages', { topicId, text: 'Read me' })).body).id
    const receipts = async () => (await chatOf(ada).get(`messages/${id}/receipts`)).body
    expect(await receipts()).toEqual({ readBy: [], deliveredTo: [] })
    await bot.post(`/v2/messages/${id}/delivered`)
    await set(ben, topicId, { readTo: id })
    expect(await receipts()).toEqual({ readBy: [ben.profileId], deliveredTo: [bot.id] })
    await bot.post(`/v2/messages/${id}/read`)
    expect(Object(await receipts()).readBy.sort()).toEqual([ben.profileId, bot.id].sort())
    const cy = await signInAs(server, { orgId, name: 'Cy' })
    expect((await chatOf(cy).get(`messages/${id}/receipts`)).body).toBe('Message not found')
  })
})

describe('the start', () => {
  it('waits for four round trips', async () => {
    await newTopic()
    await chatOf(ada).get('start')
    const conversations = await conversationsOf(() => chatOf(ada).get('start'))
    const reads = conversations.filter(({ statements: [first] }) => first?.includes('repeatable read'))
    expect(reads.map(({ roundTrips }) => roundTrips)).toEqual([4])
  })
})
