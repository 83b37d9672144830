import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endDueGuests } from '../server/background/due-guests.ts'
import { sendDueMessages } from '../server/background/due-messages.ts'
import { sql } from '../server/db/sql.ts'
import { connectFor } from './support/assistants.ts'
import { staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { watchPool } from './support/pool-rules.ts'
import { openStream } from './support/stream.ts'

watchPool()

let server: TestParley
let here: TestOrganization
let topicId: string

const HOUR_MS = 3_600_000
const base = () => `/people/organizations/${here.orgId}`
const chat = (path: string) => `${base()}/chat/${path}`
const refusal = ({ status, body }: Answer) => ({ status, body })
const idOf = ({ body }: Answer): string => Object(body).id
const letMembersInvite = (membersInviteGuests: boolean) =>
  here.owner.patch(base(), { membersInviteGuests }).then(({ status }) => expect(status).toBe(200))

async function newTopic(who: TestPerson, members: readonly string[] = []): Promise<string> {
  return idOf(await who.post(chat('topics'), { name: 'Project', members }))
}

let count = 0
async function newGuest(topicIds: readonly string[] = [topicId], guestUntil?: number): Promise<TestPerson> {
  const email = `guest${++count}@guests.test`
  const terms = { topicIds, ...(guestUntil !== undefined && { guestUntil }) }
  const answer = await here.owner.post(`${base()}/members`, { email, role: 'guest', ...terms })
  expect(answer.status, answer.text).toBe(201)
  const profileId = idOf(answer)
  await server.parley.db.query(sql`
    update profiles set status = 'Active', needs_proof = false where org_id = ${here.orgId} and id = ${profileId}`)
  await server.parley.db.query(sql`
    update invitations set accepted_at = 1 where org_id = ${here.orgId} and profile_id = ${profileId}`)
  return signInToProfile(server, { orgId: here.orgId, profileId })
}

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
  topicId = await newTopic(here.owner, [here.member.profileId])
})
afterAll(() => server.close())

