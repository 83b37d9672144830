import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reach } from '../contract/reach.ts'
import { textOf } from '../contract/refusals/index.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { at, type StaticTestBot, staticBot } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { ON_LOOPBACK, type Receiver, startDispatcher, startReceiver } from './support/receiver.ts'

let server: TestParley
let cast: ChatCast
let receiver: Receiver
let dispatcher: Dispatcher

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  cast = await chatCast(server)
  receiver = await startReceiver()
  dispatcher = startDispatcher(server)
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  cast.close()
  await server.close()
})

const chat = (path: string) => `/people/organizations/${cast.orgId}/chat${path}`

async function idOf(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<string> {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return Object(body).id
}

/** A topic of Ben's, with Ada, and a bot added with this reach. */
async function stage(reach?: Reach) {
  const bot = await staticBot(server, cast.orgId, 'Listener')
  const members = [cast.ada.profileId]
  const topicId = await idOf(cast.ben.post(chat('/topics'), { name: 'Harbour', members }))
  const memberIds = [bot.id]
  await idOf(cast.ben.post(chat(`/topics/${topicId}/members`), { memberIds, ...(reach && { reach }) }))
  const say = (text: string, parentId?: string) =>
    idOf(cast.ada.post(chat('/messages'), { topicId, text, ...(parentId && { parentId }) }))
  const reply = (text: string, parentId: string) =>
    idOf(bot.post('/v2/messages', { topicId, text, parentId }))
  const set = (who: TestPerson, value: Reach) =>
    who.patch(chat(`/topics/${topicId}/members/${bot.id}`), { reach: value })
  return { bot, topicId, say, reply, set }
}

type Update = { eventType: string; data: { message?: { text: string }; messageId?: string } }

/** The events that a bot got, in order: the type of each, with the text of a message. */
async function heard(bot: StaticTestBot): Promise<string[]> {
  const { body } = await bot.get('/v2/updates?limit=100&offset=oldest')
  const updates: Update[] = Object(body).updates
  return updates.map(({ eventType, data }) =>
    data.message?.text === undefined ? eventType : `${eventType}: ${data.message.text}`,
  )
}

describe('a bot in a topic hears', () => {
  it('everything where nothing else was chosen', async () => {
    const { bot, say } = await stage()
    const root = await say('Anybody?')
    await say('Me', root)
    expect(await heard(bot)).toEqual(['member.added', 'message.created: Anybody?', 'message.created: Me'])
  })

  it('only messages that mention it, and what becomes of these and of its own', async () => {
    const { bot, say, reply, topicId } = await stage('mentions')
    const root = await say('Not for it')
    await say('Nor is this', root)
    const called = await say(`<@${bot.id}> please`)
    await reply('Yes?', called)
    await say('In its thread, and not for it', called)
    await cast.ada.post(chat(`/messages/${root}/reactions`), { reaction: '👍' })
    await cast.ada.post(chat(`/messages/${called}/reactions`), { reaction: '🚀' })
    await cast.ada.patch(chat(`/messages/${root}`), { text: `Now for <@${bot.id}>` })
    await cast.ada.patch(chat(`/messages/${root}`), { text: 'No longer' })
    await cast.ada.delete(chat(`/messages/${called}`))
    await cast.ben.patch(chat(`/topics/${topicId}`), { name: 'Pier' })
    await cast.ada.post(chat('/tasks'), { topicId, title: 'Not its task' })
    await cast.ada.post(chat('/tasks'), { topicId, title: 'Its task', assignee: bot.id })
    await cast.ben.delete(chat(`/topics/${topicId}/members`), { memberIds: [bot.id] })
    expect(await heard(bot)).toEqual([
      'member.added',
      'message.created: ', // deleted since
      'message.created: Yes?',
      'reaction.added',
      'message.updated: ', // edited since
      'message.updated: No longer',
      'message.deleted',
      'message.created: ',
      'member.removed',
    ])
  })

  it('replies in threads that it wrote in, or began, and in no other', async () => {
    const { bot, topicId, say, reply } = await stage('threads')
    const root = await say('A question')
    await say('Before it came', root)
    await reply('I know', root)
    await say('Thanks', root)
    const own = await idOf(bot.post('/v2/messages', { topicId, text: 'Who is there?' }))
    await say('Me', own)
    const other = await say('Something else')
    await say('Not its thread', other)
    expect(await heard(bot)).toEqual([
      'member.added',
      'message.created: I know',
      'message.created: Thanks',
      'message.created: Who is there?',
      'message.created: Me',
    ])
  })

  it('only its commands', async () => {
    const { bot, say } = await stage('commands')
    await bot.put('/v2/commands', { commands: [{ name: 'deploy', description: 'Deploys' }] })
    await say(`<@${bot.id}> hello`)
    await say('/deploy now')
    expect(await heard(bot)).toEqual(['member.added', 'message.command'])
  })
})

describe('a reply where a bot hears of its threads', () => {
  it('refuses a reply to a message that is gone, and sends one once under its key', async () => {
    const { topicId, say, bot, reply } = await stage('threads')
    const root = await say('A question')
    await reply('I know', root)
    const send = (parentId: string, key: string) =>
      cast.ada.post(
        chat('/messages'),
        { topicId, text: 'Thanks', parentId },
        { headers: { 'Idempotency-Key': key } },
      )
    const first = await send(root, 'thanks')
    expect(first.status).toBe(201)
    expect((await send(root, 'thanks')).body).toEqual(first.body)
    const nowhere = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
    expect(await send(nowhere, 'nowhere')).toMatchObject({ status: 400, body: 'Invalid parentId' })
    expect((await heard(bot)).filter((line) => line.endsWith('Thanks'))).toHaveLength(1)
  })
})

describe('what a bot hears', () => {
  it('goes to its webhook and to polls on another node alike', async () => {
    const { bot, say } = await stage('mentions')
    const beside = await server.secondNode()
    const waiting = at(beside.url, bot).get('/v2/updates?timeout=30&offset=newest')
    await eventually(async () => beside.parley.longPolls.count).toBe(1)
    await say('Not for it')
    await say(`<@${bot.id}> by polling`)
    const { updates }: { updates: Update[] } = Object((await waiting).body)
    expect(updates.map(({ data }) => data.message?.text)).toEqual([`<@${bot.id}> by polling`])

    await bot.get('/v2/updates?offset=newest')
    await server.parley.acknowledgements.write(server.parley.db)
    const webhook = { delivery: 'webhook', webhookUrl: receiver.url }
    await cast.ada.patch(`/people/organizations/${cast.orgId}/bots/${bot.id}`, webhook)
    await say('Not for it either')
    await say(`<@${bot.id}> by webhook`)
    const texts = () => receiver.received.map(({ event }) => Object(event.data).message?.text)
    await eventually(async () => texts()).toEqual([`<@${bot.id}> by webhook`])
  })

  it('is changed by admins and who created the topic, and told to its people', async () => {
    const { bot, topicId, say, set } = await stage('mentions')
    const stream = await cast.stream(cast.ada)
    expect((await set(cast.cy, 'everything')).status).toBe(404)
    expect((await set(cast.ben, 'commands')).status).toBe(204)
    const { data } = await stream.next(({ event }) => event === 'bot.reach_changed')
    expect(data).toEqual({ topicId, botId: bot.id, reach: 'commands', actorId: cast.ben.profileId })
    const topic = async (who: TestPerson) => Object((await who.get(chat(`/topics/${topicId}`))).body)
    expect((await topic(cast.ada)).reaches).toEqual({ [bot.id]: 'commands' })

    await cast.ben.post(chat(`/topics/${topicId}/members`), { memberIds: [cast.cy.profileId] })
    expect((await set(cast.cy, 'everything')).status).toBe(403)
    const person = chat(`/topics/${topicId}/members/${cast.cy.profileId}`)
    expect(await cast.ada.patch(person, { reach: 'mentions' })).toMatchObject({
      status: 404,
      body: 'Bot not found',
    })
    expect(await cast.ada.patch(person, { reach: 'nothing' })).toMatchObject({ status: 400 })
    await cast.ben.post(chat(`/topics/${topicId}/leave`))
    expect((await set(cast.ben, 'everything')).status).toBe(404)

    expect((await set(cast.ada, 'everything')).status).toBe(204)
    expect((await set(cast.ada, 'everything')).status).toBe(204)
    expect(await topic(cast.ada)).not.toHaveProperty('reaches')
    await say('For all')
    expect(await heard(bot)).toEqual(['member.added', 'message.created: For all'])
    const audit = await cast.ada.get(`/people/organizations/${cast.orgId}/audit?targetId=${bot.id}`)
    const entries: { action: string; changes: unknown }[] = Object(audit.body).entries
    expect(entries.map(({ action, changes }) => ({ action, changes }))).toEqual([
      {
        action: 'bot.reach_changed',
        changes: [
          { field: 'topic', to: 'Harbour' },
          { field: 'reach', from: 'commands', to: 'everything' },
        ],
      },
      {
        action: 'bot.reach_changed',
        changes: [
          { field: 'topic', to: 'Harbour' },
          { field: 'reach', from: 'mentions', to: 'commands' },
        ],
      },
    ])
  })

  it('grows in a closed topic only by a person who is in it', async () => {
    const { bot, topicId, set } = await stage('mentions')
    const outside = await signInAs(server, { orgId: cast.orgId, role: 'admin', name: 'Olga' })
    const refused = { status: 403, body: textOf('closed_topic_reach') }
    for (const reach of ['everything', 'threads'] as const)
      expect(await set(outside, reach)).toMatchObject(refused)
    expect((await set(outside, 'commands')).status, 'less').toBe(204)
    expect(await set(outside, 'mentions')).toMatchObject(refused)
    expect((await set(cast.ada, 'mentions')).status, 'an owner who is in it').toBe(204)
    const path = `/people/organizations/${cast.orgId}/topics/${topicId}`
    await cast.ada.patch(path, { open: true })
    expect((await set(outside, 'everything')).status, 'open to everybody').toBe(204)
    expect((await cast.ada.get(chat(`/topics/${topicId}`))).text).not.toContain('reaches')
    expect(await heard(bot)).toContain('member.added')
  })

  it('does not grow where a bot takes another one out and adds it again', async () => {
    const { bot, topicId, set, say } = await stage('mentions')
    const helper = await staticBot(server, cast.orgId, 'Helper')
    const members = `/v2/topics/${topicId}/members`
    await idOf(cast.ben.post(chat(`/topics/${topicId}/members`), { memberIds: [helper.id] }))
    const reachOf = async () =>
      Object((await cast.ben.get(chat(`/topics/${topicId}`))).body).reaches?.[bot.id] ?? 'everything'
    const again = async (added: object) => {
      expect((await helper.delete(members, { memberIds: [bot.id] })).status).toBe(200)
      expect((await helper.post(members, { memberIds: [bot.id], ...added })).status).toBe(200)
      return reachOf()
    }
    expect(await again({})).toBe('mentions')
    expect(await again({ reach: 'everything' })).toBe('mentions')
    expect(await again({ reach: 'commands' }), 'less').toBe('commands')
    expect(await again({ reach: 'mentions' }), 'and not more afterwards').toBe('commands')
    await say('Not for it')
    expect((await heard(bot)).filter((line) => line.startsWith('message'))).toEqual([])
    expect((await set(cast.ben, 'threads')).status, 'people decide').toBe(204)
    expect(await again({})).toBe('threads')
    await helper.delete(members, { memberIds: [bot.id] })
    await idOf(cast.ben.post(chat(`/topics/${topicId}/members`), { memberIds: [bot.id] }))
    expect(await reachOf()).toBe('everything')
  })

  it('is chosen in the console and by bots that add others', async () => {
    const { bot, topicId } = await stage()
    const second = await staticBot(server, cast.orgId, 'Second')
    const added = { memberIds: [second.id], reach: 'threads' }
    expect((await bot.post(`/v2/topics/${topicId}/members`, added)).status).toBe(200)
    const third = await staticBot(server, cast.orgId, 'Third')
    const members = `/people/organizations/${cast.orgId}/topics/${topicId}/members`
    const both = { memberIds: [third.id, cast.cy.profileId], reach: 'mentions' }
    expect((await cast.ada.post(members, both)).status).toBe(200)
    const listed: { name: string; reach?: string }[] = Object((await cast.ada.get(members)).body).members
    expect(listed.map(({ name, reach }) => [name, reach])).toEqual([
      ['Ada', undefined],
      ['Ben', undefined],
      ['Cy', undefined],
      ['Listener', 'everything'],
      ['Second', 'threads'],
      ['Third', 'mentions'],
    ])
    const made = await cast.ada.post(`/people/organizations/${cast.orgId}/bots`, {
      name: 'Fourth',
      credential: 'static',
      delivery: 'polling',
      topicIds: [topicId],
      reach: 'commands',
    })
    const fourth: string = Object(made.body).bot.id
    const { reaches } = Object((await cast.ben.get(chat(`/topics/${topicId}`))).body)
    expect(reaches).toEqual({ [second.id]: 'threads', [third.id]: 'mentions', [fourth]: 'commands' })
  })

  it('is chosen by who creates a topic, for the bots that are in it from the start', async () => {
    const bot = await staticBot(server, cast.orgId, 'From the start')
    const stream = await cast.stream(cast.ada)
    const members = [bot.id, cast.ada.profileId]
    const made = await cast.ben.post(chat('/topics'), { name: 'Chosen', members, reach: 'mentions' })
    expect(made.body).toMatchObject({ reaches: { [bot.id]: 'mentions' } })
    const { id: topicId }: { id: string } = Object(made.body)
    const { data } = await stream.next(({ event }) => event === 'bot.reach_changed')
    expect(data).toEqual({ topicId, botId: bot.id, reach: 'mentions', actorId: cast.ben.profileId })
    for (const text of ['Among us', `For you, <@${bot.id}>`])
      expect((await cast.ben.post(chat('/messages'), { topicId, text })).status).toBe(201)
    const { updates }: { updates: { data: { message?: { text: string } } }[] } = Object(
      (await bot.get('/v2/updates')).body,
    )
    expect(updates.flatMap(({ data: { message } }) => message?.text ?? [])).toEqual([`For you, <@${bot.id}>`])
    expect((await cast.ben.post(chat('/topics'), { name: 'Wrong', members, reach: 'nothing' })).status).toBe(
      400,
    )
  })
})
