import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let bot: StaticTestBot
let ben: TestPerson

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  bot = await staticBot(server, orgId)
  ben = await signInAs(server, { orgId, name: 'Ben' })
})
afterAll(() => server.close())
afterEach(() => {
  vi.restoreAllMocks()
  server.parley.callers.drop()
})

/** A person with a topic and a message there, whom the server has in memory. */
async function newcomer(name: string) {
  const who = await signInAs(server, { orgId, name })
  const { id: topicId } = Object((await bot.post('/v2/topics', { name, members: [who.profileId] })).body)
  const { id } = Object((await chatOf(who).post('messages', { topicId, text: 'Hello' })).body)
  expect(id).toBeTypeOf('string')
  return { who, topicId: String(topicId), messageId: String(id) }
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>

/** Operations of bots that people have too, each of which writes in a transaction. */
const writes: Record<string, (one: Newcomer) => Promise<Answer>> = {
  'edit a message': ({ who, messageId }) => chatOf(who).patch(`messages/${messageId}`, { text: 'Changed' }),
  'delete a message': ({ who, messageId }) => chatOf(who).delete(`messages/${messageId}`),
  react: ({ who, messageId }) => chatOf(who).post(`messages/${messageId}/reactions`, { reaction: '👍' }),
  'make a task': ({ who, topicId }) => chatOf(who).post('tasks', { topicId, title: 'Task' }),
  'add a member': ({ who, topicId }) =>
    chatOf(who).post(`topics/${topicId}/members`, { memberIds: [ben.profileId] }),
}

/** The person as this node remembers them goes by what was before: its news is late. */
const hearNothing = () => vi.spyOn(server.parley.callers, 'drop').mockImplementation(() => {})

const lastSeq = async () =>
  (
    await server.parley.db.query<{ last_seq: number }>(
      sql`select last_seq from organization_logs where org_id = ${orgId}`,
    )
  )[0]?.last_seq

const set = (who: TestPerson, status: string) =>
  server.parley.db.query(sql`
    update profiles set status = ${status} where org_id = ${orgId} and id = ${who.profileId}`)

it.each(Object.entries(writes))(
  'who is a member no longer may not %s, though a node remembers them',
  async (name, write) => {
    const one = await newcomer(name)
    hearNothing()
    await set(one.who, 'Archived')
    const before = await lastSeq()
    expect(refusal(await write(one))).toEqual({
      status: 401,
      body: 'sign in first',
      code: 'sign_in_required',
    })
    expect(await lastSeq(), 'nothing was written').toBe(before)
    await set(one.who, 'Active')
    expect((await write(one)).status, 'a member again').toBeLessThan(300)
  },
)

it.each(Object.entries(writes))(
  'who needs a second factor first may not %s, though a node remembers them',
  async (name, write) => {
    const one = await newcomer(`${name} strictly`)
    hearNothing()
    const require = (isRequired: boolean) =>
      server.parley.db.query(sql`
      update organizations set require_second_factor = ${isRequired} where org_id = ${orgId}`)
    await require(true)
    const before = await lastSeq()
    const refused = await write(one).finally(() => require(false))
    expect(refusal(refused)).toMatchObject({ status: 403, body: 'set up a second factor first' })
    expect(await lastSeq(), 'nothing was written').toBe(before)
    expect((await write(one)).status).toBeLessThan(300)
  },
)

it('memory keeps no one out: a person who has just become a member is admitted', async () => {
  const { who, topicId } = await newcomer('Late')
  await set(who, 'Archived')
  server.parley.callers.drop()
  hearNothing()
  const send = () => chatOf(who).post('messages', { topicId, text: 'Back' })
  const task = () => chatOf(who).post('tasks', { topicId, title: 'Back' })
  expect([(await send()).status, (await task()).status]).toEqual([401, 401])
  await set(who, 'Active')
  expect([(await send()).status, (await task()).status]).toEqual([201, 201])
})
