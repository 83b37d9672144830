import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { connectFor } from './support/assistants.ts'
import { organization } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'
import { openStream } from './support/stream.ts'

const DAY_MS = 24 * 3_600_000
const AGAIN = { status: 403, body: 'sign in again first', code: 'sign_in_again_required' }

let server: TestParley

beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

const settings = ({ orgId }: TestPerson) => `/people/organizations/${orgId}`
const set = (owner: TestPerson, signInDays: unknown) => owner.patch(settings(owner), { signInDays })
const start = (who: TestPerson) => chatOf(who).get('start')

async function strict(name: string, signInDays: number | null) {
  const orgId = await organization(server, name)
  const email = (who: string) => `${who}@${orgId}.test`
  const owner = await signInAs(server, { orgId, role: 'owner', name: 'Owner', email: email('owner') })
  const ada = await signInAs(server, { orgId, name: 'Ada', email: email('ada') })
  if (signInDays !== null) expect((await set(owner, signInDays)).body).toMatchObject({ signInDays })
  return { orgId, owner, ada, topicId: Object((await chatOf(ada).post('topics', { name: 'Plans' })).body).id }
}

it('opens the organization until its last moment, and then asks for a new sign-in', async () => {
  const { orgId, ada, topicId } = await strict('Strict', 7)
  const elsewhere = await organization(server, 'Lax')
  const lax = await signInAs(server, { orgId: elsewhere, name: 'Ada', email: ada.email })
  const there: TestPerson = { ...ada, orgId: elsewhere, profileId: lax.profileId }
  const send = (who: TestPerson) => chatOf(who).post('messages', { topicId, text: 'Hello' })
  server.clock.ahead += 7 * DAY_MS - 30_000
  // Used all the time, and remembered by the server.
  expect([(await start(ada)).status, (await send(ada)).status]).toEqual([200, 201])
  const stream = await openStream(ada, orgId)
  const { client } = await connectFor(await signInToProfile(server, ada))
  server.clock.ahead += 30_000
  expect(refusal(await start(ada))).toEqual(AGAIN)
  expect(refusal(await send(ada))).toEqual(AGAIN)
  await stream.ended()
  expect((await openStream(ada, orgId)).status).toBe(403)
  expect((await ada.get(`/people/locate?topicId=${topicId}`)).status).toBe(404)
  expect((await start(there)).status).toBe(200)
  const { memberships } = Object((await ada.get('/people/session')).body).account
  expect(memberships).toMatchObject([
    { organizationId: orgId, needs: 'sign_in' },
    { organizationId: elsewhere },
  ])
  expect((await send(await signInToProfile(server, ada))).status).toBe(201)
  server.clock.ahead += 7 * DAY_MS
  const { content } = await client.callTool({ name: 'list_topics', arguments: {} })
  expect(JSON.stringify(content)).toContain(topicId)
  await client.close()
})

it('counts at once, for streams and remembered people, and for the owner who sets it', async () => {
  const { orgId, owner, ada } = await strict('Stricter', null)
  server.clock.ahead += 2 * DAY_MS
  const fresh = await signInToProfile(server, owner)
  expect((await start(ada)).status).toBe(200)
  const [old, kept] = [await openStream(ada, orgId), await openStream(fresh, orgId)]
  for (const stream of [old, kept]) await stream.next(({ event }) => event === 'reset')
  expect((await set(owner, 2)).status).toBe(200)
  expect([refusal(await start(ada)), refusal(await start(owner))]).toEqual([AGAIN, AGAIN])
  await old.ended()
  expect([kept.isOver, (await start(fresh)).status]).toEqual([false, 200])
  kept.close()
  expect((await set(fresh, null)).body).toMatchObject({ signInDays: null })
  expect((await start(ada)).status).toBe(200)
})

it('is for owners, within what a session lasts, and stands in the audit log', async () => {
  const { orgId, owner, ada } = await strict('Strictest', 30)
  await server.parley.db.query(
    sql`update profiles set role = 'admin' where org_id = ${orgId} and id = ${ada.profileId}`,
  )
  expect(refusal(await set(ada, 5))).toMatchObject({
    status: 403,
    body: 'only owners decide when people sign in again',
  })
  for (const wrong of [0, 181, 1.5, '7']) expect((await set(owner, wrong)).status, `${wrong}`).toBe(400)
  expect((await owner.get(settings(owner))).body).toMatchObject({ signInDays: 30 })
  const { entries } = Object((await owner.get(`${settings(owner)}/audit?action=organization.changed`)).body)
  expect(entries).toMatchObject([{ changes: [{ field: 'signInDays', to: '30' }] }])
})
