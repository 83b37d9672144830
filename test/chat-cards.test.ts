import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PollState } from '../contract/people/card-records.ts'
import type { Poll } from '../contract/polls.ts'
import { sql } from '../server/db/sql.ts'
import type { StaticTestBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInToProfile, type TestPerson } from './support/people.ts'
import type { Streamed } from './support/stream.ts'

let server: TestParley
let cast: ChatCast
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  cast = await chatCast(server)
  ;({ ada, ben, cy, bot, topicId } = cast)
})
afterAll(async () => {
  cast.close()
  await server.close()
})

const asked = (more: Record<string, unknown> = {}) => ({
  topicId,
  question: 'When do we ship?',
  options: ['Today', 'Tomorrow', 'Never'],
  selectionType: 'single',
  ...more,
})
async function newPoll(who: TestPerson, more: Record<string, unknown> = {}) {
  const { status, body, text } = await chatOf(who).post('polls', asked(more))
  expect(status, text).toBe(201)
  const poll: Poll = Object(body)
  const [one = '', two = ''] = poll.options.map(({ id }) => id)
  return { id: poll.id, one, two, votes: `polls/${poll.id}/votes` }
}
/** The poll as a history page shows it to this person. */
async function stateOf(who: TestPerson, pollId: string): Promise<PollState> {
  const { body } = await chatOf(who).get(`topics/${topicId}/history?limit=100`)
  const state = Object(body).polls.find(({ id }: PollState) => id === pollId)
  if (!state) throw new Error('the page has the poll')
  return state
}
const countsOf = ({ options }: Pick<PollState, 'options'>) => options.map(({ count }) => count)
const isResult =
  (pollId: string, version: number) =>
  ({ event, data }: Streamed) =>
    event === 'poll.updated' && Object(data).poll.id === pollId && Object(data).poll.version === version

describe('a poll', () => {
  it('counts votes as they come, moves and takes back, and tells each what is theirs', async () => {
    const bens = await cast.stream(ben)
    const { id, one, two, votes } = await newPoll(ada)
    expect(await stateOf(ben, id)).toEqual({
      id,
      version: 0,
      status: 'active',
      voters: 0,
      options: [
        { id: one, count: 0, voterIds: [] },
        { id: two, count: 0, voterIds: [] },
        { id: expect.any(String), count: 0, voterIds: [] },
      ],
      own: [],
    })
    const [adas, botVote] = [
      await chatOf(ada).post(votes, { optionId: one }, withKey('vote-1')),
      await bot.post(`/v2/${votes}`, { optionId: two }),
    ]
    expect([adas.status, botVote.status]).toEqual([201, 201])
    const first = await bens.next(isResult(id, 1))
    expect(countsOf(Object(first.data).poll)).toEqual([1, 0, 0])
    const second = await bens.next(isResult(id, 2))
    expect(Object(second.data).poll.options[1]).toEqual({ id: two, count: 1, voterIds: [bot.id] })
    expect((await chatOf(ada).post(votes, { optionId: one })).status).toBe(200) // a repeat emits no event
    await chatOf(ada).post(votes, { optionId: two })
    expect(countsOf(Object((await bens.next(isResult(id, 3))).data).poll)).toEqual([0, 2, 0])
    expect(await stateOf(ada, id)).toMatchObject({ version: 3, voters: 2, own: [two] })
    expect(await stateOf(ben, id)).toMatchObject({ version: 3, voters: 2, own: [] })
    const voteId = `${id}_${two}_${ada.profileId}`
    expect((await chatOf(ada).delete(`${votes}/${voteId}`)).status).toBe(204)
    expect(countsOf(Object((await bens.next(isResult(id, 4))).data).poll)).toEqual([0, 1, 0])
    expect(refusal(await chatOf(ben).delete(`${votes}/${voteId}`))).toMatchObject({ status: 404 })
  })

  it('tells the voter alone what they chose, on every page of theirs', async () => {
    const elsewhere = await signInToProfile(server, ada)
    const [adas, bens] = [await cast.stream(elsewhere), await cast.stream(ben)]
    const before = bens.lastId
    const { id, one, votes } = await newPoll(ben)
    await chatOf(ada).post(votes, { optionId: one })
    const told = await adas.next(({ event }) => event === 'poll.voted')
    expect(told.data).toEqual({
      topicId,
      pollId: id,
      voterId: ada.profileId,
      version: 1,
      optionIds: [one],
    })
    await bens.next(isResult(id, 1))
    const later = await cast.streamAfter(ben, before)
    await later.next(isResult(id, 1))
    for (const { seen } of [bens, later])
      expect(seen.filter(({ event }) => event === 'poll.voted')).toEqual([])
  })

  it('that is anonymous stays so in every answer and event, and is for people', async () => {
    const [adas, bens] = [await cast.stream(ada), await cast.stream(ben)]
    const { id, one, two, votes } = await newPoll(ada, { anonymous: true, selectionType: 'multiple' })
    expect((await chatOf(ben).post(votes, { optionId: one })).status).toBe(201)
    expect((await chatOf(ben).post(votes, { optionId: two })).status).toBe(201)
    expect(refusal(await chatOf(ada).post(votes, { optionId: 'zzzzzz' }))).toMatchObject({
      body: 'invalid optionId',
    })
    await adas.next(isResult(id, 2))
    const ours = (streamed: Streamed) => JSON.stringify(streamed).includes(id)
    const seenByAda = adas.seen.filter((streamed) => ours(streamed) && streamed.event !== 'message.created')
    expect(seenByAda.map(({ event }) => event)).toEqual(['poll.updated', 'poll.updated'])
    expect(JSON.stringify(seenByAda)).not.toContain(ben.profileId)
    expect(await stateOf(ada, id)).toMatchObject({ voters: 1, own: [] })
    expect(JSON.stringify(await stateOf(ada, id))).not.toContain(ben.profileId)
    expect((await stateOf(ben, id)).own.toSorted()).toEqual([one, two].toSorted())
    expect(bens.seen.filter(({ event }) => event === 'poll.voted')).toHaveLength(2)
    // Bots get no event, now or later.
    const events = await server.parley.db.query<{ type: string }>(sql`
      select e.type from events e where e.data::text like ${`%${id}%`} and e.data::text like ${`%${ben.profileId}%`}`)
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['poll.voted']))
    const audience = await server.parley.db.query(sql`
      select 1 from events where type like 'poll.%' and bot_ids <> '{}'`)
    expect(audience).toEqual([])
    expect(refusal(await chatOf(ben).delete(`${votes}/${id}_${one}_${ben.profileId}`))).toMatchObject({
      status: 204,
    })
    expect(await bot.post(`/v2/${votes}`, { optionId: one })).toMatchObject({
      status: 400,
      body: 'anonymous polls are not supported',
    })
  })

  it('is closed by who asked and by admins, in words, and takes no more votes', async () => {
    const bens = await cast.stream(ben)
    const { id, one, votes } = await newPoll(ben)
    const forbidden = { status: 403, body: 'forbidden', code: 'forbidden' }
    const missing = { status: 404, body: 'poll not found', code: 'poll_not_found' }
    expect(refusal(await chatOf(cy).post(`polls/${id}/close`))).toEqual(missing)
    expect(refusal(await chatOf(cy).post(votes, { optionId: one }))).toEqual(missing)
    const adasPoll = await newPoll(ada)
    expect(refusal(await chatOf(ben).post(`polls/${adasPoll.id}/close`))).toEqual(forbidden)
    expect((await chatOf(ada).post(`polls/${id}/close`)).status).toBe(204)
    const told = await bens.next(isResult(id, 1))
    expect(told.data).toMatchObject({ poll: { status: 'closed' }, closedAt: expect.any(Number) })
    expect((await chatOf(ben).post(`polls/${id}/close`)).status).toBe(204)
    expect(await stateOf(ben, id)).toMatchObject({ status: 'closed', version: 1 })
    expect(refusal(await chatOf(ben).post(votes, { optionId: one }))).toEqual({
      status: 400,
      body: 'poll is closed',
      code: 'poll_closed',
    })
    const soon = await newPoll(ada, { expiresAt: Date.now() + 60_000 })
    server.clock.ahead += 120_000
    const expired = await chatOf(ben).post(soon.votes, { optionId: soon.one })
    expect((await stateOf(ben, soon.id)).status).toBe('closed')
    server.clock.ahead -= 120_000
    expect(refusal(expired)).toMatchObject({ status: 400, code: 'poll_expired' })
  })
})

