import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageActions } from '../contract/actions.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Question } from '../contract/questions.ts'
import { closeDueQuestions } from '../server/background/due-questions.ts'
import { deleteOldMessages } from '../server/background/message-retention.ts'
import { sql } from '../server/db/sql.ts'
import { at, oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'

const HOUR_MS = 3_600_000
const NOBODY = '00000000-0000-4000-8000-000000000000'
const BUTTONS = [
  { id: 'approve', text: 'Deploy', value: '1.4' },
  { id: 'refuse', text: 'Not now' },
]

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let other: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  bot = await staticBot(server, orgId, 'Asker')
  other = await staticBot(server, orgId, 'Other')
  const members = [ada.profileId, ben.profileId, cy.profileId, other.id]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
})
afterAll(() => server.close())

const send = (asked: object = {}, options = {}) =>
  bot.post('/v2/questions', { topicId, text: 'Deploy 1.4?', elements: BUTTONS, ...asked }, options)
async function ask(asked: object = {}): Promise<Question> {
  const { status, body, text } = await send(asked)
  expect(status, text).toBe(201)
  return Object(body)
}
const read = async (id: string, wait = 0, who = bot): Promise<Question> =>
  Object((await who.get(`/v2/questions/${id}?wait=${wait}`)).body)
const shown = async (messageId: string): Promise<MessageActions> =>
  Object((await chatOf(ben).get(`messages/${messageId}`)).body).actions
async function press(who: TestPerson, { messageId }: Question, elementId: string, given: object = {}) {
  const { id: actionsId, hash } = (await shown(messageId)) ?? {}
  return chatOf(who).post(`actions/${messageId}/press`, { actionsId, hash, elementId, ...given })
}
type Update = { eventType: string; data: Record<string, unknown> }
async function eventsOf({ id, messageId }: Question, who = bot): Promise<string[]> {
  const { updates }: { updates: Update[] } = Object((await who.get('/v2/updates?offset=newest')).body)
  expect(updates).toEqual([])
  const rows = await server.parley.db.query<{ type: string; status: string | null }>(sql`
    select type, data ->> 'status' as status from events
    where org_id = ${orgId} and ${who.id} = any(bot_ids)
      and (data ->> 'questionId' = ${id} or type = 'message.action' and data ->> 'messageId' = ${messageId}) order by seq`)
  return rows.map(({ type, status }) => (status === null ? type : `${type} ${status}`))
}
const waitingFor = (count: number) =>
  eventuallyHolds(async () => expect(server.parley.longPolls.count).toBe(count))

