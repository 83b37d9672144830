import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptInvitation } from '../contract/people/session.ts'
import { makeInvitation } from '../server/actions/members/invitations.ts'
import { addPerson } from '../server/actions/members/members.ts'
import { createFirstTopic } from '../server/actions/topics/chat-topics.ts'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson, visitor } from './support/people.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let bot: StaticTestBot
let general: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await staticBot(server, orgId)
  general = (await server.parley.db.write(orgId, (tx) => createFirstTopic(tx, ada.profileId))).id
})
afterAll(() => server.close())

const membersOf = async (topicId: string): Promise<string[]> =>
  (
    await server.parley.db.query<{ id: string }>(sql`
      select profile_id as id from topic_members where topic_id = ${topicId}`)
  ).map(({ id }) => id)

describe('General', () => {
  it('has everybody who accepts an invitation, and tells the others', async () => {
    const { profileId, url } = await server.parley.db.write(orgId, async (tx) => {
      const profileId = await addPerson(tx, { email: 'ivy@example.com', status: 'Pending' })
      return { profileId, ...(await makeInvitation(tx, server.parley, profileId, { byHand: true })) }
    })
    expect(await membersOf(general)).not.toContain(profileId)
    const token = url.replace(/^.*#/, '')
    const body = { token, name: 'Ivy', password: 'slow amber lanterns over the quay' }
    const accepted = await visitor(server.url).post(acceptInvitation.path, body)
    expect(accepted.status, accepted.text).toBeLessThan(300)
    expect(await membersOf(general)).toContain(profileId)
    const events = await server.parley.db.query<{ data: { memberIds: string[] } }>(sql`
      select data from events where type = 'member.added' and topic_id = ${general} order by seq`)
    expect(events.at(-1)?.data.memberIds).toEqual([profileId])
  })

  it('has who is added, and no bot by itself', async () => {
    const joe = await signInAs(server, { orgId, name: 'Joe' })
    const { topics } = Object((await chatOf(joe).get('start')).body)
    expect(topics).toMatchObject([
      { id: general, name: 'General', open: true, joinedByDefault: true, unread: 0 },
    ])
    const newBot = await staticBot(server, orgId, 'Newcomer')
    expect(await membersOf(general)).not.toContain(newBot.id)
    expect((await bot.get('/v2/topics')).body).toMatchObject({ topics: [] })
  })

  it('has a bot that a person creates for it', async () => {
    const create = (who: TestPerson, topicIds: string[]) =>
      who.post(`/people/organizations/${orgId}/bots`, {
        name: 'Helper',
        credential: 'static',
        delivery: 'polling',
        topicIds,
      })
    const { status, body } = await create(ada, [general, general])
    expect(status).toBe(201)
    expect(await membersOf(general)).toContain(Object(body).bot.id)
    const kim = await signInAs(server, { orgId, name: 'Kim', role: 'admin' })
    const closed = Object((await chatOf(ada).post('topics', { name: 'Closed' })).body).id
    expect(await create(kim, [closed])).toMatchObject({ status: 404, body: 'Topic not found' })
    const bots = await server.parley.db.query(
      sql`select 1 from profiles where org_id = ${orgId} and name = 'Helper'`,
    )
    expect(bots).toHaveLength(1)
  })

  it('adds no one once it is archived', async () => {
    await chatOf(ada).patch(`topics/${general}`, { archived: true })
    const lea = await signInAs(server, { orgId, name: 'Lea' })
    expect(await membersOf(general)).not.toContain(lea.profileId)
  })
})
