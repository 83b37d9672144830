import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { firstUuidAt } from '../server/ids.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'
import { openStream, type TestStream } from './support/stream.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let other: StaticTestBot
let topicId: string
const open: TestStream[] = []

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  bot = await staticBot(server, orgId, 'Asker')
  other = await staticBot(server, orgId, 'Listener')
  const members = [ada.profileId, ben.profileId, other.id]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
})
afterAll(async () => {
  for (const stream of open) stream.close()
  await server.close()
})

async function stream(who: TestPerson): Promise<TestStream> {
  const opened = await openStream(who, orgId)
  open.push(opened)
  await opened.next(({ event }) => event === 'reset')
  return opened
}

const YES_OR_NO = [
  { id: 'yes', text: 'Yes', style: 'primary', value: '1' },
  { id: 'no', text: 'No' },
]
const CHOICE = {
  id: 'day',
  text: 'Which day?',
  options: [
    { text: 'Monday', value: 'mon' },
    { text: 'Friday', value: 'fri' },
  ],
}
const FORM = {
  id: 'refuse',
  text: 'Refuse …',
  fields: [
    { id: 'reason', text: 'Why?', type: 'paragraph', required: true },
    { id: 'hours', text: 'How long?', type: 'number' },
    { id: 'day', text: 'Which day?', type: 'choice', options: CHOICE.options },
    { id: 'name', text: 'Who?' },
  ],
}

const send = (actions: object, more: object = {}) =>
  bot.post('/v2/messages', { topicId, text: 'Shall I deploy?', actions, ...more })
async function ask(actions: object = {}): Promise<string> {
  const { status, body, text } = await send({ elements: YES_OR_NO, ...actions })
  expect(status, text).toBe(201)
  return Object(body).id
}
const actionsOf = async (id: string) => Object((await bot.get(`/v2/messages/${id}`)).body).actions
type Answer = { value?: string; values?: Record<string, string>; actionsId?: string }
async function press(who: TestPerson, id: string, elementId: string, answer: Answer = {}, options = {}) {
  const { id: actionsId, hash } = answer.actionsId === undefined ? await actionsOf(id) : {}
  return chatOf(who).post(`actions/${id}/press`, { actionsId, hash, elementId, ...answer }, options)
}
type Update = { id: string; eventType: string; data: Record<string, unknown> }
async function heardBy(who: StaticTestBot, id: string): Promise<Update[]> {
  const { updates }: { updates: Update[] } = Object(
    (await who.get('/v2/updates?offset=oldest&limit=100')).body,
  )
  return updates.filter(({ eventType, data }) => eventType === 'message.action' && data.messageId === id)
}
const rowsOf = (id: string) =>
  server.parley.db.query(sql`
    select profile_id, element_id, label, value, field_values from message_actions
    where org_id = ${orgId} and message_id = ${id} order by id`)
const notesFor = async (who: TestPerson, id: string) =>
  Object((await chatOf(who).get(`topics/${topicId}/history?limit=100`)).body).notes.filter(
    ({ messageId }: { messageId: string }) => messageId === id,
  )

