import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleBot } from '../contract/people/bots.ts'
import { textOf } from '../contract/refusals/index.ts'
import { connect, ParleyError } from '../sdk/index.ts'
import type { Queryable } from '../server/db/database.ts'
import { sql, toStatement } from '../server/db/sql.ts'
import { BotBudgets, dayOf, readUsed } from '../server/limits/bot-budgets.ts'
import { at, oauthBot, type StaticTestBot, staticBot } from './support/cast.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventually } from './support/eventually.ts'
import { upload } from './support/forms.ts'
import { mailsTo } from './support/mails.ts'
import { connectAssistant, toolRefusal, toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'

const DAY_MS = 86_400_000
const SPENT = { status: 429, body: textOf('bot_budget_spent') }

let server: TestParley
let beside: TestParley
let cast: ChatCast

beforeAll(async () => {
  server = await startTestParley()
  beside = await server.secondNode()
  cast = await chatCast(server)
  // None of these tests goes on past midnight. Signatures may be five minutes old.
  const untilMidnight = DAY_MS - (server.parley.clock() % DAY_MS)
  if (untilMidnight < 240_000) pass(untilMidnight + 1000)
})
afterAll(async () => {
  cast.close()
  await server.close()
})

/** Moves the clock of both nodes. */
function pass(milliseconds: number): void {
  server.clock.ahead += milliseconds
  beside.clock.ahead += milliseconds
}

const console_ = (path: string) => `/people/organizations/${cast.orgId}${path}`
const settle = () => Promise.all([server, beside].map(({ parley }) => parley.botBudgets.settle()))

async function budgetOf(botId: string, change: object): Promise<ConsoleBot> {
  const answer = await cast.ada.patch(console_(`/bots/${botId}`), change)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}

const readBot = async (botId: string): Promise<ConsoleBot> =>
  Object((await cast.ada.get(console_(`/bots/${botId}`))).body)

/** A bot in a topic with Ada. */
async function newBot(name: string, budget: object = {}) {
  const bot = await staticBot(server, cast.orgId, name)
  const topic = await bot.post('/v2/topics', { name, members: [cast.ada.profileId] })
  const { id: topicId }: { id: string } = Object(topic.body)
  if (Object.keys(budget).length > 0) await budgetOf(bot.id, budget)
  const send = (by: StaticTestBot = bot, headers: Record<string, string> = {}) =>
    by.post('/v2/messages', { topicId, text: 'Hello' }, { headers })
  return { bot, topicId, send }
}

/** Waits until both nodes know the bot's new budget. */
async function knownBudget(bot: StaticTestBot, budget: object): Promise<void> {
  for (const { url } of [server, beside])
    await eventually(async () => (await at(url, bot).get('/v2/usage')).body).toMatchObject(budget)
}

describe('a budget of messages', () => {
  it('is used up by what is sent in any form, until the day ends', async () => {
    const { bot, topicId, send } = await newBot('Chatterbox', { messagesPerDay: 5 })
    await knownBudget(bot, { messagesPerDay: 5 })
    // A refused message costs nothing.
    expect(
      (await bot.post('/v2/messages', { topicId, text: '<@b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060>' })).status,
    ).toBe(400)
    expect((await send(bot, { 'Idempotency-Key': 'first' })).status).toBe(201)
    // A repeated answer costs nothing either.
    expect((await send(bot, { 'Idempotency-Key': 'first' })).status).toBe(201)
    const begun = await bot.post('/v2/messages', { topicId, text: 'Bit', streaming: true })
    const messageId: string = Object(begun.body).id
    const poll = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'single' }
    expect((await bot.post('/v2/polls', poll)).status).toBe(201)
    const sendFile = () => upload(bot, '/v2/messages', { topicId }, [{ name: 'a.txt', content: 'A' }])
    expect((await sendFile()).status).toBe(200)
    expect((await send()).status).toBe(201)

    const refused = await send()
    expect(refused).toMatchObject(SPENT)
    const untilMidnight = DAY_MS - (server.parley.clock() % DAY_MS)
    const asked = Number(refused.headers.get('retry-after')) * 1000
    expect(Math.abs(asked - untilMidnight)).toBeLessThan(120_000)
    for (const body of [
      { topicId, text: 'x', streaming: true },
      { topicId, text: 'x', actions: { elements: [{ id: 'a', text: 'A' }] } },
    ])
      expect(await bot.post('/v2/messages', body)).toMatchObject(SPENT)
    expect(await bot.post('/v2/polls', poll)).toMatchObject(SPENT)
    expect(await sendFile()).toMatchObject(SPENT)
    // An answer that was lost can still be had, a message that was begun can be ended, and everything else goes on.
    expect((await send(bot, { 'Idempotency-Key': 'first' })).status).toBe(201)
    expect((await bot.post(`/v2/messages/${messageId}/append`, { text: ' by bit' })).status).toBe(200)
    expect((await bot.post(`/v2/messages/${messageId}/finish`, {})).status).toBe(200)
    expect(await bot.post('/v2/tasks', { topicId, title: 'Task' })).toMatchObject(SPENT)
    expect(await bot.post('/v2/topics', { name: 'More', members: [] })).toMatchObject(SPENT)
    expect((await bot.get(`/v2/topics/${topicId}/messages`)).status).toBe(200)

    await settle()
    expect((await bot.get('/v2/usage')).body).toMatchObject({ messages: 5, tokens: 0, messagesPerDay: 5 })
    expect(await readBot(bot.id)).toMatchObject({
      budget: { messagesPerDay: 5, tokensPerDay: null },
      usedToday: { messages: 5, tokens: 0 },
    })
    pass(DAY_MS)
    const timestamp = String(server.parley.clock())
    expect((await bot.post('/v2/messages', { topicId, text: 'A new day' }, { timestamp })).status).toBe(201)
    await settle()
    expect((await bot.get('/v2/usage', { timestamp })).body).toMatchObject({ messages: 1 })
    pass(-DAY_MS)
  })

  it('holds for requests at the same time, and ends at once when an admin raises it', async () => {
    const { bot, send } = await newBot('Crowd', { messagesPerDay: 10 })
    await knownBudget(bot, { messagesPerDay: 10 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => send()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    await budgetOf(bot.id, { messagesPerDay: 12 })
    await eventually(async () => (await send()).status).toBe(201)
    expect((await send()).status).toBe(201)
    expect(await send()).toMatchObject(SPENT)
    await budgetOf(bot.id, { messagesPerDay: null })
    await eventually(async () => (await send()).status).toBe(201)
  })

  it('is shared by nodes as soon as they have added what they counted', async () => {
    const { bot, send } = await newBot('Traveller', { messagesPerDay: 6 })
    await knownBudget(bot, { messagesPerDay: 6 })
    const there = at(beside.url, bot)
    for (const by of [bot, there, bot, there]) expect((await send(by)).status).toBe(201)
    await settle()
    expect((await send(bot)).status).toBe(201)
    // The node learned of the others' messages when it added its own.
    await settle()
    expect((await send(bot)).status).toBe(201)
    expect(await send(bot)).toMatchObject(SPENT)
    await settle()
    // The other node learns of it by what it adds next, at the latest.
    const late = await send(there)
    await settle()
    expect(await send(there)).toMatchObject(SPENT)
    await settle()
    const { messages }: { messages: number } = Object((await bot.get('/v2/usage')).body)
    expect(messages).toBe(late.status === 201 ? 7 : 6)
  })

  it('counts what an incoming webhook and a tool send, and the console tells why a call was refused', async () => {
    const { bot, topicId } = await newBot('Relay', { messagesPerDay: 2 })
    await knownBudget(bot, { messagesPerDay: 2 })
    const made = await cast.ada.post(console_(`/bots/${bot.id}/incoming-webhooks`), {
      topicId,
      name: 'Builds',
    })
    const { url, incomingWebhook }: { url: string; incomingWebhook: { id: string } } = Object(made.body)
    const call = (text: string) =>
      fetch(`${server.url}${new URL(url).pathname}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text }),
      })
    expect((await call('one')).status).toBe(200)
    const assistant = await connectAssistant(bot)
    await toolValue(assistant, 'send_message', { topicId, text: 'two' })
    const refused = await call('three')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await toolRefusal(assistant, 'send_message', { topicId, text: 'three' })).toContain(
      textOf('bot_budget_spent'),
    )
    await assistant.close()
    const calls = await cast.ada.get(
      console_(`/bots/${bot.id}/incoming-webhooks/${incomingWebhook.id}/calls`),
    )
    expect(Object(calls.body).calls[0]).toMatchObject({ status: 429, reason: 'budget' })
  })
})

describe('a budget of tokens', () => {
  it('counts what the bot reports, once for a key, and stops what it sends', async () => {
    const { bot, send } = await newBot('Thinker', { tokensPerDay: 1000 })
    await knownBudget(bot, { tokensPerDay: 1000 })
    expect((await send()).status).toBe(201)
    const report = (tokens: unknown, key?: string) =>
      bot.post('/v2/usage', { tokens }, key === undefined ? {} : { headers: { 'Idempotency-Key': key } })
    for (const tokens of [0, -1, 1.5, '5', 1e10, undefined])
      expect((await report(tokens)).status, String(tokens)).toBe(400)
    for (const _ of [1, 2])
      expect((await report(700, 'a')).body).toMatchObject({ tokens: 700, tokensPerDay: 1000 })
    expect((await send()).status).toBe(201)
    expect((await report(300)).body).toMatchObject({ tokens: 1000 })
    expect(await send()).toMatchObject(SPENT)
    // Tokens that it has used must still be reported.
    expect((await report(50)).body).toMatchObject({ tokens: 1050 })
    expect(await readBot(bot.id)).toMatchObject({ usedToday: { tokens: 1050 } })
    await budgetOf(bot.id, { tokensPerDay: 2000 })
    await eventually(async () => (await send()).status).toBe(201)
  })

  it('is reported also where there is no budget', async () => {
    const { bot, send } = await newBot('Free thinker')
    expect((await bot.post('/v2/usage', { tokens: 9 })).body).toEqual({
      messages: 0,
      tokens: 9,
      endsAt: expect.any(Number),
    })
    expect((await send()).status).toBe(201)
    expect((await readBot(bot.id)).usedToday).toEqual({ messages: 0, tokens: 9 })
    const reader = await oauthBot(server, cast.orgId, 'Reader', ['message:read'])
    expect((await reader.post('/v2/usage', { tokens: 9 })).status).toBe(403)
  })
})

describe('at 80 % of a budget', () => {
  it('the owner and admins get one mail, and another only for another budget', async () => {
    const owner = await signInAs(server, { orgId: cast.orgId, name: 'Olu', email: 'olu@budget.test' })
    const { bot, send } = await newBot('Spender', {
      messagesPerDay: 10,
      tokensPerDay: 100,
      ownerId: owner.profileId,
    })
    await knownBudget(bot, { messagesPerDay: 10 })
    const told = async (email: string) =>
      (await mailsTo(server, email)).filter(({ subject }) => subject.includes('Spender'))
    for (let sent = 0; sent < 7; sent++) expect((await send()).status).toBe(201)
    await settle()
    expect(await told(owner.email)).toEqual([])
    expect((await send()).status).toBe(201)
    await settle()
    expect((await send(at(beside.url, bot))).status).toBe(201)
    await settle()
    expect(await told(owner.email)).toHaveLength(1)
    const [mail] = await told(cast.ada.email)
    expect(mail?.text).toContain('Messages: 8 of 10')
    expect(mail?.text).toContain(`/console/${cast.orgId}/bots/${bot.id}`)
    // One bot may have two budgets.
    await bot.post('/v2/usage', { tokens: 79 })
    expect(await told(owner.email)).toHaveLength(1)
    await bot.post('/v2/usage', { tokens: 1 })
    await bot.post('/v2/usage', { tokens: 1 })
    expect(await told(owner.email)).toHaveLength(2)
    // A raised budget counts as another one.
    await budgetOf(bot.id, { messagesPerDay: 11 })
    await eventually(async () => Object((await bot.get('/v2/usage')).body).messagesPerDay).toBe(11)
    expect((await send()).status).toBe(201)
    await settle()
    expect(await told(owner.email)).toHaveLength(3)
    expect(await told(cast.ben.email)).toEqual([])
    const audit = await cast.ada.get(console_(`/audit?targetId=${bot.id}`))
    const entries: { action: string; actor: { kind: string }; changes: object[] }[] = Object(
      audit.body,
    ).entries
    expect(entries.map(({ action }) => action)).toEqual([
      'bot.budget_nearly_spent',
      'bot.changed',
      'bot.budget_nearly_spent',
      'bot.budget_nearly_spent',
      'bot.changed',
    ])
    expect(entries[0]).toMatchObject({
      actor: { kind: 'server' },
      changes: [{ field: 'messagesToday', to: '10 / 11' }],
    })
    expect(entries[1]?.changes).toEqual([{ field: 'messagesPerDay', from: '10', to: '11' }])
  })
})

it('what is no budget is refused, and only admins set one', async () => {
  const { bot } = await newBot('Unset')
  for (const messagesPerDay of [0, -1, 1.5, '5', 1e13])
    expect((await cast.ada.patch(console_(`/bots/${bot.id}`), { messagesPerDay })).status).toBe(400)
  expect((await cast.ben.patch(console_(`/bots/${bot.id}`), { messagesPerDay: 5 })).status).toBe(403)
  expect((await readBot(bot.id)).budget).toEqual({ messagesPerDay: null, tokensPerDay: null })
})

it('a library says that the budget is used up instead of waiting until midnight', async () => {
  const { bot, topicId } = await newBot('Patient', { messagesPerDay: 1 })
  await knownBudget(bot, { messagesPerDay: 1 })
  const { apiKey, apiSecret } = bot.credentials
  const client = connect({ url: server.url, apiKey, apiSecret })
  await client.sendMessage({ body: { topicId, text: 'Only one' } })
  const refused = await client
    .sendMessage({ body: { topicId, text: 'Two' } })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ParleyError)
  expect(refused).toMatchObject({ status: 429, refusal: textOf('bot_budget_spent') })
})

it('costs one statement for the first message on a node, and one for all that follow', async () => {
  const { db, clock } = server.parley
  const statements: string[] = []
  const counted: Queryable = {
    query: (query) => {
      statements.push(toStatement(query).text)
      return db.query(query)
    },
  }
  const budgets = new BotBudgets(counted, clock, async () => {})
  const bots = await Promise.all(['One', 'Two'].map((name) => staticBot(server, cast.orgId, name)))
  const limits = { messagesPerDay: 1000, tokensPerDay: null }
  const send = ({ id, orgId }: StaticTestBot) => budgets.take({ orgId, botId: id }, limits)
  await Promise.all(bots.flatMap((bot) => Array.from({ length: 500 }, () => send(bot))))
  for (const bot of bots) for (let sent = 0; sent < 500; sent++) await send(bot)
  expect(statements).toHaveLength(bots.length)
  await budgets.settle()
  expect(statements).toHaveLength(bots.length + 1)
  for (const bot of bots) {
    expect(await readUsed(db, { orgId: bot.orgId, botId: bot.id }, dayOf(clock()))).toMatchObject({
      messages: 1000,
    })
    await expect(send(bot)).rejects.toMatchObject({ status: 429 })
  }
  await budgets.settle()
  expect(statements).toHaveLength(bots.length + 1)

  // A bot without a budget leaves no trace.
  const free = await newBot('Unlimited')
  expect((await free.send()).status).toBe(201)
  await settle()
  expect(await db.query(sql`select 1 from bot_usage where bot_id = ${free.bot.id}`)).toEqual([])
})

it('what could not be added to the database is added later, once', async () => {
  const { db, clock } = server.parley
  let isDown = true
  const failing: Queryable = {
    query: (query) =>
      isDown && toStatement(query).text.includes('insert')
        ? Promise.reject(new Error('down'))
        : db.query(query),
  }
  const budgets = new BotBudgets(failing, clock, async () => {})
  const { id: botId, orgId } = await staticBot(server, cast.orgId, 'Unlucky')
  const limits = { messagesPerDay: 3, tokensPerDay: null }
  const giveBack = await budgets.take({ orgId, botId }, limits)
  await budgets.take({ orgId, botId }, limits)
  await expect(budgets.settle()).rejects.toThrow('down')
  await budgets.take({ orgId, botId }, limits)
  await expect(budgets.take({ orgId, botId }, limits)).rejects.toMatchObject({ status: 429 })
  giveBack()
  isDown = false
  await Promise.all([budgets.settle(), budgets.settle()])
  expect(await readUsed(db, { orgId, botId }, dayOf(clock()))).toMatchObject({ messages: 2 })
  await budgets.take({ orgId, botId }, limits)
})
