import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBot } from '../sdk/index.ts'
import { connectFor } from './support/assistants.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { until } from './support/receiver.ts'
import { openStream } from './support/stream.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let cy: TestPerson
let bot: StaticTestBot
let other: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  bot = await staticBot(server, orgId, 'Deploy bot')
  other = await staticBot(server, orgId, 'Other bot')
  const members = [ada.profileId, other.id]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
})
afterAll(() => server.close())

const DEPLOY = {
  name: 'deploy',
  description: 'Deploy a version',
  arguments: [{ name: 'version', description: 'Which one' }, { name: 'reason' }],
}
const HELP = { name: 'help', description: 'What I can do' }
const set = (commands: unknown, who = bot) => who.put('/v2/commands', { commands })
const say = (text: string, options = {}) => chatOf(ada).post('messages', { topicId, text }, options)
type Update = { eventType: string; data: Record<string, unknown> }
async function heardBy(who: StaticTestBot): Promise<Record<string, unknown>[]> {
  const { updates }: { updates: Update[] } = Object(
    (await who.get('/v2/updates?offset=oldest&limit=100')).body,
  )
  return updates.flatMap(({ eventType, data }) => (eventType === 'message.command' ? [data] : []))
}

describe('commands', () => {
  it('are set by a bot, and seen by who is in a topic with it', async () => {
    expect((await set([HELP, DEPLOY])).status).toBe(200)
    const all = [DEPLOY, { ...HELP, arguments: [] }]
    expect((await bot.get('/v2/commands')).body).toEqual({ commands: all })
    expect((await other.get('/v2/commands')).body).toEqual({ commands: [] })
    const seen = await chatOf(ada).get(`topics/${topicId}/commands`)
    expect(Object(seen.body).commands).toEqual(all.map((one) => ({ ...one, botId: bot.id })))
    expect(refusal(await chatOf(cy).get(`topics/${topicId}/commands`))).toMatchObject({
      status: 404,
      body: 'Topic not found',
    })
    const wrong: [unknown, string][] = [
      [[HELP, HELP], 'names must differ'],
      [[{ ...DEPLOY, arguments: [{ name: 'a' }, { name: 'a' }] }], 'names must differ'],
      [[{ name: 'Deploy', description: 'x' }], 'Invalid name'],
      [[{ name: 'deploy' }], 'description is required'],
      [
        Array.from({ length: 51 }, (_, at) => ({ name: `c${at}`, description: 'x' })),
        'commands must have at most 50 elements',
      ],
    ]
    for (const [commands, body] of wrong)
      expect(refusal(await set(commands)), body).toMatchObject({ status: 400, body })
    expect((await bot.get('/v2/commands')).body).toEqual({ commands: all })
  })

  it('are messages, with one more event for the bot alone', async () => {
    const stream = await openStream(ada, orgId)
    await stream.next(({ event }) => event === 'reset')
    const key = withKey('a command')
    const sent = await say('/deploy "1.4 beta"  because of   it', key)
    expect((await say('/deploy "1.4 beta"  because of   it', key)).body).toEqual(sent.body)
    expect(await heardBy(bot)).toEqual([
      {
        messageId: Object(sent.body).id,
        topicId,
        userId: ada.profileId,
        userName: 'Ada',
        name: 'deploy',
        arguments: { version: '1.4 beta', reason: 'because of   it' },
        text: '"1.4 beta"  because of   it',
        createdAt: Object(sent.body).createdAt,
      },
    ])
    await say('/help')
    for (const text of ['/helpme', ' /help', '/usr/bin is a folder', '/unknown thing']) {
      expect((await say(text)).status).toBe(201)
    }
    await bot.post('/v2/messages', { topicId, text: '/help' })
    await other.post('/v2/messages', { topicId, text: '/help' })
    await say('/deploy')
    expect((await heardBy(bot)).slice(1).map((data) => [data.name, data.arguments])).toEqual([
      ['help', {}],
      ['deploy', {}],
    ])
    expect(await heardBy(other)).toEqual([])
    await stream.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.text === '/deploy',
    )
    expect(stream.seen.some(({ event }) => event === 'message.command')).toBe(false)
    stream.close()
  })

  it('that several bots have are for the one that is mentioned', async () => {
    await set([HELP], other)
    const before = (await heardBy(bot)).length
    const last = async () =>
      Object((await bot.get(`/v2/topics/${topicId}/messages?limit=1`)).body).messages[0].id
    const newest = await last()
    expect(refusal(await say('/help'))).toMatchObject({
      status: 400,
      body: 'several bots have this command, mention one',
    })
    expect(await last()).toBe(newest)
    expect((await say(`/help <@${other.id}> me`)).status).toBe(201)
    expect((await heardBy(other)).map(({ text }) => text)).toEqual(['me'])
    expect((await heardBy(bot)).length).toBe(before)
    await set([], other)
    expect((await say('/help')).status).toBe(201)
    expect((await heardBy(bot)).length).toBe(before + 1)
  })

  it('have arguments with types, which are checked before anybody sees the command', async () => {
    const typed = await staticBot(server, orgId, 'Leave bot')
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [typed.id, cy.profileId] })
    const hidden = Object((await other.post('/v2/topics', { name: 'Hidden', members: [] })).body).id
    const leave = {
      name: 'leave',
      description: 'Ask for days off',
      arguments: [
        { name: 'kind', type: 'choice', options: ['Holiday', 'Sick leave'], required: true },
        { name: 'days', type: 'number', required: true },
        { name: 'from', type: 'date' },
        { name: 'topic', type: 'topic' },
        { name: 'stand-in', type: 'person' },
      ],
    }
    expect(await set([leave], typed)).toMatchObject({ status: 200, body: { commands: [leave] } })
    const link = (id: string) => `[#The \\[big\\] one](https://chat.example.com/t/${id})`
    const given = async (text: string) => {
      expect((await say(`/leave ${text}`)).status, text).toBe(201)
      return (await heardBy(typed)).at(-1)?.arguments
    }
    expect(await given('holiday 2,5')).toEqual({ kind: 'Holiday', days: '2.5' })
    expect(await given('"sick LEAVE" -1 2028-02-29')).toEqual({
      kind: 'Sick leave',
      days: '-1',
      from: '2028-02-29',
    })
    expect(await given(`Holiday 3 2027-01-31 ${link(topicId.toUpperCase())} <@${cy.profileId}>`)).toEqual({
      kind: 'Holiday',
      days: '3',
      from: '2027-01-31',
      topic: topicId,
      'stand-in': cy.profileId,
    })
    const heard = (await heardBy(typed)).length
    for (const text of ['', 'Holiday', '  '])
      expect(refusal(await say(`/leave ${text}`)), text).toMatchObject({
        status: 400,
        code: 'command_argument_missing',
      })
    for (const text of [
      'Weekend 1',
      'Holiday one',
      'Holiday 1e3',
      'Holiday 1 2027-02-30',
      'Holiday 1 tomorrow',
      `Holiday 1 2027-01-31 ${link(hidden)}`,
      `Holiday 1 2027-01-31 ${topicId}`,
      `Holiday 1 2027-01-31 ${link(topicId)} Cy`,
      `Holiday 1 2027-01-31 ${link(topicId)} <@${typed.id}>`,
      `Holiday 1 2027-01-31 ${link(topicId)} <@${cy.profileId}> and more`,
    ])
      expect(refusal(await say(`/leave ${text}`)), text).toMatchObject({
        status: 400,
        code: 'command_argument_wrong',
      })
    expect((await heardBy(typed)).length).toBe(heard)
    const { body } = await bot.get(`/v2/topics/${topicId}/messages?limit=1`)
    expect(Object(body).messages[0].text).toContain(cy.profileId)
    const wrong = [
      [{ name: 'a', type: 'choice' }],
      [{ name: 'a', options: ['x'] }],
      [{ name: 'a', type: 'choice', options: ['x', 'X'] }],
      [{ name: 'a' }, { name: 'b', required: true }],
    ]
    for (const taken of wrong)
      expect(refusal(await set([{ ...leave, arguments: taken }], typed))).toMatchObject({
        status: 400,
        code: 'command_arguments_invalid',
      })
    expect((await set([{ ...leave, arguments: [{ name: 'a', type: 'thing' }] }], typed)).status).toBe(400)
  })

  it('open a form, whose values the bot alone gets, beside a message for everybody', async () => {
    const leaver = await staticBot(server, orgId, 'Form bot')
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [leaver.id] })
    const vacation = {
      name: 'vacation',
      description: 'Ask for days off',
      fields: [
        { id: 'from', text: 'From', type: 'date', required: true },
        { id: 'days', text: 'Days', type: 'number', min: 1, max: 30 },
        { id: 'stand-in', text: 'Stand-in', type: 'person' },
        { id: 'tell', text: 'Tell', type: 'topic' },
      ],
    }
    const shown = { ...vacation, arguments: [] }
    expect(await set([vacation, HELP], leaver)).toMatchObject({ status: 200 })
    expect((await leaver.get('/v2/commands')).body).toEqual({ commands: [{ ...HELP, arguments: [] }, shown] })
    const listed = Object((await chatOf(ada).get(`topics/${topicId}/commands`)).body).commands
    expect(listed).toContainEqual({ ...shown, botId: leaver.id })

    const stream = await openStream(ada, orgId)
    await stream.next(({ event }) => event === 'reset')
    const give = (who: TestPerson, body: object, options = {}) =>
      chatOf(who).post(`topics/${topicId}/commands`, body, options)
    const values = { from: '2027-03-09', days: '2,5', 'stand-in': cy.profileId, tell: topicId }
    const key = withKey('a form')
    const sent = await give(ada, { text: '/vacation a few days', values }, key)
    expect(sent.status).toBe(201)
    expect((await give(ada, { text: '/vacation a few days', values }, key)).body).toEqual(sent.body)
    const { id, createdAt } = Object(sent.body)
    expect(await heardBy(leaver)).toEqual([
      {
        ...{ messageId: id, topicId, userId: ada.profileId, userName: 'Ada', name: 'vacation' },
        arguments: { ...values, days: '2.5' },
        text: 'a few days',
        createdAt,
      },
    ])
    const message = Object((await other.get(`/v2/messages/${id}`)).body)
    expect(message).toMatchObject({ text: '/vacation a few days', senderId: ada.profileId })
    await stream.next(({ event, data }) => event === 'message.created' && Object(data).message.id === id)
    const seen = JSON.stringify([
      stream.seen,
      message,
      await other.get('/v2/updates?offset=oldest&limit=100'),
    ])
    expect(seen).not.toContain('2027-03-09')
    stream.close()

    const reply = await give(ada, { text: '/vacation', values: { from: '2027-02-01' }, parentId: id })
    expect(reply.status).toBe(201)
    expect((await heardBy(leaver)).at(-1)).toMatchObject({ parentId: id, arguments: { from: '2027-02-01' } })

    const newest = async () => (await heardBy(leaver)).length
    const before = await newest()
    const last = async () =>
      Object((await bot.get(`/v2/topics/${topicId}/messages?limit=1`)).body).messages[0].id
    const lastId = await last()
    const hidden = Object((await other.post('/v2/topics', { name: 'Out of sight', members: [] })).body).id
    const wrong: [object, string][] = [
      [{ text: '/vacation', values: {} }, 'answer_incomplete'],
      [{ text: '/vacation', values: { from: 'soon' } }, 'field_invalid'],
      [{ text: '/vacation', values: { from: '2027-01-31', days: '31' } }, 'field_out_of_range'],
      [{ text: '/vacation', values: { from: '2027-01-31', tell: hidden } }, 'field_invalid'],
      [{ text: '/vacation', values: { from: '2027-01-31', 'stand-in': leaver.id } }, 'field_invalid'],
      [{ text: '/vacation', values: { from: '2027-01-31', more: 'x' } }, 'field_invalid'],
      [{ text: '/vacation' }, 'field_required'],
      [{ text: '/help', values: {} }, 'command_ambiguous'],
      [{ text: `/help <@${leaver.id}>`, values: {} }, 'command_form_unknown'],
      [{ text: 'vacation', values: { from: '2027-01-31' } }, 'command_form_unknown'],
      [{ text: '/vacations', values: { from: '2027-01-31' } }, 'command_form_unknown'],
    ]
    for (const [body, code] of wrong)
      expect(refusal(await give(ada, body)), JSON.stringify(body)).toMatchObject({ status: 400, code })
    expect(refusal(await say('/vacation'))).toMatchObject({ status: 400, code: 'command_form_missing' })
    expect(refusal(await say('/vacation 2027-01-31')).code).toBe('command_form_missing')
    expect(await newest()).toBe(before)
    expect(await last()).toBe(lastId)

    // The server refuses the command as a text, also when it is sent later or by an assistant.
    const sendAt = Date.now() + 3_600_000
    const later = await chatOf(ada).post('messages', { topicId, text: '/vacation', sendAt })
    expect(later.status).toBe(201)
    const sendNow = `scheduled-messages/${Object(later.body).id}/send`
    expect(refusal(await chatOf(ada).post(sendNow)).code).toBe('command_form_missing')
    const { client } = await connectFor(ada)
    const tried = await client.callTool({ name: 'send_message', arguments: { topicId, text: '/vacation' } })
    expect(tried).toMatchObject({ isError: true })
    expect(JSON.stringify(tried.content)).toContain('this command opens a form')
    await client.close()
    expect(await newest()).toBe(before)

    // A stranger to the topic learns nothing, and a bot gives no commands.
    const outside = await signInAs(server, { orgId, name: 'Dee' })
    const given = { text: '/vacation', values: { from: '2027-01-31' } }
    expect(refusal(await give(outside, given))).toMatchObject({ status: 404, body: 'Topic not found' })
    expect((await other.post('/v2/messages', { topicId, ...given })).status).toBe(201)
    expect(await newest()).toBe(before)

    // Taken back before the bot has read it, it says nothing any more.
    const late = Object((await give(ada, given)).body).id
    expect((await chatOf(ada).delete(`messages/${late}`)).status).toBeLessThan(300)
    expect((await heardBy(leaver)).at(-1)).toMatchObject({ messageId: late, name: '', arguments: {} })
    expect((await set([HELP], leaver)).status).toBe(200)
    expect(refusal(await give(ada, given)).code).toBe('command_form_unknown')
  })

  it('are refused with fields that make no form, and stay as they are', async () => {
    const before = (await bot.get('/v2/commands')).body
    const field = { id: 'a', text: 'A' }
    const form = (fields: unknown, more = {}) => [{ ...HELP, fields, ...more }]
    const big = Array.from({ length: 25 }, (_, at) => ({
      text: 'x'.repeat(75),
      value: `${at} ${'x'.repeat(190)}`,
    }))
    const choices = Array.from({ length: 10 }, (_, at) => ({
      ...{ id: `f${at}`, text: 'A', type: 'choice' },
      options: big,
    }))
    const wrong: [unknown, string][] = [
      [form([]), 'fields must have between 1 and 10 elements'],
      [form([field, field]), 'ids must differ'],
      [form([field], { arguments: [{ name: 'a' }] }), 'arguments and fields cannot be used together'],
      [form([{ ...field, type: 'choice' }]), 'options are for fields of type choice'],
      [
        form([{ ...field, type: 'date', min: 1 }]),
        'min and max are for fields of type number, at most 1e15, and min is not above max',
      ],
      [form([{ ...field, type: 'thing' }]), 'type must be'],
      [form(choices), 'fields of the commands too large'],
    ]
    for (const [commands, body] of wrong) {
      const refused = refusal(await set(commands))
      expect(refused, body).toMatchObject({ status: 400 })
      expect(refused.body).toContain(body)
    }
    expect((await bot.get('/v2/commands')).body).toEqual(before)
  })

  it('are answered by a bot that uses the library', async () => {
    const named = await staticBot(server, orgId, 'Page bot')
    const running = createBot({ url: server.url, ...named.credentials })
    running.on('command', ({ command, reply }) => reply(`Deploying to ${command.arguments.environment} …`))
    await running.parley.setCommands({
      body: { commands: [{ name: 'ship', description: 'Ship it', arguments: [{ name: 'environment' }] }] },
    })
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [named.id] })
    const ended = running.start()
    const { id } = Object((await say('/ship production')).body)
    const answers = async () =>
      Object((await bot.get(`/v2/topics/${topicId}/messages?threadId=${id}`)).body).messages
    await until(async () => (await answers()).length > 0)
    expect(await answers()).toMatchObject([{ text: 'Deploying to production …', parentId: id }])
    running.stop()
    await ended
  })
})

