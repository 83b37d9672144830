import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { Message } from '../contract/message.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'
import { until } from './support/receiver.ts'
import { openStream, type TestStream } from './support/stream.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let other: StaticTestBot
let stranger: StaticTestBot
let topicId: string
const open: TestStream[] = []

beforeAll(async () => {
  server = await startTestParley({ streamingTimeoutMs: 20_000 })
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  bot = await staticBot(server, orgId, 'Writer')
  other = await staticBot(server, orgId, 'Listener')
  stranger = await staticBot(server, orgId, 'Stranger')
  topicId = await newTopic()
})
afterAll(async () => {
  for (const stream of open) stream.close()
  await server.close()
})

async function newTopic(): Promise<string> {
  const members = [ada.profileId, ben.profileId, other.id]
  return Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
}
async function stream(who: TestPerson): Promise<TestStream> {
  const opened = await openStream(who, orgId)
  await opened.next(({ event }) => event === 'reset')
  open.push(opened)
  return opened
}
async function begin(who = bot, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await who.post('/v2/messages', { topicId, streaming: true, ...more })
  expect(status, text).toBe(201)
  return Object(body).id
}
const append = (id: string, text: string, more: Record<string, unknown> = {}, who = bot) =>
  who.post(`/v2/messages/${id}/append`, { text, ...more })
const finish = (id: string, body: Record<string, unknown> = {}, who = bot) =>
  who.post(`/v2/messages/${id}/finish`, body)

/** Moves the clock, and lets the search for silent bots run. */
async function later(ms: number, before: () => Promise<unknown> = async () => {}): Promise<void> {
  server.clock.ahead += ms // it never goes back: nor does the time of an organization
  await before()
  await server.parley.streaming.endSilent()
}

type Piece = { messageId: string; version: number; from: number; text: string; message?: Message }
const piecesOf = (seen: TestStream, id: string): Piece[] =>
  seen.seen
    .filter(({ event }) => event === 'streaming')
    .flatMap(({ data }): Piece[] => Object(data).texts)
    .filter(({ messageId }) => messageId === id)
/** The text in a browser that got every piece. */
const shownIn = (seen: TestStream, id: string): string =>
  piecesOf(seen, id).reduce((text, piece) => {
    expect(piece.from).toBeLessThanOrEqual(text.length)
    return text.slice(0, piece.from) + piece.text
  }, '')
const created = (seen: TestStream, id: string) =>
  seen.next(({ event, data }) => event === 'message.created' && Object(data).message.id === id)
async function eventsOf(who: StaticTestBot): Promise<{ eventType: string; data: unknown }[]> {
  return Object((await who.get('/v2/updates?offset=oldest&limit=100')).body).updates
}
const createdFor = async (who: StaticTestBot, id: string) =>
  (await eventsOf(who)).filter(({ data }) => JSON.stringify(data).includes(id))
const rowsOf = (id: string) =>
  server.parley.db.query<{ text: string; holder: string | null }>(
    sql`select text, holder from streaming_messages where id = ${id}`,
  )
const topicOf = async (who: TestPerson, wanted = topicId) =>
  Object((await chatOf(who).get('start')).body).topics.find(({ id }: { id: string }) => id === wanted)

