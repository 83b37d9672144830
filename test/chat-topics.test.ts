import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { conversationsOf } from './support/round-trips.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let boss: TestPerson
let stranger: TestPerson
let bot: StaticTestBot
let second: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  boss = await signInAs(server, { orgId, name: 'Boss', role: 'admin' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
  second = await staticBot(server, orgId, 'Second bot')
})
afterAll(() => server.close())

const NO_TOPIC = { status: 404, body: 'Topic not found', code: 'topic_not_found' }
const FORBIDDEN = { status: 403, body: 'forbidden', code: 'forbidden' }
const ARCHIVED = { status: 403, body: 'topic is archived', code: 'topic_archived' }

async function newTopic(who: TestPerson, topic: Record<string, unknown>) {
  const { status, body, text } = await chatOf(who).post('topics', topic)
  expect(status, text).toBe(201)
  return Object(body)
}
const topicsOf = async (who: TestPerson) => Object((await chatOf(who).get('start')).body).topics
const eventsOf = (type: string, topicId: string) =>
  server.parley.db.query<{ data: Record<string, unknown>; bots: string[] }>(sql`
    select data, bot_ids as bots from events where type = ${type} and topic_id = ${topicId} order by seq`)

describe('a topic', () => {
  it('is made with its members, and everybody in it finds it', async () => {
    const topic = await newTopic(ada, { name: 'Plans', description: 'What next', members: [ben.profileId] })
    expect(topic).toMatchObject({
      name: 'Plans',
      description: 'What next',
      type: 'topic',
      open: false,
      memberIds: [ada.profileId, ben.profileId].sort(),
      memberCount: 2,
      isMember: true,
      mayWrite: true,
      maySet: true,
      unread: 0,
      lastMessage: null,
    })
    expect(await topicsOf(ben)).toEqual([
      expect.objectContaining({ id: topic.id, maySet: false, isMember: true }),
    ])
    expect(refusal(await chatOf(cy).get(`topics/${topic.id}`))).toEqual(NO_TOPIC)
    expect(await eventsOf('topic.created', topic.id)).toEqual([
      { data: { topicId: topic.id, actorId: ada.profileId }, bots: [] },
    ])
  })

  it('is made once for a key', async () => {
    const make = () => chatOf(ada).post('topics', { name: 'Once' }, withKey('topic'))
    expect(Object((await make()).body).id).toBe(Object((await make()).body).id)
  })

  it('is refused with a member of another organization, and nothing is made', async () => {
    const members = [stranger.profileId]
    expect((await chatOf(ada).post('topics', { name: 'Leak', members })).body).toBe('Invalid member')
    const rows = await server.parley.db.query(sql`select 1 from topics where name = 'Leak'`)
    expect(rows).toHaveLength(0)
  })

  it('is renamed by any member, and set by who made it and by admins', async () => {
    const { id } = await newTopic(ada, { name: 'Settings', members: [ben.profileId, boss.profileId] })
    expect((await chatOf(ben).patch(`topics/${id}`, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
    })
    for (const body of [{ open: true }, { announcement: true }, { archived: true }])
      expect(refusal(await chatOf(ben).patch(`topics/${id}`, body))).toEqual(FORBIDDEN)
    expect((await chatOf(ada).patch(`topics/${id}`, { open: true })).body).toMatchObject({ open: true })
    expect(refusal(await chatOf(ada).patch(`topics/${id}`, { joinedByDefault: true }))).toEqual(FORBIDDEN)
    const both = { open: false, joinedByDefault: true }
    expect((await chatOf(boss).patch(`topics/${id}`, both)).body).toBe(
      'only an open topic can be joined by default',
    )
    expect((await chatOf(boss).patch(`topics/${id}`, { joinedByDefault: true })).status).toBe(200)
    const told = await eventsOf('topic.updated', id)
    expect(told.map(({ data }) => data.changes)).toEqual([
      { name: 'Renamed' },
      { open: true },
      { joinedByDefault: true },
    ])
    await chatOf(boss).patch(`topics/${id}`, { joinedByDefault: false, open: false })
  })

  it('for announcements says who may write', async () => {
    const members = [ben.profileId, boss.profileId]
    const { id, mayWrite } = await newTopic(ada, { name: 'News', announcement: true, members })
    expect(mayWrite).toBe(false)
    expect(refusal(await chatOf(ben).post('messages', { topicId: id, text: 'Hi' }))).toEqual(FORBIDDEN)
    expect((await chatOf(boss).get(`topics/${id}`)).body).toMatchObject({ mayWrite: true })
    expect((await chatOf(boss).post('messages', { topicId: id, text: 'News' })).status).toBe(201)
  })

  it('is left, and others get an event', async () => {
    const { id } = await newTopic(ada, { name: 'Leaving', members: [ben.profileId] })
    expect((await chatOf(ben).post(`topics/${id}/leave`)).status).toBe(204)
    expect(refusal(await chatOf(ben).get(`topics/${id}`))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).post(`topics/${id}/leave`))).toEqual(NO_TOPIC)
    expect((await eventsOf('member.removed', id))[0]?.data).toMatchObject({ memberIds: [ben.profileId] })
  })
})

