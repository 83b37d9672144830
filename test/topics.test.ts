import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, setMemberStatus } from '../server/actions/members/members.ts'
import { createTopic, type NewTopic, removeTopicMembers } from '../server/actions/topics/topics.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { sign } from './support/client.ts'
import { during, eventsFor } from './support/events.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { send } from './support/wire.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'
const BALLOON = '🎈'

let server: TestParley
let lighthouse: string
let harbor: string
let deploy: StaticTestBot
let calendar: StaticTestBot
let stranger: StaticTestBot
let ada: string
let grace: string
let foreigner: string

beforeAll(async () => {
  server = await startTestParley()
  lighthouse = await organization(server, 'Lighthouse Labs')
  harbor = await organization(server, 'Harbor Works')
  deploy = await staticBot(server, lighthouse, 'Deploy bot')
  calendar = await staticBot(server, lighthouse, 'Calendar bot')
  stranger = await staticBot(server, harbor, 'Harbor bot')
  ada = await person(server, lighthouse, 'Ada Okafor')
  grace = await person(server, lighthouse, 'Grace Lindqvist')
  foreigner = await person(server, harbor, 'Hari Rao')
})
afterAll(() => server.close())

/** A topic of Lighthouse Labs: set up without asking the endpoint that creates one. */
async function topic(fields: Partial<NewTopic> = {}): Promise<string> {
  const wanted = { createdBy: deploy.id, name: 'Releases', members: [], ...fields }
  return (await server.parley.db.write(lighthouse, (tx) => createTopic(tx, wanted))).id
}