describe('a place and a contact', () => {
  it('become messages of their type, which bots read as specified', async () => {
    const sent = await chatOf(ada).post(
      'locations',
      { topicId, latitude: 53.5413, longitude: -9.984, name: 'Elbphilharmonie', externalId: 'here-1' },
      withKey('place-1'),
    )
    expect(sent.status, sent.text).toBe(201)
    expect((await bot.get(`/v2/messages/${Object(sent.body).id}`)).body).toMatchObject({
      type: 'location',
      location: { latitude: '53.5413', longitude: '-9.984', name: 'Elbphilharmonie' },
      externalId: 'here-1',
      senderId: ada.profileId,
    })
    const contact = { name: 'Mara', phoneNumbers: ['+49 40 1234'], emails: ['mara@example.com'] }
    const reply = { parentId: Object(sent.body).id, profileId: ben.profileId }
    const card = await chatOf(ada).post('contacts', { topicId, ...contact, ...reply })
    expect(card.status, card.text).toBe(201)
    expect((await bot.get(`/v2/messages/${Object(card.body).id}`)).body).toMatchObject({
      type: 'contact',
      parentId: reply.parentId,
      contact: { ...contact, role: '', location: '', linkedIn: '', profileId: ben.profileId },
    })
  })

  it('are refused if they make no sense, or the person may not write', async () => {
    const place = { topicId, latitude: 1, longitude: 2 }
    for (const [body, text] of [
      [{ ...place, latitude: 91 }, /latitude/],
      [{ ...place, longitude: -181 }, /longitude/],
      [{ topicId, longitude: 2 }, /latitude/],
      [{ ...place, name: '' }, /name/],
    ] as const) {
      const answer = await chatOf(ada).post('locations', body)
      expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(text)])
    }
    const noTopic = { status: 404, body: 'Topic not found', code: 'topic_not_found' }
    expect(refusal(await chatOf(cy).post('locations', place))).toEqual(noTopic)
    expect(refusal(await chatOf(cy).post('contacts', { topicId, name: 'X' }))).toEqual(noTopic)
    const stranger = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
    expect(
      refusal(await chatOf(ada).post('contacts', { topicId, name: 'X', profileId: stranger })),
    ).toMatchObject({ status: 400, body: 'Invalid profileId' })
    expect(refusal(await chatOf(ada).post('locations', { ...place, parentId: stranger }))).toMatchObject({
      status: 400,
      body: 'Invalid parentId',
    })
    await chatOf(ada).patch(`topics/${topicId}`, { announcement: true })
    expect(refusal(await chatOf(ben).post('locations', place))).toMatchObject({
      status: 403,
      body: 'forbidden',
    })
    await chatOf(ada).patch(`topics/${topicId}`, { announcement: false })
  })
})
