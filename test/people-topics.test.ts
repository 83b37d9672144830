import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleTopic, TopicMember } from '../contract/people/topics.ts'
import { textOf } from '../contract/refusals/index.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
/** An admin who is in none of the topics. */
let admin: TestPerson
let ben: TestPerson
let bot: StaticTestBot
let topicId: string

const SAID = 'The keel is cracked'

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  admin = await signInAs(server, { orgId, role: 'admin', name: 'Ada Okafor' })
  ben = await signInAs(server, { orgId, name: 'Ben Ito' })
  bot = await staticBot(server, orgId, 'Stockroom')
  topicId = await create('Harbour')
  await ben.post(`/people/organizations/${orgId}/chat/messages`, { topicId, text: SAID })
  await ben.post(`/people/organizations/${orgId}/chat/direct-messages`, { memberIds: [bot.id] })
})
afterAll(() => server.close())

const create = async (name: string, members: string[] = []): Promise<string> =>
  Object((await ben.post(`/people/organizations/${orgId}/chat/topics`, { name, members })).body).id
const at = (path = '') => `/people/organizations/${orgId}/topics${path}`
const refusal = ({ status, body }: Answer) => ({ status, body })

async function read<Body>(path: string): Promise<Body> {
  const { status, body, text } = await admin.get(at(path))
  expect(status, text).toBe(200)
  return Object(body)
}
type Topics = { topics: ConsoleTopic[]; total: number; nextCursor?: string; previousCursor?: string }
type Members = { members: TopicMember[]; total: number }

const audited = async (action: string) =>
  server.parley.db.query<{ target: string; changes: unknown; actor: string }>(sql`
    select target_name as target, changes, actor_id as actor from audit_log
    where org_id = ${orgId} and action = ${action} order by id desc`)
const eventsOf = (type: string) =>
  server.parley.db.query(sql`select 1 from events where org_id = ${orgId} and type = ${type}`)

