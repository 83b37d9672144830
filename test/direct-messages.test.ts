import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { setBot } from '../server/actions/bots/bots.ts'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { oauthBot, organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let bot: StaticTestBot
let shared: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  bot = await staticBot(server, orgId, 'Deploy bot', { opensDirectMessages: true })
  shared = Object((await bot.post('/v2/topics', { name: 'Releases', members: [ada.profileId] })).body).id
})
afterAll(() => server.close())

const open = (memberId: unknown, who: Pick<StaticTestBot, 'post'> = bot) =>
  who.post('/v2/direct-messages', { memberId })
const INVALID = { status: 400, body: 'Invalid member', code: 'member_invalid' }

describe('a direct message that a bot opens', () => {
  it('is one for each person, and works like any other', async () => {
    const { status, body } = await open(ada.profileId)
    expect(status).toBe(201)
    const { id, ...topic } = Object(body)
    expect(topic).toMatchObject({ type: 'dm', name: 'Ada Okafor', memberIds: expect.any(Array) })
    expect([...topic.memberIds].sort()).toEqual([ada.profileId, bot.id].sort())
    expect(await open(ada.profileId.toUpperCase())).toMatchObject({ status: 200, body: { id } })
    expect((await bot.post('/v2/messages', { topicId: id, text: 'Your build is done.' })).status).toBe(201)
    const { body: read } = await chatOf(ada).get(`topics/${id}/history`)
    expect(Object(read).messages.at(-1).text).toBe('Your build is done.')
    const same = await chatOf(ada).post('direct-messages', { memberIds: [bot.id] })
    expect(Object(same.body).id).toBe(id)
  })

  it('is found where the person has opened it, at the same time too', async () => {
    const ben = await signInAs(server, { orgId, name: 'Ben' })
    const opened = await chatOf(ben).post('direct-messages', { memberIds: [bot.id] })
    expect(await open(ben.profileId)).toMatchObject({ status: 200, body: { id: Object(opened.body).id } })
    const eve = await signInAs(server, { orgId, name: 'Eve' })
    await bot.post(`/v2/topics/${shared}/members`, { memberIds: [eve.profileId] })
    const [one, other, own] = await Promise.all([
      open(eve.profileId),
      open(eve.profileId),
      chatOf(eve).post('direct-messages', { memberIds: [bot.id] }),
    ])
    expect(new Set([one, other, own].map(({ body }) => Object(body).id)).size).toBe(1)
  })

  it('is refused for whom the bot does not reach, as for who does not exist', async () => {
    const carl = await person(server, orgId, 'Carl')
    const elsewhere = await organization(server, 'Elsewhere')
    const stranger = await person(server, elsewhere, 'Stranger')
    const helper = await staticBot(server, orgId, 'Helper')
    const former = await person(server, orgId, 'Former')
    await bot.post(`/v2/topics/${shared}/members`, { memberIds: [helper.id, former] })
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, former, 'Archived'))
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const id of [carl, stranger, missing, helper.id, bot.id, former, 'x', 7])
      expect(refusal(await open(id)), String(id)).toEqual(INVALID)
    expect((await open(undefined)).status).toBe(400)
    await bot.post(`/v2/topics/${shared}/members`, { memberIds: [carl] })
    expect((await open(carl)).status).toBe(201)
  })

  it('needs the leave of an admin, which counts from the moment that it is taken', async () => {
    const quiet = await staticBot(server, orgId, 'Quiet')
    await quiet.post('/v2/topics', { name: 'Quiet', members: [ada.profileId] })
    const refused = { status: 403, body: expect.stringContaining('an admin can allow it') }
    expect(await open(ada.profileId, quiet)).toMatchObject(refused)
    const path = `/people/organizations/${orgId}/bots/${quiet.id}`
    const allowed = await ada.patch(path, { opensDirectMessages: true })
    expect(allowed).toMatchObject({ status: 200, body: { opensDirectMessages: true } })
    expect((await open(ada.profileId, quiet)).status).toBe(201)
    await ada.patch(path, { opensDirectMessages: false })
    expect(await open(ada.profileId, quiet)).toMatchObject(refused)
  })

  it('needs the scope of a token, and a key that may write', async () => {
    const sender = await oauthBot(server, orgId, 'Sender', ['message:send', 'channel:write'])
    const reader = await staticBot(server, orgId, 'Reader', { permission: 'read', opensDirectMessages: true })
    await server.parley.db.write(orgId, (tx) => setBot(tx, sender.id, { opensDirectMessages: true }))
    for (const who of [sender, reader]) {
      await bot.post(`/v2/topics/${shared}/members`, { memberIds: [who.id] })
      expect((await open(ada.profileId, who)).status).toBe(403)
    }
    const opener = await oauthBot(server, orgId, 'Opener', ['direct:open', 'channel:write'])
    await server.parley.db.write(orgId, (tx) => setBot(tx, opener.id, { opensDirectMessages: true }))
    await bot.post(`/v2/topics/${shared}/members`, { memberIds: [opener.id] })
    expect((await open(ada.profileId, opener)).status).toBe(201)
  })

  it('is one of a few in a minute', async () => {
    const eager = await staticBot(server, orgId, 'Eager', { opensDirectMessages: true })
    await bot.post(`/v2/topics/${shared}/members`, { memberIds: [eager.id] })
    const people: string[] = []
    for (let number = 0; number <= LIMITS.directMessagesPerMinute; number += 1)
      people.push(await person(server, orgId, `Person ${number}`))
    await eager.post('/v2/topics', { name: 'All', members: people })
    for (const id of people.slice(0, -1)) expect((await open(id, eager)).status).toBe(201)
    const last = await open(people.at(-1), eager)
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await open(people[0], eager)).status).toBe(200)
  })
})
