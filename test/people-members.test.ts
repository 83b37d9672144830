import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { Person } from '../contract/people/members.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let owner: TestPerson
let admin: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  owner = await signInAs(server, { orgId, role: 'owner', name: 'Olu Adeyemi' })
  admin = await signInAs(server, { orgId, role: 'admin', name: 'Ada Okafor' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const at = (id = '', org = orgId) => `/people/organizations/${org}/members${id && `/${id}`}`

let people = 0
const newPerson = (status: 'Active' | 'Pending' = 'Active') =>
  person(server, orgId, `Person ${++people}`, { status })

async function personOf(answer: Answer, status = 200): Promise<Person> {
  expect(answer.status, answer.text).toBe(status)
  return Object(answer.body)
}

async function page(query = '', who = admin) {
  const { status, body, text } = await who.get(`${at('', who.orgId)}${query}`)
  expect(status, text).toBe(200)
  const { members, nextCursor, hasMore }: { members: Person[]; nextCursor?: string; hasMore: boolean } =
    Object(body)
  return { ids: members.map(({ id }) => id), members, nextCursor, hasMore }
}

const invite = (body: object, who = admin) => who.post(at('', who.orgId), body)
const change = (id: string, body: object, who = admin) => who.patch(at(id, who.orgId), body)

const openInvitations = async (profileId: string) =>
  (
    await server.parley.db.query(sql`
      select 1 from invitations where profile_id = ${profileId} and accepted_at is null
        and expires_at > ${server.parley.clock()}`)
  ).length

const mails = async () =>
  Number((await server.parley.db.query<{ count: number }>(sql`select count(*) from mails`))[0]?.count)

/** A separate organization for tests that count all members. */
async function elsewhere(role: 'owner' | 'admin' = 'owner') {
  const inside = await organization(server, 'Elsewhere')
  return signInAs(server, { orgId: inside, role, name: 'Eve Stone', email: `eve@${inside}.test` })
}

describe('the list of people', () => {
  it('has everybody but the deleted, the oldest first, and no bots', async () => {
    const eve = await elsewhere()
    const { orgId: inside } = eve
    await staticBot(server, inside)
    const email = (name: string) => `${name}@${inside}.test`
    server.clock.ahead += 1
    const pending = await person(server, inside, 'Pia', { status: 'Pending', email: email('pia') })
    server.clock.ahead += 1
    const archived = await person(server, inside, 'Arno', { email: email('arno') })
    const deleted = await person(server, inside, 'Dana', { email: email('dana') })
    await change(archived, { status: 'Archived' }, eve)
    await change(deleted, { status: 'Deleted' }, eve)

    expect((await page('', eve)).ids).toEqual([eve.profileId, pending, archived])
    expect((await page('?status=Deleted', eve)).ids).toEqual([deleted])
    expect((await page('?status=Pending', eve)).ids).toEqual([pending])
    expect((await page('?search=ARN', eve)).ids).toEqual([archived])
    expect((await page(`?search=eve%40`, eve)).ids).toEqual([eve.profileId])
    expect((await page('?search=%25', eve)).ids).toEqual([])
  })

  it('is read page by page, and a cursor keeps the filter', async () => {
    const eve = await elsewhere()
    const ids = [eve.profileId]
    for (let n = 0; n < 4; n++) {
      server.clock.ahead += 1 // those of one millisecond are in the order of their ids
      ids.push(await person(server, eve.orgId, `P ${n}`, { email: `p${n}@${eve.orgId}.test` }))
    }
    const archived = ids[2] ?? ''
    await change(archived, { status: 'Archived' }, eve)
    const first = await page('?limit=2&status=Active', eve)
    expect(first).toMatchObject({ ids: [ids[0], ids[1]], hasMore: true })
    const second = await page(`?limit=2&cursor=${first.nextCursor}`, eve)
    expect(second).toMatchObject({ ids: [ids[3], ids[4]], hasMore: false })
    expect(second.nextCursor).toBeUndefined()
    const all = await page('?limit=3', eve)
    expect([...all.ids, ...(await page(`?limit=3&cursor=${all.nextCursor}`, eve)).ids]).toEqual(ids)
    expect(refusal(await admin.get(`${at()}?cursor=${first.nextCursor}`))).toEqual({
      status: 400,
      body: 'invalid cursor',
    })
  })
})

describe('an invitation', () => {
  it('makes a pending member and sends a mail', async () => {
    const before = await mails()
    const invited = await personOf(await invite({ email: 'Ben@example.com', role: 'admin' }), 201)
    expect(invited).toMatchObject({
      name: 'Ben',
      email: 'Ben@example.com',
      role: 'admin',
      status: 'Pending',
      phone: '',
    })
    expect(invited.invitationExpiresAt).toBeGreaterThan(server.parley.clock())
    expect(await mails()).toBe(before + 1)
    expect(await openInvitations(invited.id)).toBe(1)
  })

  it('is refused for an address that is taken, also in another case', async () => {
    const taken = { status: 400, body: 'email already belongs to a member' }
    expect(refusal(await invite({ email: 'ADA.okafor@example.com' }))).toEqual(taken)
    expect(refusal(await invite({ email: 'no address' }))).toEqual({
      status: 400,
      body: 'invalid e-mail address',
    })
  })

  it('of an owner is for owners', async () => {
    const wanted = { email: 'second.owner@example.com', role: 'owner' }
    expect(refusal(await invite(wanted))).toEqual({ status: 403, body: 'only owners decide on owners' })
    expect((await personOf(await invite(wanted, owner), 201)).role).toBe('owner')
  })

  it('can be sent again: earlier links stop working', async () => {
    const { id } = await personOf(await invite({ email: 'cleo@example.com' }), 201)
    const before = await mails()
    server.clock.ahead += 60_000
    const again = await personOf(await admin.post(at(`${id}/invitation`)))
    expect(again).toMatchObject({ id, status: 'Pending' })
    expect(await openInvitations(id)).toBe(1)
    expect(await mails()).toBe(before + 1)
  })

  it('is sent again to one person once a minute', async () => {
    const { id } = await personOf(await invite({ email: 'dora@example.com' }), 201)
    const tooMany = { status: 429, body: 'too many invitations, please wait' }
    const again = await admin.post(at(`${id}/invitation`))
    expect(refusal(again)).toEqual(tooMany)
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(await openInvitations(id)).toBe(1)
    server.clock.ahead += 60_000
    expect((await admin.post(at(`${id}/invitation`))).status).toBe(200)
    expect(refusal(await admin.post(at(`${id}/invitation`)))).toEqual(tooMany)
    // Another way is refused as well.
    await change(id, { status: 'Deleted' })
    expect(refusal(await invite({ email: 'dora@example.com' }))).toEqual(tooMany)
    expect((await change(id, {})).body).toMatchObject({ status: 'Deleted' })
  })

  it('goes out a hundred times an hour for an organization', async () => {
    const eve = await elsewhere()
    const inviteOne = (n: number) => invite({ email: `p${n}@${eve.orgId}.test` }, eve)
    const first = await personOf(await inviteOne(0), 201)
    server.clock.ahead += 60_000
    const rest = Array.from({ length: LIMITS.invitationsPerHour - 1 }, (_, n) => inviteOne(n + 1))
    expect((await Promise.all(rest)).every(({ status }) => status === 201)).toBe(true)
    const before = await mails()
    const refused = await inviteOne(100)
    expect(refusal(refused)).toEqual({ status: 429, body: 'too many invitations, please wait' })
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3540)
    expect((await eve.post(at(`${first.id}/invitation`, eve.orgId))).status).toBe(429)
    expect(await mails()).toBe(before)
    expect((await page('?search=p100', eve)).ids).toEqual([])
    expect((await invite({ email: 'elsewhere@example.com' })).status).toBe(201)
    server.clock.ahead += 3_540_000
    expect((await inviteOne(100)).status).toBe(201)
    expect((await inviteOne(101)).status).toBe(429)
    server.clock.ahead -= 3_540_000
  })

  it('is sent again to pending members only', async () => {
    const active = await newPerson()
    const not = { status: 400, body: 'member is not pending' }
    expect(refusal(await admin.post(at(`${active}/invitation`)))).toEqual(not)
    expect(refusal(await admin.post(at(`${bot.id}/invitation`)))).toEqual({
      status: 404,
      body: 'Member not found',
    })
  })

  it('ends when the person is archived or deleted', async () => {
    for (const status of ['Archived', 'Deleted'] as const) {
      const { id } = await personOf(await invite({ email: `${status}@example.com` }), 201)
      const moved = await personOf(await change(id, { status }))
      expect(moved.status).toBe(status)
      expect(moved.invitationExpiresAt).toBeUndefined()
      expect(await openInvitations(id)).toBe(0)
    }
  })

  it('of a deleted member brings the same member back', async () => {
    const email = 'returning@example.com'
    const id = await person(server, orgId, 'Rita Returning', { email })
    await change(id, { role: 'admin' })
    await change(id, { status: 'Deleted' })
    const back = await personOf(await invite({ email: email.toUpperCase() }), 201)
    expect(back).toMatchObject({ id, name: 'Rita Returning', role: 'member', status: 'Pending' })
    expect(await openInvitations(id)).toBe(1)
    expect(refusal(await invite({ email })).status).toBe(400)
  })
})

describe('a change of a person', () => {
  it('renames, promotes, archives and brings back', async () => {
    const id = await newPerson()
    expect(await personOf(await change(id, { name: 'New Name' }))).toMatchObject({ name: 'New Name' })
    expect(await personOf(await change(id, { role: 'admin' }))).toMatchObject({ role: 'admin' })
    const archived = await personOf(await change(id, { status: 'Archived', role: 'member' }))
    expect(archived).toMatchObject({ status: 'Archived', role: 'member', name: 'New Name' })
    expect(await personOf(await change(id, { status: 'Active' }))).toMatchObject({ status: 'Active' })
  })

  it('of an owner, or to an owner, is for owners', async () => {
    const id = await newPerson()
    const refused = { status: 403, body: 'only owners decide on owners' }
    expect(refusal(await change(id, { role: 'owner' }))).toEqual(refused)
    expect(refusal(await change(owner.profileId, { role: 'member' }))).toEqual(refused)
    expect(refusal(await change(owner.profileId, { status: 'Archived' }))).toEqual(refused)
    expect(refusal(await change(owner.profileId, { name: 'Somebody' }))).toEqual(refused)
    expect((await personOf(await change(id, { role: 'owner' }, owner))).role).toBe('owner')
    expect((await personOf(await change(id, { role: 'member' }, owner))).role).toBe('member')
  })

  it('leaves the organization an owner', async () => {
    const eve = await elsewhere()
    const needed = { status: 400, body: 'an organization needs an owner' }
    expect(refusal(await change(eve.profileId, { role: 'admin' }, eve))).toEqual(needed)
    // A pending owner does not count as one.
    const { id } = await personOf(
      await invite({ email: `second@${eve.orgId}.test`, role: 'owner' }, eve),
      201,
    )
    expect(refusal(await change(eve.profileId, { role: 'admin' }, eve))).toEqual(needed)
    await personOf(await change(id, { status: 'Deleted' }, eve))
    const second = await signInAs(server, {
      orgId: eve.orgId,
      role: 'owner',
      name: 'Second',
      email: `second.owner@${eve.orgId}.test`,
    })
    expect((await personOf(await change(eve.profileId, { role: 'admin' }, eve))).role).toBe('admin')
    expect(refusal(await change(second.profileId, { role: 'member' }, second))).toEqual(needed)
  })

  it('of two owners at once does not leave it without one', async () => {
    const eve = await elsewhere()
    const second = await signInAs(server, {
      orgId: eve.orgId,
      role: 'owner',
      name: 'Second',
      email: `second.owner@${eve.orgId}.test`,
    })
    const answers = await Promise.all([
      change(second.profileId, { role: 'member' }, eve),
      change(eve.profileId, { role: 'member' }, second),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it('does not archive or delete oneself', async () => {
    for (const status of ['Archived', 'Deleted']) {
      expect(refusal(await change(admin.profileId, { status }))).toEqual({
        status: 400,
        body: 'you cannot archive or delete yourself',
      })
    }
  })

  it('does not make a pending member active, nor a deleted one', async () => {
    const pending = await newPerson('Pending')
    expect(refusal(await change(pending, { status: 'Active' }))).toEqual({
      status: 400,
      body: 'a pending member becomes active by accepting the invitation',
    })
    await change(pending, { status: 'Deleted' })
    for (const status of ['Active', 'Archived']) {
      expect(refusal(await change(pending, { status }))).toEqual({
        status: 400,
        body: 'a deleted member can be invited again',
      })
    }
    expect((await change(pending, { status: 'Deleted' })).status).toBe(200)
  })

  it('brings an archived person who never accepted back as a pending one', async () => {
    const { id } = await personOf(await invite({ email: 'undecided@example.com' }), 201)
    await change(id, { status: 'Archived' })
    expect((await personOf(await change(id, { status: 'Active' }))).status).toBe('Pending')
    server.clock.ahead += 60_000
    expect((await personOf(await admin.post(at(`${id}/invitation`)))).status).toBe('Pending')
  })

  it('that changes nothing writes nothing', async () => {
    const id = await newPerson()
    const before = await personOf(await change(id, { name: 'Same' }))
    server.clock.ahead += 1000
    expect(await personOf(await change(id, { name: 'Same', role: 'member', status: 'Active' }))).toEqual(
      before,
    )
  })

  it('finds no bot and no unknown id', async () => {
    const none = { status: 404, body: 'Member not found' }
    expect(refusal(await change(bot.id, { name: 'X' }))).toEqual(none)
    expect(refusal(await change(orgId, { name: 'X' }))).toEqual(none)
  })
})

describe('an archived or deleted member', () => {
  it('has no access, and has it again after coming back and signing in', async () => {
    const id = await newPerson()
    const grace = await signInToProfile(server, { orgId, profileId: id })
    const rename = (who = grace) => who.patch(`/people/organizations/${orgId}/me`, { name: 'Grace' })
    expect((await rename()).status).toBe(200)
    await change(id, { status: 'Archived' })
    expect((await rename()).status).toBe(401)
    await change(id, { status: 'Active' })
    expect((await rename()).status, 'what was open stays over').toBe(401)
    expect((await rename(await signInToProfile(server, { orgId, profileId: id }))).status).toBe(200)
  })

  it('is in no list of active members for a bot, and is still known', async () => {
    for (const status of ['Archived', 'Deleted'] as const) {
      const email = `${status.toLowerCase()}.soon@example.com`
      const id = await person(server, orgId, 'Sam Soon', { email })
      const topic = Object((await bot.post('/v2/topics', { name: 'With Sam', members: [id] })).body)
      await change(id, { status })
      const { members }: { members: { id: string }[] } = Object(
        (await bot.get(`/v2/members?emails=${email}`)).body,
      )
      expect(members).toEqual([])
      expect((await bot.get(`/v2/members/${id}`)).body).toMatchObject({ id, name: 'Sam Soon', status })
      const { memberIds } = Object((await bot.get(`/v2/topics/${topic.id}`)).body)
      expect(memberIds).toContain(id)
      const added = await bot.post('/v2/topics', { name: 'New', members: [id] })
      expect(refusal(added)).toEqual({ status: 400, body: 'Invalid member' })
    }
  })
})

describe('the own name', () => {
  it('is everybody’s to change', async () => {
    const id = await newPerson()
    const grace = await signInToProfile(server, { orgId, profileId: id })
    const answer = await grace.patch(`/people/organizations/${orgId}/me`, { name: 'Grace Lind' })
    expect(answer.body).toMatchObject({
      organizationId: orgId,
      organizationName: 'Lighthouse Labs',
      profileId: id,
      name: 'Grace Lind',
      role: 'member',
    })
    expect((await bot.get(`/v2/members/${id}`)).body).toMatchObject({ name: 'Grace Lind' })
    expect(refusal(await grace.patch(`/people/organizations/${orgId}/me`, { name: '  ' }))).toEqual({
      status: 400,
      body: 'name is required',
    })
  })
})