describe('an archived topic', () => {
  it('refuses writes to everybody, on every way, and takes them again when it is brought back', async () => {
    const { id: topicId } = await newTopic(ada, { name: 'Done', members: [ben.profileId, bot.id] })
    const said = Object((await chatOf(ben).post('messages', { topicId, text: 'Before' })).body).id
    const task = Object((await bot.post('/v2/tasks', { topicId, title: 'T' })).body).id
    expect((await chatOf(ada).patch(`topics/${topicId}`, { archived: true })).body).toMatchObject({
      archivedAt: expect.any(Number),
      mayWrite: false,
    })
    const people = chatOf(ben)
    for (const attempt of [
      people.post('messages', { topicId, text: 'After' }),
      people.patch(`messages/${said}`, { text: 'Changed' }),
      people.post(`messages/${said}/reactions`, { reaction: '👍' }),
      people.post(`messages/${said}/pin`),
      people.post('tasks', { topicId, title: 'After' }),
      people.post(`topics/${topicId}/members`, { memberIds: [cy.profileId] }),
      people.patch(`topics/${topicId}`, { name: 'After' }),
    ])
      expect(refusal(await attempt)).toEqual(ARCHIVED)
    for (const attempt of [
      bot.post('/v2/messages', { topicId, text: 'After' }),
      bot.patch(`/v2/topics/${topicId}`, { name: 'After' }),
      bot.patch(`/v2/tasks/${task}`, { title: 'After' }),
    ])
      expect(await attempt).toMatchObject({ status: 403, body: 'topic is archived' })
    expect((await bot.get(`/v2/topics/${topicId}`)).body).toMatchObject({ archivedAt: expect.any(Number) })
    expect((await chatOf(ben).get(`topics/${topicId}/history`)).status).toBe(200)
    await chatOf(ada).patch(`topics/${topicId}`, { archived: false })
    expect((await bot.post('/v2/messages', { topicId, text: 'Again' })).status).toBe(201)
    expect((await chatOf(ben).post('messages', { topicId, text: 'Again' })).status).toBe(201)
  })
})