describe('prompts', () => {
  const suggest = (prompts: unknown, who = bot) => who.put('/v2/prompts', { prompts })
  const PROMPTS = ['What went live today?', 'Who is on call?']
  const shownTo = async (person: TestPerson, who = bot) =>
    Object((await chatOf(person).get(`members/${encodeURIComponent(who.id)}`)).body)

  it('are set by a bot for itself, and seen on its profile', async () => {
    expect(await suggest(PROMPTS)).toMatchObject({ status: 200, body: { prompts: PROMPTS } })
    expect((await bot.get('/v2/prompts')).body).toEqual({ prompts: PROMPTS })
    expect((await other.get('/v2/prompts')).body).toEqual({ prompts: [] })
    expect((await shownTo(ada)).prompts).toEqual(PROMPTS)
    expect((await shownTo(cy)).prompts).toEqual(PROMPTS)
    expect((await shownTo(ada, other)).prompts).toEqual([])
    expect(Object((await chatOf(ada).get(`members/${cy.profileId}`)).body)).not.toHaveProperty('prompts')
  })

  it('are seen by guests who share a topic with the bot, and nothing else of it', async () => {
    const guest = await signInAs(server, { orgId, name: 'Gus', role: 'guest' })
    expect(refusal(await chatOf(guest).get(`members/${encodeURIComponent(bot.id)}`))).toMatchObject({
      status: 404,
    })
    await chatOf(ada).post('topics', { name: 'With a guest', members: [guest.profileId, bot.id] })
    const seen = await shownTo(guest)
    expect(seen.prompts).toEqual(PROMPTS)
    expect(seen).not.toHaveProperty('bot')
  })

  it.each([
    [['a', 'b', 'c', 'd', 'e'], 'prompts must have at most 4 elements'],
    [[''], 'prompts is required'],
    [['x'.repeat(201)], 'prompts too long'],
    [['two\nlines'], 'prompts may not contain control characters'],
    ['text', 'prompts must be an array'],
  ])('are refused where they are wrong: %#', async (prompts, body) => {
    const before = (await bot.get('/v2/prompts')).body
    expect(refusal(await suggest(prompts))).toMatchObject({ status: 400, body })
    expect((await bot.get('/v2/prompts')).body).toEqual(before)
  })

  it('are taken away with an empty list', async () => {
    expect((await suggest([])).status).toBe(200)
    expect((await shownTo(ada)).prompts).toEqual([])
  })
})