const sorted = (...ids: string[]) => ids.sort()
const membersOf = async (topicId: string) => {
  const rows = await server.parley.db.query<{ profile_id: string }>(
    sql`select profile_id from topic_members where topic_id = ${topicId} order by 1`,
  )
  return rows.map((row) => row.profile_id)
}
const countTopics = async () => {
  const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from topics`)
  return row?.count
}
const anyTime = expect.any(Number)
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('creating a topic', () => {
  it('answers 201 with the topic, its members and the qualified external id', async () => {
    const answer = await deploy.post('/v2/topics', {
      name: 'Releases',
      members: [ada, calendar.id],
      description: 'What went out',
      externalId: 'releases',
    })
    expect(answer.status).toBe(201)
    const { members, ...rest } = Object(answer.body)
    expect(rest).toEqual({
      // Clients require version 4.
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'Releases',
      externalId: `${deploy.id}:releases`,
      createdAt: anyTime,
    })
    expect(sorted(...members)).toEqual(sorted(deploy.id, ada, calendar.id))
    expect((await deploy.get(`/v2/topics/${rest.id}`)).body).toMatchObject({ description: 'What went out' })
  })

  it('needs a name and a list of members, which may be empty, and nothing else', async () => {
    const { status, body } = await deploy.post('/v2/topics', { name: 'Alone', members: [] })
    expect(status).toBe(201)
    expect(body).toEqual({ id: anyId, name: 'Alone', members: [deploy.id], createdAt: anyTime })
    const read = await deploy.get(`/v2/topics/${Object(body).id}`)
    expect(read.body).toMatchObject({ description: '', type: 'topic', properties: [], labels: [] })
    expect(read.body).not.toHaveProperty('externalId')
  })

  it('counts duplicate members, and the bot itself, once', async () => {
    const { body } = await deploy.post('/v2/topics', {
      name: 'Twice',
      members: [ada, ada.toUpperCase(), deploy.id, ada],
    })
    expect(sorted(...Object(body).members)).toEqual(sorted(deploy.id, ada))
  })

  it('takes a pending member', async () => {
    const pending = await person(server, lighthouse, 'Pia Pending', { status: 'Pending' })
    const { status, body } = await deploy.post('/v2/topics', { name: 'Welcome', members: [pending] })
    expect(status).toBe(201)
    expect(Object(body).members).toContain(pending)
  })

  it('tells the other bots in it, and not its creator', async () => {
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/topics', { name: 'Releases', members: [grace, calendar.id, ada] }),
    )
    const topicId = Object(result.body).id
    const memberIds = [grace, calendar.id, ada]
    expect(events).toEqual([
      {
        type: 'member.added',
        to: [calendar.id],
        data: { topicId, memberIds, actorId: deploy.id, createdAt: anyTime },
      },
    ])
  })

  it('names the one other member, and says what it is', async () => {
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/topics', { name: 'Releases', members: [calendar.id] }),
    )
    expect(events.map(({ data }) => data)).toEqual([
      {
        topicId: Object(result.body).id,
        memberIds: [calendar.id],
        memberId: calendar.id,
        memberType: 'bot',
        actorId: deploy.id,
        createdAt: anyTime,
      },
    ])
  })

  it('tells every bot in it when a person created it', async () => {
    const { result: topicId, events } = await during(server, lighthouse, () =>
      topic({ createdBy: ada, members: [calendar.id, deploy.id] }),
    )
    expect(events).toEqual([
      {
        type: 'member.added',
        to: sorted(calendar.id, deploy.id),
        data: { topicId, memberIds: [calendar.id, deploy.id], actorId: ada, createdAt: anyTime },
      },
    ])
  })

  it('emits no event when the bot is alone in it', async () => {
    const { events } = await during(server, lighthouse, () =>
      deploy.post('/v2/topics', { name: 'Alone', members: [] }),
    )
    expect(events).toEqual([])
  })

  it('counts lengths in code points: each limit is accepted', async () => {
    const name = BALLOON.repeat(64)
    const externalId = BALLOON.repeat(100)
    const { status, body } = await deploy.post('/v2/topics', {
      name,
      members: [],
      description: BALLOON.repeat(10_000),
      externalId,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name, externalId: `${deploy.id}:${externalId}` })
    const read = await deploy.get(`/v2/topics/external/${encodeURIComponent(externalId)}`)
    expect(read.body).toMatchObject({ id: Object(body).id, name, description: BALLOON.repeat(10_000) })
  })

  it.each([
    ['name too long', { name: BALLOON.repeat(65) }],
    ['name too long', { name: 'a'.repeat(65) }],
    ['description too long', { description: BALLOON.repeat(10_001) }],
    ['externalId too long', { externalId: BALLOON.repeat(101) }],
    ['name is required', { name: undefined }],
    ['name is required', { name: '' }],
    ['name must be a string', { name: 5 }],
    ['name must be a string', { name: null }],
    ['members is required', { members: undefined }],
    ['members must be an array', { members: 'everybody' }],
    ['Invalid member', { members: ['everybody'] }],
    ['Invalid member', { members: [5] }],
    ['too many members', { members: Array(101).fill('everybody') }],
    ['description must be a string', { description: null }],
    ['externalId must be a string', { externalId: 5 }],
    ['Invalid externalId', { externalId: '' }],
    ['Invalid externalId', { externalId: 'line\nbreak' }],
    ['Invalid externalId', { externalId: 'next\u0085line' }],
    ['Invalid externalId', { externalId: 'delete\u007f' }],
    ['text must not contain NUL or lone surrogates', { name: 'half \ud83c' }],
    ['text must not contain NUL or lone surrogates', { description: 'NUL \u0000' }],
  ])('refuses with "%s" (%#)', async (text, fields) => {
    const topics = await countTopics()
    const answer = await deploy.post('/v2/topics', { name: 'Releases', members: [], ...fields })
    expect([answer.status, answer.body]).toEqual([400, text])
    expect(await countTopics()).toBe(topics)
  })

  it('takes 100 members besides the bot, and not 101', async () => {
    const crowd = await server.parley.db.write(lighthouse, async (tx) => {
      const ids: string[] = []
      for (let n = 0; n < 100; n++)
        ids.push(await addPerson(tx, { email: `crowd${n}@example.com`, status: 'Active' }))
      return ids
    })
    const full = await deploy.post('/v2/topics', { name: 'Crowd', members: crowd })
    expect(full.status).toBe(201)
    expect(Object(full.body).members).toHaveLength(101)
    const tooMany = await deploy.post('/v2/topics', { name: 'Crowd', members: [...crowd, crowd[0]] })
    expect([tooMany.status, tooMany.body]).toEqual([400, 'too many members'])
  })

  it.each([
    ['an unknown member', async () => UNKNOWN],
    ['an unknown bot', async () => `b@${UNKNOWN}`],
    ['a member of another organization', async () => foreigner],
    ['a bot of another organization', async () => stranger.id],
    ['an archived member', () => former('Archived')],
    ['a deleted member', () => former('Deleted')],
  ])('refuses %s, and creates nothing', async (_who, find) => {
    const member = await find()
    const topics = await countTopics()
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post('/v2/topics', { name: 'Releases', members: [ada, member], externalId: `with-${member}` }),
    )
    expect([result.status, result.body]).toEqual([400, 'Invalid member'])
    expect(events).toEqual([])
    expect(await countTopics()).toBe(topics)
  })

  it('refuses an external id that this bot already used; another bot may use it', async () => {
    const wanted = { name: 'Incident 7', members: [], externalId: 'incident-7' }
    expect((await deploy.post('/v2/topics', wanted)).status).toBe(201)
    const again = await deploy.post('/v2/topics', wanted)
    expect([again.status, again.body]).toEqual([400, 'externalId already exists'])
    const others = await calendar.post('/v2/topics', wanted)
    expect([others.status, Object(others.body).externalId]).toEqual([201, `${calendar.id}:incident-7`])
    expect((await deploy.post('/v2/topics', { ...wanted, externalId: 'INCIDENT-7' })).status).toBe(201)
  })

  it('ignores fields that it does not know', async () => {
    const { status, body } = await deploy.post('/v2/topics', {
      name: 'Plain',
      members: [],
      type: 'dm',
      announcement: true,
      id: UNKNOWN,
      createdBy: ada,
    })
    expect(status).toBe(201)
    expect(Object(body).id).not.toBe(UNKNOWN)
    const read = await deploy.get(`/v2/topics/${Object(body).id}`)
    expect(read.body).toMatchObject({ type: 'topic', properties: [], memberIds: [deploy.id] })
  })

  it.each(['e\u0301 and \u00e9', '  leading, trailing  ', 'שלום עולם', '👩🏽‍🚀🇺🇳', '"\\ / <b>&amp;'])(
    'keeps a name and a description exactly as sent: %j',
    async (text) => {
      const { body } = await deploy.post('/v2/topics', { name: text, members: [], description: text })
      expect(Object(body).name).toBe(text)
      const read = Object((await deploy.get(`/v2/topics/${Object(body).id}`)).body)
      expect([read.name, read.description]).toEqual([text, text])
    },
  )

  it.each(['שלום \u202eעולם', 'line\r\nbreak\ttab', '\u200bhidden\ufeff'])(
    'keeps a description exactly as sent that no name may be: %j',
    async (description) => {
      const { body } = await deploy.post('/v2/topics', { name: 'Notes', members: [], description })
      expect((await deploy.get(`/v2/topics/${Object(body).id}`)).body).toMatchObject({ description })
    },
  )
})

async function former(status: 'Archived' | 'Deleted'): Promise<string> {
  const email = `${newUuid()}@example.com`
  const id = await person(server, lighthouse, `${status} person`, { email })
  await server.parley.db.write(lighthouse, (tx) => setMemberStatus(tx, id, status))
  return id
}

describe('reading a topic', () => {
  it('gives the whole record', async () => {
    const created = await deploy.post('/v2/topics', {
      name: 'Roadmap',
      members: [ada],
      description: 'Next',
      externalId: 'roadmap',
    })
    const { id, createdAt } = Object(created.body)
    const read = await deploy.get(`/v2/topics/${id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual({
      id,
      name: 'Roadmap',
      description: 'Next',
      type: 'topic',
      properties: [],
      memberIds: expect.toSatisfy(
        (ids: string[]) => ids.length === 2 && ids.includes(ada) && ids.includes(deploy.id),
      ),
      labels: [],
      externalId: `${deploy.id}:roadmap`,
      createdAt,
      updatedAt: createdAt,
    })
    expect((await deploy.get(`/v2/topics/${id.toUpperCase()}`)).body).toEqual(read.body)
    expect((await deploy.get('/v2/topics/external/roadmap')).body).toEqual(read.body)
    expect(await deploy.get('/v2/topics/external/')).toMatchObject({
      status: 400,
      body: 'externalId is required',
    })
  })

  it('finds an external id of this bot by its short form, and of any bot by its qualified form', async () => {
    const mine = await topic({ members: [calendar.id], externalId: 'shared' })
    const theirs = await topic({ createdBy: calendar.id, members: [deploy.id], externalId: 'shared' })
    const find = async (bot: StaticTestBot, externalId: string) =>
      Object((await bot.get(`/v2/topics/external/${encodeURIComponent(externalId)}`)).body).id
    expect(await find(deploy, 'shared')).toBe(mine)
    expect(await find(calendar, 'shared')).toBe(theirs)
    expect(await find(deploy, `${calendar.id}:shared`)).toBe(theirs)
    expect(await find(deploy, `${deploy.id}:shared`)).toBe(mine)
    const unencoded = await deploy.get(`/v2/topics/external/${calendar.id}:shared`)
    expect(unencoded.body).toMatchObject({ id: theirs })
  })

  it('prefers an own external id that only looks qualified', async () => {
    await topic({ createdBy: calendar.id, members: [deploy.id], externalId: 'lookalike' })
    const mine = await topic({ externalId: `${calendar.id}:lookalike` })
    const { body } = await deploy.get(`/v2/topics/external/${encodeURIComponent(`${calendar.id}:lookalike`)}`)
    expect(body).toMatchObject({ id: mine, externalId: `${deploy.id}:${calendar.id}:lookalike` })
  })

  it.each(['a/b', 'a%2Fb', '100%', 'q?x=1&y#z', 'café +;,', '..', '🇺🇳', 'a:b', 'messages', ' '])(
    'reads the external id %j back when it is percent-encoded',
    async (externalId) => {
      const id = await topic({ externalId })
      // Dots would be resolved by the client's own URL parser, so this goes over the wire as it is.
      const target = `/v2/topics/external/${encodeURIComponent(externalId)}`
      const { headers } = signed(deploy, target)
      const answer = await send(server.url, { method: 'GET', target, headers })
      expect([answer.status, Object(answer.body).id]).toEqual([200, id])
    },
  )

  it('refuses an id that is no UUID', async () => {
    const { status, body } = await deploy.get('/v2/topics/releases')
    expect([status, body]).toEqual([400, 'Invalid topicId'])
  })

  it('does not find external ids of topics that the bot has left or never was in', async () => {
    const left = await topic({ externalId: 'left', members: [ada] })
    await deploy.delete(`/v2/topics/${left}/members`, { memberIds: [deploy.id] })
    await topic({ createdBy: calendar.id, externalId: 'private' })
    for (const externalId of ['left', 'private', `${calendar.id}:private`, `${stranger.id}:x`, 'nothing']) {
      const { status, body } = await deploy.get(`/v2/topics/external/${encodeURIComponent(externalId)}`)
      expect([status, body]).toEqual([404, 'Topic not found'])
    }
  })
})