describe('a message with buttons', () => {
  it('is answered once, however often and on any node it is pressed, and only its bot gets an event', async () => {
    const second = await server.secondNode()
    const bens = { ...(await signInToProfile(server, ben)), url: second.url }
    const seen = await stream(ada)
    for (let round = 0; round < 5; round += 1) {
      const id = await ask()
      const { id: actionsId } = await actionsOf(id)
      const presses = await Promise.all([
        press(ben, id, 'yes', { actionsId }),
        press(ada, id, 'no', { actionsId }),
        press(bens, id, 'yes', { actionsId }),
        press(ada, id, 'yes', { actionsId }),
        press(bens, id, 'no', { actionsId }),
        press(ben, id, 'yes', { actionsId }, withKey(`round-${round}`)),
        press(ben, id, 'yes', { actionsId }, withKey(`round-${round}`)),
      ])
      const statuses = presses.map(({ status }) => status)
      expect(
        statuses.every((status) => [200, 201, 409].includes(status)),
        String(statuses),
      ).toBe(true)
      const [first, ...more] = await heardBy(bot, id)
      expect(more).toEqual([])
      expect(await heardBy(other, id)).toEqual([])
      const ids = presses.flatMap(({ status, body }) => (status < 300 ? [Object(body).id] : []))
      expect([...new Set(ids)]).toEqual([first?.data.actionId])
      const { actionId, messageId: _message, topicId: _topic, userName, ...answer } = first?.data ?? {}
      expect(userName).toBe(answer.userId === ben.profileId ? 'Ben' : 'Ada')
      expect((await actionsOf(id)).answers).toEqual([{ id: actionId, ...answer }])
      expect(await rowsOf(id)).toMatchObject([{ profile_id: answer.userId, element_id: answer.elementId }])
      const loser = answer.userId === ben.profileId ? ada : ben
      expect(refusal(await press(loser, id, 'yes'))).toMatchObject({ status: 409, body: 'already answered' })
      await seen.next(({ event, data }) => event === 'message.answered' && Object(data).messageId === id)
    }
    expect(
      seen.seen.some(({ event }) => event === 'message.action'),
      'what is for the bot alone',
    ).toBe(false)
  })

  it('is a choice that each person answers once, or a tool that is used again and again', async () => {
    const id = await ask({ elements: [CHOICE], use: 'each' })
    expect(refusal(await press(ben, id, 'day', { value: 'tue' }))).toMatchObject({
      status: 400,
      body: 'Invalid value',
    })
    expect(refusal(await press(ben, id, 'day')).status).toBe(400)
    expect(refusal(await press(ben, id, 'night'))).toMatchObject({ status: 400, body: 'Invalid elementId' })
    expect((await press(ben, id, 'day', { value: 'mon' })).status).toBe(201)
    expect((await press(ben, id, 'day', { value: 'mon' })).status).toBe(200)
    expect(refusal(await press(ben, id, 'day', { value: 'fri' })).status).toBe(409)
    expect((await press(ada, id, 'day', { value: 'fri' })).status).toBe(201)
    expect((await heardBy(bot, id)).map(({ data }) => [data.userId, data.value])).toEqual([
      [ben.profileId, 'mon'],
      [ada.profileId, 'fri'],
    ])
    expect(await rowsOf(id)).toMatchObject([{ label: 'Which day?: Monday' }, { label: 'Which day?: Friday' }])

    const tool = await ask({ elements: [{ id: 'refresh', text: 'Refresh' }], use: 'always' })
    for (const who of [ben, ben, ada]) expect((await press(who, tool, 'refresh')).status).toBe(201)
    expect((await heardBy(bot, tool)).length).toBe(3)
    expect((await actionsOf(tool)).answers).toEqual([])
  })

  it('opens a form, whose content the bot alone gets', async () => {
    const seen = await stream(ada)
    const id = await ask({ elements: [FORM] })
    const wrong: [Record<string, string>, string][] = [
      [{}, 'values must have every required field'],
      [{ reason: ' \n' }, 'values must have every required field'],
      [{ reason: 'Too late', hours: 'two' }, 'Invalid values'],
      [{ reason: 'Too late', day: 'tue' }, 'Invalid values'],
      [{ reason: 'Too late', name: 'Ada\nBen' }, 'Invalid values'],
      [{ reason: 'Too late', colour: 'red' }, 'Invalid values'],
      [{ reason: 'x'.repeat(2001) }, 'reason too long'],
    ]
    for (const [values, body] of wrong)
      expect(refusal(await press(ben, id, 'refuse', { values })), body).toMatchObject({ status: 400, body })
    expect(refusal(await press(ben, id, 'refuse', { value: 'x' })).body).toBe('Invalid value')
    expect(await heardBy(bot, id)).toEqual([])
    const values = { reason: 'Friday\nafternoon', hours: '2.5', day: 'mon', name: '' }
    expect((await press(ben, id, 'refuse', { values })).status).toBe(201)
    expect((await press(ben, id, 'refuse', { values })).status).toBe(200)
    const { name: _empty, ...filled } = values
    expect((await heardBy(bot, id)).map(({ data }) => data.values)).toEqual([filled])
    await seen.next(({ event, data }) => event === 'message.answered' && Object(data).messageId === id)
    const shown = JSON.stringify([
      seen.seen,
      await actionsOf(id),
      (await other.get(`/v2/messages/${id}`)).body,
    ])
    expect(shown).not.toContain('afternoon')
    const plain = await ask()
    expect(refusal(await press(ben, plain, 'yes', { values })).body).toBe('Invalid values')
  })

  it('opens a form with days, bounded numbers, people and topics, in the shape of typed arguments', async () => {
    const fields = [
      { id: 'day', text: 'From', type: 'date', required: true },
      { id: 'days', text: 'Days', type: 'number', min: 0.5, max: 30 },
      { id: 'least', text: 'At least', type: 'number', min: -1 },
      { id: 'who', text: 'Stand-in', type: 'person' },
      { id: 'where', text: 'Tell', type: 'topic' },
      { id: 'constructor', text: 'A name of every object' },
      { id: 'toString', text: 'Another one', type: 'number', min: 1 },
    ]
    const id = await ask({ elements: [{ id: 'leave', text: 'Ask for days off', fields }], use: 'always' })
    expect((await actionsOf(id)).elements[0].fields).toEqual(fields)
    const give = (who: TestPerson, values: Record<string, string>) =>
      press(who, id, 'leave', { values: { day: '2027-01-31', ...values } })
    const foreignOrg = await organization(server)
    const stranger = await signInAs(server, { orgId: foreignOrg, name: 'Stranger', role: 'owner' })
    const foreignBot = await staticBot(server, foreignOrg, 'Foreign bot')
    const made = async (by: StaticTestBot, members: string[]) =>
      Object((await by.post('/v2/topics', { name: 'Elsewhere', members })).body).id
    const foreign = await made(foreignBot, [])
    const hidden = await made(other, [cy.profileId])
    const bens = await made(other, [ben.profileId])
    const gone = await signInAs(server, { orgId, name: 'Gone' })
    const gonePath = `/people/organizations/${orgId}/members/${gone.profileId}`
    expect((await ada.patch(gonePath, { status: 'Archived' })).status).toBe(200)
    const wrong: Record<string, string>[] = [
      { day: '2027-02-30' },
      { day: 'tomorrow' },
      { day: '2027-1-31' },
      { days: '1e1' },
      { days: '0x2' },
      { who: stranger.profileId },
      { who: gone.profileId },
      { who: bot.id },
      { who: 'Ben' },
      { who: `${ben.profileId} ${ben.profileId}` },
      { where: foreign },
      { where: hidden },
      { where: gone.profileId },
      { where: 'Releases' },
      { toString: 'one' },
      { hasOwnProperty: 'x' },
    ]
    for (const values of wrong)
      expect(refusal(await give(ben, values)), JSON.stringify(values)).toMatchObject({
        status: 400,
        body: 'Invalid values',
      })
    for (const values of [{ days: '0,4' }, { days: '30.1' }, { days: '-1' }, { least: '-1.5' }])
      expect(refusal(await give(ben, values)), JSON.stringify(values)).toMatchObject({
        status: 400,
        body: 'values out of range',
      })
    expect(await heardBy(bot, id)).toEqual([])
    const right: Record<string, string>[] = [
      { days: '0.5', least: '-1', who: ada.profileId, where: topicId, constructor: 'x' },
      { days: '2,5', who: `u@${cy.profileId.toUpperCase()}`, where: bens.toUpperCase() },
    ]
    for (const values of right) expect((await give(ben, values)).status, JSON.stringify(values)).toBe(201)
    const told: Record<string, string>[] = [
      { day: '2027-01-31', days: '0.5', least: '-1', who: ada.profileId, where: topicId, constructor: 'x' },
      { day: '2027-01-31', days: '2.5', who: cy.profileId, where: bens },
    ]
    expect((await heardBy(bot, id)).map(({ data }) => data.values)).toEqual(told)
    await chatOf(ben).post(`topics/${bens}/leave`)
    expect(refusal(await give(ben, { where: bens })).body).toBe('Invalid values')

    const guest = await signInAs(server, { orgId, name: 'Gus', role: 'guest' })
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [guest.profileId] })
    expect((await give(guest, { who: ben.profileId })).status).toBe(201)
    expect(refusal(await give(guest, { who: cy.profileId })).body).toBe('Invalid values')
  })

  it('is for permitted people: named, by role, in the topic, in time, while its bot is there', async () => {
    const named = await ask({ who: 'people', people: [ben.profileId] })
    expect(refusal(await press(ada, named, 'yes')).status).toBe(403)
    expect((await press(ben, named, 'yes')).status).toBe(201)
    for (const who of ['admins', 'owners']) {
      const id = await ask({ who })
      expect(refusal(await press(ben, id, 'yes')).status).toBe(403)
      expect((await press(ada, id, 'yes')).status).toBe(201)
    }
    expect(refusal(await press(cy, await ask(), 'yes'))).toMatchObject({
      status: 404,
      body: 'Message not found',
    })
    const short = await ask({ expiresAt: Date.now() + 60_000 })
    server.clock.ahead = 61_000
    expect(refusal(await press(ben, short, 'yes'))).toMatchObject({
      status: 409,
      body: 'it is too late to answer',
    })
    const left = await staticBot(server, orgId, 'Leaver')
    const topic = Object((await left.post('/v2/topics', { name: 'T', members: [ben.profileId] })).body).id
    const asked = await left.post('/v2/messages', {
      topicId: topic,
      text: 'Well?',
      actions: { elements: YES_OR_NO },
    })
    const { id } = Object(asked.body)
    const { actions } = Object((await left.get(`/v2/messages/${id}`)).body)
    await chatOf(ben).delete(`topics/${topic}/members`, { memberIds: [left.id] })
    expect(refusal(await press(ben, id, 'yes', { actionsId: actions.id }))).toMatchObject({
      status: 409,
      body: 'the bot has left the topic',
    })
    await server.parley.db.query(
      sql`update topics set archived_at = 1 where org_id = ${orgId} and id = ${topic}`,
    )
    expect(refusal(await press(ben, id, 'yes', { actionsId: actions.id }))).toMatchObject({
      status: 403,
      body: 'topic is archived',
    })
    const rows = [...(await rowsOf(short)), ...(await rowsOf(id))]
    expect(rows).toEqual([])
  })

  it('stands in the audit log where it is an approval, and nowhere else of it', async () => {
    const entries = async () => Object((await ada.get(`/people/organizations/${orgId}/audit`)).body).entries
    const before = (await entries())[0]?.id
    await press(ben, await ask(), 'yes')
    expect((await entries())[0]?.id).toBe(before)
    const id = await ask({ approval: true, elements: [CHOICE] })
    await press(ben, id, 'day', { value: 'mon' })
    expect((await entries())[0]).toMatchObject({
      action: 'bot.answered',
      actor: { id: ben.profileId },
      target: { id: bot.id },
      changes: [
        { field: 'question', to: 'Shall I deploy?' },
        { field: 'answer', to: 'Which day?: Monday' },
        { field: 'value', to: 'mon' },
        { field: 'hash', to: (await actionsOf(id)).hash },
        { field: 'message', to: id },
      ],
    })
    await bot.delete(`/v2/messages/${id}`)
    expect(await rowsOf(id)).toMatchObject([{ profile_id: ben.profileId, label: 'Which day?: Monday' }])
  })

  it('is asked again or ended by its bot, which can send the person a private note', async () => {
    const [bens, adas] = [await stream(ben), await stream(ada)]
    const id = await ask()
    await press(ben, id, 'yes')
    const [heard] = await heardBy(bot, id)
    const path = `/v2/actions/${heard?.data.actionId}/note`
    const note = { text: 'It has begun.' }
    expect(refusal(await other.post(path, note))).toMatchObject({ status: 404, body: 'Action not found' })
    expect((await bot.post(path, { text: 'Wait …' })).status).toBe(204)
    expect((await bot.post(path, note)).status).toBe(204)
    const told = await bens.next(
      ({ event, data }) => event === 'action.noted' && Object(data).text === note.text,
    )
    expect(told.data).toMatchObject({ messageId: id, userId: ben.profileId })

    const former = (await actionsOf(id)).id
    expect((await bot.patch(`/v2/messages/${id}`, { actions: null })).status).toBe(200)
    expect((await bot.patch(`/v2/messages/${id}`, { actions: { elements: YES_OR_NO } })).status).toBe(200)
    expect((await actionsOf(id)).answers).toEqual([])
    expect(refusal(await press(ben, id, 'yes', { actionsId: former }))).toMatchObject({
      status: 409,
      body: 'this changed while you were looking; read it again',
    })
    expect((await press(ada, id, 'yes')).status).toBe(201)
    expect((await heardBy(bot, id)).length).toBe(2)
    expect((await bot.patch(`/v2/messages/${id}`, { text: 'Deployed.', actions: null })).status).toBe(200)
    expect(await actionsOf(id)).toBeUndefined()
    expect(refusal(await press(ben, id, 'yes', { actionsId: former })).status).toBe(409)
    const updated = await adas.next(
      ({ event, data }) =>
        event === 'message.updated' &&
        Object(data).updatedFields.join() === 'text,actions' &&
        !Object(data).message.actions,
    )
    expect(Object(updated.data).message).toMatchObject({ id, text: 'Deployed.' })
    expect(adas.seen.some(({ event }) => event === 'action.noted')).toBe(false)
    expect(await notesFor(ben, id)).toEqual([
      { messageId: id, actionId: heard?.data.actionId, text: note.text },
    ])
    expect(await notesFor(ada, id)).toEqual([])
    const again = await openStream(ada, orgId, { lastId: '1' })
    open.push(again)
    await again.next(({ event, data }) => event === 'message.updated' && Object(data).message.id === id)
    expect(again.seen.some(({ event }) => ['action.noted', 'message.action'].includes(event))).toBe(false)
  })

  it('is counted by element for admins, who learn no words of it', async () => {
    const agent = await staticBot(server, orgId, 'Agent')
    const { body } = await agent.post('/v2/topics', { name: 'Closed', members: [ben.profileId] })
    const actions = { use: 'always', elements: [{ id: 'helpful', text: 'Helpful' }, FORM] }
    const answer = { topicId: Object(body).id, text: 'It rained.', actions }
    const sent = Object((await agent.post('/v2/messages', answer)).body).id
    const { id: actionsId, hash } = Object((await agent.get(`/v2/messages/${sent}`)).body).actions
    const say = (elementId: string, values?: Record<string, string>) =>
      chatOf(ben).post(`actions/${sent}/press`, { actionsId, hash, elementId, ...(values && { values }) })
    const path = `/people/organizations/${orgId}/bots/${encodeURIComponent(agent.id)}/answers`
    expect((await ada.get(path)).body).toEqual({ answers: [] })
    for (const id of ['helpful', 'helpful']) expect((await say(id)).status).toBe(201)
    expect((await say('refuse', { reason: 'It snowed' })).status).toBe(201)
    const counted = await ada.get(path)
    expect(counted.body).toEqual({
      answers: [
        { elementId: 'helpful', count: 2 },
        { elementId: 'refuse', count: 1 },
      ],
    })
    const old = firstUuidAt(Date.now() - 31 * 24 * 3_600_000)
    await server.parley.db.query(sql`
      update message_actions set id = ${old} where org_id = ${orgId} and message_id = ${sent} and element_id = 'refuse'`)
    expect((await ada.get(path)).body).toEqual({ answers: [{ elementId: 'helpful', count: 2 }] })
    expect(refusal(await ben.get(path)).status).toBe(403)
    expect(refusal(await ada.get(path.replace(encodeURIComponent(agent.id), 'b%40nobody'))).status).toBe(400)
    expect(
      refusal(await ada.get(path.replace(encodeURIComponent(agent.id), encodeURIComponent(ben.profileId)))),
    ).toMatchObject({
      status: 404,
      code: 'bot_not_found',
    })
  })

  it('is refused where it makes no sense, and nothing is sent', async () => {
    const elements = YES_OR_NO
    const big = Array.from({ length: 25 }, (_, at) => ({
      text: 'x'.repeat(75),
      value: `${'x'.repeat(190)}${at}`,
    }))
    const wrong: [object, string][] = [
      [{ elements: [] }, 'elements must have between 1 and 10 elements'],
      [{ elements: [YES_OR_NO[0], YES_OR_NO[0]] }, 'ids must differ'],
      [{ elements: [{ id: 'a b', text: 'A' }] }, 'Invalid id'],
      [{ elements: [{ ...CHOICE, fields: FORM.fields }] }, 'options and fields cannot be used together'],
      [
        { elements: [{ ...CHOICE, options: [CHOICE.options[0], CHOICE.options[0]] }] },
        'values of options must differ',
      ],
      [
        { elements: [{ ...FORM, fields: [{ id: 'a', text: 'A', type: 'choice' }] }] },
        'options are for fields of type choice',
      ],
      ...[
        { type: 'number', min: 2, max: 1 },
        { type: 'date', min: 1 },
        { max: 1 },
        { type: 'person', min: 0, max: 1 },
      ].map((field): [object, string] => [
        { elements: [{ ...FORM, fields: [{ id: 'a', text: 'A', ...field }] }] },
        'min and max are for fields of type number, at most 1e15, and min is not above max',
      ]),
      [
        { elements: [{ ...FORM, fields: [{ id: 'a', text: 'A', type: 'number', max: 1e16 }] }] },
        'min and max are for fields of type number, at most 1e15, and min is not above max',
      ],
      [{ elements: ['a', 'b', 'c', 'd'].map((id) => ({ id, text: id, options: big })) }, 'actions too large'],
      [{ elements, expiresAt: 1 }, 'expiresAt must be in the future'],
      [{ elements, who: 'people' }, 'people is for who people'],
      [{ elements, people: [ben.profileId] }, 'people is for who people'],
      [{ elements, who: 'people', people: [cy.profileId] }, 'Invalid people'],
      [{ elements, who: 'people', people: [other.id] }, 'Invalid people'],
      [{ elements, who: 'nobody' }, 'who must be "anyone", "admins", "owners" or "people"'],
    ]
    const id = await ask()
    const last = async () =>
      Object((await bot.get(`/v2/topics/${topicId}/messages?limit=1`)).body).messages[0]
    const before = await last()
    for (const [actions, body] of wrong) {
      expect(refusal(await send(actions)), body).toMatchObject({ status: 400, body })
      expect(refusal(await bot.patch(`/v2/messages/${id}`, { actions })), body).toMatchObject({
        status: 400,
        body,
      })
    }
    expect(refusal(await send({ elements }, { streaming: true })).status).toBe(400)
    expect(refusal(await bot.patch(`/v2/messages/${id}`, {})).body).toBe('text is required')
    expect(await last()).toEqual(before)
    const chat = chatOf(ada)
    expect(refusal(await chat.post('messages', { topicId, text: 'Me?', actions: { elements } })).status).toBe(
      403,
    )
    const own = Object((await chat.post('messages', { topicId, text: 'Me' })).body).id
    expect(refusal(await chat.patch(`messages/${own}`, { actions: { elements } })).status).toBe(403)
    expect((await send({ elements }, { externalId: 'q-1' })).status).toBe(201)
  })
})
