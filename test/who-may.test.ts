import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectFor } from './support/assistants.ts'
import { staticBot } from './support/cast.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import type { TestPerson } from './support/people.ts'
import { watchPool } from './support/pool-rules.ts'

watchPool()

let server: TestParley
let here: TestOrganization

const base = () => `/people/organizations/${here.orgId}`
const create = (who: TestPerson) =>
  who.post(`${base()}/chat/topics`, { name: 'Project' }).then(({ status, body }) => ({ status, body }))
const set = (settings: object, who = here.admin) => who.patch(base(), settings)

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
})
afterAll(() => server.close())

describe('topics are created', () => {
  it('by all members, until only admins may', async () => {
    expect((await create(here.member)).status).toBe(201)
    expect((await set({ membersCreateTopics: false }, here.member)).status).toBe(403)
    expect((await set({ membersCreateTopics: false })).body).toMatchObject({ membersCreateTopics: false })
    expect(await create(here.member)).toEqual({ status: 403, body: 'only admins create topics' })
    expect((await create(here.admin)).status).toBe(201)
    expect((await create(here.owner)).status).toBe(201)
    const start = await here.member.get(`${base()}/chat/start`)
    expect(Object(start.body).organization).toMatchObject({ membersCreateTopics: false })
  })

  it('by bots in any case, and by assistants as by their person', async () => {
    const bot = await staticBot(server, here.orgId)
    expect((await bot.post('/v2/topics', { name: 'Of a bot', members: [] })).status).toBe(201)
    const { client } = await connectFor(here.member)
    const made = await client.callTool({ name: 'create_topic', arguments: { name: 'Mine', members: [] } })
    expect(JSON.stringify(made)).toContain('only admins create topics')
    await client.close()
  })

  it('but direct messages are for everybody', async () => {
    const memberIds = [here.admin.profileId]
    expect((await here.member.post(`${base()}/chat/direct-messages`, { memberIds })).status).toBe(200)
    await set({ membersCreateTopics: true })
    expect((await create(here.member)).status).toBe(201)
  })
})

describe('own messages are edited and deleted', () => {
  const MINUTE_MS = 60_000
  const OVER = { status: 403, body: 'the time to edit or delete this message is over' }
  const answerOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
  const messages = (path = '') => `${base()}/chat/messages${path}`
  const newTopic = async (who: TestPerson, members: string[] = []): Promise<string> =>
    Object((await who.post(`${base()}/chat/topics`, { name: 'Project', members })).body).id
  const say = async (who: TestPerson, topicId: string): Promise<string> =>
    Object((await who.post(messages(), { topicId, text: 'First' })).body).id
  const edit = (who: TestPerson, id: string) =>
    who.patch(messages(`/${id}`), { text: 'Second' }).then(answerOf)
  const remove = (who: TestPerson, id: string) => who.delete(messages(`/${id}`)).then(answerOf)

  it('never, where it says so: by admins and assistants neither', async () => {
    await set({ editMinutes: 0 })
    for (const who of [here.member, here.admin, here.owner]) {
      const id = await say(who, await newTopic(who))
      expect(await edit(who, id)).toEqual(OVER)
      expect(await remove(who, id)).toEqual(OVER)
    }
    const messageId = await say(here.member, await newTopic(here.member))
    const { client } = await connectFor(here.member)
    for (const tool of [
      { name: 'edit_message', arguments: { messageId, text: 'Second' } },
      { name: 'delete_message', arguments: { messageId } },
    ])
      expect(JSON.stringify(await client.callTool(tool))).toContain(OVER.body)
    await client.close()
  })

  it('by bots in any case', async () => {
    const bot = await staticBot(server, here.orgId)
    const topicId = Object((await bot.post('/v2/topics', { name: 'Of a bot', members: [] })).body).id
    const { id } = Object((await bot.post('/v2/messages', { topicId, text: 'First' })).body)
    expect((await bot.patch(`/v2/messages/${id}`, { text: 'Second' })).status).toBe(200)
    expect((await bot.delete(`/v2/messages/${id}`)).status).toBeLessThan(300)
    expect((await set({ editMinutes: null })).body).toMatchObject({ editMinutes: null })
  })

  it('at any time, until the organization sets one', async () => {
    const topicId = await newTopic(here.member)
    const [old, older] = [await say(here.member, topicId), await say(here.member, topicId)]
    server.clock.ahead += 20 * MINUTE_MS
    expect((await edit(here.member, old)).status).toBe(200)
    expect((await set({ editMinutes: 15 }, here.member)).status).toBe(403)
    expect((await set({ editMinutes: -1 })).status).toBe(400)
    expect((await set({ editMinutes: 15 })).body).toMatchObject({ editMinutes: 15 })
    const start = await here.member.get(`${base()}/chat/start`)
    expect(Object(start.body).organization).toMatchObject({ editMinutes: 15 })
    expect(await edit(here.member, old)).toEqual(OVER)
    expect(await remove(here.member, older)).toEqual(OVER)
    expect(Object((await here.member.get(messages(`/${older}`))).body).text).toBe('First')
    const fresh = await say(here.member, topicId)
    server.clock.ahead += 14 * MINUTE_MS
    expect((await edit(here.member, fresh)).status).toBe(200)
    server.clock.ahead += MINUTE_MS
    expect(await edit(here.member, fresh)).toEqual(OVER)
  })
})
