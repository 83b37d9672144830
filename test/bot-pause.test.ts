import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import type { ConsoleBot } from '../contract/people/bots.ts'
import { textOf } from '../contract/refusals/index.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import type { Dispatcher } from '../server/webhooks/dispatcher.ts'
import { at, oauthBot, type StaticTestBot, staticBot } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { connectAssistant, toolRefusal, toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { ON_LOOPBACK, type Receiver, startDispatcher, startReceiver, until } from './support/receiver.ts'

const DAY_MS = 86_400_000
const REFUSED = { status: 403, body: textOf('bot_paused') }

let server: TestParley
let beside: TestParley
let cast: ChatCast
let receiver: Receiver
let dispatcher: Dispatcher

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  beside = await server.secondNode()
  cast = await chatCast(server)
  receiver = await startReceiver()
  dispatcher = startDispatcher(server)
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await cast.close()
  await server.close()
})

const botPath = (botId: string) => `/people/organizations/${cast.orgId}/bots/${botId}`

async function set(botId: string, change: object): Promise<ConsoleBot> {
  const answer = await cast.ada.patch(botPath(botId), change)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}

/** A bot in a topic with Ada, who writes there. */
async function newBot(name: string) {
  const bot = await staticBot(server, cast.orgId, name)
  const topic = await bot.post('/v2/topics', { name, members: [cast.ada.profileId] })
  const { id: topicId }: { id: string } = Object(topic.body)
  const say = async (text: string) => {
    const path = `/people/organizations/${cast.orgId}/chat/messages`
    expect((await cast.ada.post(path, { topicId, text })).status).toBe(201)
  }
  return { bot, topicId, say }
}

type Updates = { updates: { data: { message?: { text: string } } }[]; nextOffset: string }

async function poll(bot: StaticTestBot, query: string) {
  const { status, text, body } = await bot.get(`/v2/updates?${query}`)
  expect(status, text).toBe(200)
  const { updates, nextOffset }: Updates = Object(body)
  return { texts: updates.flatMap(({ data }) => data.message?.text ?? []), nextOffset }
}

const offsetOf = ({ nextOffset }: { nextOffset: string }) => `offset=${encodeURIComponent(nextOffset)}`