function signed(bot: StaticTestBot, target: string) {
  const timestamp = String(Date.now())
  const { apiKey, apiSecret } = bot.credentials
  return {
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-timestamp': timestamp,
      'x-signature': sign(apiSecret, timestamp, target),
    },
  }
}

describe('direct messages and announcements', () => {
  it('shows a direct message under the name of the other participant', async () => {
    const { result: id, events } = await during(server, lighthouse, () =>
      topic({ type: 'dm', name: '', createdBy: ada, members: [deploy.id] }),
    )
    expect(events).toMatchObject([{ type: 'member.added', to: [deploy.id], data: { memberId: deploy.id } }])
    const read = await deploy.get(`/v2/topics/${id}`)
    expect(read.body).toMatchObject({ type: 'dm', name: 'Ada Okafor', properties: [] })
    const { body } = await deploy.get('/v2/topics?limit=1')
    expect(body).toMatchObject({ topics: [{ id, type: 'dm', name: 'Ada Okafor' }] })
  })

  it('shows each of two bots the other one', async () => {
    const id = await topic({ type: 'dm', name: '', members: [calendar.id] })
    expect((await deploy.get(`/v2/topics/${id}`)).body).toMatchObject({ name: 'Calendar bot' })
    expect((await calendar.get(`/v2/topics/${id}`)).body).toMatchObject({ name: 'Deploy bot' })
  })

  it('keeps a direct message as it is', async () => {
    const id = await topic({ type: 'dm', name: '', createdBy: ada, members: [deploy.id] })
    const { result, events } = await during(server, lighthouse, async () => [
      await deploy.patch(`/v2/topics/${id}`, { name: 'Ours' }),
      await deploy.post(`/v2/topics/${id}/members`, { memberIds: [grace] }),
      await deploy.delete(`/v2/topics/${id}/members`, { memberIds: [ada] }),
    ])
    for (const { status, body } of result)
      expect([status, body]).toEqual([400, 'not possible in a direct message'])
    expect(events).toEqual([])
    expect(await membersOf(id)).toEqual(sorted(ada, deploy.id))
  })

  it('marks an announcement topic', async () => {
    const id = await topic({ announcement: true })
    expect((await deploy.get(`/v2/topics/${id}`)).body).toMatchObject({
      type: 'topic',
      properties: ['announcement'],
    })
  })
})

