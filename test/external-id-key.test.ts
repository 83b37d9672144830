import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { withKey } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await staticBot(server, orgId)
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members: [ada.profileId] })).body).id
})
afterAll(() => server.close())

const setKey = async (externalIdIsKey: boolean) => {
  const answer = await ada.patch(`/people/organizations/${orgId}/bots/${bot.id}`, { externalIdIsKey })
  expect(answer).toMatchObject({ status: 200, body: { externalIdIsKey } })
}
const send = (text: string, externalId: string, options = {}) =>
  bot.post('/v2/messages', { topicId, text, externalId }, options)
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'
const idOf = ({ body }: { body: unknown }): string => Object(body).id

describe('externalId', () => {
  it('is a note of the sender, until an admin makes it a key', async () => {
    const [first, second] = [await send('Hello', 'a'), await send('Hello', 'a')]
    expect(idOf(first)).not.toBe(idOf(second))
    await setKey(true)
    const sent = await send('Hello', 'a')
    expect([idOf(first), idOf(second)]).not.toContain(idOf(sent))
    const again = await send('Hello', 'a')
    expect(again).toMatchObject({ status: 201, body: sent.body })
    expect(isReplay(again)).toBe(true)
    const { body } = await bot.get(`/v2/topics/${topicId}/messages`)
    expect(Object(body).messages).toHaveLength(3)
    await setKey(false)
    expect(isReplay(await send('Hello', 'a'))).toBe(false)
  })

  it('makes one message of many requests at once, and refuses another text', async () => {
    await setKey(true)
    const sent = await Promise.all(Array.from({ length: 5 }, () => send('At once', 'b')))
    expect(new Set(sent.map(idOf)).size).toBe(1)
    expect(await send('Otherwise', 'b')).toMatchObject({
      status: 400,
      body: 'Idempotency-Key was already used with another request',
    })
    expect((await send('Otherwise', 'c')).status).toBe(201)
  })

  it('is one key for messages and another for tasks, and gives way to a header', async () => {
    await setKey(true)
    const task = { topicId, title: 'Ship it', externalId: 'b' }
    const made = await bot.post('/v2/tasks', task)
    expect(made.status).toBe(201)
    expect(idOf(await bot.post('/v2/tasks', task))).toBe(idOf(made))
    const [one, other] = [
      await send('With a key', 'd', withKey('one')),
      await send('With a key', 'd', withKey('other')),
    ]
    expect(idOf(one)).not.toBe(idOf(other))
    expect(isReplay(await send('With a key', 'd', withKey('one')))).toBe(true)
  })

  it('is a key of its own bot alone, and of no person', async () => {
    await setKey(true)
    const mine = await send('Mine', 'e')
    const other = await staticBot(server, orgId, 'Other')
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [other.id] })
    const theirs = () => other.post('/v2/messages', { topicId, text: 'Mine', externalId: 'e' })
    expect(new Set([idOf(mine), idOf(await theirs()), idOf(await theirs())]).size).toBe(3)
    const path = `/people/organizations/${orgId}/chat/messages`
    const said = () => ada.post(path, { topicId, text: 'Hers', externalId: 'e' })
    expect(idOf(await said())).not.toBe(idOf(await said()))
  })
})
