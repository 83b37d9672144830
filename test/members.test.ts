import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let bot: StaticTestBot
let orgId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

describe('members', () => {
  it('lists people and bots', async () => {
    const ada = await person(server, orgId, 'Ada Okafor')
    const { status, body } = await bot.get('/v2/members')
    expect(status).toBe(200)
    expect(body).toMatchObject({ members: [{ id: bot.id, type: 'bot' }, { id: ada, name: 'Ada Okafor' }], hasMore: false })
  })
})
