import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LargeOrganization, makeLargeOrganization } from '../bench/parts/large.ts'
import { START_BYTES } from '../contract/people/chat.ts'
import { KNOWN_MEMBERS } from '../contract/people/chat-records.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { organization } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'
import { countOf } from './support/thorough.ts'

const MEMBERS = countOf(300, 10_000)
const TOPICS = countOf(250, 2000)

/**
 * An organization that is too large to be read as a whole: what its chat starts with, and where the rest is. One person is in
 * all topics, a stranger in that of everybody alone.
 */
let server: TestParley
let orgId: string
let large: LargeOrganization
let person: TestPerson
let stranger: TestPerson
let chat: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  const { db, secrets } = server.parley
  const size = { members: MEMBERS, topics: TOPICS, messagesEach: 2 }
  large = await makeLargeOrganization({ db, secrets, orgId, close: async () => {} }, size)
  person = await signInToProfile(server, { orgId, profileId: large.person.profileId })
  stranger = await signInAs(server, { orgId, name: 'Zoë Quux' })
  chat = `/people/organizations/${orgId}/chat`
})
afterAll(() => server.close())

const get = async (path: string, who = person) => {
  const answer = await who.get(`${chat}${path}`)
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return Object(answer.body)
}
const refusal = async (path: string, who = person) => {
  const { status, headers } = await who.get(`${chat}${path}`)
  return `${status} ${headers.get('X-Error-Code')}`
}
const idsOf = (items: { id: string }[]): string[] => items.map(({ id }) => id)