describe('a paused bot', () => {
  it('is refused with words whatever it asks for, on every node, and keeps its key', async () => {
    const { bot, topicId } = await newBot('Eager bot')
    const elsewhere = at(beside.url, bot)
    expect((await elsewhere.get('/v2/members/me')).status).toBe(200)
    expect((await set(bot.id, { paused: true })).pausedAt).toEqual(expect.any(Number))

    const send = (from: StaticTestBot) => from.post('/v2/messages', { topicId, text: 'Still here' })
    await eventually(async () => {
      const { status, body } = await send(elsewhere)
      return { status, body }
    }).toEqual(REFUSED)
    expect(await send(bot)).toMatchObject(REFUSED)
    const key = { headers: { 'Idempotency-Key': 'while-paused' } }
    expect(await bot.post('/v2/messages', { topicId, text: 'Kept?' }, key)).toMatchObject(REFUSED)
    const uuid = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
    const others = OPERATIONS.filter(({ scope, id }) => scope !== null && id !== 'readUpdates')
    for (const { method, path } of others) {
      const named = path.replace(/\{\w+\}/g, uuid)
      const answer = method === 'GET' ? await bot.get(named) : await speak(bot, method, named)
      expect(answer, `${method} ${path}`).toMatchObject(REFUSED)
    }

    expect((await set(bot.id, { paused: false })).pausedAt).toBeUndefined()
    await eventually(async () => (await send(elsewhere)).status).toBe(201)
    // A refusal by the pause is no answer to the key: the refused message can be sent now.
    expect((await bot.post('/v2/messages', { topicId, text: 'Kept?' }, key)).status).toBe(201)
  })

  it('keeps its tokens, and reads why in an assistant', async () => {
    const oauth = await oauthBot(server, cast.orgId, 'Token bot')
    const { bot } = await newBot('Assistant')
    const client = await connectAssistant(bot)
    await set(oauth.id, { paused: true })
    await set(bot.id, { paused: true })
    expect(await oauth.get('/v2/members/me')).toMatchObject(REFUSED)
    expect(await toolRefusal(client, 'list_topics')).toContain(textOf('bot_paused'))
    expect(await toolValue(client, 'read_updates')).toMatchObject({ value: { updates: [] } })
    await set(oauth.id, { paused: false })
    expect((await oauth.get('/v2/members/me')).status).toBe(200)
    await client.close()
  })

  it('polls nothing and stays where it was, then goes on without loss', async () => {
    const { bot, say } = await newBot('Polling bot')
    await say('before')
    const before = await poll(bot, 'limit=100')
    expect(before.texts).toEqual(['before'])
    const waiting = poll(bot, `${offsetOf(before)}&timeout=30`)
    await until(() => server.parley.longPolls.count > 0)
    await set(bot.id, { paused: true })
    await say('one')
    await say('two')
    const nothing = await poll(bot, offsetOf(before))
    expect(nothing).toEqual({ texts: [], nextOffset: before.nextOffset })
    expect((await poll(bot, 'timeout=1')).texts).toEqual([])
    await set(bot.id, { paused: false })
    // The poll that waited all the time gets it first.
    expect((await waiting).texts).toEqual(['one', 'two'])
    expect((await poll(bot, offsetOf(nothing))).texts).toEqual(['one', 'two'])
  })

  it('that never polled is given a place that is still there when it goes on', async () => {
    const { bot, say } = await newBot('New bot')
    await say('long ago')
    await removeOldEvents(server.parley.db, server.parley.clock() + 8 * DAY_MS, 7 * DAY_MS)
    await set(bot.id, { paused: true })
    const nothing = await poll(bot, 'limit=100')
    await say('new')
    await set(bot.id, { paused: false })
    expect((await poll(bot, offsetOf(nothing))).texts).toEqual(['new'])
  })

  it('has nothing delivered to its webhook until it goes on, and then all of it in order', async () => {
    const { bot, say } = await newBot('Webhook bot')
    await set(bot.id, { delivery: 'webhook', webhookUrl: receiver.url })
    await say('before')
    const texts = () =>
      receiver.received.flatMap(({ event }) => Object(event.data).message?.text ?? []).join(' ')
    await eventually(async () => texts()).toBe('before')
    await set(bot.id, { paused: true })
    await say('one')
    await say('two')
    // A second bot of the same dispatcher gets a later message, so the dispatcher has looked by then.
    const other = await newBot('Other bot')
    await set(other.bot.id, { delivery: 'webhook', webhookUrl: receiver.url })
    await other.say('witness')
    await eventually(async () => texts()).toBe('before witness')
    await set(bot.id, { paused: false })
    await eventually(async () => texts()).toBe('before witness one two')
  })
})

describe('a pause', () => {
  it('is shown in the chat, in lists and in the audit log, once', async () => {
    const { bot } = await newBot('Shown bot')
    const stream = await cast.stream(cast.ben)
    const { pausedAt } = await set(bot.id, { paused: true })
    await set(bot.id, { paused: true })
    const { data } = await stream.next(({ event }) => event === 'member.updated')
    expect(data).toMatchObject({ member: { id: bot.id, paused: true } })
    const card = `/people/organizations/${cast.orgId}/chat/members/${bot.id}`
    expect((await cast.ben.get(card)).body).toMatchObject({ paused: true })
    const listed = (state: string) =>
      cast.ada.get(`/people/organizations/${cast.orgId}/bots?search=Shown&state=${state}`)
    expect((await listed('held')).body).toMatchObject({ bots: [{ id: bot.id, pausedAt }], total: 1 })
    await set(bot.id, { paused: false, name: 'Renamed bot' })
    expect((await cast.ben.get(card)).body).not.toHaveProperty('paused')
    const audit = await cast.ada.get(`/people/organizations/${cast.orgId}/audit?targetId=${bot.id}`)
    const told: { action: string }[] = Object(audit.body).entries
    expect(told.map(({ action }) => action)).toEqual(['bot.resumed', 'bot.changed', 'bot.paused'])
  })

  it('is for admins alone', async () => {
    const { bot } = await newBot('Safe bot')
    expect((await cast.ben.patch(botPath(bot.id), { paused: true })).status).toBe(403)
    expect((await bot.get('/v2/members/me')).status).toBe(200)
  })
})

function speak(bot: StaticTestBot, method: string, path: string) {
  if (method === 'POST') return bot.post(path, {})
  if (method === 'PUT') return bot.put(path, {})
  if (method === 'PATCH') return bot.patch(path, {})
  return bot.delete(path, {})
}