describe('listing topics', () => {
  let bot: StaticTestBot
  let mine: string[]

  beforeAll(async () => {
    bot = await staticBot(server, lighthouse, 'List bot')
    mine = []
    await server.parley.db.write(lighthouse, async (tx) => {
      for (let n = 0; n < 51; n++)
        mine.push((await createTopic(tx, { createdBy: bot.id, name: `Topic ${n}`, members: [] })).id)
    })
    mine.reverse()
  })

  type Page = { topics: { id: string }[]; nextCursor?: string; hasMore: boolean }
  async function page(query: string): Promise<Page> {
    const { status, body } = await bot.get(`/v2/topics${query}`)
    expect(status).toBe(200)
    return Object(body)
  }
  const idsOf = ({ topics }: Page) => topics.map(({ id }) => id)

  it('is newest first, 50 a page, and has a cursor exactly when there is more', async () => {
    const first = await page('')
    expect(idsOf(first)).toEqual(mine.slice(0, 50))
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
    const second = await page(`?cursor=${first.nextCursor}`)
    expect(second).toEqual({ topics: [expect.objectContaining({ id: mine[50] })], hasMore: false })
    expect(await page('?limit=51')).not.toHaveProperty('nextCursor')
  })

  it('shows the fields of a single topic, with members in place of memberIds', async () => {
    const { memberIds, ...single } = Object((await bot.get(`/v2/topics/${mine[0]}`)).body)
    expect((await page('?limit=1')).topics).toEqual([{ ...single, members: memberIds }])
  })

  it('skips and repeats nothing, whatever is created in between', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const next: Page = await page(`?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      seen.push(...idsOf(next))
      cursor = next.nextCursor
      await topic({ createdBy: bot.id, name: 'Meanwhile' })
    } while (cursor !== undefined)
    expect(seen).toEqual(mine)
  })

  it('shows only topics that the bot is in', async () => {
    const newcomer = await staticBot(server, lighthouse, 'Newcomer')
    expect((await newcomer.get('/v2/topics')).body).toEqual({ topics: [], hasMore: false })
    const id = await topic({ members: [newcomer.id] })
    expect((await newcomer.get('/v2/topics')).body).toMatchObject({ topics: [{ id }] })
    await newcomer.delete(`/v2/topics/${id}/members`, { memberIds: [newcomer.id] })
    expect((await newcomer.get('/v2/topics')).body).toEqual({ topics: [], hasMore: false })
  })

  it.each(['0', '101', '-1', '1.5', 'ten', '', '1e2', '99999999999999999999'])(
    'refuses limit=%s',
    async (limit) => {
      const { status, body } = await bot.get(`/v2/topics?limit=${limit}`)
      expect([status, body]).toEqual([400, 'limit must be between 1 and 100'])
    },
  )

  it('takes a limit of 1 and of 100', async () => {
    expect((await page('?limit=1')).topics).toHaveLength(1)
    expect((await page('?limit=100')).topics.length).toBeGreaterThan(50)
  })

  it('refuses a cursor that was changed, or belongs to another bot or another list', async () => {
    const { nextCursor = '' } = await page('?limit=1')
    const id = await topic({ members: [bot.id] })
    const foreign = Object((await deploy.get('/v2/topics?limit=1')).body).nextCursor
    const members = Object((await bot.get('/v2/members?limit=1')).body).nextCursor
    const changed = `${nextCursor.startsWith('A') ? 'B' : 'A'}${nextCursor.slice(1)}`
    for (const cursor of ['', 'nonsense', changed, nextCursor.slice(0, -1), foreign, members]) {
      const { status, body } = await bot.get(`/v2/topics?cursor=${cursor}`)
      expect([status, body]).toEqual([400, 'invalid cursor'])
    }
    const elsewhere = await bot.get(`/v2/topics/${id}/messages?cursor=${nextCursor}`)
    expect([elsewhere.status, elsewhere.body]).toEqual([400, 'invalid cursor'])
  })
})

describe('renaming and describing a topic', () => {
  it('answers with the single-topic record, and tells what changed', async () => {
    const id = await topic({ members: [calendar.id, ada], description: 'Old' })
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/topics/${id}`, { name: 'Shipped', description: 'New' }),
    )
    expect(result.status).toBe(200)
    expect(result.body).toMatchObject({ id, name: 'Shipped', description: 'New' })
    expect((await calendar.get(`/v2/topics/${id}`)).body).toEqual(result.body)
    const changes = { name: 'Shipped', description: 'New' }
    expect(events).toEqual([
      {
        type: 'topic.updated',
        to: sorted(deploy.id, calendar.id),
        data: { topicId: id, ...changes, actorId: deploy.id, changes },
      },
    ])
  })

  it('tells only what really changed', async () => {
    const id = await topic({ description: 'Same' })
    const { events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/topics/${id}`, { name: 'Shipped', description: 'Same' }),
    )
    expect(events.map(({ data }) => data)).toEqual([
      { topicId: id, name: 'Shipped', actorId: deploy.id, changes: { name: 'Shipped' } },
    ])
  })

  it('changes one and leaves the other, and clears a description', async () => {
    const id = await topic({ description: 'Old' })
    expect((await deploy.patch(`/v2/topics/${id}`, { name: 'Shipped' })).body).toMatchObject({
      name: 'Shipped',
      description: 'Old',
    })
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/topics/${id}`, { description: '' }),
    )
    expect(result.body).toMatchObject({ name: 'Shipped', description: '' })
    expect(events.map(({ data }) => data)).toEqual([
      { topicId: id, description: '', actorId: deploy.id, changes: { description: '' } },
    ])
  })

  it('answers 200 without an event, and without a new time, when nothing changes', async () => {
    const id = await topic({ description: 'Same' })
    const before = await deploy.get(`/v2/topics/${id}`)
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/topics/${id}`, { name: 'Releases', description: 'Same' }),
    )
    expect([result.status, result.body]).toEqual([200, before.body])
    expect(events).toEqual([])
  })

  it('takes two spellings of one character as two names', async () => {
    const id = await topic({ name: 'caf\u00e9' })
    const { events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/topics/${id}`, { name: 'cafe\u0301' }),
    )
    expect(events).toMatchObject([{ data: { changes: { name: 'cafe\u0301' } } }])
  })

  it('moves updatedAt and not createdAt', async () => {
    const id = await topic()
    const before = Object((await deploy.get(`/v2/topics/${id}`)).body)
    server.clock.ahead += 1000
    const after = Object((await deploy.patch(`/v2/topics/${id}`, { name: 'Later' })).body)
    expect(after.createdAt).toBe(before.createdAt)
    expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt + 1000)
  })

  it('takes 64 and 10000 code points', async () => {
    const id = await topic()
    const fields = { name: BALLOON.repeat(64), description: BALLOON.repeat(10_000) }
    const { status, body } = await deploy.patch(`/v2/topics/${id}`, fields)
    expect(status).toBe(200)
    expect(body).toMatchObject(fields)
  })

  it.each([
    ['name or description is required', {}],
    ['name or description is required', { title: 'Shipped' }],
    ['name or description is required', undefined],
    ['name is required', { name: '' }],
    ['name too long', { name: BALLOON.repeat(65) }],
    ['description too long', { description: BALLOON.repeat(10_001) }],
    ['name must be a string', { name: null }],
    ['description must be a string', { description: 5 }],
  ])('refuses with "%s" (%#)', async (text, fields) => {
    const id = await topic()
    const { result, events } = await during(server, lighthouse, () =>
      deploy.patch(`/v2/topics/${id}`, fields),
    )
    expect([result.status, result.body]).toEqual([400, text])
    expect(events).toEqual([])
    const elsewhere = await deploy.patch(`/v2/topics/${UNKNOWN}`, fields)
    expect([elsewhere.status, elsewhere.body]).toEqual([400, text])
  })
})