describe('inviting a guest', () => {
  it('is for admins, and for members where the organization allows it', async () => {
    const invite = (email: string) => here.member.post(chat('guests'), { email, topicIds: [topicId] })
    expect(refusal(await invite('one@guests.test'))).toEqual({
      status: 403,
      body: 'only admins bring guests into topics',
    })
    await letMembersInvite(true)
    const invited = await invite('one@guests.test')
    expect(invited).toMatchObject({ status: 201, body: { role: 'guest', status: 'Pending' } })
    expect((await lastMail(server, 'one@guests.test')).text).toContain(
      'join Here on Parley as a guest. Guests see the topics that they were added to, and nothing else.',
    )
    expect((await invite('one@guests.test')).body).toBe('email already belongs to a member')
    await letMembersInvite(false)
    expect((await here.owner.get(`${base()}/audit`)).text).toContain('membersInviteGuests')
    expect(
      (await here.owner.post(chat('guests'), { email: 'two@guests.test', topicIds: [topicId] })).status,
    ).toBe(201)
  })

  it('is to topics that one is in, and adds nobody when it is refused', async () => {
    await letMembersInvite(true)
    const others = await newTopic(here.admin)
    const email = 'three@guests.test'
    const invite = (body: object) => here.member.post(chat('guests'), { email, ...body }).then(refusal)
    expect(await invite({ topicIds: [others] })).toEqual({ status: 404, body: 'Topic not found' })
    expect(await invite({ topicIds: [topicId, others] })).toEqual({ status: 404, body: 'Topic not found' })
    expect(await invite({ topicIds: [] })).toMatchObject({ status: 400 })
    expect(await invite({ topicIds: [topicId], guestUntil: server.parley.clock() - 1 })).toEqual({
      status: 400,
      body: 'guestUntil must be in the future',
    })
    const direct = idOf(
      await here.member.post(chat('direct-messages'), { memberIds: [here.owner.profileId] }),
    )
    expect(await invite({ topicIds: [direct] })).toMatchObject({ status: 400 })
    expect(Object((await here.owner.get(`${base()}/members?search=${email}`)).body).members).toEqual([])
    await letMembersInvite(false)
  })

  it('by a member brings no deleted person back', async () => {
    await letMembersInvite(true)
    const gone = await signInAs(server, { orgId: here.orgId, name: 'Gone', email: 'gone@example.com' })
    await here.owner.patch(`${base()}/members/${gone.profileId}`, { status: 'Deleted' })
    const invite = (who: TestPerson) =>
      who.post(chat('guests'), { email: 'gone@example.com', name: 'Renamed', topicIds: [topicId] })
    expect((await invite(here.member)).body).toBe('email already belongs to a member')
    expect((await invite(here.owner)).status).toBe(201)
    await letMembersInvite(false)
  })

  it('has a limit for each member', async () => {
    await letMembersInvite(true)
    const keen = await signInAs(server, { orgId: here.orgId, name: 'Keen', email: 'keen@example.com' })
    const theirs = await newTopic(keen)
    for (let index = 0; index < 20; index += 1) {
      const email = `keen${index}@guests.test`
      expect((await keen.post(chat('guests'), { email, topicIds: [theirs] })).status).toBe(201)
    }
    const more = await keen.post(chat('guests'), { email: 'keen20@guests.test', topicIds: [theirs] })
    expect(more).toMatchObject({ status: 429, body: 'too many invitations, please wait' })
    expect(
      (await here.owner.post(chat('guests'), { email: 'keen20@guests.test', topicIds: [topicId] })).status,
    ).toBe(201)
    await letMembersInvite(false)
  })

  it('opens no topic of everybody, and none of a former membership', async () => {
    const open = idOf(
      await here.owner.post(chat('topics'), { name: 'All', open: true, joinedByDefault: true }),
    )
    const former = await signInAs(server, { orgId: here.orgId, name: 'Former', email: 'former@guests.test' })
    const person = `${base()}/members/${former.profileId}`
    expect(Object((await former.get(chat('start'))).body).topics).toHaveLength(1)
    await here.owner.patch(person, { status: 'Deleted' })
    const back = await here.owner.post(`${base()}/members`, {
      email: 'former@guests.test',
      role: 'guest',
      topicIds: [topicId],
    })
    expect(back).toMatchObject({ status: 201, body: { id: former.profileId, role: 'guest' } })
    const url = Object((await here.owner.post(`${person}/invitation-link`)).body).url
    const joining = visitor(server.url)
    const accepted = await joining.post('/people/invitations/accept', {
      token: url.split('#')[1],
      name: 'Former',
      password: 'a long enough passphrase',
    })
    expect(accepted.status, accepted.text).toBe(200)
    const { topics } = Object((await joining.get(chat('start'))).body)
    expect(topics.map(({ id }: { id: string }) => id)).toEqual([topicId])
    expect((await joining.get(chat(`topics/${open}`))).status).toBe(404)
  })

  it('by an admin takes guests alone to topics, and gives them alone an end', async () => {
    const invite = (body: object) =>
      here.admin.post(`${base()}/members`, { email: 'plain@example.com', ...body }).then(refusal)
    const wrong = { status: 400, body: 'topicIds and guestUntil are for guests' }
    expect(await invite({ topicIds: [topicId] })).toEqual(wrong)
    expect(await invite({ role: 'admin', guestUntil: server.parley.clock() + HOUR_MS })).toEqual(wrong)
    const closed = await invite({ role: 'guest', topicIds: [topicId] })
    expect(closed).toEqual({
      status: 403,
      body: 'only somebody who is in this closed topic adds others to it',
    })
    const many = await here.owner.post(`${base()}/members/invitations`, {
      people: [{ email: 'm1@guests.test' }, { email: 'm2@guests.test' }],
      role: 'guest',
      topicIds: [topicId],
    })
    expect(many).toMatchObject({ status: 200, body: { results: [{ memberId: expect.any(String) }, {}] } })
    expect((await here.owner.get(`${base()}/members?role=guest&search=m1`)).body).toMatchObject({ total: 1 })
  })
})

describe('bringing a guest into further topics', () => {
  it('is for those who may invite them, bots too', async () => {
    const guest = await newGuest()
    const theirs = await newTopic(here.member)
    const memberIds = [guest.profileId]
    const forbidden = { status: 403, body: 'only admins bring guests into topics' }
    const add = (who: TestPerson, id: string) =>
      who.post(chat(`topics/${id}/members`), { memberIds }).then(refusal)
    const bot = await staticBot(server, here.orgId, 'Bringer')
    const makeTopic = () => bot.post('/v2/topics', { name: 'Of a bot', members: memberIds }).then(refusal)
    expect(await add(here.member, theirs)).toEqual(forbidden)
    expect(await makeTopic()).toEqual(forbidden)
    expect((await here.member.post(chat('topics'), { name: 'New', members: memberIds })).status).toBe(403)
    await letMembersInvite(true)
    expect((await add(here.member, theirs)).status).toBe(200)
    expect((await makeTopic()).status).toBe(201)
    await letMembersInvite(false)
    expect((await add(here.admin, await newTopic(here.admin))).status).toBe(200)
    // A direct message is no topic: members write to a guest whom they know of.
    expect((await here.member.post(chat('direct-messages'), { memberIds })).status).toBe(200)
  })
})