describe('a question', () => {
  it('is a message with buttons, answered once, and told to its bot alone', async () => {
    const question = await ask({ approval: true })
    expect(question).toMatchObject({ topicId, status: 'open', quorum: 1, approval: true, answers: [] })
    const { body } = await bot.get(`/v2/messages/${question.messageId}`)
    expect(body).toMatchObject({
      text: 'Deploy 1.4?',
      actions: { use: 'once', approval: true, question: { id: question.id, quorum: 1 } },
    })
    expect((await press(ben, question, 'approve')).status).toBe(201)
    const answered = await read(question.id)
    expect(answered).toMatchObject({
      status: 'answered',
      elementId: 'approve',
      value: '1.4',
      answers: [{ userId: ben.profileId, userName: 'Ben', elementId: 'approve', value: '1.4' }],
    })
    expect((await shown(question.messageId)).outcome).toMatchObject({
      status: 'answered',
      elementId: 'approve',
    })
    expect(refusal(await press(cy, question, 'refuse'))).toMatchObject({
      status: 409,
      body: 'already answered',
    })
    expect(await eventsOf(question)).toEqual(['message.action', 'question.closed answered'])
    expect(await eventsOf(question, other)).toEqual([])
    expect((await other.get(`/v2/questions/${question.id}`)).status).toBe(404)
    const { body: audit } = await ada.get(`/people/organizations/${orgId}/audit?target=bot&limit=10`)
    expect(JSON.stringify(audit)).toContain(question.messageId)
  })

  it('needs the same answer of as many people as it says, each of whom has one', async () => {
    const question = await ask({ quorum: 2, decisive: ['refuse'] })
    expect((await press(ben, question, 'approve')).status).toBe(201)
    expect(refusal(await press(ben, question, 'refuse'))).toMatchObject({ status: 409 })
    expect(await read(question.id)).toMatchObject({ status: 'open', answers: [{ userId: ben.profileId }] })
    expect((await press(cy, question, 'approve')).status).toBe(201)
    expect(await read(question.id)).toMatchObject({ status: 'answered', elementId: 'approve' })
    expect(refusal(await press(ada, question, 'approve'))).toMatchObject({
      status: 409,
      body: 'already answered',
    })
    expect(await eventsOf(question)).toEqual(['message.action', 'message.action', 'question.closed answered'])

    const vetoed = await ask({ quorum: 3, decisive: ['refuse'] })
    await press(ben, vetoed, 'approve')
    await press(cy, vetoed, 'refuse')
    expect(await read(vetoed.id)).toMatchObject({ status: 'answered', elementId: 'refuse' })
    const split = await ask({ quorum: 2 })
    await press(ben, split, 'approve')
    await press(cy, split, 'refuse')
    expect((await read(split.id)).status).toBe('open')
  })

  it('keeps what was written into a form, for its bot', async () => {
    const fields = [{ id: 'reason', text: 'Why?', required: true }]
    const question = await ask({ elements: [{ id: 'no', text: 'No', fields }] })
    await press(ben, question, 'no', { values: { reason: 'The fair is today' } })
    expect(await read(question.id)).toMatchObject({
      elementId: 'no',
      values: { reason: 'The fair is today' },
      answers: [{ values: { reason: 'The fair is today' } }],
    })
  })

  it('is decided once, whoever presses on whichever node at the same moment', async () => {
    const second = await server.secondNode()
    const elsewhere = { ...(await signInToProfile(server, cy)), url: second.url }
    for (const quorum of [1, 2]) {
      const question = await ask({ quorum })
      const waits = [read(question.id, 20), read(question.id, 20, at(second.url, bot))]
      const presses = await Promise.all([
        press(ben, question, 'approve'),
        press(elsewhere, question, 'approve'),
        press(ada, question, 'approve'),
        press(elsewhere, question, 'refuse'),
      ])
      expect(presses.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(quorum)
      for (const told of await Promise.all(waits)) expect(told.status).toBe('answered')
      const closed = (await eventsOf(question)).filter((type) => type.startsWith('question.closed'))
      expect(closed).toEqual(['question.closed answered'])
    }
  })

  it('ends when its time is over, with what counts then', async () => {
    const expiresAt = server.parley.clock() + HOUR_MS
    const [plain, decided] = [await ask({ expiresAt }), await ask({ expiresAt, otherwise: 'approve' })]
    const soon = await ask()
    await server.parley.db.query(sql`
      update questions set expires_at = 1 where org_id = ${orgId} and id = any(${[plain.id, decided.id]}::uuid[])`)
    await Promise.all([closeDueQuestions(server.parley), closeDueQuestions(server.parley)])
    expect(await read(plain.id)).toMatchObject({ status: 'expired' })
    expect(await read(plain.id)).not.toHaveProperty('elementId')
    expect(await read(decided.id)).toMatchObject({ status: 'expired', elementId: 'approve', value: '1.4' })
    expect(await read(soon.id)).toMatchObject({ status: 'open' })
    expect(refusal(await press(ben, decided, 'refuse'))).toMatchObject({
      status: 409,
      body: 'it is too late to answer',
    })
    expect(await eventsOf(decided)).toEqual(['question.closed expired'])
  })

  it('ends with its message, its buttons, or by its bot', async () => {
    const [deleted, replaced, ended, withdrawn] = [await ask(), await ask(), await ask(), await ask()]
    const waits = [deleted, replaced, ended, withdrawn].map(({ id }) => read(id, 20))
    await bot.delete(`/v2/messages/${deleted.messageId}`)
    await bot.patch(`/v2/messages/${replaced.messageId}`, { actions: { elements: BUTTONS } })
    await bot.patch(`/v2/messages/${ended.messageId}`, { text: 'Never mind.', actions: null })
    expect((await other.delete(`/v2/questions/${withdrawn.id}`)).status).toBe(404)
    expect((await bot.delete(`/v2/questions/${withdrawn.id}`)).status).toBe(204)
    expect((await bot.delete(`/v2/questions/${withdrawn.id}`)).status).toBe(204)
    for (const told of await Promise.all(waits)) expect(told.status).toBe('withdrawn')
    expect(refusal(await press(ben, withdrawn, 'approve'))).toMatchObject({ status: 409 })
    expect((await press(ben, replaced, 'approve')).status, 'buttons without a question').toBe(201)
    for (const question of [deleted, replaced, ended, withdrawn])
      expect((await eventsOf(question)).filter((type) => type.startsWith('question'))).toEqual([
        'question.closed withdrawn',
      ])
  })

  it('ends when its message goes because its time is over', async () => {
    const made = await bot.post('/v2/topics', { name: 'Brief', members: [ada.profileId, ben.profileId] })
    const brief = Object(made.body).id
    const { clock, db } = server.parley
    const question = await ask({ topicId: brief, expiresAt: clock() + 20 * 24 * HOUR_MS })
    const path = `/people/organizations/${orgId}/topics/${brief}`
    expect((await ada.patch(path, { keepMessagesDays: 1 })).status).toBe(200)
    server.clock.ahead = 3 * 24 * HOUR_MS
    await eventuallyHolds(async () => {
      await deleteOldMessages(server.parley)
      expect(
        await db.query(sql`select from messages where org_id = ${orgId} and topic_id = ${brief}`),
      ).toEqual([])
    })
    server.clock.ahead = 0
    expect(await read(question.id, 5)).toMatchObject({ status: 'withdrawn' })
    expect(await eventsOf(question)).toEqual(['question.closed withdrawn'])
  })

  it('goes on with another text of its message until somebody has answered', async () => {
    const question = await ask({ quorum: 2 })
    expect((await bot.patch(`/v2/messages/${question.messageId}`, { text: 'Deploy 1.5?' })).status).toBe(200)
    expect((await press(ben, question, 'approve')).status).toBe(201)
    expect(await read(question.id)).toMatchObject({ status: 'open', answers: [{ userId: ben.profileId }] })
    expect((await bot.patch(`/v2/messages/${question.messageId}`, { text: 'Deploy 2.0?' })).status).toBe(409)
    await press(cy, question, 'approve')
    expect(await read(question.id)).toMatchObject({ status: 'answered' })
    expect((await bot.patch(`/v2/messages/${question.messageId}`, { text: 'Deploy 2.0?' })).status).toBe(409)
  })

  it('is the same one for a bot that was restarted and asks with its key', async () => {
    const keyed = { key: 'deploy 1.4' }
    const asked = await Promise.all([send(keyed), send(keyed), send(keyed, withKey('deploy'))])
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    const [first, ...others] = asked.map(({ body }): Question => Object(body))
    if (!first) throw new Error('a question')
    for (const { id } of others) expect(id).toBe(first.id)
    await press(ben, first, 'approve')
    const again = await send(keyed)
    expect([again.status, Object(again.body)]).toMatchObject([200, { id: first.id, status: 'answered' }])
    expect(await send({ ...keyed, text: 'Deploy 2?' })).toMatchObject({
      status: 409,
      body: 'key names another question',
    })
    const others2 = await other.post('/v2/questions', { topicId, text: 'Mine?', elements: BUTTONS, ...keyed })
    expect(others2.status, 'keys are those of each bot').toBe(201)
  })
})

describe('waiting for an answer', () => {
  it('ends as soon as there is one, and after the time that it takes at most', async () => {
    const question = await ask()
    expect((await read(question.id, 1)).status).toBe('open')
    const waiting = read(question.id, 30)
    await waitingFor(1)
    await bot.post('/v2/messages', { topicId, text: 'Something else happens.' })
    const began = performance.now()
    await press(ben, question, 'approve')
    expect(await waiting).toMatchObject({ status: 'answered' })
    expect(performance.now() - began, 'no look at the end of the time').toBeLessThan(15_000)
    await waitingFor(0)
  })

  it('tells nothing to a bot that was paused in the meantime', async () => {
    const question = await ask()
    const waiting = bot.get(`/v2/questions/${question.id}?wait=30`)
    await waitingFor(1)
    const set = (paused: boolean) => ada.patch(`/people/organizations/${orgId}/bots/${bot.id}`, { paused })
    expect((await set(true)).status).toBe(200)
    await press(ben, question, 'approve')
    expect(refusal(await waiting)).toMatchObject({ status: 403, body: 'the bot is paused' })
    expect((await set(false)).status).toBe(200)
    expect(await read(question.id)).toMatchObject({ status: 'answered' })
  })
})

describe('a question is refused', () => {
  it.each([
    [{ text: '' }, 400, 'text is required'],
    [{ elements: [] }, 400, undefined],
    [{ elements: [BUTTONS[0], BUTTONS[0]] }, 400, 'ids must differ'],
    [{ topicId: NOBODY }, 404, 'Topic not found'],
    [{ parentId: NOBODY }, 400, 'Invalid parentId'],
    [{ quorum: 0 }, 400, undefined],
    [{ quorum: LIMITS.questionQuorum + 1 }, 400, undefined],
    [{ who: 'people', people: ['ADA'] }, 400, 'Invalid people'],
    [{ decisive: ['later'] }, 400, 'Invalid decisive'],
    [{ otherwise: 'later' }, 400, 'Invalid otherwise'],
    [{ expiresAt: 1 }, 400, 'expiresAt must be in the future'],
    [{ expiresAt: 9_999_999_999_999 }, 400, 'expiresAt must be at most 30 days ahead'],
  ])('with %j', async (asked, status, text) => {
    const answer = await send(asked)
    expect(answer.status).toBe(status)
    if (text !== undefined) expect(answer.body).toBe(text)
  })

  it('where fewer people may answer than it needs, and where somebody else asked', async () => {
    const named = { who: 'people', people: [ben.profileId], quorum: 2 }
    expect(await send(named)).toMatchObject({ status: 400, body: 'Invalid quorum' })
    const form = [{ id: 'no', text: 'No', fields: [{ id: 'why', text: 'Why?' }] }]
    expect(await send({ elements: form, otherwise: 'no' })).toMatchObject({ body: 'Invalid otherwise' })
    const question = await ask()
    const reader = await oauthBot(server, orgId, 'Reader', ['message:read'])
    const stranger = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
    expect((await reader.get(`/v2/questions/${question.id}`)).status).toBe(403)
    expect((await stranger.get(`/v2/questions/${question.id}`)).status).toBe(404)
    expect((await stranger.delete(`/v2/questions/${question.id}`)).status).toBe(404)
    expect((await bot.get(`/v2/questions/${NOBODY}`)).body).toBe('Question not found')
    expect((await bot.get('/v2/questions/nothing')).status).toBe(400)
    expect((await bot.get(`/v2/questions/${question.id}?wait=31`)).status).toBe(400)
  })
})