describe('adding members', () => {
  it('answers with all current members, and tells every bot, the added ones included', async () => {
    const id = await topic({ members: [ada] })
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post(`/v2/topics/${id}/members`, { memberIds: [calendar.id, grace, calendar.id] }),
    )
    expect(result.status).toBe(200)
    expect(result.body).toEqual({ id, memberIds: expect.any(Array), updatedAt: anyTime })
    expect(sorted(...Object(result.body).memberIds)).toEqual(sorted(deploy.id, ada, calendar.id, grace))
    expect(events).toEqual([
      {
        type: 'member.added',
        to: sorted(deploy.id, calendar.id),
        data: { topicId: id, memberIds: [calendar.id, grace], actorId: deploy.id, createdAt: anyTime },
      },
    ])
  })

  it('names a single member, and says what it is', async () => {
    const id = await topic()
    const { events } = await during(server, lighthouse, () =>
      deploy.post(`/v2/topics/${id}/members`, { memberIds: [ada.toUpperCase()] }),
    )
    expect(events.map(({ data }) => data)).toEqual([
      {
        topicId: id,
        memberIds: [ada],
        memberId: ada,
        memberType: 'user',
        actorId: deploy.id,
        createdAt: anyTime,
      },
    ])
  })

  it('gives an added bot the topic with all that was said before', async () => {
    const id = await topic()
    await deploy.post('/v2/messages', { topicId: id, text: 'Before you came' })
    await deploy.post(`/v2/topics/${id}/members`, { memberIds: [calendar.id] })
    const { body } = await calendar.get(`/v2/topics/${id}/messages`)
    expect(body).toMatchObject({ messages: [{ text: 'Before you came' }] })
  })

  it.each([
    ['one who is there already', 'member is already in the topic', async () => [grace, ada]],
    ['the bot itself', 'member is already in the topic', async () => [deploy.id]],
    ['an unknown member', 'Invalid member', async () => [grace, UNKNOWN]],
    ['a member of another organization', 'Invalid member', async () => [grace, foreigner]],
    ['an archived member', 'Invalid member', async () => [grace, await former('Archived')]],
    ['a malformed id', 'Invalid member', async () => ['grace']],
    ['nobody', 'memberIds must have between 1 and 5 elements', async () => []],
    [
      'six, though they are one',
      'memberIds must have between 1 and 5 elements',
      async () => Array(6).fill(grace),
    ],
    [
      'six malformed ones',
      'memberIds must have between 1 and 5 elements',
      async () => Array(6).fill('grace'),
    ],
  ])('refuses %s, and adds nobody', async (_who, text, find) => {
    const id = await topic({ members: [ada] })
    const memberIds = await find()
    const { result, events } = await during(server, lighthouse, () =>
      deploy.post(`/v2/topics/${id}/members`, { memberIds }),
    )
    expect([result.status, result.body]).toEqual([400, text])
    expect(events).toEqual([])
    expect(await membersOf(id)).toEqual(sorted(deploy.id, ada))
  })

  it('refuses a body without memberIds', async () => {
    const id = await topic()
    const { status, body } = await deploy.post(`/v2/topics/${id}/members`)
    expect([status, body]).toEqual([400, 'memberIds is required'])
  })

  it('takes five', async () => {
    const id = await topic()
    const five = await Promise.all([1, 2, 3, 4, 5].map((n) => person(server, lighthouse, `Fifth ${n}`)))
    const { status, body } = await deploy.post(`/v2/topics/${id}/members`, { memberIds: five })
    expect([status, Object(body).memberIds.length]).toEqual([200, 6])
  })
})