describe('an open topic', () => {
  it('is found, looked into and joined by people, and by no bot', async () => {
    const { id } = await newTopic(ada, { name: 'Open door', open: true })
    const said = Object((await chatOf(ada).post('messages', { topicId: id, text: 'Come in' })).body).id
    await chatOf(ada).post(`messages/${said}/pin`)
    const found = Object((await chatOf(ben).get('open-topics?search=DOOR')).body)
    expect(found).toMatchObject({ hasMore: false, topics: [{ id, isMember: false, mayWrite: false }] })
    expect((await chatOf(ada).get('open-topics?search=door')).body).toMatchObject({ topics: [] })
    expect((await chatOf(ben).get('open-topics?search=%25')).body).toMatchObject({ topics: [] })

    expect((await chatOf(ben).get(`topics/${id}/history`)).body).toMatchObject({ messages: [{ id: said }] })
    expect((await chatOf(ben).get(`topics/${id}/pins`)).body).toMatchObject({ messages: [{ id: said }] })
    expect((await chatOf(ben).get(`messages/${said}`)).status).toBe(200)
    expect((await ben.get(`/people/locate?messageId=${said}`)).body).toEqual({
      organizationId: orgId,
      topicId: id,
    })
    expect(refusal(await chatOf(ben).post('messages', { topicId: id, text: 'Hi' }))).toEqual(NO_TOPIC)
    expect((await chatOf(ben).post(`messages/${said}/reactions`, { reaction: '👍' })).status).toBe(404)
    expect((await chatOf(ben).patch(`topics/${id}/state`, { muted: true })).status).toBe(404)
    for (const path of [`topics/${id}`, `topics/${id}/messages`, `messages/${said}`])
      expect((await bot.get(`/v2/${path}`)).status).toBe(404)

    const joined = await chatOf(ben).post(`topics/${id}/join`)
    expect(joined.body).toMatchObject({ isMember: true, mayWrite: true, memberCount: 2, unread: 0 })
    expect((await chatOf(ben).post(`topics/${id}/join`)).status).toBe(200)
    expect((await eventsOf('member.added', id)).map(({ data }) => data.memberIds)).toEqual([[ben.profileId]])
    expect((await chatOf(ben).post('messages', { topicId: id, text: 'Thanks' })).status).toBe(201)
    expect((await bot.get(`/v2/topics/${id}`)).status).toBe(404)
  })

  it('is a closed one for who is not of the organization, and when it closes', async () => {
    const { id } = await newTopic(ada, { name: 'Closing', open: true })
    expect((await stranger.get(`/people/locate?topicId=${id}`)).status).toBe(404)
    const theirs = { ...stranger, orgId }
    expect((await chatOf(theirs).get(`topics/${id}`)).body).toBe('Organization not found')
    await chatOf(ada).patch(`topics/${id}`, { open: false })
    expect(refusal(await chatOf(ben).get(`topics/${id}`))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).post(`topics/${id}/join`))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).get(`topics/${id}/history`))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).get(`topics/${id}/pins`))).toEqual(NO_TOPIC)
  })

  it('is listed page by page, by name', async () => {
    for (const name of ['zeta list', 'Alpha list', 'beta list']) await newTopic(ada, { name, open: true })
    const names: string[] = []
    let cursor = ''
    do {
      const { body } = await chatOf(ben).get(`open-topics?search=list&limit=2${cursor}`)
      const page = Object(body)
      names.push(...page.topics.map(({ name }: { name: string }) => name))
      cursor = page.hasMore ? `&cursor=${encodeURIComponent(page.nextCursor)}` : ''
    } while (cursor !== '')
    expect(names).toEqual(['Alpha list', 'beta list', 'zeta list'])
  })

  it('is open only within org units where communication is kept to them', async () => {
    const { id } = await newTopic(ada, { name: 'Units', open: true })
    await server.parley.db.query(
      sql`update organizations set restrict_to_org_units = true where org_id = ${orgId}`,
    )
    expect(refusal(await chatOf(ben).get(`topics/${id}`))).toEqual(NO_TOPIC)
    expect(refusal(await chatOf(ben).post(`topics/${id}/join`))).toEqual(NO_TOPIC)
    expect((await chatOf(ben).get('open-topics?search=Units')).body).toMatchObject({ topics: [] })
    const unit = { name: 'Berlin', tag: 'berlin', type: 'Team' }
    const units = `/people/organizations/${orgId}/org-units`
    const unitId = Object((await boss.post(units, unit)).body).id
    const memberIds = [ada.profileId, ben.profileId]
    await boss.post(`${units}/${unitId}/members`, { memberIds })
    expect((await chatOf(ben).get('open-topics?search=Units')).body).toMatchObject({ topics: [{ id }] })
    expect((await chatOf(ben).post(`topics/${id}/join`)).status).toBe(200)
    expect(refusal(await chatOf(cy).post(`topics/${id}/join`))).toEqual(NO_TOPIC)
    await server.parley.db.query(
      sql`update organizations set restrict_to_org_units = false where org_id = ${orgId}`,
    )
  })
})

