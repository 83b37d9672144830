import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendDueMessages } from '../server/background/due-messages.ts'
import { sql } from '../server/db/sql.ts'
import { connectFor, type Keeping } from './support/assistants.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, type TestPerson } from './support/people.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PASSWORD = 'a long and private sentence'
const ENDED = { state: 'failed', reason: 'the assistant that scheduled it may no longer send' }

let server: TestParley
beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

type Stage = {
  orgId: string
  owner: TestPerson
  who: TestPerson
  bot: StaticTestBot
  topicId: string
  client: Client
  keeping: Keeping
  assistantId: string
}

/** A person with an assistant, in a topic with a bot that has a command; each test has an organization of its own. */
async function stage(): Promise<Stage> {
  const orgId = await organization(server)
  const owner = await signInAs(server, { orgId, role: 'owner', name: 'Olga', email: `olga@${orgId}.test` })
  const who = await signInAs(server, { orgId, name: 'Ben', email: `ben@${orgId}.test` })
  const bot = await staticBot(server, orgId)
  const timestamp = String(server.parley.clock())
  const topic = await bot.post('/v2/topics', { name: 'Releases', members: [who.profileId] }, { timestamp })
  const commands = { commands: [{ name: 'deploy', description: 'Deploy' }] }
  expect((await bot.put('/v2/commands', commands, { timestamp })).status).toBe(200)
  const { client, keeping } = await connectFor(who, { days: 1 })
  const { assistants } = Object((await who.get('/people/account/assistants')).body)
  return {
    orgId,
    owner,
    who,
    bot,
    topicId: Object(topic.body).id,
    client,
    keeping,
    assistantId: assistants[0].id,
  }
}

const inAnHour = () => server.parley.clock() + HOUR
const schedule = async ({ client, topicId }: Stage, text: string): Promise<string> =>
  String((await toolValue(client, 'send_message', { topicId, text, sendAt: inAnHour() })).value.id)
async function pass(ms: number): Promise<void> {
  server.clock.ahead += ms
  await sendDueMessages(server.parley)
}
const sentIn = ({ orgId, topicId }: Stage) =>
  server.parley.db.query<{ text: string; assistant: unknown }>(sql`
    select text, details -> 'assistant' as assistant from messages
    where org_id = ${orgId} and topic_id = ${topicId} and not is_system order by id`)
const commandsIn = ({ orgId }: Stage) =>
  server.parley.db.query(sql`select 1 from events where org_id = ${orgId} and type = 'message.command'`)
const stateOf = async ({ orgId }: Stage, id: string) =>
  (
    await server.parley.db.query(sql`
      select state, reason from scheduled_messages where org_id = ${orgId} and id = ${id}`)
  )[0]

const ENDINGS: Record<string, (stage: Stage) => Promise<unknown>> = {
  'disconnected by the person': ({ who, assistantId }) =>
    who.delete(`/people/account/assistants/${assistantId}`),
  'disconnected by an admin': ({ owner, orgId, assistantId }) =>
    owner.delete(`/people/organizations/${orgId}/assistants/${assistantId}`),
  'given up by its program': ({ keeping }) =>
    fetch(`${server.url}/oauth/assistants/revoke`, {
      method: 'POST',
      body: new URLSearchParams({
        token: keeping.kept?.refresh_token ?? '',
        client_id: keeping.client?.client_id ?? '',
      }),
    }),
  'over by its time': async () => {
    server.clock.ahead += DAY
  },
  'ended with all sessions of the person': ({ owner, orgId, who }) =>
    owner.delete(`/people/organizations/${orgId}/members/${who.profileId}/sessions`),
  'ended with the person, who was brought back': async ({ owner, orgId, who }) => {
    const path = `/people/organizations/${orgId}/members/${who.profileId}`
    await owner.patch(path, { status: 'Archived' })
    await owner.patch(path, { status: 'Active' })
  },
  'ended with their password': async ({ who }) => {
    await givePassword(server, who, PASSWORD)
    await who.post('/people/password', { currentPassword: PASSWORD, password: 'another private sentence' })
  },
  'not allowed any more': ({ owner, orgId }) =>
    owner.patch(`/people/organizations/${orgId}`, { allowAssistants: false }),
  'weaker than the organization asks for': async ({ owner, orgId }) => {
    const strong = await signInToProfile(server, owner, 'code')
    await strong.patch(`/people/organizations/${orgId}`, { requireSecondFactor: true })
  },
}