describe('removing members', () => {
  it('answers with the remaining members, and sends every bot an event, the removed ones included', async () => {
    const id = await topic({ members: [calendar.id, ada, grace] })
    const { result, events } = await during(server, lighthouse, () =>
      deploy.delete(`/v2/topics/${id}/members`, { memberIds: [ada, calendar.id, ada, foreigner] }),
    )
    expect(result.status).toBe(200)
    expect(result.body).toEqual({ id, memberIds: expect.any(Array), updatedAt: anyTime })
    expect(sorted(...Object(result.body).memberIds)).toEqual(sorted(deploy.id, grace))
    expect(events).toEqual([
      {
        type: 'member.removed',
        to: sorted(deploy.id, calendar.id),
        data: { topicId: id, memberIds: [ada, calendar.id], actorId: deploy.id, createdAt: anyTime },
      },
    ])
    expect((await calendar.get(`/v2/topics/${id}`)).status).toBe(404)
  })

  it('tells a removed bot nothing that comes later', async () => {
    const id = await topic({ members: [calendar.id] })
    await deploy.delete(`/v2/topics/${id}/members`, { memberIds: [calendar.id] })
    const known = (await eventsFor(server, calendar.id)).length
    await deploy.post('/v2/messages', { topicId: id, text: 'Just us' })
    expect(await eventsFor(server, calendar.id)).toHaveLength(known)
  })

  it('lets the bot remove itself, with an event', async () => {
    const id = await topic({ members: [ada] })
    const { result, events } = await during(server, lighthouse, () =>
      deploy.delete(`/v2/topics/${id}/members`, { memberIds: [deploy.id] }),
    )
    expect([result.status, result.body]).toEqual([200, { id, memberIds: [ada], updatedAt: anyTime }])
    expect(events).toEqual([
      {
        type: 'member.removed',
        to: [deploy.id],
        data: {
          topicId: id,
          memberIds: [deploy.id],
          memberId: deploy.id,
          memberType: 'bot',
          actorId: deploy.id,
          createdAt: anyTime,
        },
      },
    ])
    expect((await deploy.get(`/v2/topics/${id}`)).status).toBe(404)
  })

  it('tells a bot that a person removed', async () => {
    const id = await topic({ createdBy: ada, members: [deploy.id] })
    const { events } = await during(server, lighthouse, () =>
      server.parley.db.write(lighthouse, (tx) =>
        removeTopicMembers(tx, { orgId: lighthouse, profileId: ada }, id, [deploy.id]),
      ),
    )
    expect(events).toMatchObject([
      { type: 'member.removed', to: [deploy.id], data: { memberId: deploy.id, actorId: ada } },
    ])
  })

  it('keeps a topic without members, reachable by no one', async () => {
    const id = await topic({ externalId: 'abandoned' })
    const { result } = await during(server, lighthouse, () =>
      deploy.delete(`/v2/topics/${id}/members`, { memberIds: [deploy.id] }),
    )
    expect(result.body).toEqual({ id, memberIds: [], updatedAt: anyTime })
    expect((await deploy.get(`/v2/topics/${id}`)).status).toBe(404)
    const again = await deploy.post('/v2/topics', { name: 'Again', members: [], externalId: 'abandoned' })
    expect([again.status, again.body]).toEqual([400, 'externalId already exists'])
  })

  it('returns the current state, without an event, when none of them is in the topic', async () => {
    const id = await topic({ members: [ada] })
    const { updatedAt } = Object((await deploy.get(`/v2/topics/${id}`)).body)
    server.clock.ahead += 1000
    const { result, events } = await during(server, lighthouse, () =>
      deploy.delete(`/v2/topics/${id}/members`, { memberIds: [grace, UNKNOWN, stranger.id] }),
    )
    expect(result.status).toBe(200)
    expect(Object(result.body).updatedAt).toBe(updatedAt)
    expect(sorted(...Object(result.body).memberIds)).toEqual(sorted(deploy.id, ada))
    expect(events).toEqual([])
  })

  it.each([
    ['memberIds must have between 1 and 5 elements', { memberIds: [] }],
    ['memberIds must have between 1 and 5 elements', { memberIds: Array(6).fill(UNKNOWN) }],
    ['memberIds is required', {}],
    ['memberIds must be an array', { memberIds: UNKNOWN }],
    ['Invalid member', { memberIds: ['ada'] }],
  ])('refuses with "%s" (%#)', async (text, body) => {
    const id = await topic({ members: [ada] })
    const answer = await deploy.delete(`/v2/topics/${id}/members`, body)
    expect([answer.status, answer.body]).toEqual([400, text])
  })
})

