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