describe('a topic with guests', () => {
  it('says so to everybody in it, as they come, go and are archived', async () => {
    const id = await newTopic(here.owner, [here.member.profileId])
    const stream = await openStream(here.member, here.orgId)
    await stream.next(({ event }) => event === 'reset')
    const told = (guests: number) =>
      stream.next(
        ({ event, data }) =>
          event === 'topic.guests_changed' && Object(data).topicId === id && Object(data).guests === guests,
      )
    const guestsNow = async () => Object((await here.member.get(chat(`topics/${id}`))).body).guests
    expect(await guestsNow()).toBeUndefined()
    const guest = await newGuest([id])
    await told(1)
    const other = await newGuest([id])
    await told(2)
    expect(await guestsNow()).toBe(2)
    await guest.post(chat(`topics/${id}/leave`))
    stream.seen.length = 0
    expect(await guestsNow()).toBe(1)
    await here.owner.patch(`${base()}/members/${other.profileId}`, { status: 'Archived' })
    await told(0)
    await here.owner.patch(`${base()}/members/${other.profileId}`, { status: 'Active' })
    await told(1)
    stream.seen.length = 0
    await here.owner.patch(`${base()}/members/${other.profileId}`, { role: 'member' })
    await told(0)
    expect(await guestsNow()).toBeUndefined()
    stream.close()
  })
})

describe("the end of a guest's access", () => {
  it('ends sessions, streams and assistants at that moment, and archives them', async () => {
    const until = server.parley.clock() + HOUR_MS
    const guest = await newGuest([topicId], until)
    const stream = await openStream(guest, here.orgId)
    const { client } = await connectFor(guest)
    expect((await guest.get(chat('start'))).status).toBe(200)
    expect(Object((await here.member.get(chat(`members/${guest.profileId}`))).body)).toMatchObject({
      role: 'guest',
      guestUntil: until,
    })
    const text = 'From a guest who is gone'
    const later = await guest.post(chat('messages'), { topicId, text, sendAt: until + 1000 })
    expect(later.status).toBe(201)
    server.clock.ahead += HOUR_MS + 1000
    // No worker has archived them yet: the time alone shuts them out, and what they have scheduled is not sent.
    await sendDueMessages(server.parley)
    const { messages } = Object((await here.member.get(chat(`topics/${topicId}/history`))).body)
    expect(JSON.stringify(messages)).not.toContain(text)
    expect((await guest.get(chat('start'))).status).toBe(404)
    await expect(client.callTool({ name: 'list_topics', arguments: {} })).rejects.toThrow()
    await stream.ended()
    expect(await openStream(guest, here.orgId)).toMatchObject({ status: 404 })
    await endDueGuests(server.parley)
    const person = await here.admin.get(`${base()}/members?search=${guest.email}&status=Archived`)
    expect(person.body).toMatchObject({ members: [{ id: guest.profileId, status: 'Archived', sessions: 0 }] })
    expect(Object((await guest.get('/people/session')).body).membership).toBeUndefined()
    const { entries } = Object((await here.admin.get(`${base()}/audit?targetId=${guest.profileId}`)).body)
    expect(entries[0]).toMatchObject({ action: 'member.archived', actor: { kind: 'server' } })
  })

  it('can be set, moved and taken away, for guests alone', async () => {
    const guest = await newGuest()
    const now = server.parley.clock()
    const change = (body: object, id = guest.profileId) => here.admin.patch(`${base()}/members/${id}`, body)
    expect((await change({ guestUntil: now + HOUR_MS })).body).toMatchObject({ guestUntil: now + HOUR_MS })
    expect(refusal(await change({ guestUntil: now - 1 }))).toEqual({
      status: 400,
      body: 'guestUntil must be in the future',
    })
    expect(refusal(await change({ guestUntil: now + HOUR_MS }, here.member.profileId))).toEqual({
      status: 400,
      body: 'topicIds and guestUntil are for guests',
    })
    server.clock.ahead += 2 * HOUR_MS
    await endDueGuests(server.parley)
    expect(refusal(await change({ status: 'Active' }))).toMatchObject({
      status: 400,
      body: 'guestUntil must be in the future',
    })
    const later = server.parley.clock() + HOUR_MS
    expect((await change({ status: 'Active', guestUntil: later })).body).toMatchObject({ status: 'Active' })
    const without = (await change({ guestUntil: null })).body
    expect(without).toMatchObject({ role: 'guest' })
    expect(without).not.toHaveProperty('guestUntil')
    await change({ guestUntil: later })
    expect((await change({ role: 'member' })).body).not.toHaveProperty('guestUntil')
  })
})

it('single sign-on and a second factor: a guest, whom the provider does not know, needs the factor', async () => {
  const guest = await newGuest()
  const { db } = server.parley
  const set = (isOn: boolean) =>
    db.write(here.orgId, (tx) =>
      tx.query(sql`update organizations set require_sign_on = ${isOn} where org_id = ${here.orgId}`),
    )
  await set(true)
  await db.query(sql`select pg_notify('parley_sessions', ${here.orgId})`)
  expect((await guest.get(chat('start'))).body).toBe('set up a second factor first')
  const strong = await signInToProfile(server, guest, 'code')
  expect((await strong.get(chat('start'))).status).toBe(200)
  await set(false)
})