describe('a topic that is foreign, not joined, or not there at all', () => {
  it.each([
    ['read', (bot: StaticTestBot, id: string) => bot.get(`/v2/topics/${id}`)],
    ['renamed', (bot: StaticTestBot, id: string) => bot.patch(`/v2/topics/${id}`, { name: 'Mine' })],
    [
      'joined',
      (bot: StaticTestBot, id: string) => bot.post(`/v2/topics/${id}/members`, { memberIds: [bot.id] }),
    ],
    [
      'emptied',
      (bot: StaticTestBot, id: string) => bot.delete(`/v2/topics/${id}/members`, { memberIds: [ada] }),
    ],
    ['listened to', (bot: StaticTestBot, id: string) => bot.get(`/v2/topics/${id}/messages`)],
    [
      'labelled',
      (bot: StaticTestBot, id: string) => bot.post(`/v2/topics/${id}/labels`, { labelId: UNKNOWN }),
    ],
    ['unlabelled', (bot: StaticTestBot, id: string) => bot.delete(`/v2/topics/${id}/labels/${UNKNOWN}`)],
    [
      'spoken in',
      (bot: StaticTestBot, id: string) => bot.post('/v2/messages', { topicId: id, text: 'Hello' }),
    ],
  ])('cannot be %s, and looks the same', async (_what, attempt) => {
    const foreign = await server.parley.db.write(harbor, (tx) =>
      createTopic(tx, { createdBy: stranger.id, name: 'Secret', members: [] }),
    )
    const notJoined = await topic({ createdBy: calendar.id, members: [ada] })
    const { result, events } = await during(server, lighthouse, async () => [
      await attempt(deploy, foreign.id),
      await attempt(deploy, notJoined),
      await attempt(deploy, UNKNOWN),
    ])
    for (const { status, body, headers } of result) {
      expect([status, body]).toEqual([404, 'Topic not found'])
      expect([...headers.keys()]).toEqual([...(result[0]?.headers.keys() ?? [])])
    }
    expect(events).toEqual([])
    expect(await membersOf(notJoined)).toEqual(sorted(calendar.id, ada))
  })
})