describe('a direct message', () => {
  const open = (who: TestPerson, ...memberIds: string[]) => chatOf(who).post('direct-messages', { memberIds })

  it('is one for each set of members, even if several open it at once', async () => {
    const answers = await Promise.all([open(ada, ben.profileId), open(ben, ada.profileId)])
    const ids = answers.map(({ body }) => Object(body).id)
    expect(new Set(ids).size).toBe(1)
    expect(answers.map(({ body }) => Object(body).name)).toEqual(['Ben', 'Ada'])
    const group = Object((await open(ada, ben.profileId, bot.id)).body)
    expect(group.id).not.toBe(ids[0])
    expect(Object((await open(ben, bot.id, ada.profileId, ben.profileId)).body).id).toBe(group.id)
    expect(group).toMatchObject({ type: 'dm', memberCount: 3, maySet: false, open: false })
    expect((await bot.get(`/v2/topics/${group.id}`)).body).toMatchObject({ type: 'dm', name: 'Ada, Ben' })
  })

  it('is refused with strangers or alone, and cannot be left, renamed or opened', async () => {
    expect((await open(ada, stranger.profileId)).body).toBe('Invalid member')
    expect((await open(ada, ada.profileId)).body).toBe('Invalid member')
    const { id } = Object((await open(ada, cy.profileId)).body)
    const refused = 'not possible in a direct message'
    expect((await chatOf(ada).post(`topics/${id}/leave`)).body).toBe(refused)
    expect((await chatOf(boss).patch(`topics/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await chatOf(ada).patch(`topics/${id}`, { open: true })).body).toBe(refused)
  })

  it('holds up the organization for four round trips while it is made', async () => {
    await open(ada, ben.profileId, cy.profileId) // her rights are of the newest version from here on
    const conversations = await conversationsOf(async () => {
      expect((await open(ada, ben.profileId, cy.profileId, bot.id)).status).toBe(200)
    })
    const made = conversations.filter(({ statements }) =>
      statements.some((text) => text.includes('insert into topics')),
    )
    expect(made.map(({ roundTrips }) => roundTrips)).toEqual([4])
  })

  it('that operators made before is found', async () => {
    const memberIds = { createdBy: boss.profileId, other: cy.profileId }
    const { createTopic } = await import('../server/actions/topics/topics.ts')
    const dm = await server.parley.db.write(orgId, (tx) =>
      createTopic(tx, { type: 'dm', name: '', createdBy: memberIds.createdBy, members: [memberIds.other] }),
    )
    expect(Object((await open(cy, boss.profileId)).body).id).toBe(dm.id)
  })
})

describe('a link', () => {
  it('leads to a topic, a message or an external topic in any organization', async () => {
    const made = await bot.post('/v2/topics', { name: 'Ext', members: [ada.profileId], externalId: 'ext-1' })
    const topicId = Object(made.body).id
    const said = Object((await bot.post('/v2/messages', { topicId, text: 'Root' })).body).id
    const reply = Object((await bot.post('/v2/messages', { topicId, text: 'Re', parentId: said })).body).id
    const locate = (who: TestPerson, query: string) => who.get(`/people/locate?${query}`)
    const place = { organizationId: orgId, topicId }
    expect((await locate(ada, `topicId=${topicId}`)).body).toEqual(place)
    expect((await locate(ada, `messageId=${reply}`)).body).toEqual({
      ...place,
      parentId: said,
      threadOnly: true,
    })
    const external = `externalTopic=${encodeURIComponent(`${bot.id}:ext-1`)}`
    expect((await locate(ada, external)).body).toEqual(place)
    expect((await locate(ada, 'externalTopic=ext-1')).body).toEqual(place)
    for (const query of [`topicId=${topicId}`, `messageId=${said}`, external, 'externalTopic=ext-1']) {
      expect((await locate(ben, query)).body).toBe('not found')
      expect((await locate(stranger, query)).body).toBe('not found')
    }
    expect((await locate(ada, '')).body).toBe('topicId, messageId or externalTopic is required')

    const other = await second.post('/v2/topics', {
      name: 'Other',
      members: [ada.profileId],
      externalId: 'ext-1',
    })
    await second.post('/v2/topics', { name: 'Not hers', members: [], externalId: 'ext-2' })
    const choices = [
      { ...place, name: 'Ext', botName: 'Deploy bot' },
      { organizationId: orgId, topicId: Object(other.body).id, name: 'Other', botName: 'Second bot' },
    ]
    expect((await locate(ada, 'externalTopic=ext-1')).body).toEqual({ ...place, choices })
    expect((await locate(ada, external)).body).toEqual(place)
    expect((await locate(ada, 'externalTopic=ext-2')).body).toBe('not found')
  })
})

it('lists everybody, whatever their state, page by page', async () => {
  const gone = await signInAs(server, { orgId, name: 'Gone' })
  await boss.patch(`/people/organizations/${orgId}/members/${gone.profileId}`, { status: 'Archived' })
  const members: { id: string; status: string; delivery?: string; role: string | null }[] = []
  let cursor = ''
  do {
    const page = Object((await chatOf(ada).get(`members?limit=2${cursor}`)).body)
    members.push(...page.members)
    cursor = page.hasMore ? `&cursor=${encodeURIComponent(page.nextCursor)}` : ''
  } while (cursor !== '')
  expect(members.map(({ id }) => id)).toEqual([
    ...[ada, ben, cy, boss].map(({ profileId }) => profileId),
    bot.id,
    second.id,
    gone.profileId,
  ])
  expect(members.at(-1)).toMatchObject({ status: 'Archived' })
  expect(members.find(({ id }) => id === bot.id)).toMatchObject({ delivery: 'polling', role: null })
  expect(refusal(await chatOf(gone).get('start'))).toMatchObject({ status: 401 })
})
