import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import type { StaticTestBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'
import { openStream, type Streamed, type TestStream } from './support/stream.ts'

let server: TestParley
let node: TestParley
let cast: ChatCast
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  node = await server.secondNode()
  cast = await chatCast(server)
  ;({ orgId, ada, ben, cy, bot, topicId } = cast)
})
afterAll(async () => {
  cast.close()
  await server.close()
})

/** The person, signed in at the other node. */
const there = async (who: TestPerson): Promise<TestPerson> => signInToProfile(node, who)

const is = (event: string, part: Record<string, unknown>) => (streamed: Streamed) =>
  streamed.event === event &&
  Object.entries(part).every(([name, value]) => Object(streamed.data)[name] === value)

describe('what only people hear', () => {
  it('comes with its number to people in the topic, and to no bot', async () => {
    const [bens, cys] = [await cast.stream(ben), await cast.stream(cy)]
    const made = Object((await chatOf(ada).post('topics', { name: 'New', members: [ben.profileId] })).body)
    const created = await bens.next(is('topic.created', { topicId: made.id }))
    expect(created.id).toMatch(/^\d+$/)
    const said = Object((await chatOf(ada).post('messages', { topicId: made.id, text: 'Hi' })).body).id
    await chatOf(ada).post(`messages/${said}/pin`)
    await bens.next(is('message.pinned', { messageId: said, actorId: ada.profileId }))
    await chatOf(ada).delete(`messages/${said}/pin`)
    await bens.next(is('message.unpinned', { messageId: said }))
    const short = Object(
      (await chatOf(ada).post('messages', { topicId: made.id, text: 'Not for long' })).body,
    ).id
    await chatOf(ada).post(`messages/${short}/pin`)
    await chatOf(ada).delete(`messages/${short}`)
    await bens.next(is('message.unpinned', { messageId: short, actorId: ada.profileId }))
    expect(Object((await chatOf(ben).get(`topics/${made.id}`)).body).pins).toBe(0)
    expect(cys.seen.filter(({ event }) => /topic|pinned/.test(event))).toEqual([])
    const audience = await server.parley.db.query(sql`
      select 1 from events where bot_ids <> '{}'
        and type in ('topic.created', 'message.pinned', 'message.unpinned', 'member.updated')`)
    expect(audience).toHaveLength(0)
  })

  it('of members reaches everybody, also who reads the log later', async () => {
    const cys = await cast.stream(cy)
    const position = cys.lastId
    await ada.patch(`/people/organizations/${orgId}/members/${ben.profileId}`, { name: 'Benno' })
    const told = await cys.next(
      ({ event, data }) => event === 'member.updated' && Object(data).member.name === 'Benno',
    )
    expect(told.data).toEqual({
      member: {
        id: ben.profileId,
        type: 'user',
        name: 'Benno',
        email: ben.email,
        role: 'member',
        status: 'Active',
      },
    })
    const later = await cast.streamAfter(cy, position)
    await later.next(({ event, id }) => event === 'member.updated' && id === told.id)
  })
})

describe('typing', () => {
  it('reaches the other members on every node, once in two seconds, and is not stored', async () => {
    const [bens, cys, adas] = [
      await cast.stream(await there(ben)),
      await cast.stream(cy),
      await cast.stream(ada),
    ]
    const seqBefore = await server.parley.db.query(sql`select last_seq from organization_logs`)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => chatOf(ada).post('typing', { topicId })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    const { id } = await bens.next(is('typing', { topicId, profileId: ada.profileId }))
    expect(id).toBeUndefined()
    await chatOf(ada).post('messages', { topicId, text: 'Done' })
    await adas.next(({ event }) => event === 'message.created')
    const typing = (one: TestStream) => one.seen.filter(({ event }) => event === 'typing')
    expect([typing(bens).length, typing(cys), typing(adas)]).toEqual([1, [], []])
    expect(seqBefore).toHaveLength(1)
  })

  it('is refused where they are not in the topic, again and again', async () => {
    for (const _again of [1, 2, 3])
      expect(await chatOf(cy).post('typing', { topicId })).toMatchObject({
        status: 404,
        body: 'Topic not found',
      })
  })
})

describe('presence', () => {
  const online = async (who: TestPerson): Promise<string[]> =>
    Object((await chatOf(who).get('start')).body).online

  it('depends on open streams, on any node, and ends with the node', async () => {
    const third = await server.secondNode()
    const dan = await signInAs(server, { orgId, name: 'Dan' })
    const adas = await cast.stream(ada)
    const dans = await openStream(await signInToProfile(third, dan), orgId)
    await adas.next(is('presence', { profileId: dan.profileId, online: true }))
    expect(await online(ada)).toContain(dan.profileId)
    // A node that starts later learns of all online people.
    const late = await server.secondNode()
    const latecomer = await signInToProfile(late, ada)
    await eventuallyHolds(async () => expect(await online(latecomer)).toContain(dan.profileId))
    await third.parley.presence.stop()
    await adas.next(is('presence', { profileId: dan.profileId, online: false }))
    expect(await online(ada)).not.toContain(dan.profileId)
    dans.close()
  })
})

describe('nodes that lose their listening connection', () => {
  it('agree on who is online when they have found each other again', async () => {
    const [fay, gus] = [
      await signInAs(server, { orgId, name: 'Fay' }),
      await signInAs(server, { orgId, name: 'Gus' }),
    ]
    const adas = await cast.stream(ada)
    await cast.stream(await there(fay))
    await adas.next(is('presence', { profileId: fay.profileId, online: true }))
    let connections = 0
    const nodes = [server, node]
    for (const { parley } of nodes) parley.notifications.onConnect(() => (connections += 1))
    await server.parley.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley-listen'`)
    await eventuallyHolds(async () => expect(connections).toBeGreaterThanOrEqual(nodes.length))
    await cast.stream(await there(gus))
    await adas.next(is('presence', { profileId: gus.profileId, online: true }))
    expect(server.parley.presence.online(orgId)).toContain(fay.profileId)
    const gone = is('presence', { profileId: fay.profileId, online: false })
    expect(adas.seen.filter(gone)).toEqual([])
  })
})

describe('what a person did', () => {
  it('reaches their other browsers alone', async () => {
    const [other, bens] = [await cast.stream(await there(ada)), await cast.stream(ben)]
    const said = Object((await bot.post('/v2/messages', { topicId, text: 'Read me' })).body).id
    await chatOf(ada).patch(`topics/${topicId}/state`, { readTo: said })
    const { data, id } = await other.next(({ event, data }) => event === 'state' && 'states' in Object(data))
    expect([id, data]).toEqual([
      undefined,
      { states: [expect.objectContaining({ topicId, readTo: said, unread: 0 })] },
    ])
    await chatOf(ada).post('drafts', { topicId, text: 'Hel' })
    await other.next(({ event, data }) => event === 'state' && Object(data).draft?.text === 'Hel')
    expect(bens.seen.filter(({ event }) => event === 'state')).toEqual([])
  })
})