describe('topics in the console', () => {
  it('are listed with who is in them, and no direct message is among them', async () => {
    const { topics, total } = await read<Topics>('?search=HARB')
    expect(total).toBe(1)
    expect(topics).toEqual([
      {
        id: topicId,
        name: 'Harbour',
        description: '',
        state: 'closed',
        open: false,
        announcement: false,
        joinedByDefault: false,
        keepMessagesDays: null,
        people: 1,
        bots: 0,
        isMember: false,
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
      },
    ])
    const all = await read<Topics>('')
    expect(all.topics.every(({ name }) => name !== '')).toBe(true)
    expect((await read<Topics>('?state=open')).topics.map(({ id }) => id)).not.toContain(topicId)
  })

  it('never contain their messages', async () => {
    for (const path of ['', `/${topicId}`, `/${topicId}/members`, `/${topicId}/export`]) {
      const answer = await admin.get(at(path))
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(SAID)
    }
    expect(await read(`/${topicId}/export`)).toMatchObject({
      topic: { name: 'Harbour' },
      members: [{ name: 'Ben Ito', email: ben.email }],
      counts: { messages: 1, tasks: 0 },
    })
  })

  it('are turned in both directions', async () => {
    for (const name of ['Pier 1', 'pier 2', 'Pier 3', 'pier 4']) await create(name)
    const first = await read<Topics>('?search=pier&limit=2')
    expect(first).toMatchObject({ total: 4, topics: [{ name: 'Pier 1' }, { name: 'pier 2' }] })
    const second = await read<Topics>(`?limit=2&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ from: 2, topics: [{ name: 'Pier 3' }, { name: 'pier 4' }] })
    const back = await read<Topics>(`?limit=2&cursor=${second.previousCursor}`)
    expect(back.topics).toEqual(first.topics)
  })

  it('get people and bots, with an event and an audit entry', async () => {
    const quay = await create('Quay', [admin.profileId])
    const pia = await person(server, orgId, 'Pia', { email: 'pia@example.com' })
    const before = (await eventsOf('member.added')).length
    const added = await admin.post(at(`/${quay}/members`), { memberIds: [pia, bot.id, ben.profileId] })
    expect(added.body).toMatchObject({ people: 3, bots: 1, isMember: true })
    expect((await eventsOf('member.added')).length).toBe(before + 1)
    const { members, total } = await read<Members>(`/${quay}/members`)
    expect(total).toBe(4)
    expect(members.map(({ name, type }) => [name, type])).toEqual([
      ['Ada Okafor', 'user'],
      ['Ben Ito', 'user'],
      ['Pia', 'user'],
      ['Stockroom', 'bot'],
    ])
    expect((await read<Members>(`/${quay}/members?search=stock`)).total).toBe(1)
    expect((await audited('topic.members_changed'))[0]).toEqual({
      target: 'Quay',
      actor: admin.profileId,
      changes: [
        { field: 'added', to: 'Pia', toId: pia },
        { field: 'added', to: 'Stockroom', toId: bot.id },
      ],
    })
    const removed = await admin.delete(at(`/${quay}/members`), { memberIds: [pia] })
    expect(removed.body).toMatchObject({ people: 2, bots: 1 })
    // Nothing changes, so nothing is recorded.
    const told = (await audited('topic.members_changed')).length
    await admin.delete(at(`/${quay}/members`), { memberIds: [pia] })
    await admin.post(at(`/${quay}/members`), { memberIds: [bot.id] })
    expect((await audited('topic.members_changed')).length).toBe(told)
  })

  it('admit no one through an admin from outside while they are closed, nor by opening them', async () => {
    const second = await person(server, orgId, 'Second account', { email: 'second@example.com' })
    for (const id of [admin.profileId, bot.id, second])
      expect(refusal(await admin.post(at(`/${topicId}/members`), { memberIds: [id] }))).toEqual({
        status: 403,
        body: textOf('closed_topic_addition'),
      })
    expect(refusal(await admin.patch(at(`/${topicId}`), { open: true }))).toEqual({
      status: 403,
      body: textOf('closed_topic_opening'),
    })
    const made = await admin.post(`/people/organizations/${orgId}/bots`, {
      name: 'Listener',
      credential: 'static',
      delivery: 'polling',
      topicIds: [topicId],
    })
    expect(refusal(made)).toEqual({ status: 404, body: 'Topic not found' })
    expect((await read<Members>(`/${topicId}/members`)).total).toBe(1)
    expect(refusal(await admin.post(at(`/${topicId}/members`), { memberIds: [`b@${topicId}`] }))).toEqual({
      status: 400,
      body: 'Invalid member',
    })
    const open = await create('Open pier', [admin.profileId])
    await admin.patch(at(`/${open}`), { open: true })
    await admin.delete(at(`/${open}/members`), { memberIds: [admin.profileId] })
    expect((await admin.post(at(`/${open}/members`), { memberIds: [admin.profileId] })).status).toBe(200)
  })

  it('are opened, closed, archived and brought back', async () => {
    const id = await create('Dry dock', [admin.profileId])
    const change = async (body: object) => admin.patch(at(`/${id}`), body)
    expect((await change({ open: true })).body).toMatchObject({ state: 'open' })
    expect((await audited('topic.changed'))[0]?.changes).toEqual([
      { field: 'open', from: 'false', to: 'true' },
    ])
    expect((await change({ archived: true })).body).toMatchObject({ state: 'archived', open: true })
    expect((await read<Topics>('?state=archived')).topics.map((one) => one.id)).toEqual([id])
    expect(refusal(await change({ open: false }))).toMatchObject({ status: 403, body: 'topic is archived' })
    const late = await admin.post(at(`/${id}/members`), { memberIds: [bot.id] })
    expect(refusal(late)).toMatchObject({ status: 403, body: 'topic is archived' })
    expect((await change({ archived: false, open: false })).body).toMatchObject({ state: 'closed' })
    const told = (await audited('topic.changed')).length
    await change({ open: false })
    expect((await audited('topic.changed')).length).toBe(told)
  })

  it('that everybody joins are closed for newcomers, too', async () => {
    const id = await create('Lobby')
    await server.parley.db.query(
      sql`update topics set open = true, joined_by_default = true where org_id = ${orgId} and id = ${id}`,
    )
    expect((await admin.patch(at(`/${id}`), { open: false })).body).toMatchObject({
      state: 'closed',
      joinedByDefault: false,
    })
  })

  it('do not exist for members, nor direct messages for admins', async () => {
    expect((await ben.get(at())).status).toBe(403)
    const [dm] = await server.parley.db.query<{ id: string }>(
      sql`select id from topics where org_id = ${orgId} and type = 'dm'`,
    )
    const missing = { status: 404, body: 'Topic not found' }
    expect(dm).toBeDefined()
    expect(refusal(await admin.get(at(`/${dm?.id}`)))).toEqual(missing)
    expect(refusal(await admin.patch(at(`/${dm?.id}`), { archived: true }))).toEqual(missing)
    expect(refusal(await admin.post(at(`/${dm?.id}/members`), { memberIds: [bot.id] }))).toEqual(missing)
  })
})

describe('many people at once', () => {
  const members = (path: string) => `/people/organizations/${orgId}/members${path}`

  it('are invited line by line, with a report', async () => {
    const people = [
      { email: ' Nia@example.com ', name: 'Nia Ode' },
      { email: 'no address' },
      { email: ben.email },
      { email: 'nia@example.com' },
      { email: 'omar@example.com', name: `Omar\u0007${'o'.repeat(200)}` },
    ]
    const { status, body } = await admin.post(members('/invitations'), { people })
    expect(status).toBe(200)
    expect(Object(body).results).toEqual([
      { email: 'Nia@example.com', memberId: expect.any(String), url: expect.stringContaining('/join#') },
      { email: 'no address', refusal: 'invalid e-mail address', code: 'email_invalid' },
      { email: ben.email, refusal: 'email already belongs to a member', code: 'email_known' },
      { email: 'nia@example.com', refusal: 'email already belongs to a member', code: 'email_known' },
      { email: 'omar@example.com', memberId: expect.any(String), url: expect.stringContaining('/join#') },
    ])
    const invited = await server.parley.db.query<{ name: string }>(sql`
      select name from profiles where org_id = ${orgId} and status = 'Pending' order by created_at, name`)
    expect(invited.map(({ name }) => name)).toEqual(['Nia Ode', expect.stringMatching(/^Omar o+$/)])
    expect(refusal(await admin.post(members('/invitations'), { people, role: 'owner' }))).toEqual({
      status: 403,
      body: 'only owners decide on owners',
    })
    expect((await admin.post(members('/invitations'), { people: [] })).status).toBe(400)
  })

  it('are changed by the rules for one, and who is refused stays as they are', async () => {
    const owner = await signInAs(server, { orgId, role: 'owner', name: 'Olu', email: 'olu@example.com' })
    const una = await signInAs(server, { orgId, name: 'Una', email: 'una@example.com' })
    const memberIds = [una.profileId, owner.profileId, admin.profileId, bot.id]
    const archive = await admin.post(members('/changes'), { memberIds, status: 'Archived' })
    expect(Object(archive.body).results).toEqual([
      { memberId: una.profileId },
      { memberId: owner.profileId, refusal: 'only owners decide on owners', code: 'owners_are_for_owners' },
      { memberId: admin.profileId, refusal: 'you cannot archive or delete yourself', code: 'member_is_self' },
      { memberId: bot.id, refusal: 'Member not found', code: 'member_not_found' },
    ])
    expect((await una.get(`/people/organizations/${orgId}/chat/start`)).status).toBe(401)
    expect(await audited('member.archived')).toMatchObject([{ target: 'Una', actor: admin.profileId }])

    const roles = await admin.post(members('/changes'), {
      memberIds: [ben.profileId],
      role: 'admin',
      endSessions: true,
    })
    expect(Object(roles.body).results).toEqual([{ memberId: ben.profileId }])
    expect((await ben.get(`/people/organizations/${orgId}/chat/start`)).status).toBe(401)
    expect(await audited('member.sessions_ended')).toMatchObject([{ target: 'Ben Ito' }])
  })
})