describe('what an assistant has scheduled', () => {
  it('is sent with its mark, and calls the bot as the assistant could itself', async () => {
    const on = await stage()
    await schedule(on, '/deploy now')
    await pass(HOUR)
    expect(await sentIn(on)).toEqual([{ text: '/deploy now', assistant: { name: 'Desk assistant' } }])
    expect(await commandsIn(on)).toHaveLength(1)
  })

  it.each(Object.entries(ENDINGS))('is not sent by one that is %s', async (_, end) => {
    const on = await stage()
    const id = await schedule(on, '/deploy now')
    await end(on)
    await pass(HOUR)
    expect(await sentIn(on)).toEqual([])
    expect(await commandsIn(on)).toEqual([])
    expect(await stateOf(on, id)).toEqual(ENDED)
    expect(on.keeping.kept).toBeDefined()
  })

  it('is shown with the reason, and the person may take it over', async () => {
    const on = await stage()
    const [id, other] = [await schedule(on, 'First'), await schedule(on, 'Second')]
    await ENDINGS['disconnected by the person']?.(on)
    await pass(HOUR)
    const chat = chatOf(await signInToProfile(server, on.who))
    const { scheduledMessages } = Object((await chat.get('scheduled-messages')).body)
    expect(scheduledMessages).toMatchObject([
      { id, ...ENDED },
      { id: other, ...ENDED },
    ])
    expect((await chat.patch(`scheduled-messages/${id}`, { sendAt: inAnHour() })).status).toBe(200)
    expect((await chat.post(`scheduled-messages/${other}/send`)).status).toBe(201)
    await pass(HOUR)
    const assistant = { name: 'Desk assistant' }
    expect(await sentIn(on)).toEqual([
      { text: 'Second', assistant },
      { text: 'First', assistant },
    ])
  })
})

describe('what a person has scheduled', () => {
  const scheduleOwn = async (on: Stage, text: string): Promise<string> =>
    Object((await chatOf(on.who).post('messages', { topicId: on.topicId, text, sendAt: inAnHour() })).body).id

  it.each([
    ['its text', { text: 'Changed' }],
    ['its time alone', {}],
  ])('carries the mark of an assistant that changed %s, and waits for it', async (_, change) => {
    const on = await stage()
    const [kept, lost] = [await scheduleOwn(on, 'Kept'), await scheduleOwn(on, 'Lost')]
    const sendAt = inAnHour() + 1000
    for (const scheduledMessageId of [kept, lost])
      await toolValue(on.client, 'update_scheduled_message', { scheduledMessageId, sendAt, ...change })
    await chatOf(on.who).patch(`scheduled-messages/${kept}`, { text: 'In my own words' })
    await ENDINGS['disconnected by the person']?.(on)
    await pass(HOUR + 1000)
    expect(await sentIn(on)).toEqual([{ text: 'In my own words', assistant: null }])
    expect(await stateOf(on, lost)).toEqual(ENDED)
  })

  it('carries the mark of an assistant that sends it', async () => {
    const on = await stage()
    const scheduledMessageId = await scheduleOwn(on, 'Mine')
    await toolValue(on.client, 'send_scheduled_message', { scheduledMessageId })
    expect(await sentIn(on)).toEqual([{ text: 'Mine', assistant: { name: 'Desk assistant' } }])
  })

  it('carries no mark where no assistant touched it', async () => {
    const on = await stage()
    await scheduleOwn(on, 'Mine')
    await pass(HOUR)
    expect(await sentIn(on)).toEqual([{ text: 'Mine', assistant: null }])
  })
})
