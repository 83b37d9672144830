import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'

let server: TestParley
let orgId: string
let owner: TestPerson
let ada: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  owner = await signInAs(server, { orgId, name: 'Owner', role: 'owner' })
  ada = await signInAs(server, { orgId, name: 'Ada' })
  bot = await staticBot(server, orgId)
  topicId = Object((await bot.post('/v2/topics', { name: 'Topic', members: [ada.profileId] })).body).id
})
afterAll(() => server.close())

const NOBODY = { status: 401, body: 'sign in first', code: 'sign_in_required' }
const member = (who: TestPerson) => `/people/organizations/${orgId}/members/${who.profileId}`
const send = (who: TestPerson) => chatOf(who).post('messages', { topicId, text: 'Hello' })

/** Statements of requests; background work has nothing to do with these tables. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const texts = asked.mock.calls.map(([first]) => {
    const { text = '' }: { text?: string } = Object(first)
    return typeof first === 'string' ? first : text
  })
  asked.mockRestore()
  return texts.filter((text) =>
    /write_messages|sessions|profiles|accounts|topics|idempotent|budgets/.test(text),
  )
}

/** A new person in the topic, whom the server has in memory. */
async function newcomer(name: string): Promise<TestPerson> {
  const who = await signInAs(server, { orgId, name })
  await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [who.profileId] })
  expect((await send(who)).status).toBe(201)
  return who
}

it("a person's send takes as many statements as a bot's", async () => {
  for (const say of [() => bot.post('/v2/messages', { topicId, text: 'Hello' }), () => send(ada)]) await say()
  const ofBot = await statementsOf(() => bot.post('/v2/messages', { topicId, text: 'Hello' }))
  const ofPerson = await statementsOf(() => send(ada))
  expect(ofBot).toHaveLength(1)
  expect(ofPerson).toEqual(ofBot)
})

describe('a remembered person is refused', () => {
  it('as soon as they have signed out', async () => {
    const bea = await newcomer('Bea')
    const copy = { ...bea, ...visitor(server.url, new Map(bea.cookies)) }
    await bea.post('/people/sign-out')
    expect(refusal(await send(copy))).toEqual(NOBODY)
  })

  it('as soon as they end their other sessions', async () => {
    const cy = await newcomer('Cy')
    const other = await signInToProfile(server, cy)
    expect((await send(other)).status).toBe(201)
    expect((await cy.delete('/people/account/sessions')).status).toBeLessThan(300)
    expect([(await send(cy)).status, refusal(await send(other))]).toEqual([201, NOBODY])
  })

  it('as soon as they are archived, or an admin ends their sessions', async () => {
    const [dan, eve] = [await newcomer('Dan'), await newcomer('Eve')]
    await owner.patch(member(dan), { status: 'Archived' })
    expect(refusal(await send(dan))).toEqual(NOBODY)
    await owner.delete(`${member(eve)}/sessions`)
    expect(refusal(await send(eve))).toEqual(NOBODY)
  })

  it('as soon as the organization asks for a second factor', async () => {
    const strong = await signInToProfile(server, owner, 'code')
    await strong.patch(`/people/organizations/${orgId}`, { requireSecondFactor: true })
    expect(refusal(await send(ada))).toMatchObject({ status: 403, body: 'set up a second factor first' })
    await strong.patch(`/people/organizations/${orgId}`, { requireSecondFactor: false })
    expect((await send(ada)).status).toBe(201)
  })

  it('when their session expires', async () => {
    const fay = await newcomer('Fay')
    await server.parley.db.pool.query('update sessions set expires_at = $1 where account_id = $2', [
      server.parley.clock() + 1,
      fay.accountId,
    ])
    server.parley.callers.drop(fay.accountId)
    await eventuallyHolds(async () => expect(refusal(await send(fay))).toEqual(NOBODY))
  })

  it('in another role', async () => {
    const gil = await newcomer('Gil')
    const settings = { name: 'News', joinedByDefault: true, open: true }
    expect(refusal(await chatOf(gil).post('topics', settings))).toMatchObject({ status: 403 })
    await owner.patch(member(gil), { role: 'admin' })
    expect((await chatOf(gil).post('topics', settings)).status).toBe(201)
    await owner.patch(member(gil), { role: 'member' })
    expect(refusal(await chatOf(gil).post('topics', settings))).toMatchObject({ status: 403 })
  })
})

it('no one is remembered while changes cannot be heard', async () => {
  expect((await send(ada)).status).toBe(201)
  const connected = vi.spyOn(server.parley.notifications, 'connected', 'get').mockReturnValue(false)
  const statements = await statementsOf(() => send(ada))
  connected.mockRestore()
  expect(statements.filter((text) => text.includes('from sessions'))).not.toHaveLength(0)
})
