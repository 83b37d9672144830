import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import type { Endpoint } from '../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { FOR_PEOPLE, wireOf } from '../server/http/wire.ts'
import { organization, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'

let server: TestParley
let orgId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
})
afterAll(() => server.close())

/** The body of the example. */
function bodyOf(operation: Endpoint, as?: typeof FOR_PEOPLE) {
  const { params: _params, query: _query, ...rest } = operation
  const wire = wireOf(rest, as)
  return (more: object) =>
    wire.check({
      params: {},
      query: {},
      body: { ...structuredClone(Object(operation.bodyExample)), ...more },
    }).body
}
const hasBody = ({ body }: Endpoint): boolean => body !== undefined

describe('a field that the contract does not name', () => {
  it.each(PEOPLE_OPERATIONS.filter(({ body }) => body !== undefined && !('x-open' in body)))(
    'is refused by $id, whose own fields are taken',
    (operation) => {
      const check = bodyOf(operation, FOR_PEOPLE)
      expect(() => check({ zzz: 1 })).toThrow('unknown field "zzz"')
      expect(() => check({})).not.toThrow()
    },
  )

  it.each(OPERATIONS.filter(hasBody))('is dropped by $id, which bots call', (operation) => {
    expect(bodyOf(operation)({ zzz: 1 })).not.toHaveProperty('zzz')
  })

  it('is refused with the nearest name, and nothing is made', async () => {
    const owner = await signInAs(server, { orgId, role: 'owner' })
    const domains = ['example.com']
    const links = `/people/organizations/${orgId}/join-links`
    expect(await owner.post(links, { domains, maxUsers: 2 })).toMatchObject({
      status: 400,
      body: 'unknown field "maxUsers"; did you mean "maxUses"?',
    })
    expect((await owner.get(links)).body).toEqual({ joinLinks: [] })
    expect((await owner.post(links, { domains, maxPeople: 2 })).text).toContain(
      'unknown field \\"maxPeople\\"',
    )
    expect((await owner.post(links, { domains, maxUses: 2 })).status).toBe(201)
  })

  it('is refused inside of an object that may be null', async () => {
    const owner = await signInAs(server, { orgId, name: 'Nia' })
    const settings = `/people/organizations/${orgId}/chat/notifications`
    const quietHours = { from: '22:00', to: '07:00', till: '08:00' }
    expect((await owner.patch(settings, { quietHours })).text).toContain('unknown field \\"till\\"')
    expect((await owner.patch(settings, { quietHours: null })).status).toBe(200)
  })

  it('is refused in what people send as bots do, and dropped for the bot itself', async () => {
    const ada = await signInAs(server, { orgId, name: 'Ada' })
    const bot = await staticBot(server, orgId)
    const { body } = await bot.post('/v2/topics', { name: 'News', members: [ada.profileId], nme: 'x' })
    const { id: topicId } = Object(body)
    expect(await chatOf(ada).post('messages', { topicId, text: 'Hi', parentID: 'x' })).toMatchObject({
      status: 400,
      body: 'unknown field "parentID"; did you mean "parentId"?',
    })
  })
})