async function everyPage(path: string, list: string): Promise<{ id: string; name: string }[]> {
  const all: { id: string; name: string }[] = []
  let cursor: string | undefined
  do {
    const page = await get(`${path}&limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    all.push(...page[list])
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

describe('what a chat starts with', () => {
  it('is short, and has the topic that is opened, favourites and the newest', async () => {
    const [oldest = '', favourite = ''] = large.topicIds
    await person.patch(`${chat}/topics/${favourite}/state`, { favourite: true })
    const quiet = large.topicIds[TOPICS - 40] ?? ''
    await person.post(`${chat}/messages`, { topicId: quiet, text: 'Anybody here?' })
    const start = await get(`/start?topicId=${oldest}`)
    expect(JSON.stringify(start).length).toBeLessThan(START_BYTES)
    expect(start.more).toEqual(['topics', 'drafts'])
    expect(start.manyMembers).toBe(true)
    expect(idsOf(start.topics)).toEqual(expect.arrayContaining([oldest, favourite, quiet]))
    expect(start.topics[0].id).toBe(oldest)
    expect(idsOf(start.members)).toContain(large.bot.id)
    expect(start.members.length).toBeLessThan(KNOWN_MEMBERS)
  })

  it('names nobody else’s topic, whatever topic is asked for', async () => {
    const start = await get(`/start?topicId=${large.topicIds[5]}`, stranger)
    expect(start.topics.filter(({ id }: { id: string }) => id === large.topicIds[5])).toEqual([])
    expect(await refusal('/start?topicId=General')).toBe('400 field_invalid')
  })

  it('stays short where everything else is long, and says which lists go on', async () => {
    const { db } = server.parley
    const long = 'ä'.repeat(10_000)
    await db.query(sql`
      insert into drafts (org_id, profile_id, topic_id, text, updated_at)
      select ${orgId}, ${person.profileId}, id, ${long}, 1 from unnest(${large.topicIds.slice(0, 50)}::uuid[]) id`)
    await db.query(sql`
      update topics set description = ${long} where org_id = ${orgId} and id = any(${large.topicIds.slice(-9)}::uuid[])`)
    await db.query(sql`
      insert into custom_emoji select ${orgId}, 'emoji_' || n, gen_random_uuid(), ${person.profileId}, 1 from generate_series(1, 500) n`)
    await db.query(sql`
      insert into labels select ${orgId}, gen_random_uuid(), 'Label ' || n, 'label ' || n, n from generate_series(1, 300) n`)
    const start = await person.get(`${chat}/start`)
    expect(Buffer.byteLength(JSON.stringify(start.body))).toBeLessThan(START_BYTES)
    expect(Object(start.body).more.toSorted()).toEqual(['drafts', 'emoji', 'labels', 'topics'])
    const pages = await everyPage('/topics?', 'topics')
    expect(new Set(idsOf(pages)).size).toBe(TOPICS)
    expect(pages.length, 'each once').toBe(TOPICS)
    const drafts = await everyPage('/topics?', 'drafts')
    expect(drafts.length).toBe(50)
    await db.query(sql`delete from drafts where org_id = ${orgId}`)
  })

  it('is whole in a small organization', async () => {
    const ben = await signInAs(server, { orgId: await organization(server), name: 'Ben' })
    const start = Object((await ben.get(`/people/organizations/${ben.orgId}/chat/start`)).body)
    expect(start).toMatchObject({ more: [], manyMembers: false })
  })
})

describe('topics', () => {
  it('are found by a part of their name, by name', async () => {
    const found = await everyPage('/topics?search=design', 'topics')
    expect(found.length).toBe(Math.floor((TOPICS - 1) / 10))
    expect(found.map(({ name }) => name.toLowerCase())).toEqual(
      found.map(({ name }) => name.toLowerCase()).sort(),
    )
    expect((await get('/topics?search=%25')).topics).toEqual([])
    expect((await get('/topics?search=Design', stranger)).topics).toEqual([])
    expect(await refusal('/topics?cursor=elsewhere')).toBe('400 cursor_invalid')
  })

  it('name their first members where they are read alone', async () => {
    const topic = await get(`/topics/${large.everybodys}`)
    expect(topic.memberCount).toBe(MEMBERS + 1)
    expect(topic.memberIds.length).toBe(200)
  })
})

describe('members', () => {
  it('are read by id', async () => {
    const ids = [person.profileId, large.bot.id, newUuid()]
    const { members, hasMore } = await get(`/members?ids=${ids.join()}`)
    expect(idsOf(members).sort()).toEqual([person.profileId, large.bot.id].sort())
    expect(hasMore).toBe(false)
    expect(await refusal(`/members?ids=${ids.join()},nobody`)).toBe('400 member_invalid')
    const many = Array.from({ length: 101 }, newUuid).join()
    expect((await refusal(`/members?ids=${many}`)).slice(0, 3)).toBe('400')
    expect(await refusal(`/members?ids=${person.profileId}&search=a`)).toBe('400 fields_conflict')
    expect(await refusal(`/members?ids=${person.profileId}&topicId=${large.everybodys}`)).toBe(
      '400 fields_conflict',
    )
  })

  it('are found by the first letters of words of their names and addresses', async () => {
    const names = async (search: string) =>
      (await get(`/members?search=${encodeURIComponent(search)}`)).members.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('zoe qu')).toEqual(['Zoë Quux'])
    expect(await names('zoe.quux@ex')).toEqual(['Zoë Quux'])
    expect(await names('uux')).toEqual([])
    expect(await names('.*')).toEqual([])
    expect((await names('grace ho')).every((name: string) => name.startsWith('Grace Hopper'))).toBe(true)
    expect((await names('grace ho')).length).toBeGreaterThan(0)
  })

  it('of a topic are listed by name, page by page, with how many they are', async () => {
    const first = await get(`/members?topicId=${large.everybodys}&type=user&limit=20`)
    expect(first).toMatchObject({ total: MEMBERS, hasMore: true })
    const all = await everyPage(`/members?topicId=${large.everybodys}&type=user`, 'members')
    expect(new Set(idsOf(all)).size).toBe(MEMBERS)
    expect(all.length).toBe(MEMBERS)
    const bots = await get(`/members?topicId=${large.everybodys}&type=bot`)
    expect(bots).toMatchObject({ total: 1, members: [{ id: large.bot.id }] })
    expect(await refusal(`/members?topicId=${large.everybodys}&cursor=${first.nextCursor}x`)).toBe(
      '400 cursor_invalid',
    )
    expect(await refusal(`/members?cursor=${first.nextCursor}`), 'of another list').toBe('400 cursor_invalid')
    expect(await refusal(`/members?topicId=${large.everybodys}&cursor=${first.nextCursor}`, stranger)).toBe(
      '400 cursor_invalid',
    )
  })

  it('of a topic come first where they are wanted near, and tell nobody else who is in it', async () => {
    const topicId = large.topicIds[7]
    const inTopic = await everyPage(`/members?topicId=${topicId}`, 'members')
    const near = await get(`/members?near=${topicId}&search=&limit=${inTopic.length}`)
    expect(idsOf(near.members).sort()).toEqual(idsOf(inTopic).sort())
    expect(await refusal(`/members?topicId=${topicId}`, stranger)).toBe('404 topic_not_found')
    expect(await refusal(`/members?near=${topicId}&search=a`, stranger)).toBe('404 topic_not_found')
    expect(await refusal(`/members?topicId=${newUuid()}`)).toBe('404 topic_not_found')
  })

  it('of a topic are no longer told to who has left it, whatever cursor they kept', async () => {
    const topicId = large.topicIds[8]
    const { db } = server.parley
    await db.query(sql`update topics set open = false where org_id = ${orgId} and id = ${topicId}`)
    const { nextCursor } = await get(`/members?topicId=${topicId}&limit=1`)
    expect((await get(`/members?type=user&limit=1&cursor=${nextCursor}`)).members).toHaveLength(1)
    await db.query(sql`
      delete from topic_members where org_id = ${orgId} and topic_id = ${topicId} and profile_id = ${person.profileId}`)
    expect(await refusal(`/members?type=user&limit=1&cursor=${nextCursor}`)).toBe('404 topic_not_found')
  })
})
