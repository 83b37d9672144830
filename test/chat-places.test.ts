import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { appeared, sendFiles } from './support/uploads.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let stranger: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

const NO_TOPIC = { status: 404, body: 'Topic not found', code: 'topic_not_found' }

async function newTopic(...members: TestPerson[]): Promise<string> {
  const memberIds = members.map(({ profileId }) => profileId)
  return Object((await bot.post('/v2/topics', { name: 'Topic', members: memberIds })).body).id
}
const say = async (who: TestPerson, topicId: string, text: string, parentId?: string): Promise<string> =>
  Object((await chatOf(who).post('messages', { topicId, text, ...(parentId && { parentId }) })).body).id

/** All pages of a list, two items each. */
async function pagesOf(who: TestPerson, path: string, name: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  for (let cursor = ''; ; ) {
    const { status, body, text } = await chatOf(who).get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`)
    expect(status, text).toBe(200)
    const page = Object(body)
    items.push(...page[name])
    expect(page.hasMore).toBe(page.nextCursor !== undefined)
    if (!page.hasMore) return items
    cursor = encodeURIComponent(page.nextCursor)
  }
}
const idsOf = (items: Record<string, unknown>[]) => items.map(({ id }) => id)

describe('mentions', () => {
  it('of the person are listed from every topic that they are in, the newest first', async () => {
    const [one, two] = [await newTopic(ada, ben), await newTopic(ada, ben)]
    const mention = `<@${ada.profileId}>, look`
    const said = [await say(ben, one, mention), await say(ben, two, mention), await say(ben, one, mention)]
    await say(ben, two, 'Nobody')
    await say(ben, two, `<@${ben.profileId}>`)
    expect(idsOf(await pagesOf(ada, 'mentions', 'messages'))).toEqual([...said].reverse())
    await chatOf(ben).delete(`messages/${said[2]}`)
    await chatOf(ada).post(`topics/${two}/leave`)
    expect(idsOf(await pagesOf(ada, 'mentions', 'messages'))).toEqual([said[0]])
    expect(await pagesOf(stranger, 'mentions', 'messages')).toEqual([])
  })
})

describe('the details of a topic', () => {
  it('list its files and its polls, the newest first, for who may look into it', async () => {
    const topicId = await newTopic(ada)
    const jobs = startJobs(server)
    const files: string[] = []
    for (const name of ['one', 'two', 'three']) {
      files.push(await sendFiles(bot, { topicId }, name))
      await appeared(bot, files.at(-1) ?? '')
    }
    await jobs.stop()
    await say(ada, topicId, 'Only a text')
    const poll = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'single' }
    const polls = [await chatOf(ada).post('polls', poll), await chatOf(ada).post('polls', poll)]
    expect(idsOf(await pagesOf(ada, `topics/${topicId}/files`, 'messages'))).toEqual([...files].reverse())
    const listed = await pagesOf(ada, `topics/${topicId}/polls`, 'messages')
    expect(listed.map(({ poll: shown }) => Object(shown).id)).toEqual(
      polls.map(({ body }) => Object(body).id).reverse(),
    )
    for (const kind of ['files', 'polls', 'changes']) {
      expect(refusal(await chatOf(ben).get(`topics/${topicId}/${kind}`))).toEqual(NO_TOPIC)
      const { status } = await chatOf(stranger).get(`topics/${topicId}/${kind}`)
      expect(status).toBe(404)
    }
  })

  it('tell its history as long as it exists, also when the events are gone', async () => {
    const { id } = Object(
      (await chatOf(ada).post('topics', { name: 'Plans', members: [ben.profileId] })).body,
    )
    await chatOf(ada).patch(`topics/${id}`, { name: 'Better plans', announcement: false })
    await chatOf(ada).post(`topics/${id}/members`, { memberIds: [bot.id] })
    await chatOf(ben).post(`topics/${id}/leave`)
    await server.parley.db.query(sql`delete from events where org_id = ${orgId} and topic_id = ${id}`)
    const changes = await pagesOf(ada, `topics/${id}/changes`, 'changes')
    expect(changes.map(({ id: _id, createdAt: _at, ...change }) => change)).toEqual([
      { type: 'member.removed', actorId: ben.profileId, memberIds: [ben.profileId] },
      { type: 'member.added', actorId: ada.profileId, memberIds: [bot.id] },
      { type: 'topic.updated', actorId: ada.profileId, changes: { name: 'Better plans' } },
      { type: 'member.added', actorId: ada.profileId, memberIds: [ben.profileId] },
    ])
    expect(refusal(await chatOf(ben).get(`topics/${id}/changes`))).toEqual(NO_TOPIC)
  })

  it('refuse a cursor of another topic', async () => {
    const [one, two] = [await newTopic(ada), await newTopic(ada)]
    for (const text of ['a', 'b', 'c']) await chatOf(ada).patch(`topics/${one}`, { name: text })
    const { nextCursor } = Object((await chatOf(ada).get(`topics/${one}/changes?limit=1`)).body)
    const elsewhere = await chatOf(ada).get(`topics/${two}/changes?cursor=${encodeURIComponent(nextCursor)}`)
    expect([elsewhere.status, elsewhere.body]).toEqual([400, 'invalid cursor'])
  })
})