describe('a message that is streamed', () => {
  it('grows for people, is one event at its end for bots, and counts once', async () => {
    const [adas, cys] = [await stream(ada), await stream(cy)]
    const unread = (await topicOf(ben)).unread
    const id = await begin(bot, { externalId: 'run-1' })
    expect(refusal(await bot.get(`/v2/messages/${id}`)).status).toBe(404)
    const words = Array.from({ length: 45 }, (_, index) => `word${index} 🎉 `)
    const since = performance.now()
    for (const word of words) expect((await append(id, word)).status).toBe(200)
    const text = words.join('')
    await until(() => shownIn(adas, id) === text)
    const pieces = piecesOf(adas, id)
    expect(pieces.length, 'at most one every 50 ms').toBeLessThan((performance.now() - since) / 50 + 2)
    expect(pieces[0]?.message).toMatchObject({
      id,
      senderId: bot.id,
      text: '',
      externalId: 'run-1',
      stream: { status: 'streaming' },
    })
    expect(pieces.slice(1).some(({ message }) => message)).toBe(false)
    expect((await rowsOf(id)).length).toBe(1)
    expect(await createdFor(other, id)).toEqual([])
    expect((await topicOf(ben)).unread).toBe(unread)

    const late = await chatOf(ben).get('streaming')
    expect(Object(late.body).streaming).toMatchObject([{ message: { id, text } }])
    expect(Object((await chatOf(cy).get('streaming')).body).streaming).toEqual([])

    const done = await finish(id)
    expect(done).toMatchObject({ status: 200, body: { id, topicId } })
    await created(adas, id)
    const [event, ...more] = await createdFor(other, id)
    expect(more).toEqual([])
    expect(event?.eventType).toBe('message.created')
    expect(Object(event?.data).message).toMatchObject({ id, text, type: 'text', externalId: 'run-1' })
    expect(Object(event?.data).message).not.toHaveProperty('stream')
    expect((await createdFor(bot, id)).length).toBe(1)
    expect((await topicOf(ben)).unread).toBe(unread + 1)
    expect(await rowsOf(id)).toEqual([])
    expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({ text, isEdited: false })
    expect(piecesOf(cys, id), 'nobody else hears of it').toEqual([])
  })

  it('is unread for people who have read on, and mentions people when it has ended', async () => {
    const id = await begin(bot, { text: `<@${ben.profileId}>, ` })
    const later = Object((await chatOf(ada).post('messages', { topicId, text: 'meanwhile' })).body).id
    const read = await chatOf(ben).patch(`topics/${topicId}/state`, { readTo: later })
    expect(read.body).toMatchObject({ unread: 0, mentions: 0 })
    await append(id, 'look')
    await finish(id)
    expect(await topicOf(ben)).toMatchObject({ unread: 1, mentions: 1 })
  })

  it('ends with the whole text if the bot gives it, and refuses a mention of a stranger', async () => {
    const id = await begin()
    expect(refusal(await finish(id))).toMatchObject({ status: 400, body: 'text is required' })
    await append(id, `Ask <@${cy.profileId}>`)
    expect(refusal(await finish(id))).toMatchObject({ status: 400, body: 'Invalid mention' })
    expect((await append(id, ' please')).status, 'nothing has changed').toBe(200)
    expect((await finish(id, { text: 'Ask Cy' })).status).toBe(200)
    expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({ text: 'Ask Cy' })
  })

  it('ends with buttons where its bot gives some, and they are answered like any others', async () => {
    const id = await begin(bot, { text: 'It rained on the 17th.' })
    const good = { id: 'helpful', text: 'Helpful' }
    const twice = { elements: [good, good] }
    expect(refusal(await finish(id, { actions: twice }))).toMatchObject({
      status: 400,
      body: 'ids must differ',
    })
    expect((await append(id, ' All day.')).status, 'nothing has changed').toBe(200)
    expect((await finish(id, { actions: { use: 'always', elements: [good] } })).status).toBe(200)
    const { text, actions } = Object((await bot.get(`/v2/messages/${id}`)).body)
    expect({ text, elements: actions.elements }).toEqual({
      text: 'It rained on the 17th. All day.',
      elements: [good],
    })
    const seen = { actionsId: actions.id, hash: actions.hash, elementId: good.id }
    expect((await chatOf(ben).post(`actions/${id}/press`, seen)).status).toBe(201)
    expect((await createdFor(bot, id)).map(({ eventType }) => eventType)).toEqual([
      'message.created',
      'message.action',
    ])
    expect((await createdFor(other, id)).map(({ eventType }) => eventType)).toEqual(['message.created'])
  })

  it('takes a piece once, by its place or its key, and notices one that is missing', async () => {
    const seen = await stream(ben)
    const id = await begin(bot, { text: 'a🎉' })
    expect((await append(id, 'b', { from: 2 })).body).toEqual({ id, length: 3 })
    expect((await append(id, 'b', { from: 2 })).body).toEqual({ id, length: 3 })
    expect((await append(id, 'B!', { from: 2 })).body).toEqual({ id, length: 4 })
    expect(refusal(await append(id, 'z', { from: 9 }))).toMatchObject({
      status: 409,
      body: 'text is missing before this',
    })
    const keyed = () => bot.post(`/v2/messages/${id}/append`, { text: 'c' }, withKey('piece-1'))
    expect([(await keyed()).body, (await keyed()).body]).toEqual([
      { id, length: 5 },
      { id, length: 5 },
    ])
    const reused = await bot.post(`/v2/messages/${id}/append`, { text: 'd' }, withKey('piece-1'))
    expect(refusal(reused).status).toBe(400)
    await until(() => shownIn(seen, id) === 'a🎉B!c')
    const ended = () => bot.post(`/v2/messages/${id}/finish`, {}, withKey('end-1'))
    const [first, second] = [await ended(), await ended()]
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
    expect((await createdFor(other, id)).length).toBe(1)
  })

  it('is begun once for a key', async () => {
    const body = { topicId, streaming: true }
    const [one, two] = await Promise.all([
      bot.post('/v2/messages', body, withKey('begin-1')),
      bot.post('/v2/messages', body, withKey('begin-1')),
    ])
    expect([one.status, Object(one.body).id]).toEqual([201, Object(two.body).id])
    expect((await finish(Object(one.body).id, { text: 'once' })).status).toBe(200)
  })

  it('is stopped by a person, and the bot learns of it with its next piece', async () => {
    const seen = await stream(ada)
    const id = await begin(bot, { text: 'On and on' })
    expect(refusal(await chatOf(cy).post(`streaming/${id}/stop`))).toMatchObject({
      status: 404,
      body: 'Message not found',
    })
    expect((await chatOf(ben).post(`streaming/${id}/stop`)).status).toBe(204)
    const stopped = { status: 'stopped', stoppedBy: ben.profileId }
    expect(Object((await created(seen, id)).data).message).toMatchObject({
      text: 'On and on',
      stream: stopped,
    })
    const told = { status: 409, body: 'stopped by a person' }
    expect(refusal(await append(id, ' and on'))).toMatchObject(told)
    expect(refusal(await finish(id))).toMatchObject(told)
    expect(refusal(await chatOf(ben).post(`streaming/${id}/stop`))).toMatchObject({
      status: 409,
      body: 'message is finished',
    })
    // The bot may still send the whole text.
    expect((await bot.patch(`/v2/messages/${id}`, { text: 'In short' })).status).toBe(200)
    expect((await bot.get(`/v2/messages/${id}`)).body).not.toHaveProperty('stream')
  })

  it('shows that its bot gave up, and can be taken back before its end', async () => {
    const seen = await stream(ada)
    const failed = await begin(bot, { text: 'Half of' })
    await finish(failed, { status: 'failed' })
    expect((await bot.get(`/v2/messages/${failed}`)).body).toMatchObject({ stream: { status: 'failed' } })
    const gone = await begin(bot, { text: 'never mind' })
    expect(refusal(await other.delete(`/v2/messages/${gone}`)).status).toBe(403)
    expect((await bot.delete(`/v2/messages/${gone}`)).status).toBe(204)
    await seen.next(({ event, data }) => event === 'stream.discarded' && Object(data).messageId === gone)
    expect(refusal(await append(gone, '!'))).toMatchObject({ status: 404, body: 'Message not found' })
    expect(await createdFor(other, gone)).toEqual([])
  })

  it('is refused to everybody else, and after its end', async () => {
    const id = await begin(bot, { text: 'mine' })
    expect(refusal(await append(id, '?', {}, other))).toMatchObject({ status: 403, body: 'forbidden' })
    expect(refusal(await finish(id, {}, other))).toMatchObject({ status: 403, body: 'forbidden' })
    for (const answer of [await append(id, '?', {}, stranger), await finish(id, {}, stranger)])
      expect(refusal(answer)).toMatchObject({ status: 404, body: 'Message not found' })
    expect(refusal(await append(id, 'x'.repeat(9997)))).toMatchObject({ status: 400, body: 'text too long' })
    expect((await append(id, 'x'.repeat(9996))).body).toEqual({ id, length: 10_000 })
    await finish(id)
    expect(refusal(await append(id, '!'))).toMatchObject({ status: 409, body: 'message is finished' })
    expect(refusal(await finish(id))).toMatchObject({ status: 409, body: 'message is finished' })
    const plain = Object((await bot.post('/v2/messages', { topicId, text: 'plain' })).body).id
    expect(refusal(await append(plain, '!'))).toMatchObject({ status: 409, body: 'message is finished' })
    expect(refusal(await bot.post('/v2/messages', { topicId })).body).toBe('text is required')
    expect(refusal(await chatOf(ada).post('messages', { topicId, streaming: true })).status).toBe(403)
    const nowhere = await stranger.post('/v2/messages', { topicId, streaming: true })
    expect(refusal(nowhere)).toMatchObject({ status: 404, body: 'Topic not found' })
  })

  it('is limited in number and pace', async () => {
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) ids.push(await begin(other, { text: `${count}` }))
    expect(refusal(await other.post('/v2/messages', { topicId, streaming: true }))).toMatchObject({
      status: 409,
      body: 'too many messages are being streamed',
    })
    const answers = await whileTimeStands(() =>
      Promise.all(Array.from({ length: 60 }, () => append(ids[0] ?? '', '.', {}, other))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([
      ...Array(LIMITS.appendsPerSecond).fill(200),
      ...Array(60 - LIMITS.appendsPerSecond).fill(429),
    ])
    for (const id of ids) expect((await finish(id, {}, other)).status).toBe(200)
  })

  it('stops for a bot that was removed, and while the topic is archived', async () => {
    const place = await newTopic()
    const id = await begin(bot, { topicId: place, text: 'so far' })
    await chatOf(ada).patch(`topics/${place}`, { archived: true })
    const archived = { status: 403, body: 'topic is archived' }
    expect(refusal(await append(id, '!'))).toMatchObject(archived)
    expect(refusal(await finish(id))).toMatchObject(archived)
    await chatOf(ada).patch(`topics/${place}`, { archived: false })
    expect((await append(id, '!')).status).toBe(200)
    await other.delete(`/v2/topics/${place}/members`, { memberIds: [bot.id] })
    const gone = { status: 404, body: 'Message not found' }
    expect(refusal(await append(id, '!'))).toMatchObject(gone)
    expect(refusal(await finish(id))).toMatchObject(gone)
    await later(21_000)
    const { body } = await other.get(`/v2/messages/${id}`)
    expect(body).toMatchObject({ text: 'so far!', stream: { status: 'interrupted' } })
  })
})

describe('a bot that falls silent', () => {
  it('leaves a message that is marked, after the time limit and not before', async () => {
    const [quiet, busy] = [await begin(bot, { text: 'and then' }), await begin(bot, { text: 'still' })]
    await later(19_000, () => append(busy, ''))
    expect((await rowsOf(quiet)).length).toBe(1)
    await later(2000)
    expect((await bot.get(`/v2/messages/${quiet}`)).body).toMatchObject({
      text: 'and then',
      stream: { status: 'interrupted' },
    })
    expect((await createdFor(other, quiet)).length).toBe(1)
    expect(refusal(await append(quiet, '!'))).toMatchObject({ status: 409, body: 'message is finished' })
    expect((await append(busy, ' here')).body).toEqual({ id: busy, length: 10 })
    await finish(busy)
  })
})

describe('two nodes', () => {
  it('hand a message over with every piece, whatever node the bot calls', async () => {
    const second = await server.secondNode()
    await eventually(async () => server.parley.wake.isAlone || second.parley.wake.isAlone).toBe(false)
    const there = at(second.url, bot)
    const seenHere = await stream(ben)
    const cookiesThere = await signInToProfile(server, ada)
    const seenThere = await openStream({ ...cookiesThere, url: second.url }, orgId)
    open.push(seenThere)
    await seenThere.next(({ event }) => event === 'reset')
    const id = await begin()
    const words = Array.from({ length: 12 }, (_, index) => `${index},`)
    for (const [index, word] of words.entries())
      expect((await append(id, word, {}, index % 3 === 2 ? there : bot)).status).toBe(200)
    const text = words.join('')
    await until(() => shownIn(seenHere, id) === text)
    await until(() => shownIn(seenThere, id) === text)
    // A person at the other node stops it; the bot learns of it at its own.
    expect((await append(id, '!')).status).toBe(200)
    const adaThere = { ...cookiesThere, post: (path: string) => fetchAs(cookiesThere, second.url, path) }
    expect(await adaThere.post(`streaming/${id}/stop`)).toBe(204)
    expect(refusal(await append(id, '?'))).toMatchObject({ status: 409, body: 'stopped by a person' })
    expect((await bot.get(`/v2/messages/${id}`)).body).toMatchObject({ text: `${text}!` })
    expect((await createdFor(other, id)).length).toBe(1)

    // A node that answers no more: its kept text is taken over, by the bot's next piece or when the bot is silent too.
    const [left, lost] = [await begin(there, { text: 'kept' }), await begin(there, { text: 'kept too' })]
    await server.parley.db.query(sql`
      update streaming_messages set holder = ${newUuid()} where id = any(${[left, lost]}::uuid[])`)
    expect((await append(left, ', and on')).body).toEqual({ id: left, length: 12 })
    expect((await finish(left)).status).toBe(200)
    await later(21_000)
    expect((await bot.get(`/v2/messages/${lost}`)).body).toMatchObject({
      text: 'kept too',
      stream: { status: 'interrupted' },
    })
  })
})

/** Stops the server's clock, so that slow work stays within one second. */
async function whileTimeStands<Result>(work: () => Promise<Result>): Promise<Result> {
  const still = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  try {
    return await work()
  } finally {
    still.mockRestore()
  }
}

async function fetchAs(who: TestPerson, url: string, path: string): Promise<number> {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${url}/people/organizations/${who.orgId}/chat/${path}`, {
    method: 'POST',
    headers: { cookie, origin: url },
  })
  return response.status
}
